import { uniformQueries } from '@bspkit/compare';
import { type MapInfo, suitedPresets } from '@bspkit/core/format';
import { buildWorld, type WorldSource } from './maps.ts';
import { median } from './quantile.ts';
import type { ColdStart, LoadResult } from './result.ts';
import { presetTracer } from './shapes.ts';

const WARM_LOADS = 9;
/** Traces after the first one of a new process. */
const FIRST_TRACES = 1000;
/** The same moves for all. */
const SEED = 1;

/** Milliseconds from bytes to a world ready to trace in. */
function timeLoad(source: WorldSource): number {
  const begin = performance.now();
  buildWorld(source);
  return performance.now() - begin;
}

/**
 * What a new process waits for that has done nothing else: the world, its first tracer and trace, for which the kernel is compiled and
 * builds what it walks through, and the thousand that follow, when the JavaScript engine has compiled little. Moves
 * are uniform in the world's bounds, of the first shape that the format has measured.
 */
export function startCold(source: WorldSource): ColdStart {
  const begin = performance.now();
  const world = buildWorld(source);
  const loadMs = performance.now() - begin;
  const preset = suitedPresets(source.format, world).find(({ measured }) => measured)!;
  const moves = uniformQueries(1 + FIRST_TRACES, { bounds: world.bounds, seed: SEED });
  const ends = Array.from({ length: 2 * (1 + FIRST_TRACES) }, (_, k) => moves.subarray(3 * k, 3 * k + 3));
  const loaded = performance.now();
  const tracer = presetTracer(source.format, world, preset);
  const trace = tracer.createTrace();
  tracer.trace(ends[0]!, ends[1]!, trace);
  const first = performance.now();
  for (let k = 2; k < ends.length; k += 2) tracer.trace(ends[k]!, ends[k + 1]!, trace);
  return { loadMs, firstMs: first - loaded, tracesMs: performance.now() - first };
}

/** @param cold - what {@link startCold} gave as the first thing that a fresh process did, where one was started. */
export function measureLoad(
  source: WorldSource,
  { lumps, world }: MapInfo['memory'],
  cold?: ColdStart,
): LoadResult {
  const times = Array.from({ length: WARM_LOADS }, () => timeLoad(source));
  return { cold, warmMs: median(times), lumps, world };
}
