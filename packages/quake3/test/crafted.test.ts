import { arenaQuake3 } from '@bspkit/fixtures';
import {
  ballPlanes,
  chain,
  doubling,
  grow,
  int,
  joined,
  type Lumps,
  packLumps,
  planeRecords,
  putField,
  refusalOf,
  repeated,
  shareRange,
  unpackLumps,
  words,
} from '@bspkit/testkit/crafted';
import { QUAKE3_CRAFTED } from '@bspkit/testkit/crafted/quake3';
import { expectFirstOfTwins, TWINS } from '@bspkit/testkit/crafted/twins';
import { describe, expect, it } from 'vitest';
import { createQuake3World, explain, leafPolygons, polygons, readQuake3 } from '../src/index.ts';

// What these cost at full size: packages/conformance/scripts/crafted-cost.ts.

const format = QUAKE3_CRAFTED;
const base = arenaQuake3();
const SIZE = 900_000;

const refusal = refusalOf((bytes) => createQuake3World(readQuake3(bytes)));

/** Makes surfaces of a map patches of 3 x 3 points, all of which use the same or each its own. */
function patches(content: Lumps, count: number, bend: number, isShared: boolean): void {
  const vertexes = repeated(content.vertexes!.slice(0, 44), 9 * (isShared ? 1 : count));
  const view = new DataView(vertexes.buffer);
  for (let k = 0; k < vertexes.length / 44; k++) {
    const [x, y] = [k % 3, Math.floor(k / 3) % 3];
    for (const [axis, value] of [500 * x, 500 * y, bend * ((x % 2) + (y % 2))].entries()) {
      view.setFloat32(44 * k + 4 * axis, value, true);
    }
  }
  const first = content.vertexes!.length / 44;
  content.vertexes = joined(content.vertexes!, vertexes);
  const surfaces = repeated(content.surfaces!.slice(0, 104), count);
  for (let k = 0; k < count; k++) {
    const fields = { 8: 2, 12: first + (isShared ? 0 : 9 * k), 16: 9, 20: 0, 24: 0, 96: 3, 100: 3 };
    for (const [at, value] of Object.entries(fields)) {
      putField(surfaces, 104 * k, { at: Number(at), size: 4 }, value);
    }
  }
  content.surfaces = joined(content.surfaces!, surfaces);
}

