import { arenaQuake2 } from '@bspkit/fixtures';
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
import { QUAKE2_CRAFTED } from '@bspkit/testkit/crafted/quake2';
import { expectFirstOfTwins, TWINS } from '@bspkit/testkit/crafted/twins';
import { describe, expect, it } from 'vitest';
import { brushPolygons, createQuake2World, explain, mesh, polygons, readQuake2 } from '../src/index.ts';

// What these cost at full size: packages/conformance/scripts/crafted-cost.ts.

const format = QUAKE2_CRAFTED;
const base = arenaQuake2();
const SIZE = 900_000;

const refusal = refusalOf((bytes) => createQuake2World(readQuake2(bytes)));

describe('crafted files', () => {
  it.each(format.ranges)('where all $lump list the same $of are refused', (range) => {
    expect(refusal(shareRange(format, base, range, SIZE))).toMatch(
      new RegExp(`^limit: quake2: ${range.lump}: list \\d+ [a-z ]+, but there are only \\d+`),
    );
  });

  it.each(format.ranges)('where $lump list few $of load', (range) => {
    expect(refusal(shareRange(format, base, range, SIZE, 1e-9))).toBe('');
  });

  it.each([1, 3])('whose brushes share sides (%i) that do not bound them have no faces', (count) => {
    const content = unpackLumps(format, base);
    for (let at = 0; at < content.brushes!.length; at += 12) {
      putField(content.brushes!, at, { at: 0, size: 4 }, 0);
      putField(content.brushes!, at, { at: 4, size: 4 }, count);
    }
    const file = readQuake2(packLumps(format, base, content));
    expect(brushPolygons(readQuake2(base)).length).toBeGreaterThan(0);
    expect(brushPolygons(file)).toEqual([]);
    expect(mesh(file, { by: 'brush' }).groups).toEqual([]);
    expect(polygons(createQuake2World(file))).toEqual([]);
  });

  it('where a brush has every side twice have every face once', () => {
    const content = unpackLumps(format, base);
    const view = new DataView(content.brushes!.buffer, content.brushes!.byteOffset);
    const [first, count] = [view.getInt32(0, true), view.getInt32(4, true)];
    const own = content.sides!.slice(4 * first, 4 * (first + count));
    putField(content.brushes!, 0, { at: 0, size: 4 }, content.sides!.length / 4);
    putField(content.brushes!, 0, { at: 4, size: 4 }, 2 * count);
    content.sides = joined(content.sides!, joined(own, own));
    const [once, twice] = [base, packLumps(format, base, content)].map((bytes) => readQuake2(bytes));
    expect(brushPolygons(twice!)).toHaveLength(brushPolygons(once!).length);
    const faces = (file: typeof once): number => polygons(createQuake2World(file!), { mask: -1 }).length;
    expect(faces(twice)).toBe(faces(once));
  });

  it.each(TWINS)(
    'where brushes have their sides once more, %s, stop moves at the first of the two',
    (_, twins) => {
      expectFirstOfTwins(format, base, twins, (bytes, kernel) =>
        createQuake2World(readQuake2(bytes), { kernel }),
      );
    },
  );

  it('with trees too deep to walk are refused', () => {
    const [tree] = format.trees;
    expect(refusal(chain(format, base, tree!, SIZE, 4000))).toMatch(/^limit: .* nodes deep; at most 1024/);
    expect(refusal(doubling(format, base, tree!, 200))).toMatch(/^cycle: /);
  });

  it('with trees as deep as may be are walked and explained', () => {
    const world = createQuake2World(readQuake2(chain(format, base, format.trees[0]!, SIZE, 1010)));
    const [start, end] = [
      [-999, 5, 60],
      [999, 7, 80],
    ];
    for (const tracer of [world.ray(), world.box([-9, -9, -9], [9, 9, 9])]) {
      // Every leaf that is left is the first one, in which there are no brushes.
      expect(explain(tracer, start, end).trace).toEqual(tracer.trace(start, end));
      expect(tracer.trace(start, end)).toMatchObject({ fraction: 1, endPos: Float32Array.from(end) });
    }
    expect(polygons(world)).toEqual([]);
  });

  it('where one leaf with all brushes is below every node are refused', () => {
    const content = unpackLumps(format, base);
    grow(format, content, 'leafBrushes', base.length + 40_000);
    putField(content.leafs!, 56, { at: 24, size: 2 }, 0);
    putField(content.leafs!, 56, { at: 26, size: 2 }, 20_000);
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
      /^limit: quake2: nodes: list 2020000 leaf brushes/,
    );
  });

  it('with brushes of so many sides that their faces would take too long are refused', () => {
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
      /^limit: quake2: brushes: have too many sides each/,
    );
  });
});
