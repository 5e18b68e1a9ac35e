export { compileMap } from './compile.ts';
export { CompileError, type CompileErrorCode, type CompileWarning, type SourcePlace } from './error.ts';
export {
  CONTENTS,
  type ContentsTable,
  contentsFromFile,
  contentsNames,
  type Flags,
  SURFACE,
  type SurfaceTable,
  surfaceFromFile,
  surfaceNames,
} from './flags.ts';
export { type FormatOptions, formatMap } from './map-format.ts';
export { type ParseOptions, parseMap } from './map-parse.ts';
export { checkMaterials, commonMaterial, type Material, type Materials } from './materials.ts';
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
export type {
  CompiledMap,
  CompileOption,
  CompileSettings,
  CompileStats,
  CompileTarget,
  MapText,
  SideNumbers,
} from './target.ts';
export * from './targets.ts';
