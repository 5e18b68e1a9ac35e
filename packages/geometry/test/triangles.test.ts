import { expect, it } from 'vitest';
import { areasBy, triangleOf } from '../src/index.ts';

/** A square of 4 by 4 in two triangles; the second is wound the other way. */
const square = {
  positions: Float32Array.of(0, 0, 1, 4, 0, 1, 4, 4, 1, 0, 4, 1),
  normals: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0.6, 0.8, 0, 0, 1),
  indices: Uint32Array.of(0, 1, 2, 0, 3, 2),
};

it('measures triangles, and how far their normals are off those of their corners', () => {
  const height = expect.closeTo(2 * Math.SQRT2);
  expect(triangleOf(square, 0)).toEqual({ area: 8, height, cosine: expect.closeTo(0.8) });
  expect(triangleOf(square, 1)).toEqual({ area: 8, height, cosine: -1 });
});

it('sums areas by a number of each triangle', () => {
  expect(areasBy(square, () => 7)).toEqual(new Map([[7, 16]]));
  expect(areasBy(square, (triangle) => triangle)).toEqual(
    new Map([
      [0, 8],
      [1, 8],
    ]),
  );
});
