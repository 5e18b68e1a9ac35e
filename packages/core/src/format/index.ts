// For authors of formats: the descriptor, reading, checks, the layout of worlds, query rows. Not for users of formats; may change
// with any release.

export { type ArrayClass, checkArrayOf, isArrayOf } from '../arrays.ts';
export {
  type ArrayTypes,
  checkApart,
  checkBatch,
  createArrays,
  TRACE_ARRAYS,
  widthOf,
} from '../batch.ts';
export {
  type CapsuleArguments,
  capsuleBounds,
  capsuleOf,
  checkBounds,
  checkCallback,
  checkChoice,
  checkFileOf,
  checkFilled,
  checkFinite,
  checkFlag,
  checkKind,
  checkList,
  checkMask,
  checkModelNumber,
  checkMove,
  checkNumber,
  checkObject,
  checkOptions,
  checkPlace,
  checkPoint,
  checkPose,
  checkRadius,
  checkText,
  checkTrace,
  checkTracer,
  checkWhole,
  checkWholeFrom,
  copyBounds,
  failArgument,
  POSE_OPTIONS,
  setBounds,
  wholeIn,
} from '../check.ts';
export { createFlagNames, listNames } from '../contents.ts';
export { type TextToken, tokenizeText } from '../entities.ts';
export { showValue } from '../kinds.ts';
export { writeTrace } from '../trace.ts';
export type { KernelChoice, KernelName } from '../worlds.ts';
export {
  type CopyAnswers,
  copierOf,
  type Intake,
  type Moves,
  testTogether,
  traceTogether,
} from './batches.ts';
export {
  type Blocker,
  type BlockerRoom,
  type Blockers,
  blockerBytes,
  createBlockers,
  hasBlockers,
  isAround,
  type Noted,
} from './blockers.ts';
export { type BlockerBrush, type BrushTree, brushRoom, lookAtBrushes } from './brush-blockers.ts';
export { addBrushes, type BrushSource, cutPolygons } from './brushes.ts';
export { checkBuffer, checkBytes, createBuffer, held, toBytes } from './bytes.ts';
export { cellRoom, findCell, type SolidTree } from './cell-blockers.ts';
export { type Checks, createChecks, type DepthOptions, isNumberIn } from './checks.ts';
export {
  type ClearingGrid,
  type Clearings,
  clearingBytes,
  clearingGrid,
  createClearings,
  findClearing,
  findMissed,
  isClear,
  type ObstacleLister,
} from './clearings.ts';
export { type NumberKind, readFloats, readInts } from './columns.ts';
export { defineFormat, defineReader, onlyFile } from './define.ts';
export {
  addFace,
  blackPixels,
  type EdgeFaces,
  type FaceLight,
  faceTexel,
  faceVertex,
  fillLightmapCoords,
  fillTexCoords,
  type LightmapLayout,
  layoutLightmaps,
  measureFaces,
} from './faces.ts';
export { HeaderFields, listedModels, modelRange } from './fields.ts';
export {
  MOVE_END,
  MOVE_START,
  PLACE_POINT,
  POSE_ANGLES,
  POSE_ORIGIN,
  takeFloats,
  takePlace,
  takePose,
} from './floats.ts';
export type {
  AssemblyOptions,
  AssemblyPlan,
  BoxEntity,
  BspFile,
  BspFormat,
  BspFormatEntry,
  CreateOptions,
  Fields,
  FileBrush,
  FormatAssemblies,
  FormatIdentity,
  FormatReader,
  FormatRouting,
  FormatRoutingWork,
  MoveOptions,
  ReachOptions,
  Verdict,
  WalkCells,
  WalkReach,
} from './format.ts';
export { ibspVersion } from './ibsp.ts';
export { countValues, type LumpInfo, listLumps, type MapInfo, type ModelInfo } from './info.ts';
export { boxLeafs, boxSides, type LeafTree, leafsInBox, linkSides } from './leafs.ts';
export {
  lightmapBrightness,
  MeshBuilder,
  type MeshGroupHead,
  type MeshLayout,
  meshOptions,
} from './mesh.ts';
export { type LumpFile, type LumpFileKind, openFile, openIbsp, openLumps } from './open.ts';
export type { Work } from './places.ts';
export { plainOf } from './plain.ts';
export {
  bodyPreset,
  explainerOf,
  playerPreset,
  suitedPresets,
  tracerKind,
  tracerOf,
} from './presets.ts';
export { printAsString, showShape, showVec } from './print.ts';
export { BinaryReader, type LumpEntry } from './reader.ts';
export { createRecorder } from './recorder.ts';
export { checkRoomOf } from './room.ts';
export { setRotation } from './rotation.ts';
export {
  type Cell,
  columnPlaces,
  defineRows,
  doubleCell,
  failCell,
  float32Cell,
  floatCell,
  floatCells,
  HIT_COLUMNS,
  intCell,
  leafRows,
  listCell,
  modelCell,
  optionalFloats,
  type Row,
  type RowAnswering,
  type RowHeader,
  type RowKind,
  type RowKinds,
  type RowObject,
  type RowSequences,
  type RowSource,
  type RowTile,
  STOP_COLUMNS,
  writeHit,
  writeStop,
} from './rows.ts';
export {
  defineSections,
  type SectionPlace,
  type SectionPlaces,
  type Sections,
  type SectionsOptions,
} from './sections.ts';
export { type PackedError, packError, unpackError } from './send-error.ts';
export { sha256 } from './sha256.ts';
export { describeBytes, type FileKind } from './signatures.ts';
export { cos, sin, sinCos } from './sincos.ts';
export { type LightRecords, layoutStyles, paintStyles, type StyledLight } from './styles.ts';
export {
  type AskedLight,
  askedLight,
  checkLightSample,
  createFaceLight,
  createFullLight,
  createLightSample,
  type FaceLightSource,
  type FaceTrees,
} from './surface-light.ts';
export { packTexts, unpackTexts } from './texts.ts';
export { isErrorOf, reasonOf } from './thrown.ts';
export {
  ANGLES_OPTION,
  askedModel,
  checkPlaces,
  MODEL_OPTION,
  ORIGIN_OPTION,
  type TracerCatalog,
  type TracerKind,
  type TracerOption,
  type TracerPreset,
  type TracerValues,
} from './tracers.ts';
export { decodeRow, rowHasBit, rowLengths } from './vis.ts';
export { defineWasm, openKernel, type WasmInstance, type WasmKernel, worldOptions } from './wasm.ts';
