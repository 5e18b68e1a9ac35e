export { boxEntity, Quake1BoxEntity } from './box-entity.ts';
export type { Quake1Brush, Quake1BrushModel, Quake1Extension } from './bspx.ts';
export type { InsideOptions } from './classify.ts';
export {
  CONTENTS_CLIP,
  CONTENTS_CURRENT_0,
  CONTENTS_CURRENT_90,
  CONTENTS_CURRENT_180,
  CONTENTS_CURRENT_270,
  CONTENTS_CURRENT_DOWN,
  CONTENTS_CURRENT_UP,
  CONTENTS_EMPTY,
  CONTENTS_LAVA,
  CONTENTS_ORIGIN,
  CONTENTS_SKY,
  CONTENTS_SLIME,
  CONTENTS_SOLID,
  CONTENTS_TRANSLUCENT,
  CONTENTS_WATER,
  contentsByName,
  contentsName,
  DIST_EPSILON,
  foldCurrents,
  hullBounds,
  hullForSize,
  type Quake1Version,
} from './constants.ts';
export { explain, type Quake1Explanation } from './explain.ts';
export { type Quake1File, type Quake1FileModel, type Quake1Texture, readQuake1 } from './file.ts';
export type { Quake1Lump } from './lumps.ts';
export { createNote, type Note, type NoteRay } from './note.ts';
export type { ReferenceHull, ReferenceRay } from './reference.ts';
export type { Quake1Model, Traceable } from './traceable.ts';
export {
  type BoxTracer,
  createHullTrace,
  type HullOptions,
  type HullRules,
  type HullTrace,
  type HullTracer,
} from './tracer-hull.ts';
export type { PreciseRayOptions, PreciseRayTracer } from './tracer-ray.ts';
export { createQuake1World, Quake1World, type WorldOptions } from './world.ts';
