export * from '@bspkit/core';
export { type Detected, type DetectedForeign, type DetectedMap, detectBsp } from './detect.ts';
export {
  type BspFile,
  type BspMap,
  type DescriptorOf,
  type FileOf,
  FORMATS,
  type FormatId,
  type FormatNamed,
  type MapNamed,
  type WorldOf,
} from './formats.ts';
export { createWorld, formatOf, type OpenListOptions, type OpenOptions, openBsp, readBsp } from './open.ts';
