export type { BoxFilter, BoxOptions, BoxSettings, BoxTracer, ModelOptions } from './box-tracer.ts';
export type { UfoaiTile } from './build.ts';
export {
  ACTOR_CROUCHING,
  ACTOR_STANDING,
  type ActorBox,
  BIG_TORSO_HALF_WIDTH,
  type Cell,
  type CellSightOptions,
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
export { type BoxExplanation, explain, type HeadSteps, type LineExplanation } from './explain.ts';
export {
  readUfoai,
  type UfoaiFile,
  type UfoaiLump,
  type UfoaiModel as UfoaiFileModel,
  type UfoaiTexinfo,
} from './file.ts';
export type { HeadInfo, HeadKind } from './heads.ts';
export { levelList, levels } from './levels.ts';
export type { LineFilter, LineOptions, LineQuirks, LineTracer } from './line-tracer.ts';
export type { PoseOptions, UfoaiModel } from './model.ts';
export type { PolygonOptions } from './polygons.ts';
export type { ReferenceLine } from './reference.ts';
export type { ReferenceSweep } from './reference-box.ts';
export type { UfoaiRouting } from './routing.ts';
export { type BoxTrace, createBoxTrace, createLineTrace, type LineTrace } from './trace.ts';
export { createUfoaiWorld, type TileInfo, UfoaiWorld, type WorldOptions } from './world.ts';
