import type { MapInfo } from '@bspkit/core/format';
import { buildWorld, type WorldSource } from './maps.ts';
import { median } from './quantile.ts';
import type { LoadResult } from './result.ts';

const WARM_LOADS = 9;

/** Milliseconds from bytes to a world ready to trace in. */
export function timeLoad(source: WorldSource): number {
  const begin = performance.now();
  buildWorld(source);
  return performance.now() - begin;
}

/** @param coldMs - what {@link timeLoad} gave as the first thing that a fresh process did, where one was started. */
export function measureLoad(
  source: WorldSource,
  { lumps, world }: MapInfo['memory'],
  coldMs?: number,
): LoadResult {
  const times = Array.from({ length: WARM_LOADS }, () => timeLoad(source));
  return { coldMs, warmMs: median(times), lumps, world };
}
