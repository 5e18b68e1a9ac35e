export { createTraceBatch, storeTrace, type TraceBatch } from './batch.ts';
export { checkBounds, checkMask, checkMove, checkNumber, checkPoint, checkRadius } from './check.ts';
export { createFlagNames, type FlagNames } from './contents.ts';
export { type Entity, entityModel, entityVector, parseEntities } from './entities.ts';
export { BspError, type BspErrorCode, type BspErrorPlace } from './error.ts';
export type {
  BrushStep,
  ClipOutcome,
  Explanation,
  FacetStep,
  LeafStep,
  NodeStep,
  Recorder,
  SideStep,
  StepVec,
  TraceStep,
} from './explain.ts';
export { BinaryReader, type LumpEntry } from './reader.ts';
export { createScene, type Scene, type SceneBodies } from './scene.ts';
export type { BodyOptions } from './scene-bodies.ts';
export {
  BODY_CONTENTS,
  type Body,
  type BodyShape,
  type BodyTraceOptions,
  createBody,
} from './scene-body.ts';
export { type Posable, type Pose, withPose } from './scene-pose.ts';
export type { Collider, TracerChanges } from './scene-shape.ts';
export {
  createSceneTrace,
  createSceneTraceBatch,
  type SceneTrace,
  type SceneTraceBatch,
  WORLD_ENTITY,
} from './scene-trace.ts';
export type { SceneFilter, SceneTracer, SceneTracerSettings } from './scene-tracer.ts';
export {
  defineSections,
  type SectionPlace,
  type SectionPlaces,
  type Sections,
  type SectionsOptions,
} from './sections.ts';
export type { Shape } from './shape.ts';
export { copyTrace, createTrace, resetTrace, type Trace } from './trace.ts';
export {
  checkSegments,
  defineTracer,
  isBlocked,
  type Tracer,
  type TracerParts,
  traceEach,
} from './tracer.ts';
export type { Bounds, Plane, Vec3 } from './vec.ts';
export type {
  BoxWorld,
  BspWorld,
  CapsuleWorld,
  PointClassifier,
  Polygon,
  PolygonSource,
  RayWorld,
  SightWorld,
  SphereClassifier,
  SphereWorld,
} from './worlds.ts';
