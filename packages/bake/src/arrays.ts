import type { UnsharedBytes } from '@bspkit/core';
import { showValue } from '@bspkit/core/format';
import { BakeError } from './error.ts';

// Numbers as bytes, little-endian wherever they are read.

/** Numbers as float32, four bytes each. */
export function packFloats(values: ArrayLike<number>): UnsharedBytes {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) view.setFloat32(4 * i, values[i]!, true);
  return bytes;
}

/** The float32 of some bytes. Their number must be a multiple of four. */
function unpackFloats(bytes: Uint8Array): Float32Array {
  const values = new Float32Array(bytes.length / 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < values.length; i++) values[i] = view.getFloat32(4 * i, true);
  return values;
}

/** As much of a job as is needed for its items' numbers. */
interface Chunked {
  readonly chunkSize: number;
}

/** Throws `BakeError` (`file`) for an item with an impossible answer. */
export function wrongItem(item: number, { chunkSize }: Chunked, problem: string): never {
  throw new BakeError('file', `item ${item} ${problem}`, { chunk: Math.floor(item / chunkSize) });
}

/** The answers of all chunks as shares, 0 to 1. Throws `BakeError` (`file`) for anything else. */
export function unpackShares(chunks: readonly Uint8Array[], job: Chunked): Float32Array {
  const shares = unpackFloats(joinBytes(chunks));
  const item = shares.findIndex((share) => !(share >= 0 && share <= 1));
  if (item >= 0) wrongItem(item, job, `is ${shares[item]}, but a share is from 0 to 1`);
  return shares;
}

/** Bytes per point. */
const POINT = 12;

/** How many points or normals an input has. Throws `BakeError` (`job`) unless it consists of these. */
export function countPoints(inputs: Readonly<Record<string, Uint8Array>>, name: string): number {
  const { length } = inputs[name]!;
  if (length % POINT === 0) return length / POINT;
  throw new BakeError('job', `input ${showValue(name)} has ${length} bytes, but points have ${POINT} each`);
}

/** An input of points or normals: three finite float32 each. Throws `BakeError` (`job`) for anything else. */
export function pointsOf(inputs: Readonly<Record<string, Uint8Array>>, name: string): Float32Array {
  countPoints(inputs, name);
  const points = unpackFloats(inputs[name]!);
  const at = points.findIndex((x) => !Number.isFinite(x));
  if (at >= 0)
    throw new BakeError('job', `input ${showValue(name)}: point ${Math.floor(at / 3)} is not finite`);
  return points;
}

/** Joins parts into one. */
export function joinBytes(parts: readonly Uint8Array[]): UnsharedBytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
