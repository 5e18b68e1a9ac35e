import { houseUfoai } from '@bspkit/fixtures';
import {
  ballPlanes,
  chain,
  doubling,
  grow,
  joined,
  packLumps,
  planeRecords,
  putField,
  refusalOf,
  repeated,
  shareRange,
  unpackLumps,
  words,
} from '@bspkit/testkit/crafted';
import { expectFirstOfTwins, TWINS } from '@bspkit/testkit/crafted/twins';
import { UFOAI_CRAFTED } from '@bspkit/testkit/crafted/ufoai';
import { describe, expect, it } from 'vitest';
import { brushPolygons, createUfoaiWorld, explain, mesh, polygons, readUfoai } from '../src/index.ts';

// What these cost in full size: packages/conformance/scripts/crafted-cost.ts.

const format = UFOAI_CRAFTED;
const base = houseUfoai();
const SIZE = 900_000;

const refusal = refusalOf((bytes) => createUfoaiWorld([{ file: readUfoai(bytes) }]));

describe('crafted files', () => {
  it.each(format.ranges)('in which all $lump list the same $of are refused', (range) => {
    expect(refusal(shareRange(format, base, range, SIZE))).toMatch(
      new RegExp(`^limit: ufoai: ${range.lump}: list \\d+ [a-z ]+, but there are only \\d+`),
    );
  });

  it.each(format.ranges)('in which $lump list few $of load', (range) => {
    expect(refusal(shareRange(format, base, range, SIZE, 1e-9))).toBe('');
  });

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

  it.each(TWINS)(
    'in which brushes have their sides twice, %s, stop moves at the first of the two',
    (_, twins) => {
      expectFirstOfTwins(format, base, twins, (bytes, kernel) =>
        createUfoaiWorld([{ file: readUfoai(bytes) }], { kernel }),
      );
    },
  );

  it('with trees too deep to walk are refused', () => {
    const [tree] = format.trees;
    expect(refusal(chain(format, base, tree!, SIZE, 4000))).toMatch(/^limit: .* nodes deep; at most 1024/);
    expect(refusal(doubling(format, base, tree!, 200))).toMatch(/^cycle: /);
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

  it('in which one leaf with all brushes is below every node are refused', () => {
    const content = unpackLumps(format, base);
    grow(format, content, 'leafBrushes', base.length + 40_000);
    putField(content.leafs!, 48, { at: 18, size: 2 }, 0);
    putField(content.leafs!, 48, { at: 20, size: 2 }, 20_000);
    const nodes = repeated(content.nodes!.slice(0, 28), 100);
    for (let k = 0; k < 100; k++) {
      putField(nodes, 28 * k, { at: 0, size: 4 }, 0);
      putField(nodes, 28 * k, { at: 4, size: 4 }, k < 99 ? k + 1 : -3);
      putField(nodes, 28 * k, { at: 8, size: 4 }, -3);
    }
    content.nodes = nodes;
    for (let at = 0; at < content.models!.length; at += 48) {
      putField(content.models!, at, { at: 36, size: 4 }, at === 0 ? 0 : -1);
    }
    expect(refusal(packLumps(format, base, content))).toMatch(
      /^limit: ufoai: nodes: list 2020000 leaf brushes/,
    );
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
    expect(refusal(packLumps(format, base, content))).toMatch(/^limit: ufoai: models: 2000 have trees/);
  });

  it('with brushes whose faces would take too long because of their many sides are refused', () => {
    const content = unpackLumps(format, base);
    const sides = 3000;
    content.planes = joined(content.planes!, planeRecords(format, ballPlanes(sides, 500)));
    const first = content.planes.length / 20 - sides;
    const before = content.sides!.length / 4;
    const added = Array.from({ length: sides }, (_, k) => [first + k, 0]).flat();
    content.sides = joined(content.sides!, words(added, 2));
    putField(content.brushes!, 0, { at: 0, size: 4 }, before);
    putField(content.brushes!, 0, { at: 4, size: 4 }, sides);
    expect(refusal(packLumps(format, base, content))).toMatch(
      /^limit: ufoai: brushes: have too many sides each/,
    );
  });
});
