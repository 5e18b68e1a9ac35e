import type { KernelChoice } from '@bspkit/core';
import { arenaQuake3 } from '@bspkit/fixtures';
import {
  ballBrush,
  chain,
  int,
  joined,
  type Lumps,
  packLumps,
  putField,
  repeated,
  unpackLumps,
  words,
} from '@bspkit/testkit/crafted';
import { QUAKE3_CRAFTED } from '@bspkit/testkit/crafted/quake3';
import { testBrushes, testRanges } from '@bspkit/testkit/crafted/suite';
import { refusal } from '@bspkit/testkit/refusals';
import { describe, expect, it } from 'vitest';
import { createQuake3World, explain, leafPolygons, polygons, readQuake3 } from '../src/index.ts';

// What these cost at full size: packages/conformance/scripts/crafted-cost.ts.

const format = QUAKE3_CRAFTED;
const base = arenaQuake3();
const SIZE = 900_000;

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
  const open = (bytes: Uint8Array, kernel: KernelChoice = 'auto') =>
    createQuake3World(readQuake3(bytes), { kernel });
  const subject = { id: 'quake3', format, base, size: SIZE, open };
  // A brush needs sides, and triangles need vertexes.
  testRanges(subject, ['sides', 'vertexes'], ({ of }) =>
    of === 'indexes' ? /^limit: quake3: surfaces: have \d+ corners of \d+ vertexes/ : undefined,
  );
  testBrushes(subject, 0);

  const refused = (content: Lumps): string => refusal(() => open(packLumps(format, base, content)));

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

  it('where a leaf lists a surface again and again have its polygons once', () => {
    const content = unpackLumps(format, base);
    const world = open(packLumps(format, base, content));
    const leaf = Array.from({ length: world.numLeafs }, (_, k) => k).find(
      (k) => leafPolygons(world, k).length > 0,
    )!;
    const view = new DataView(content.leafs!.buffer);
    const [first, count] = [32, 36].map((at) => view.getInt32(48 * leaf + at, true)) as [number, number];
    const own = content.leafSurfaces!.slice(4 * first, 4 * (first + count));
    putField(content.leafs!, 48 * leaf, int(32), content.leafSurfaces!.length / 4);
    putField(content.leafs!, 48 * leaf, int(36), 100 * count);
    content.leafSurfaces = joined(content.leafSurfaces!, repeated(own, 100));
    expect(leafPolygons(open(packLumps(format, base, content)), leaf)).toEqual(leafPolygons(world, leaf));
  });

  it('where a leaf lists a brush of many sides again and again are refused', () => {
    const content = unpackLumps(format, base);
    ballBrush(format, content, 2000);
    expect(refused(content)).toBe('');
    const last = content.leafBrushes!.length / 4;
    content.leafBrushes = joined(content.leafBrushes!, words(new Array<number>(10_000).fill(0)));
    putField(content.leafs!, 48, { at: 40, size: 4 }, last);
    putField(content.leafs!, 48, { at: 44, size: 4 }, 10_000);
    expect(refused(content)).toMatch(
      /^limit: quake3: leafs: list 20000000 sides of brushes, but there are only \d+/,
    );
  });

  it('whose brushes have many sides each are refused, and not those that only have many brushes', () => {
    const brushes = (count: number, sides: number): string => {
      const content = unpackLumps(format, base);
      const first = content.sides!.length / 8;
      content.sides = joined(content.sides!, new Uint8Array(8 * sides * count));
      const own = Array.from({ length: count }, (_, k) => [first + sides * k, sides, 0]).flat();
      content.brushes = joined(content.brushes!, words(own));
      return refused(content);
    };
    expect(brushes(14_000, 24)).toBe('');
    expect(brushes(10_000, 24)).toBe('');
    expect(brushes(14_000, 25)).toMatch(
      /^limit: quake3: brushes: have too many sides each: .* at most 8\d{6} is/,
    );
    expect(brushes(100, 250)).toMatch(
      /^limit: quake3: brushes: .* make 62\d{5}, and at most 6000000 is accepted$/,
    );
  });

  it('whose patches share their points, or have more cells than they have room for, are refused', () => {
    const shared = unpackLumps(format, base);
    patches(shared, 9000, 0, true);
    expect(refused(shared)).toMatch(/^limit: quake3: surfaces: list \d+ vertexes/);
    const bent = unpackLumps(format, base);
    patches(bent, 100, 3000, false);
    expect(refused(bent)).toMatch(/^limit: .* patches need more than \d{5} cells in all/);
    const flat = unpackLumps(format, base);
    patches(flat, 100, 0, false);
    expect(refused(flat)).toBe('');
    // Four cells each.
    const many = unpackLumps(format, base);
    patches(many, 2600, 20, false);
    expect(refused(many)).toBe('');
  });
});
