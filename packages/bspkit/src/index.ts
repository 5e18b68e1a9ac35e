export * from '@bspkit/core';
export type { BspFormat } from '@bspkit/core/format';
export { type PakFile, readPak } from '@bspkit/core/pak';
export { type Detected, type DetectedForeign, type DetectedMap, detectBsp } from './detect.ts';
export * from './formats.ts';
export { createWorld, formatOf, type OpenListOptions, type OpenOptions, openBsp, readBsp } from './open.ts';
