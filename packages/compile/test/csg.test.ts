import { expect, it } from 'vitest';
import { type Brush, createBrush } from '../src/brushes.ts';
import { unionFaces } from '../src/csg.ts';
import { boxBrush } from '../src/index.ts';
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
