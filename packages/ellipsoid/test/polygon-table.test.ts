import type { Polygon } from '@bspkit/core';
import { expect, it } from 'vitest';
import { PolygonTable } from '../src/polygon-table.ts';

const NUMBERS = 9;

/** Polygons by the hundred that differ in one number of a corner, or in their surface, and in nothing else. */
function alike(changed: number): Polygon[] {
  return Array.from({ length: 500 }, (_, k) => {
    const vertices = Float32Array.of(0, 0, 0, 8, 0, 0, 0, 8, 0);
    if (changed < NUMBERS) vertices[changed] = k / 4;
    const surface = changed < NUMBERS ? 3 : k;
    return { vertices, normal: Float32Array.of(0, 0, 1), dist: 0, texture: -1, contents: 1, surface };
  });
}

it.each(Array.from({ length: NUMBERS + 1 }, (_, changed) => changed))(
  'a table tells polygons apart that differ in number %i only',
  (changed) => {
    const polygons = alike(changed);
    const table = new PolygonTable(polygons);
    // Copies, which are found by what they hold; zeros are the same whatever their sign.
    for (const [k, polygon] of polygons.entries()) {
      const vertices = polygon.vertices.map((x) => x || -0);
      expect(table.find({ ...polygon, vertices })).toBe(k);
    }
    const other = polygons[1]!;
    expect(table.find({ ...other, vertices: other.vertices.map((x) => x + 1000) })).toBe(-1);
    expect(table.find({ ...other, vertices: other.vertices.subarray(0, 6) })).toBe(-1);
    expect(table.find({ ...other, surface: 501 })).toBe(-1);
  },
);

/** Polygons whose hashes are made to be the same, and how often their corners have been asked for. */
function colliding(count: number): { polygons: Polygon[]; asked: () => number } {
  const number = new Float32Array(1);
  const bits = new Int32Array(number.buffer);
  const FACTOR = 0x9e3779b1;
  // Newton's way to the number that undoes the multiplication, modulo 2^32.
  let inverse = 1;
  for (let k = 0; k < 5; k++) inverse = Math.imul(inverse, 2 - Math.imul(FACTOR, inverse));
  const mixed = (hash: number, x: number): number => {
    number[0] = x;
    const product = Math.imul(hash ^ bits[0]!, FACTOR);
    return product ^ (product >>> 15);
  };
  let asked = 0;
  const polygons: Polygon[] = [];
  for (let x = 1; polygons.length < count; x++) {
    const corners = [x, 0, 0, x, 8, 0, x, 0];
    const hash = corners.reduce(mixed, 0);
    // What undoes the shift of 12345, and the last coordinate that leads there.
    bits[0] = hash ^ Math.imul(12345 ^ (12345 >>> 15), inverse);
    const last = number[0]!;
    if (!(Math.abs(last) < 1e6)) continue;
    const vertices = Float32Array.of(...corners, last);
    expect(vertices.reduce(mixed, 0)).toBe(12345);
    polygons.push({
      get vertices() {
        asked++;
        return vertices;
      },
      ...{ normal: Float32Array.of(1, 0, 0), dist: 0, texture: -1, contents: 1, surface: 0 },
    });
  }
  return { polygons, asked: () => asked };
}

it('a table finds polygons that were made for the same place in it without looking at all of them each time', () => {
  const COUNT = 2000;
  const { polygons, asked } = colliding(COUNT);
  const table = new PolygonTable(polygons);
  for (let round = 0; round < 3; round++) {
    for (const [k, { vertices, ...rest }] of polygons.entries()) {
      expect(table.find({ ...rest, vertices: vertices.map((x) => x || -0) })).toBe(k);
    }
  }
  expect(table.find({ ...polygons[0]!, vertices: Float32Array.of(1, 2, 3) })).toBe(-1);
  expect(asked()).toBeLessThan(200 * COUNT);
});
