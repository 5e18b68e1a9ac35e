export { BOX_MODEL, boxEntity, Quake3BoxEntity } from './box-entity.ts';
export * from './constants.ts';
export { explain, type Quake3Explanation } from './explain.ts';
export {
  type Quake3File,
  type Quake3Fog,
  type Quake3Lump,
  type Quake3Model as Quake3FileModel,
  type Quake3Shader,
  type Quake3Surface,
  type Quake3Visibility,
  readQuake3,
} from './file.ts';
export type { Quake3Patch } from './patches.ts';
export type { PolygonOptions } from './polygons.ts';
export type { ReferenceAnswer } from './reference-clip.ts';
export { type CapsuleSize, Traceable } from './traceable.ts';
export type { PoseOptions, Quake3Tracer, SphereOptions, TraceOptions, TracerSettings } from './tracer.ts';
export { createTutorial, type Tutorial, type TutorialMove } from './tutorial.ts';
export {
  createQuake3World,
  type Quake3Model,
  Quake3World,
  type WorldOptions,
} from './world.ts';
