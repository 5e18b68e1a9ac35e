import { createTraceBatch, storeTrace, type TraceBatch } from '@bspkit/core';
import { reasonOf } from '@bspkit/core/format';
import {
  type Agreement,
  type Answer,
  type CompareEntry,
  DIFFERENCE_KINDS,
  type Difference,
  type DifferenceKind,
  plain,
  type SideRule,
} from './report.ts';
import { pointText } from './write.ts';

/** When answers count as the same. */
export interface Sameness {
  readonly tolerance: number;
  readonly distance: number;
  readonly sides: SideRule;
}

/** Cosine of the largest angle between normals of the same side: 1.8 degrees, well above the rounding of float32 normals. */
const SAME_NORMAL = 0.9995;

/** Differences that are collected before the widest are selected, so that this is done rarely. */
const LEAST_HELD = 1024;

/** Asks a tracer all queries. If it throws, the error gets its name and the query. */
export function answer({ name, tracer }: CompareEntry, queries: Float32Array): TraceBatch {
  const count = queries.length / 6;
  const answers = createTraceBatch(count);
  const out = tracer.createTrace();
  for (let query = 0; query < count; query++) {
    // What it returns is the answer: a tracer may not have filled `out`.
    ask(name, queries, query, (start, end) => storeTrace(answers, query, tracer.trace(start, end, out)));
  }
  return answers;
}

/** Asks one query. If it throws, the error gets a name and the query. */
export function ask<T>(
  name: string,
  queries: Float32Array,
  query: number,
  run: (start: Float32Array, end: Float32Array) => T,
): T {
  const [start, end] = endsOf(queries, query);
  try {
    return run(start, end);
  } catch (error) {
    // From the queries: the copies may have been written to.
    const [from, to] = endsOf(queries, query).map(pointText);
    throw named(`${name}, query ${query} (from ${from} to ${to})`, error);
  }
}

/** The error for what an entry has thrown, with the entry's name. */
export const named = (name: string, error: unknown): Error =>
  new Error(`${name}: ${reasonOf(error)}`, { cause: error });

/** Start and end of a query, as copies. */
const endsOf = (queries: Float32Array, query: number): [Float32Array, Float32Array] => [
  queries.slice(6 * query, 6 * query + 3),
  queries.slice(6 * query + 3, 6 * query + 6),
];

/** How many queries were stopped on their way, and how many began or stayed in solid. */
export function countAnswers(answers: TraceBatch): { hits: number; startSolid: number; allSolid: number } {
  const { fraction, startSolid, allSolid } = answers;
  const sum = (flags: Uint8Array): number => flags.reduce((total, flag) => total + flag, 0);
  return {
    hits: fraction.reduce((hits, reached) => hits + (reached < 1 ? 1 : 0), 0),
    startSolid: sum(startSolid),
    allSolid: sum(allSolid),
  };
}

/** Compares one tracer's answers with the first one's. Keeps the `keep` worst differences. */
export function agree(
  first: TraceBatch,
  own: TraceBatch,
  queries: Float32Array,
  same: Sameness,
  keep: number,
): Agreement {
  const count = queries.length / 6;
  const differ = Object.fromEntries(DIFFERENCE_KINDS.map((kind) => [kind, 0])) as Record<
    DifferenceKind,
    number
  >;
  const widest: { query: number; pair: Pair }[] = [];
  let differing = 0;
  const trim = (): void => {
    widest.sort((a, b) => b.pair.gap - a.pair.gap || a.query - b.query);
    widest.length = Math.min(widest.length, keep);
  };
  let compared = 0;
  let total = 0;
  let max = 0;
  for (let query = 0; query < count; query++) {
    const pair = comparePair(first, own, queries, query, same);
    const { kinds, gap } = pair;
    for (const kind of kinds) differ[kind]++;
    if (kinds.length > 0) {
      differing++;
      widest.push({ query, pair });
      // Even if millions differ, no more are kept than needed.
      if (widest.length >= 2 * keep + LEAST_HELD) trim();
    }
    if (first.allSolid[query] && own.allSolid[query]) continue;
    compared++;
    total += gap;
    max = Math.max(max, gap);
  }
  trim();
  const agreed = count - differing;
  const worst = widest.map(({ query, pair }) => describe(first, own, queries, query, pair));
  return {
    agreed,
    share: agreed / count,
    differ,
    gap: { mean: compared > 0 ? total / compared : 0, max },
    worst,
  };
}

/** How two answers to one query compare. */
type Pair = Pick<Difference, 'kinds' | 'gap'>;

