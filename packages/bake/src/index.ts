export type { StopSignal } from '@bspkit/workers';
export { type BakeOptions, type BakeProgress, bake } from './bake.ts';
export { createJob, type JobParts, type JobTile } from './create.ts';
export { BakeError, type BakeErrorCode } from './error.ts';
export type { BakeExecutor } from './executor.ts';
export { type BakeFile, mergeBake, readBake } from './file.ts';
export {
  type BakeChunk,
  type BakeJob,
  type BakeParameters,
  type BakeTile,
  checkJob,
  chunkCount,
  chunkOf,
  type Json,
  MOST_CHUNKS,
  MOST_ITEMS,
} from './job.ts';
export type { AnyBakeKind, BakeContext, BakeKind, BakeSource, ChunkRunner } from './kind.ts';
export { type BatchParameters, mapInput } from './kinds/batch.ts';
export { type ClearanceParameters, type ClearanceResult, FITS, STANDS } from './kinds/clearance.ts';
export type { ExposureResult } from './kinds/exposure.ts';
export { BAKE_KINDS } from './kinds/index.ts';
export type { OcclusionParameters, OcclusionResult } from './kinds/occlusion.ts';
export type { RoutingResult } from './kinds/routing.ts';
export type { SightParameters } from './kinds/seeing.ts';
export type { SightResult } from './kinds/sight.ts';
export {
  type BakePoints,
  entityPoints,
  meshPoints,
  parsePoints,
  pointBytes,
  surfacePoints,
} from './points.ts';
export { type OpenJob, openJob } from './run.ts';
export { sha256 } from './sha256.ts';
export { isStart, startsOf } from './starts.ts';
export { type BakeStore, type MemoryStore, memoryStore } from './store.ts';
export { type AnsweredChunk, type StreamOptions, streamChunks } from './stream.ts';
export { type BakeTracer, bodyTracer, createTracer, sightTracer } from './tracer.ts';
export {
  beginAt,
  type Stance,
  stanceOf,
  type WalkableWays,
  type WalkOptions,
  walkableCells,
  walkableWays,
} from './walk.ts';
export { BakeWriter } from './writer.ts';
