import type { Polygon, PolygonSource } from '@bspkit/core';
import {
  between,
  createRandom,
  cross,
  direction,
  lengthOf,
  type Random,
  subtract,
  type Vec,
} from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';

/** A polygon with the given corners, in order around its normal. */
export function polygonOf(corners: readonly Vec[], surface = -1): Polygon {
  const rounded = corners.map((corner) => Array.from(Float32Array.from(corner)) as Vec);
  const area = cross(subtract(rounded[1]!, rounded[0]!), subtract(rounded[2]!, rounded[0]!));
  const length = lengthOf(...area);
  const normal = Float32Array.from(area, (x) => x / length);
  const dist = Math.fround(rounded[0]!.reduce((sum, x, k) => sum + x * (area[k]! / length), 0));
  return { vertices: Float32Array.from(rounded.flat()), normal, dist, texture: 0, contents: 1, surface };
}

/** A source of polygons that are all in one leaf. */
export function sourceOf(polygons: readonly Polygon[]): PolygonSource {
  return {
    polygons: () => polygons,
    leafPolygons: () => polygons,
    numLeafs: 1,
    boxLeafs(_mins, _maxs, out) {
      if (out.length > 0) out[0] = 0;
      return 1;
    },
    isSolid: () => true,
  };
}

/** The six faces of a box, facing outwards or inwards. */
export function boxFaces(mins: Vec, maxs: Vec, inwards = false): Polygon[] {
  const corner = (k: number): Vec => [
    k & 1 ? maxs[0] : mins[0],
    k & 2 ? maxs[1] : mins[1],
    k & 4 ? maxs[2] : mins[2],
  ];
  const faces = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return faces.map((face) => polygonOf((inwards ? [...face].reverse() : face).map(corner)));
}

/** A room of 1,024 units with pillars, tilted slabs and loose triangles. */
export function randomRoom(seed: number): Polygon[] {
  const random = createRandom(seedOf(seed));
  const polygons = boxFaces([-512, -512, -512], [512, 512, 512], true);
  for (let k = 0; k < 6; k++) {
    const low = [0, 1, 2].map(() => Math.round(between(random, -480, 400))) as Vec;
    const high = low.map((x) => x + Math.round(between(random, 1, 200))) as Vec;
    polygons.push(...boxFaces(low, high));
  }
  for (let k = 0; k < 8; k++) polygons.push(randomPolygon(random));
  for (let k = 0; k < 10; k++) {
    const at = pointIn(random, 400);
    const size = between(random, 2, 200);
    const corner = (): Vec => {
      const [x, y, z] = direction(random);
      return [at[0] + x * size, at[1] + y * size, at[2] + z * size];
    };
    polygons.push(polygonOf([corner(), corner(), corner()]));
  }
  return polygons;
}

/** A regular polygon of up to eight corners, tilted at random; being float32, its corners lie a little off its plane. */
function randomPolygon(random: Random): Polygon {
  const at = pointIn(random, 400);
  const size = between(random, 10, 200);
  const u = direction(random);
  const w = direction(random);
  const v = cross(u, w);
  const length = lengthOf(...v);
  const count = 3 + Math.floor(random() * 6);
  const x = u;
  const y = v.map((c) => c / length) as Vec;
  return polygonOf(
    Array.from({ length: count }, (_, k) => {
      const angle = (2 * Math.PI * k) / count;
      const [a, b] = [size * Math.cos(angle), size * Math.sin(angle)];
      return [0, 1, 2].map((i) => at[i]! + a * x[i]! + b * y[i]!) as Vec;
    }),
  );
}

/** A point in a cube around the origin. */
export const pointIn = (random: Random, half: number): Vec => [
  between(random, -half, half),
  between(random, -half, half),
  between(random, -half, half),
];
