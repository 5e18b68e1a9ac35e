import { COMPILE_TARGETS, compileMap, hullBrush } from '@bspkit/compile';
import type { BspFormat } from '@bspkit/core/format';
import { areasBy, cross, dot, lengthOf, subtract, type Vec } from '@bspkit/geometry';
import { FORMATS } from 'bspkit';
import { expect, it } from 'vitest';

/**
 * A box turned freely, with its corners rounded to eighths: each side becomes two triangles that are almost in one plane, too close
 * for a node between them.
 */
const TURNED: readonly Vec[] = [
  [80.75, -41.625, -31.25],
  [44, 86.625, -31.75],
  [-46.25, -78.125, -47],
  [-83, 50.125, -47.375],
  [71, -44.125, 53.375],
  [34.25, 84.125, 53],
  [-56, -80.625, 37.75],
  [-92.75, 47.625, 37.25],
];

/** The box in the middle, and with its axes exchanged to both sides of it. */
const BOXES: readonly (readonly Vec[])[] = [
  TURNED,
  TURNED.map(([x, y, z]) => [y + 320, z, x]),
  TURNED.map(([x, y, z]) => [z - 320, x, y]),
];

/** The areas of the triangles of corners that have all others behind them or in front of them, in square units. */
function hullTriangles(corners: readonly Vec[]): number[] {
  const areas: number[] = [];
  for (let i = 2; i < corners.length; i++)
    for (let j = 1; j < i; j++)
      for (let k = 0; k < j; k++) {
        const from = corners[i]!;
        const normal = cross(subtract(corners[j]!, from), subtract(corners[k]!, from));
        const sides = corners.map((to) => dot(normal, subtract(to, from)));
        if (sides.every((side) => side <= 0) || sides.every((side) => side >= 0))
          areas.push(lengthOf(...normal) / 2);
      }
  return areas;
}

it.each(COMPILE_TARGETS.map(({ id }) => id))(
  'draws sides that are almost in one plane once: %s',
  async (id) => {
    const format: BspFormat = await FORMATS.find((entry) => entry.id === id)!.load();
    const brushes = BOXES.map((corners) => hullBrush(corners, { material: 'wall' }));
    const mesh = format.mesh!(format.read(compileMap(brushes, { format: id }).bytes));
    const areas = areasBy(mesh, (triangle) =>
      Math.round(mesh.positions[3 * mesh.indices[3 * triangle]!]! / 320),
    );
    const triangles = hullTriangles(TURNED);
    expect(triangles).toHaveLength(12);
    const area = triangles.reduce((sum, one) => sum + one, 0);
    for (const box of [-1, 0, 1]) expect(areas.get(box)! / area, `box ${box}`).toBeCloseTo(1, 3);
  },
);
