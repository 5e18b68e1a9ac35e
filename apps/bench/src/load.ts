import { uniformQueries } from '@bspkit/compare';
import type { MapInfo } from '@bspkit/core/format';
import { buildWorld, type WorldSource } from './maps.ts';
import { median } from './quantile.ts';
import type { ColdStart, LoadResult } from './result.ts';
import { measuredShapes, presetTracer } from './shapes.ts';

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
 * What a new process waits for that has done nothing else: the world, its first trace, which compiles the kernel and lets
 * it build what it walks through, and the thousand that follow, when the JavaScript engine has compiled little. Moves
 * are uniform in the world's bounds, of the first shape that the format has measured.
 */
export function startCold(source: WorldSource): ColdStart {
  const begin = performance.now();
  const world = buildWorld(source);
  const loaded = performance.now();
  const tracer = presetTracer(source.format, world, measuredShapes(source.format, world)[0]!.preset);
  const moves = uniformQueries(1 + FIRST_TRACES, { bounds: world.bounds, seed: SEED });
  const trace = tracer.createTrace();
  const times = [0, 1, 1 + FIRST_TRACES].map((end, k, ends) => {
    for (let at = 6 * (ends[k - 1] ?? 0); at < 6 * end; at += 6)
      tracer.trace(moves.subarray(at, at + 3), moves.subarray(at + 3, at + 6), trace);
    return performance.now();
  }) as [number, number, number];
  return { loadMs: loaded - begin, firstMs: times[1] - times[0], tracesMs: times[2] - times[1] };
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
