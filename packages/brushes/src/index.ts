export { pointFields, sightVerdict } from './answers.ts';
export {
  ANSWERS,
  type HotMemory,
  openMemory,
  STOPS,
  takeTests,
  walkMoves,
} from './batch.ts';
export {
  B_END,
  B_EXTENTS,
  B_HEAD,
  B_HIGH,
  B_LOW,
  B_MAXS,
  B_MINS,
  B_START,
  R_ALL_SOLID,
  R_BRUSH,
  R_CONTENTS,
  R_DIST,
  R_LEAF,
  R_NORMAL,
  R_SIDE,
  R_START_SOLID,
  S_ANY,
  S_CULL,
  S_EVERY,
  S_MASK,
  S_POINT,
  S_REJECT,
  S_STILL,
} from './block.ts';
export { brushTree } from './blockers.ts';
export { type Bounds6, type BrushFile, type BrushRecords, brushBounds, brushModels } from './bounds.ts';
export { isOutOfWay, passesBy } from './brush.ts';
export { type BuildTarget, writeBrushes } from './build.ts';
export { obstacleLister } from './clearings.ts';
export { collectBrushes } from './collect.ts';
export {
  BLOCKED,
  BRUSH_STAMP,
  BRUSHES,
  MOVE_BRUSH,
  MOVE_SIDE,
  SEGMENT_BYTES,
  SEGMENTS,
  STACK,
  TRACES,
} from './hot-layout.ts';
export {
  BRUSH_BOUNDS,
  BRUSH_NUMBER,
  BRUSH_SIDES,
  BRUSH_WORDS,
  KIND_MASK,
  LEAF_WORDS,
  NODE_WORDS,
  OBLIQUE,
  PLANE_WORDS,
  SIDE_DIST,
  SIDE_PLANE,
  SIDE_TEXTURE,
  SIDE_WORDS,
} from './layout.ts';
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
export { facePolygons, type MadeFaces, sideSurface } from './polygons.ts';
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
  readNodeFaces,
  readTreeLumps,
} from './read.ts';
export { brushSources, fileBrushes, roomOfFaces } from './sources.ts';
export { boundMove, checkReach, traceHead } from './walk.ts';
