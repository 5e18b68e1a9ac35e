import type { TraceBatch, TraceField, Tracer } from '@bspkit/core';
import { expect } from 'vitest';
import { failAt, moveText } from './same.ts';

/**
 * What a loop of `trace` and `blocked` answers to segments, as the tracer's batches do: in all fields that these have. What
 * traces lack is -1.
 */
export function answerOneByOne(
  tracer: Tracer,
  segments: Float32Array,
): { batch: TraceBatch; tests: Uint8Array } {
  const count = segments.length / 6;
  const batch = tracer.traceBatch(new Float32Array(segments.length));
  const tests = new Uint8Array(count);
  const out = tracer.createTrace();
  const fields = Object.keys(batch).filter((name) => name !== 'count') as TraceField[];
  for (let k = 0; k < count; k++) {
    const [start, end] = [segments.subarray(6 * k, 6 * k + 3), segments.subarray(6 * k + 3, 6 * k + 6)];
    tracer.trace(start, end, out);
    for (const field of fields) {
      if (field === 'endPos' || field === 'normal') batch[field].set(out[field], 3 * k);
      else batch[field][k] = Number(out[field] ?? -1);
    }
    tests[k] = tracer.blocked(start, end) ? 1 : 0;
  }
  return { batch, tests };
}

/** Answers to segments, by field, and whether each is blocked. */
type Answers = Partial<TraceBatch> & { readonly blocked?: Uint8Array };

/**
 * Expects two batches to have the same fields, and in these the same bits. If not, it says what differs first: the segment, its
 * field, and both values.
 *
 * @param segments - the moves: as many answers are compared as there are moves.
 */
export function expectSameBatch(actual: Answers, expected: Answers, segments: Float32Array, what = ''): void {
  const count = segments.length / 6;
  const [own, others] = [arraysOf(actual), arraysOf(expected)];
  failAt(expectSameBatch, () => expect(lengthsOf(own), what).toEqual(lengthsOf(others)));
  let [first, differing] = [Number.POSITIVE_INFINITY, 0];
  for (const [k, [, array]] of own.entries()) {
    const other = others[k]![1];
    if (bytesOf(array).equals(bytesOf(other))) continue;
    differing++;
    first = Math.min(first, Math.floor(firstOther(array, other) / (array.length / count)));
  }
  if (differing === 0) return;
  const told = own.flatMap(([field, array], k) => {
    const width = array.length / count;
    const [one, other] = [array, others[k]![1]].map((all) => all.slice(width * first, width * (first + 1)));
    return bytesOf(one!).equals(bytesOf(other!))
      ? []
      : [`${field} expected ${text(other!)} got ${text(one!)}`];
  });
  const move = segments.subarray(6 * first, 6 * first + 6);
  const fields = differing > told.length ? `; in all, ${differing} fields differ` : '';
  const where = `segment ${first} of ${count}, ${moveText(move.subarray(0, 3), move.subarray(3))}`;
  failAt(expectSameBatch, () => expect.fail(`${what && `${what}: `}${where}: ${told.join(', ')}${fields}`));
}

type Numbers = Float32Array | Int32Array | Uint8Array;

const arraysOf = (batch: Answers): [field: string, array: Numbers][] =>
  Object.entries(batch)
    .filter((entry): entry is [string, Numbers] => ArrayBuffer.isView(entry[1]))
    .sort(([a], [b]) => (a < b ? -1 : 1));

const lengthsOf = (arrays: readonly [string, Numbers][]): Record<string, number> =>
  Object.fromEntries(arrays.map(([field, { length }]) => [field, length]));

const bytesOf = ({ buffer, byteOffset, byteLength }: Numbers): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** The place of the first number that differs. */
function firstOther(one: Numbers, other: Numbers): number {
  let at = 0;
  while (at < one.length && bytesOf(one.subarray(at, at + 1)).equals(bytesOf(other.subarray(at, at + 1))))
    at++;
  return at;
}

const text = (numbers: Numbers): string =>
  Array.from(numbers, (x) => (Object.is(x, -0) ? '-0' : String(x))).join(' ');
