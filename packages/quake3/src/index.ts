export {
  type Bounds,
  type BrushPolygon,
  type BrushPolygonOptions,
  BspError,
  type Bytes,
  copyTrace,
  createTrace,
  createTraceBatch,
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
export { BOX_MODEL, boxEntity, type Quake3BoxEntity } from './box-entity.ts';
export * from './constants.ts';
export { exactSphere } from './exact/sphere.ts';
export { explain } from './explain.ts';
export {
  type Quake3File,
  type Quake3FileModel,
  type Quake3Fog,
  type Quake3Lump,
  type Quake3Shader,
  type Quake3Surface,
  type Quake3Visibility,
  readQuake3,
} from './file.ts';
export { createLightSampler } from './light.ts';
export { lightmaps } from './lightmaps.ts';
export { brushPolygons, mesh } from './mesh.ts';
export type { Quake3Model } from './model.ts';
export { patches, type Quake3Patch } from './patches/list.ts';
export { leafPolygons, type PolygonOptions, polygons } from './polygons.ts';
export { surfaceAt } from './surface.ts';
export type {
  PlacedOptions,
  Quake3Tracer,
  TraceOptions,
  TracerSettings,
} from './tracer.ts';
export { createTutorial, type Tutorial, type TutorialMove, type TutorialOptions } from './tutorial.ts';
export { createQuake3World, Quake3World } from './world.ts';
