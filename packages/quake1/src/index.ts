export {
  type Bounds,
  type BrushPolygon,
  type BrushPolygonOptions,
  BspError,
  type Bytes,
  copyTrace,
  createTrace,
  createTraceBatch,
  type EmbeddedTexture,
  type EmbeddedTextureOptions,
  type Entity,
  type Explanation,
  entityModel,
  entityVector,
  type FlagNames,
  type KernelChoice,
  type KernelName,
  type LightmapAtlas,
  type LightmapOptions,
  type LightOptions,
  type LightSample,
  type LightSampler,
  type Mesh,
  type MeshBy,
  type MeshGroup,
  type MeshOptions,
  type Placed,
  type Plane,
  type Polygon,
  type Pose,
  resetTrace,
  type Shape,
  type Surface,
  type Trace,
  type TraceBatch,
  type TraceBatchOptions,
  type TraceField,
  type Tracer,
  type Vec3,
} from '@bspkit/core';
export { type PakFile, readPak } from '@bspkit/core/pak';
export { boxEntity, type Quake1BoxEntity } from './box-entity.ts';
export { brushList, type Quake1Brush, type Quake1BrushModel, type Quake1Extension } from './bspx.ts';
export {
  distanceToSolid,
  type InsideOptions,
  type Liquid,
  pointContents,
  sphereInsideExact,
} from './classify.ts';
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
  contentsNames,
  hullBounds,
  hullForSize,
  playerHull,
  type Quake1Version,
  SURFACE_EPSILON,
  surfaceNames,
} from './constants.ts';
export { explain } from './explain.ts';
export {
  type Quake1File,
  type Quake1FileModel,
  type Quake1Lump,
  type Quake1Texture,
  readQuake1,
} from './file.ts';
export { hullPolygons } from './hull-polygons.ts';
export { createLightSampler, type Quake1LightOptions } from './light.ts';
export { lightmaps, type Quake1LightmapOptions } from './lightmaps.ts';
export { brushPolygons, mesh } from './mesh.ts';
export type { Quake1Model } from './model.ts';
export { createNote, type Note, type NoteRay } from './note.ts';
export { leafPolygons, polygons } from './polygons.ts';
export type { PlacedPreciseOptions, PreciseOptions, PreciseTracer } from './precise-tracer.ts';
export { surfaceAt } from './surface.ts';
export { createPalette, embeddedTextures, type Quake1TextureOptions } from './textures.ts';
export { createHullTrace, type HullTrace, type Quake1Trace } from './trace.ts';
export type {
  HullRules,
  HullTracer,
  PlacedOptions,
  SizedHullTracer,
  SizedTracerSettings,
  TraceOptions,
  TracerSettings,
} from './tracer.ts';
export { createQuake1World, Quake1World } from './world.ts';