describe('crafted files', () => {
  it.each(format.ranges)('where all $lump list the same $of are refused', (range) => {
    expect(refusal(shareRange(format, base, range, SIZE))).toMatch(
      range.of === 'indexes'
        ? /^limit: quake3: surfaces: have \d+ corners of \d+ vertexes/
        : new RegExp(`^limit: quake3: ${range.lump}: list \\d+ [a-z ]+, but there are only \\d+`),
    );
  });

  // A brush needs sides, and triangles need vertexes.
  const optional = format.ranges.filter(({ of }) => of !== 'sides' && of !== 'vertexes');
  it.each(optional)('where $lump list few $of load', (range) => {
    expect(refusal(shareRange(format, base, range, SIZE, 1e-9))).toBe('');
  });

  it.each(TWINS)(
    'where brushes have their sides once more, %s, stop moves at the first of the two',
    (_, twins) => {
      expectFirstOfTwins(format, base, twins, (bytes, kernel) =>
        createQuake3World(readQuake3(bytes), { kernel }),
      );
    },
  );

  it('with trees too deep to walk are refused', () => {
    const [tree] = format.trees;
    expect(refusal(chain(format, base, tree!, SIZE, 4000))).toMatch(/^limit: .* nodes deep; at most 1024/);
    expect(refusal(doubling(format, base, tree!, 200))).toMatch(/^cycle: /);
  });

  it('with trees as deep as may be are walked and explained', () => {
    const world = createQuake3World(readQuake3(chain(format, base, format.trees[0]!, SIZE, 1010)));
    const [start, end] = [
      [-999, 5, 60],
      [999, 7, 80],
    ];
    for (const tracer of [world.ray(), world.sphere(8), world.box([-9, -9, -9], [9, 9, 9])]) {
      expect(explain(tracer, start, end).steps.length).toBeGreaterThan(0);
    }
    expect(polygons(world).length).toBeGreaterThan(0);
  });

  it('where one leaf with all brushes is below every node are refused', () => {
    const content = unpackLumps(format, base);
    grow(format, content, 'leafBrushes', base.length + 80_000);
    putField(content.leafs!, 0, { at: 40, size: 4 }, 0);
    putField(content.leafs!, 0, { at: 44, size: 4 }, 20_000);
    const nodes = repeated(content.nodes!.slice(0, 36), 100);
    for (let k = 0; k < 100; k++) {
      putField(nodes, 36 * k, { at: 4, size: 4 }, k < 99 ? k + 1 : -1);
      putField(nodes, 36 * k, { at: 8, size: 4 }, -1);
    }
    content.nodes = nodes;
    expect(refusal(packLumps(format, base, content))).toMatch(
      /^limit: quake3: nodes: list 2020000 leaf brushes/,
    );
  });

  it('where a leaf lists a surface again and again have its polygons once', () => {
    const content = unpackLumps(format, base);
    const open = (): ReturnType<typeof createQuake3World> =>
      createQuake3World(readQuake3(packLumps(format, base, content)));
    const world = open();
    const leaf = Array.from({ length: world.numLeafs }, (_, k) => k).find(
      (k) => leafPolygons(world, k).length > 0,
    )!;
    const view = new DataView(content.leafs!.buffer);
    const [first, count] = [32, 36].map((at) => view.getInt32(48 * leaf + at, true)) as [number, number];
    const own = content.leafSurfaces!.slice(4 * first, 4 * (first + count));
    putField(content.leafs!, 48 * leaf, int(32), content.leafSurfaces!.length / 4);
    putField(content.leafs!, 48 * leaf, int(36), 100 * count);
    content.leafSurfaces = joined(content.leafSurfaces!, repeated(own, 100));
    expect(leafPolygons(open(), leaf)).toEqual(leafPolygons(world, leaf));
  });

  it('where a leaf lists a brush of many sides again and again are refused', () => {
    const content = unpackLumps(format, base);
    const sides = 2000;
    content.planes = joined(content.planes!, planeRecords(format, ballPlanes(sides, 500)));
    const [first, before] = [content.planes.length / 16 - sides, content.sides!.length / 8];
    const added = Array.from({ length: sides }, (_, k) => [first + k, 0]).flat();
    content.sides = joined(content.sides!, words(added));
    putField(content.brushes!, 0, { at: 0, size: 4 }, before);
    putField(content.brushes!, 0, { at: 4, size: 4 }, sides);
    expect(refusal(packLumps(format, base, content))).toBe('');
    const last = content.leafBrushes!.length / 4;
    content.leafBrushes = joined(content.leafBrushes!, words(new Array<number>(10_000).fill(0)));
    putField(content.leafs!, 48, { at: 40, size: 4 }, last);
    putField(content.leafs!, 48, { at: 44, size: 4 }, 10_000);
    expect(refusal(packLumps(format, base, content))).toMatch(
      /^limit: quake3: leafs: list 20000000 sides of brushes, but there are only \d+/,
    );
  });

  it('with brushes of so many sides that exact spheres would take too long are refused', () => {
    const content = unpackLumps(format, base);
    const sides = 3000;
    content.planes = joined(content.planes!, planeRecords(format, ballPlanes(sides, 500)));
    const [first, before] = [content.planes.length / 16 - sides, content.sides!.length / 8];
    content.sides = joined(
      content.sides!,
      words(Array.from({ length: sides }, (_, k) => [first + k, 0]).flat()),
    );
    putField(content.brushes!, 0, { at: 0, size: 4 }, before);
    putField(content.brushes!, 0, { at: 4, size: 4 }, sides);
    expect(refusal(packLumps(format, base, content))).toMatch(
      /^limit: quake3: brushes: have too many sides each/,
    );
  });

  it('whose patches share their points, or have more cells than they have room for, are refused', () => {
    const shared = unpackLumps(format, base);
    patches(shared, 9000, 0, true);
    expect(refusal(packLumps(format, base, shared))).toMatch(/^limit: quake3: surfaces: list \d+ vertexes/);
    const bent = unpackLumps(format, base);
    patches(bent, 100, 3000, false);
    expect(refusal(packLumps(format, base, bent))).toMatch(/^limit: .* patches need more than 10000 cells/);
    const flat = unpackLumps(format, base);
    patches(flat, 100, 0, false);
    expect(refusal(packLumps(format, base, flat))).toBe('');
  });
});
