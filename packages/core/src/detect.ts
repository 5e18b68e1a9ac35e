// What it takes to recognise the format of a file: for the light halves of formats, and for whatever has a list of them. Programs
// load it before they open a map. `@bspkit/core/format` has all of it too, but bundlers that do not split that module up, such as
// esbuild, would load the rest of it as well.

export {
  checkCallback,
  checkChoice,
  checkFlag,
  checkKind,
  checkList,
  checkObject,
  checkOptions,
  failArgument,
} from './check.ts';
export { checkBytes, toBytes } from './format/bytes.ts';
export type { BspFormatEntry, FormatIdentity } from './format/format.ts';
export { ibspVersion } from './format/ibsp.ts';
export { describeBytes, type FileKind } from './format/signatures.ts';
