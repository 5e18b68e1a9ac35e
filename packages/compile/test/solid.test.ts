import { between, createRandom, lengthOf, pick, type Vec, windingArea } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import { treeBounds } from '../src/box.ts';
import { type Brush, createBrush } from '../src/brushes.ts';
import { unionFaces } from '../src/csg.ts';
import { boxBrush, compileMap } from '../src/index.ts';
import { createMaterialFinder } from '../src/materials.ts';
import { PlaneSet } from '../src/planes.ts';
import { createBoxSolid, type Solid, solidReach } from '../src/solid.ts';
import { DRAWN_RULE, expandBrush } from '../src/targets/quake1/hull.ts';
import { buildTree, treeLeafs } from '../src/tree.ts';
import { depth } from './brute.ts';
import { readQuake1File } from './read/quake1.ts';
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

  it('do not go on as thin leafs where sides lie a hundredth apart', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = createRandom(seed);
      const brushes = Array.from({ length: 16 }, () => {
        const mins = [0, 1, 2].map(
          () => 16 * Math.floor(between(random, -8, 8)) + pick(random, [0, 0.0101, 0.014]),
        );
        return boxBrush(
          mins,
          mins.map((x) => x + 16 * Math.ceil(between(random, 0, 6)) + pick(random, [0, 0.0101])),
        );
      });
      const file = readQuake1File(compileMap(brushes, { format: 'quake1' }).bytes);
      for (let i = 0; i < 2000; i++) {
        const point = [0, 1, 2].map(() => 16 * Math.floor(between(random, -8, 8)) + between(random, 1, 15));
        point[i % 3] = Math.round(point[i % 3]! / 16) * 16 + between(random, 0, 0.024);
        const gap = Math.min(...brushes.map((brush) => depth(brush, point)));
        if (gap > 0.1 && file.contents(0, point) !== -1) expect({ seed, point, gap }).toEqual('open');
      }
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
