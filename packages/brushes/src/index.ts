export { type HotMemory, takeAnswers, takeStops, takeTests, walkMoves } from './batch.ts';
export * from './block.ts';
export { type Bounds6, type BrushFile, type BrushRecords, brushBounds, brushModels } from './bounds.ts';
export { isOutOfWay } from './brush.ts';
export { type BuildTarget, writeBrushes } from './build.ts';
export { obstacleLister } from './clearings.ts';
export { collectBrushes } from './collect.ts';
export * from './hot-layout.ts';
export * from './layout.ts';
export {
  BOX_FRAME_FLOATS,
  type BoxSettings,
  type BrushMemory,
  type BrushRules,
  clearAnswer,
  copySettings,
  createBlock,
  createSettings,
  nextStamp,
} from './memory.ts';
export { findLeaf, leafTree } from './points.ts';
export { brushSides, facePolygons, type MadeFaces, sidePolygon } from './polygons.ts';
export {
  createPlacement,
  isZero,
  LEAST,
  P_BACK_ROWS,
  P_ORIGIN,
  P_ROWS,
  type Placement,
  setAngles,
  setOrigin,
  turn,
  turnBack,
} from './pose.ts';
export {
  checkBrushes,
  checkLeafLists,
  type FaceRecords,
  readFaceLumps,
  readTreeLumps,
} from './read.ts';
export { brushSources, fileBrushes } from './sources.ts';
export { boundMove, checkReach, traceHead } from './walk.ts';
