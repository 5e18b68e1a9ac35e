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
export { actorSight, type SightActor, type Stance } from './actor-sight.ts';
export {
  type AssembledMap,
  type AssembleOptions,
  assembleTiles,
  type PlacedTile,
} from './assembly/assemble.ts';
export {
  readUmp,
  type UmpAssembly,
  type UmpChoice,
  type UmpFile,
  type UmpOptions,
  type UmpPart,
  type UmpSet,
  type UmpTile,
} from './assembly/ump.ts';
export type { UfoaiTile } from './build.ts';
export {
  ACTOR_CROUCHING,
  ACTOR_STANDING,
  type ActorBox,
  BIG_TORSO_HALF_WIDTH,
  type Cell,
  type CellSightOptions,
  cellSight,
  cellToWorld,
  EYE_CROUCHING,
  EYE_STANDING,
  FEET_HALF_WIDTH,
  levelOf,
  levelsBetween,
  TORSO_HALF_WIDTH,
  worldToCell,
} from './cells.ts';
export * from './constants.ts';
export { explain } from './explain.ts';
export {
  readUfoai,
  type UfoaiFile,
  type UfoaiFileModel,
  type UfoaiLump,
  type UfoaiTexinfo,
} from './file.ts';
export { type HeadInfo, type HeadKind, heads } from './heads.ts';
export { levelList, levels } from './levels.ts';
export { createLightSampler, type UfoaiLightOptions } from './light.ts';
export { lightmaps, type UfoaiLightmapOptions } from './lightmaps.ts';
export type { LineFilter, LineOptions, LineQuirks, UfoaiLineTracer } from './line-tracer.ts';
export { brushPolygons, mesh } from './mesh.ts';
export type { UfoaiModel } from './model.ts';
export { leafPolygons, type PolygonOptions, polygons } from './polygons.ts';
export {
  computeRouting,
  createRoutingWork,
  joinRoutingParts,
  type RoutingOptions,
  type RoutingWork,
} from './routing/compute.ts';
export { type JoinOptions, joinRouting } from './routing/join.ts';
export {
  decodeRouting,
  type EncodeOptions,
  encodeRouting,
  type RoutingBounds,
  readRouting,
} from './routing/lump.ts';
export {
  createPathfinder,
  createReach,
  FALL,
  type FarOptions,
  MAX_PATH_TIME,
  NOT_REACHED,
  type PathOptions,
  type UfoaiPathfinder,
  type UfoaiReach,
  type WayStep,
} from './routing/pathfinder.ts';
export { createRerouter, type RerouterOptions, type UfoaiRerouter } from './routing/reroute.ts';
export type { ActorRouting, UfoaiRouting } from './routing/table.ts';
export { surfaceAt } from './surface.ts';
export {
  createUfoaiTraceBatch,
  type UfoaiLineTrace,
  type UfoaiTrace,
  type UfoaiTraceBatch,
  type UfoaiTraceBatchOptions,
  type UfoaiTraceField,
} from './trace.ts';
export type {
  PlacedOptions,
  PlacedTracerSettings,
  TraceFilter,
  TraceOptions,
  TracerSettings,
  UfoaiPlacedTracer,
  UfoaiTracer,
} from './tracer.ts';
export { createUfoaiWorld, type TileInfo, UfoaiWorld } from './world.ts';
