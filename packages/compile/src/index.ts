export {
  type CompiledMap,
  type CompileFormat,
  type CompileOptions,
  type CompileStats,
  compileMap,
} from './compile.ts';
export { CompileError, type CompileErrorCode, type CompileWarning, type SourcePlace } from './error.ts';
export { CONTENTS, contentsNames, type Flags, SURFACE, surfaceNames } from './flags.ts';
export { type FormatOptions, formatMap } from './map-format.ts';
export { type ParseOptions, parseMap } from './map-parse.ts';
export { commonMaterial, type Material, type Materials } from './materials.ts';
export { type HullSize, QUAKE1_HULLS } from './quake1/compile.ts';
export {
  type BrushOptions,
  boxBrush,
  frustumBrush,
  type Heading,
  hullBrush,
  moveBrush,
  pillarBrush,
  planeSide,
  prismBrush,
  rampBrush,
  regularOutline,
  roomBrushes,
  stairBrushes,
} from './shapes.ts';
export type {
  MapSource,
  SourceBrush,
  SourceEntity,
  SourcePatch,
  SourceSide,
  TextureAxes,
} from './source.ts';
export type { TreeCounts } from './tree-counts.ts';
