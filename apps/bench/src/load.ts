import type { BspFormat, MapInfo } from '@bspkit/core/format';
import type { LoadResult } from './result.ts';

const WARM_LOADS = 9;

/** Milliseconds from a file's bytes to a world ready to trace in. */
export function timeLoad(format: BspFormat, bytes: Uint8Array): number {
  const begin = performance.now();
  format.createWorld([format.read(bytes)]);
  return performance.now() - begin;
}

/** @param coldMs - what {@link timeLoad} gave as the first thing that a fresh process did, where one was started. */
export function measureLoad(
  format: BspFormat,
  bytes: Uint8Array,
  { lumps, world }: MapInfo['memory'],
  coldMs?: number,
): LoadResult {
  const times = Array.from({ length: WARM_LOADS }, () => timeLoad(format, bytes));
  return { coldMs, warmMs: times.sort((a, b) => a - b)[WARM_LOADS >> 1]!, lumps, world };
}
