import type { KernelChoice } from '@bspkit/core';
import { houseUfoai } from '@bspkit/fixtures';
import { chain, packLumps, putField, repeated, unpackLumps } from '@bspkit/testkit/crafted';
import { testBrushes, testRanges } from '@bspkit/testkit/crafted/suite';
import { UFOAI_CRAFTED } from '@bspkit/testkit/crafted/ufoai';
import { refusal } from '@bspkit/testkit/refusals';
import { describe, expect, it } from 'vitest';
import { brushPolygons, createUfoaiWorld, explain, mesh, polygons, readUfoai } from '../src/index.ts';

// What these cost in full size: packages/conformance/scripts/crafted-cost.ts.

const format = UFOAI_CRAFTED;
const base = houseUfoai();
const SIZE = 900_000;

describe('crafted files', () => {
  const open = (bytes: Uint8Array, kernel: KernelChoice = 'auto') =>
    createUfoaiWorld([{ file: readUfoai(bytes) }], { kernel });
  const subject = { id: 'ufoai', format, base, size: SIZE, open };
  testRanges(subject);
  testBrushes(subject, 2);

  it.each([1, 3])('whose brushes share sides (%i) that do not bound them have no faces', (count) => {
    const content = unpackLumps(format, base);
    for (let at = 0; at < content.brushes!.length; at += 12) {
      putField(content.brushes!, at, { at: 0, size: 4 }, 0);
      putField(content.brushes!, at, { at: 4, size: 4 }, count);
    }
    const file = readUfoai(packLumps(format, base, content));
    expect(brushPolygons(readUfoai(base)).length).toBeGreaterThan(0);
    expect(brushPolygons(file)).toEqual([]);
    expect(mesh(file, { by: 'brush' }).groups).toEqual([]);
    expect(polygons(createUfoaiWorld([{ file }]))).toEqual([]);
  });

  it('with trees as deep as allowed are walked and explained', () => {
    const world = createUfoaiWorld([{ file: readUfoai(chain(format, base, format.trees[0]!, SIZE, 1010)) }]);
    const [start, end] = [
      [-999, 5, 60],
      [999, 7, 80],
    ];
    expect(explain(world.ray(), start, end).steps.length).toBeGreaterThan(0);
    expect(explain(world.line(), start, end).steps.length).toBeGreaterThan(0);
    expect(polygons(world).length).toBeGreaterThan(0);
  });

  it('with more trees than lines may walk are refused', () => {
    const content = unpackLumps(format, base);
    const nodes = repeated(content.nodes!.slice(0, 28), 2000);
    for (let k = 0; k < 2000; k++) {
      putField(nodes, 28 * k, { at: 0, size: 4 }, 0);
      putField(nodes, 28 * k, { at: 4, size: 4 }, -1);
      putField(nodes, 28 * k, { at: 8, size: 4 }, -1);
    }
    content.nodes = nodes;
    content.models = repeated(content.models!.slice(0, 48), 2000);
    for (let k = 0; k < 2000; k++) putField(content.models, 48 * k, { at: 36, size: 4 }, k);
    expect(refusal(() => open(packLumps(format, base, content)))).toMatch(
      /^limit: ufoai: models: 2000 have trees/,
    );
  });
});
