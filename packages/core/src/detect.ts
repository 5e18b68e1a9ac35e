// What it takes to find out the format of a file: for the light halves of formats and for what has a list of them. Programs
// load it before they open a map, and bundlers which do not look into `@bspkit/core/format`, such as esbuild, would load all
// of that with it. It is all in there too.

export {
  checkCallback,
  checkChoice,
  checkFlag,
  checkList,
  checkObject,
  checkOptions,
} from './check.ts';
export { checkBytes, toBytes } from './format/bytes.ts';
export type { BspFormatEntry, FormatIdentity } from './format/format.ts';
export { describeBytes, type FileKind, ibspVersion } from './format/signatures.ts';
