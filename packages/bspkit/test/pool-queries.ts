import { expect } from 'vitest';
import type { BspMap, TraceBatch } from '../src/index.ts';
import type { TracePoolError } from '../src/pool/node/index.ts';

/** Segments all over a map, on shared memory. */
export function segmentsIn({ bounds: { mins, maxs } }: BspMap, count: number): Float32Array {
  let seed = 5;
  const random = (): number => {
    seed = (seed * 16_807) % 0x7fffffff;
    return seed / 0x7fffffff;
  };
  const segments = new Float32Array(new SharedArrayBuffer(24 * count));
  for (let i = 0; i < segments.length; i++) {
    const k = i % 3;
    segments[i] = mins[k]! + random() * (maxs[k]! - mins[k]!);
  }
  return segments;
}

/** Everything in a batch, to the last bit. */
export const bitsOf = (batch: TraceBatch<never>): unknown =>
  Object.entries(batch).map(([name, array]) =>
    ArrayBuffer.isView(array)
      ? [name, Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('hex')]
      : [name, array],
  );

/** The error that a query was refused with. */
export const caught = (promise: Promise<unknown>): Promise<TracePoolError> =>
  promise.then(
    () => expect.fail('was not refused'),
    (error) => error,
  );
