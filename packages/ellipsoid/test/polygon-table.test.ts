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
