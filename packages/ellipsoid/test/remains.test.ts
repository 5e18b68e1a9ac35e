import type { BspWorld, PointClassifier, Polygon, Vec3 } from '@bspkit/core';
import { findRealData, skippedWithoutMaps } from '@bspkit/fixtures/real';
import {
  addScaled,
  between,
  clipBehindAll,
  createRandom,
  direction,
  dot,
  lengthOf,
  planeWinding,
  subtract,
} from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import { createTutorialMove, radiusInDirection } from '../src/index.ts';
import { createPolygon } from '../src/reference/tutorial.ts';
import { realMap } from './maps.ts';

// What remains of the tutorial's method, in the numbers that the guide on the tutorial has.

const RADII = [16, 16, 28] as const;
const MOVES = 3000;

/** How far from a point the nearest edge of a polygon is. */
function distanceToEdges({ vertices }: Polygon, point: Vec3): number {
  let least = Infinity;
  const corner = (at: number): Vec3 => [0, 1, 2].map((k) => vertices[(at + k) % vertices.length]!);
  for (let at = 0; at < vertices.length; at += 3) {
    const [a, b] = [corner(at), corner(at + 3)];
    const along = subtract(b, a);
    const share = dot(subtract(point, a), along) / dot(along, along);
    const [x, y, z] = subtract(point, addScaled(a, Math.max(0, Math.min(1, share)), along));
    least = Math.min(least, lengthOf(x, y, z));
  }
  return least;
}

/** How far the area within a polygon's perpendicular planes, moved outwards, reaches from the polygon. */
function reachOf(polygon: Polygon): number {
  const { normal, dist } = polygon;
  const planes = createPolygon(polygon, 0).Planes.map(({ Normal, Distance }) => ({
    normal: Normal.map((x) => 0 - x),
    dist: radiusInDirection(RADII, Normal) - Distance,
  }));
  const area = clipBehindAll(planeWinding(normal[0]!, normal[1]!, normal[2]!, dist), planes)!;
  let most = 0;
  for (let at = 0; at < area.length; at += 3) {
    most = Math.max(most, distanceToEdges(polygon, area.slice(at, at + 3)));
  }
  return most;
}

describe.skipIf(!findRealData())(`what remains of the tutorial's method${skippedWithoutMaps}`, () => {
  it.each([
    ['quake3/oa_dm1.bsp', { polygons: 7350, above56: 789, above1000: 87 }],
    ['quake1/e1m1.bsp', { polygons: 5003, above56: 24, above1000: 0 }],
  ])('%s: how many polygons reach far', async (name, far) => {
    const { ellipsoids, source } = await realMap(name);
    const all = source.polygons();
    const reaches = Array.from({ length: ellipsoids.numPolygons }, (_, k) =>
      reachOf(all[ellipsoids.polygon(k).number]!),
    );
    const above = (least: number): number => reaches.filter((reach) => reach > least).length;
    // Without the fence around the map.
    expect({ polygons: reaches.length - 6, above56: above(56), above1000: above(1000) }).toEqual(far);
    expect(above(33)).toBeLessThan(reaches.length / 2);
  });

  it.each([
    ['quake3/oa_dm5.bsp', { behind: 29, front: 0 }],
    ['quake3/oa_dm1.bsp', { behind: 13, front: 2 }],
    ['quake1/e1m1.bsp', { behind: 0, front: 0 }],
  ])('%s: how often a move ends in a polygon', async (name, ends) => {
    const { ellipsoids, format, world, source } = await realMap(name);
    const polygons = source.polygons();
    const tracer = ellipsoids.tutorial(RADII);
    const move = createTutorialMove();
    const random = createRandom(1);
    const found = { behind: 0, front: 0 };
    for (let moves = 0; moves < MOVES; ) {
      // A place in front of a polygon, in the open.
      const { vertices, normal } =
        polygons[ellipsoids.polygon(Math.floor(random() * ellipsoids.numPolygons)).number]!;
      const corner = 3 * Math.floor(random() * (vertices.length / 3));
      const away = 1.01 * radiusInDirection(RADII, normal) + between(random, 0, 40);
      const start = addScaled(
        addScaled(vertices.slice(corner, corner + 3), away, normal),
        between(random, 0, 40),
        direction(random),
      );
      if (ellipsoids.distance(start, RADII, 0.001)) continue;
      if (format.contents.names((world as BspWorld & PointClassifier).contents(start)).includes('solid'))
        continue;
      moves++;
      const { endPos, returned } = tracer.move(
        start,
        addScaled(start, between(random, 0, 300), direction(random)),
        [],
        move,
      );
      if (returned) continue;
      const overlap = ellipsoids.distance(
        endPos,
        RADII.map((radius) => radius - 0.1),
        1e-4,
      );
      if (!overlap) continue;
      const met = polygons[ellipsoids.polygon(overlap.polygon).number]!;
      found[dot(start, met.normal) < met.dist ? 'behind' : 'front']++;
    }
    expect(found).toEqual(ends);
  });
});
