export * from '@bspkit/core';
export type { Quake1File, Quake1World } from '@bspkit/quake1';
export type { Quake3File, Quake3World } from '@bspkit/quake3';
export type { UfoaiFile, UfoaiWorld } from '@bspkit/ufoai';
export { type Detected, type DetectedForeign, type DetectedMap, detectBsp } from './detect.ts';
export {
  type BspFile,
  type BspFormat,
  type BspMap,
  createWorld,
  type OpenOptions,
  openBsp,
  readBsp,
} from './open.ts';
