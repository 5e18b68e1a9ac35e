import { expect, it } from 'vitest';
import { leafTree } from '../src/index.ts';
import { boxPlanes, makeFile, openFile, type Plane } from './world.ts';

it('boxes are on the sides of nodes that they reach, whichever way the planes of these lean', () => {
  const planes: Plane[] = [
    [1, 0, 0, 5],
    [0, 1, 0, -7],
    [0, 0, 1, 9],
    [0.6, 0.8, 0, 3],
  ];
  const memory = openFile(
    makeFile({
      brushes: [{ planes: boxPlanes([-8, -8, -8], [8, 8, 8]), contents: 1 }],
      leafs: planes.map(() => ({ brushes: [0], contents: 1 })).concat({ brushes: [], contents: 0 }),
      nodes: planes.map((plane, k) => ({ plane, children: [k + 1 < planes.length ? k + 1 : -5, -1 - k] })),
    }),
  );
  const tree = leafTree(memory);
  for (const [node, [x, y, z, dist]] of planes.entries()) {
    /** A cube of this half size, so far from the plane. */
    const sides = (away: number, half: number): number => {
      const middle = [x, y, z].map((n) => n * (dist + away));
      const corners = [...middle.map((at) => at - half), ...middle.map((at) => at + half)];
      return tree.sides(node, Float64Array.from(corners));
    };
    expect([sides(2, 1), sides(-2, 1), sides(0.5, 1), sides(-0.5, 1)], `node ${node}`).toEqual([1, 2, 3, 3]);
    expect([tree.child(node, 0), tree.child(node, 1)]).toEqual([node < 3 ? node + 1 : -5, -1 - node]);
  }
  expect([-1, -5].map((child) => tree.leaf(child))).toEqual([0, 4]);
});
