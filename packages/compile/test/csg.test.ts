import { expect, it } from 'vitest';
import { type Brush, createBrush } from '../src/brushes.ts';
import { unionFaces } from '../src/csg.ts';
import { boxBrush, hullBrush } from '../src/index.ts';
import { createMaterialFinder } from '../src/materials.ts';
import { PlaneSet } from '../src/planes.ts';
import { DRAWN_RULE } from '../src/targets/quake1/hull.ts';
import { WorkCounts } from '../src/work.ts';

it('looks at no more brushes once a side is covered', () => {
  const planes = new PlaneSet();
  const material = createMaterialFinder(undefined, false);
  const count = 200;
  let looks = 0;
  // Each overlaps all the others, and all lie inside the first, which covers them.
  const brushes = Array.from({ length: count }, (_, k): Brush => {
    const size = k === 0 ? 500 : 100 + k;
    const source = boxBrush([-size, -size, -size], [size, size, size]);
    const made = createBrush({ planes, material, warnings: [] }, source, {});
    return {
      ...made,
      get box() {
        looks++;
        return made.box;
      },
    };
  });
  const faces = unionFaces(planes, brushes, DRAWN_RULE, new WorkCounts(6 * count));
  expect(faces.map(({ brush }) => brush)).toEqual([0, 0, 0, 0, 0, 0]);
  // One look per pair for what touches, and one more per side: looking at all others would take 240,000.
  expect(looks).toBeLessThan(100_000);
});

it('gives all faces of a brush that is there twice to the first, however nearly its sides lie in one plane', () => {
  const planes = new PlaneSet();
  const material = createMaterialFinder(undefined, false);
  // A box turned freely, with its corners rounded to eighths: each side becomes two triangles.
  const source = hullBrush([
    [80.75, -41.625, -31.25],
    [44, 86.625, -31.75],
    [-46.25, -78.125, -47],
    [-83, 50.125, -47.375],
    [71, -44.125, 53.375],
    [34.25, 84.125, 53],
    [-56, -80.625, 37.75],
    [-92.75, 47.625, 37.25],
  ]);
  const brush = createBrush({ planes, material, warnings: [] }, source, {});
  const faces = unionFaces(planes, [brush, brush], DRAWN_RULE, new WorkCounts(24));
  expect(faces.map((face) => face.brush)).toEqual(Array(12).fill(0));
});
