import { createRandom, lengthOf, type Vec, windingArea } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import { treeBounds } from '../src/box.ts';
import { type Brush, createBrush } from '../src/brushes.ts';
import { unionFaces } from '../src/csg.ts';
import { createMaterialFinder } from '../src/materials.ts';
import { PlaneSet } from '../src/planes.ts';
import { createBoxSolid, type Solid, solidReach } from '../src/solid.ts';
import { DRAWN_RULE, expandBrush } from '../src/targets/quake1/hull.ts';
import { buildTree, treeLeafs } from '../src/tree.ts';
import { roundedBox } from './rounded.ts';

/** Boxes turned any way, each alone in a set of planes. */
function* turnedBoxes(count: number): Generator<{ seed: number; planes: PlaneSet; brush: Brush }> {
  const material = createMaterialFinder(undefined, false);
  for (let seed = 1; seed <= count; seed++) {
    const source = roundedBox(createRandom(seed), 10);
    if (!source) continue;
    const planes = new PlaneSet();
    yield { seed, planes, brush: createBrush({ planes, material, warnings: [] }, source, {}) };
  }
}

/** By how much the areas of a body's sides, as vectors, fail to add up to nothing. */
function gap({ windings }: Solid): number {
  const sum: Vec = [0, 0, 0];
  for (const winding of windings) {
    for (const [k, x] of windingArea(winding).entries()) sum[k]! += x;
  }
  return lengthOf(...sum);
}

const PLAYER = { mins: [-16, -16, -24], maxs: [16, 16, 32] } as const;

describe('bodies with sides that lie nearly in one plane', () => {
  it('are closed, as they are and expanded', () => {
    for (const { seed, planes, brush } of turnedBoxes(300)) {
      const gaps = [brush.solid, expandBrush(planes, brush, PLAYER).solid].map(gap);
      if (!gaps.every((square) => square < 20))
        expect({ seed, gaps }).toEqual('gaps of less than 20 square units');
    }
  });

  it('have no thin leafs beside them that are solid', () => {
    for (const { seed, planes, brush } of turnedBoxes(300)) {
      const tree = buildTree({
        planes,
        brushes: [brush],
        faces: unionFaces(planes, [brush], DRAWN_RULE),
        leafs: 'contents',
        cells: true,
        box: createBoxSolid(planes, treeBounds(brush.box)),
        costs: { oblique: 0, crowd: Number.POSITIVE_INFINITY },
      });
      for (const { bits, cell, center } of treeLeafs(tree)) {
        if (bits === 0) continue;
        const out = Math.max(...brush.solid.planes.map((plane) => solidReach(planes, cell!, plane)[1]));
        if (out > 0.1) expect({ seed, center, out }).toEqual('a leaf within the brush');
      }
    }
  });
});