function comparePair(
  first: TraceBatch,
  own: TraceBatch,
  queries: Float32Array,
  query: number,
  { tolerance, distance, sides }: Sameness,
): Pair {
  const [a, b] = [first.fraction[query]!, own.fraction[query]!];
  const [aHits, bHits] = [a < 1, b < 1];
  const across = aHits && bHits && faceAlike(first, own, query);
  const gap = gapOf(first, own, queries, query, across);
  const kinds: DifferenceKind[] = [];
  // For a move wholly in solid, the fraction means nothing: some engines say 1, others 0.
  if (!(first.allSolid[query] && own.allSolid[query])) {
    const apart = apartOf(a, b);
    const isSame = tolerance > 0 ? apart <= tolerance : Object.is(a, b);
    const near = isSame || (distance > 0 && apart <= 1 && gap <= distance);
    // A wall right at the end is a hit for one and a miss for the other: that is a question of tolerance too.
    if (!near) kinds.push(aHits === bHits ? 'fraction' : 'hit');
    if (aHits && bHits && sides !== 'any') {
      const isSame =
        sides === 'number' ? haveSameNumbers(first, own, query) : across || haveSameNormal(first, own, query);
      if (!isSame) kinds.push('side');
    }
  }
  if (first.startSolid[query] !== own.startSolid[query]) kinds.push('startSolid');
  if (first.allSolid[query] !== own.allSolid[query]) kinds.push('allSolid');
  return { kinds, gap };
}

/**
 * How far apart two ends are: across the surface when both were stopped by sides that face the same way, so that tracers that
 * keep different distances from surfaces are close however flat the move meets them; otherwise along the move. All of that if the
 * fractions' difference is not finite.
 */
function gapOf(
  first: TraceBatch,
  own: TraceBatch,
  queries: Float32Array,
  query: number,
  across: boolean,
): number {
  let square = 0;
  let height = 0;
  for (let k = 0; k < 3; k++) {
    const way = queries[6 * query + 3 + k]! - queries[6 * query + k]!;
    square += way * way;
    height += way * first.normal[3 * query + k]!;
  }
  const apart = apartOf(first.fraction[query]!, own.fraction[query]!);
  return (across ? Math.abs(height) : Math.sqrt(square)) * (Number.isFinite(apart) ? apart : 1);
}

/** How far apart two fractions are; also 0 for two that are not finite in the same way, whose difference is not defined. */
const apartOf = (a: number, b: number): number => (Object.is(a, b) ? 0 : Math.abs(a - b));

function haveSameNumbers(first: TraceBatch, own: TraceBatch, query: number): boolean {
  return (['model', 'brush', 'side', 'patch', 'plane'] as const).every(
    (field) => first[field][query] === own[field][query],
  );
}

/** Whether two normals face the same way. Those of no length face nowhere, nor do those that are not finite numbers. */
function faceAlike({ normal: a }: TraceBatch, { normal: b }: TraceBatch, query: number): boolean {
  let dot = 0;
  for (let k = 3 * query; k < 3 * query + 3; k++) dot += a[k]! * b[k]!;
  return dot >= SAME_NORMAL && dot < Infinity;
}

/** Whether two normals are equal, also where they face nowhere. */
function haveSameNormal({ normal: a }: TraceBatch, { normal: b }: TraceBatch, query: number): boolean {
  let isEqual = true;
  for (let k = 3 * query; k < 3 * query + 3; k++) isEqual &&= a[k] === b[k] || Object.is(a[k], b[k]);
  return isEqual;
}

function describe(
  first: TraceBatch,
  own: TraceBatch,
  queries: Float32Array,
  query: number,
  pair: Pair,
): Difference {
  const [start, end] = endsOf(queries, query);
  return {
    query,
    start: plain(start),
    end: plain(end),
    ...pair,
    first: answerOf(first, query),
    own: answerOf(own, query),
  };
}

function answerOf(batch: TraceBatch, query: number): Answer {
  return {
    fraction: batch.fraction[query]!,
    endPos: plain(batch.endPos.subarray(3 * query)),
    normal: plain(batch.normal.subarray(3 * query)),
    dist: batch.dist[query]!,
    startSolid: batch.startSolid[query] === 1,
    allSolid: batch.allSolid[query] === 1,
    contents: batch.contents[query]!,
    surfaceFlags: batch.surfaceFlags[query]!,
    model: batch.model[query]!,
    brush: batch.brush[query]!,
    side: batch.side[query]!,
    texture: batch.texture[query]!,
    patch: batch.patch[query]!,
    plane: batch.plane[query]!,
  };
}
