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
export { type PakFile, readPak } from '@bspkit/core/pak';
export { BOX_MODEL, boxEntity, type Quake2BoxEntity } from './box-entity.ts';

export * from './constants.ts';
export { explain } from './explain.ts';
export {
  type Quake2File,
  type Quake2FileModel,
  type Quake2Lump,
  type Quake2Texinfo,
  type Quake2Visibility,
  readQuake2,
} from './file.ts';
export { createLightSampler } from './light.ts';
export { lightmaps } from './lightmaps.ts';
export { brushPolygons, mesh } from './mesh.ts';
export type { Quake2Model } from './model.ts';
export { leafPolygons, type PolygonOptions, polygons } from './polygons.ts';
export { surfaceAt } from './surface.ts';
export type {
  PlacedOptions,
  Quake2Tracer,
  TraceOptions,
  TracerSettings,
} from './tracer.ts';
export { createQuake2World, Quake2World } from './world.ts';
