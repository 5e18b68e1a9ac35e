export * from './constants.ts';
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
export type { PoseOptions, Quake3Tracer, TraceOptions, TracerSettings } from './tracer.ts';
export {
  type CapsuleSize,
  createQuake3World,
  type Quake3Model,
  Quake3World,
  type WorldOptions,
} from './world.ts';
