import { describe, expect, it } from 'vitest';
import { addScaled, BY, cross, DOT, dot } from '../src/vectors.ts';

// Recorded moves seldom end in a corner of two slanted walls, where most of this is used.

type Vec = readonly [number, number, number];

/** Its square is 2^-24 more than a float32 can hold, and is rounded down to 1 + 2^-11. */
const x = 1 + 2 ** -12;

/** Vectors from place 2 on, three numbers each. */
const A = 2;
const B = 5;
const OUT = 8;
const placed = (a: Vec, b: Vec): Float32Array => Float32Array.of(0, 0, ...a, ...b, 0, 0, 0);

describe('every operation on vectors is rounded, as in the engines', () => {
  it.each<[Vec, Vec, number]>([
    [[x, 1, 0], [x, -1, 0], 2 ** -11],
    [[1, x, 0], [-1, x, 0], 2 ** -11],
    [[1, 0, x], [-1, 0, x], 2 ** -11],
    // The first two products are added before the third.
    [[1, 1, 1], [1, 2 ** -24, -1], 0],
    [[1, 1, 1], [2 ** -24, 1, -1], 0],
    [[1, 1, 1], [1, -1, 2 ** -24], 2 ** -24],
  ])('dot products: %j %j', (a, b, product) => {
    const v = placed(a, b);
    dot(v, A, B);
    expect(v[DOT]).toBe(product);
  });

  it.each<[Vec, Vec, Vec]>([
    [
      [0, x, 1],
      [0, 1, x],
      [2 ** -11, 0, 0],
    ],
    [
      [0, 1, x],
      [0, x, 1],
      [-(2 ** -11), 0, 0],
    ],
    [
      [1, 0, x],
      [x, 0, 1],
      [0, 2 ** -11, 0],
    ],
    [
      [x, 0, 1],
      [1, 0, x],
      [0, -(2 ** -11), 0],
    ],
    [
      [x, 1, 0],
      [1, x, 0],
      [0, 0, 2 ** -11],
    ],
    [
      [1, x, 0],
      [x, 1, 0],
      [0, 0, -(2 ** -11)],
    ],
  ])('cross products: %j %j', (a, b, product) => {
    const v = placed(a, b);
    cross(v, A, B, OUT);
    expect([...v.subarray(OUT)].map((number) => number + 0)).toEqual(product);
    // Where it is written may be where one of them was.
    cross(v, A, B, A);
    expect([...v.subarray(A, A + 3)]).toEqual([...v.subarray(OUT)]);
  });

  it('sums of a vector and a multiple of another', () => {
    const v = placed([-1, -1, -1], [x, x, x]);
    v[BY] = x;
    addScaled(v, A, B, OUT);
    expect([...v.subarray(OUT)]).toEqual([2 ** -11, 2 ** -11, 2 ** -11]);
  });
});
