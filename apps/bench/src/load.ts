import type { MapInfo } from '@bspkit/core/format';
import type { ColdStart } from './cold.ts';
import { median } from './quantile.ts';
import type { LoadResult } from './result.ts';
import { buildWorld, type WorldSource } from './world.ts';

const WARM_LOADS = 9;

/** Milliseconds from bytes to a world ready to trace in. */
function timeLoad(source: WorldSource): number {
  const begin = performance.now();
  buildWorld(source);
  return performance.now() - begin;
}

/** @param cold - what `startCold` returned as the first thing in a new process, if one was started. */
export function measureLoad(
  source: WorldSource,
  { lumps, world }: MapInfo['memory'],
  cold?: ColdStart,
): LoadResult {
  const times = Array.from({ length: WARM_LOADS }, () => timeLoad(source));
  return { cold, warmMs: median(times), lumps, world };
}
