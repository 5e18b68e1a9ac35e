export {
  createTraceBatch,
  storeTrace,
  type TraceArrays,
  type TraceBatch,
  type TraceBatchOptions,
  type TraceField,
} from './batch.ts';
export type { FlagNames } from './contents.ts';
export { type Entity, entityModel, entityVector, parseEntities } from './entities.ts';
export { BspError, type BspErrorCode, type BspErrorPlace } from './error.ts';
export type {
  BrushStep,
  ClipOutcome,
  Explanation,
  FacetStep,
  FeatureStep,
  LeafStep,
  MoveEnd,
  MoveExplanation,
  MovePush,
  MoveRound,
  NodeStep,
  PolygonStep,
  Recorder,
  SideStep,
  StepVec,
  TraceStep,
  TreeSteps,
} from './explain.ts';
export type { LightOptions, LightSample, LightSampler } from './light.ts';
export type {
  BrushPolygon,
  BrushPolygonOptions,
  EmbeddedTexture,
  EmbeddedTextureOptions,
  LightmapAtlas,
  LightmapOptions,
  Mesh,
  MeshBy,
  MeshGroup,
  MeshOptions,
} from './mesh.ts';
export type { CapsuleSize, Shape } from './shape.ts';
export { copyTrace, createTrace, resetTrace, type Trace } from './trace.ts';
export {
  blockedEach,
  type Changeable,
  checkSegments,
  checkTests,
  defineTracer,
  isBlocked,
  type Placeable,
  type Placed,
  type Tracer,
  type TracerChanges,
  type TracerParts,
  traceEach,
} from './tracer.ts';
export type { Bounds, Bytes, Plane, Pose, UnsharedBytes, Vec3 } from './vec.ts';
export type {
  BoxWorld,
  BspWorld,
  CapsuleWorld,
  HullWorld,
  KernelChoice,
  KernelName,
  LineWorld,
  OpenOptions,
  PointClassifier,
  Polygon,
  PolygonSource,
  RayWorld,
  SightWorld,
  SphereClassifier,
  SphereWorld,
  Surface,
  SurfaceFinder,
  VisibilityWorld,
  WorldOptions,
} from './worlds.ts';
