import { expect, it } from 'vitest';
import { brushTree } from '../src/index.ts';
import { boxPlanes, makeFile, openFile, type Plane } from './world.ts';

it('a tree of brushes splits where the nodes of the file do, whichever way their planes lean', () => {
  const planes: Plane[] = [
    [1, 0, 0, 5],
    [0.6, 0.8, 0, -7],
    [0, 0, 1, 9],
    [0.48, 0.6, 0.64, 3],
  ];
  const memory = openFile(
    makeFile({
      brushes: [{ planes: boxPlanes([-8, -8, -8], [8, 8, 8]), contents: 1 }],
      leafs: planes.map(() => ({ brushes: [0], contents: 1 })).concat({ brushes: [], contents: 0 }),
      nodes: planes.map((plane, k) => ({ plane, children: [k + 1 < planes.length ? k + 1 : -5, -1 - k] })),
    }),
  );
  const { split, count, found } = brushTree(memory, 0, new Int32Array(0));
  for (const [k, plane] of planes.entries()) {
    const node = split(k)!;
    expect(Array.from(node.plane), `node ${k}`).toEqual(plane.map(Math.fround));
    expect([node.front, node.back]).toEqual([k + 1 < planes.length ? k + 1 : -5, -1 - k]);
  }
  expect(split(-1)).toBeUndefined();
  expect([-1, -5].map(count)).toEqual([1, 0]);
  // The leaf of the brush, one without any, and a brush that is not there; by the bits of both.
  const cube = { mins: [-8, -8, -8], maxs: [8, 8, 8], planes: new Float32Array(0), sides: [0, 0] } as const;
  expect(found(-1, { ...cube, number: 0, contents: 3 })).toBe(1);
  expect(found(-5, { ...cube, number: 0, contents: 1 })).toBe(0);
  expect(found(-1, { ...cube, number: 1, contents: 1 })).toBe(0);
});
