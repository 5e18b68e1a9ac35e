import { createQuake3World, type Quake3File, type Quake3Lump, readQuake3 } from '@bspkit/quake3';
import { median } from './measure.ts';
import type { LoadResult } from './result.ts';

const WARM_LOADS = 9;

const BRUSH_LUMPS: readonly Quake3Lump[] = [
  'shaders',
  'planes',
  'nodes',
  'leafs',
  'leafSurfaces',
  'leafBrushes',
  'models',
  'brushes',
  'sides',
];

const OTHER_COLLISION_LUMPS: readonly Quake3Lump[] = ['entities', 'visibility', 'surfaces', 'vertexes'];

/** Milliseconds from a file's bytes to a world ready to trace in. */
export function timeLoad(bytes: Uint8Array): number {
  const begin = performance.now();
  createQuake3World(readQuake3(bytes));
  return performance.now() - begin;
}

/** @param coldMs - what {@link timeLoad} gave as the first thing that a fresh process did, where one was started. */
export function measureLoad(bytes: Uint8Array, coldMs?: number): LoadResult {
  const file = readQuake3(bytes);
  const sum = (lumps: readonly Quake3Lump[]): number =>
    lumps.reduce((total, lump) => total + file.lumpBytes[lump], 0);
  const brushLumps = sum(BRUSH_LUMPS);
  return {
    coldMs,
    warmMs: median(Array.from({ length: WARM_LOADS }, () => timeLoad(bytes))),
    brushLumps,
    collisionLumps: brushLumps + sum(OTHER_COLLISION_LUMPS),
    worldBytes: worldBytes(file),
  };
}

function worldBytes(file: Quake3File): number {
  return createQuake3World(file).data.byteLength;
}
