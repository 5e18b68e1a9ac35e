import type { TraceField } from '@bspkit/core';
import {
  ALL_ALL_SOLID,
  ALL_BRUSH,
  ALL_CONTENTS,
  ALL_DIST,
  ALL_END_POS,
  ALL_FRACTION,
  ALL_MODEL,
  ALL_NORMAL,
  ALL_PATCH,
  ALL_PLANE,
  ALL_SIDE,
  ALL_START_SOLID,
  ALL_SURFACE_FLAGS,
  ALL_TEXTURE,
} from './layout.ts';

/** Where the kernel has its answers of batches. */
export const ANSWERS: Partial<Record<TraceField, number>> = {
  fraction: ALL_FRACTION,
  endPos: ALL_END_POS,
  normal: ALL_NORMAL,
  dist: ALL_DIST,
  startSolid: ALL_START_SOLID,
  allSolid: ALL_ALL_SOLID,
  contents: ALL_CONTENTS,
  surfaceFlags: ALL_SURFACE_FLAGS,
  model: ALL_MODEL,
  brush: ALL_BRUSH,
  side: ALL_SIDE,
  texture: ALL_TEXTURE,
  patch: ALL_PATCH,
  plane: ALL_PLANE,
};
