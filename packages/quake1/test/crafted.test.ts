import { arenaQuake1 } from '@bspkit/fixtures';
import { chain, doubling, grow, packLumps, putField, unpackLumps, words } from '@bspkit/testkit/crafted';
import { QUAKE1_CRAFTED } from '@bspkit/testkit/crafted/quake1';
import { testRanges } from '@bspkit/testkit/crafted/suite';
import { refusal } from '@bspkit/testkit/refusals';
import { describe, expect, it } from 'vitest';
import {
  createQuake1World,
  distanceToSolid,
  explain,
  polygons,
  readQuake1,
  sphereInsideExact,
} from '../src/index.ts';
import { across, type MadeTree, makeFile } from './make.ts';

// What these cost in full size: packages/conformance/scripts/crafted-cost.ts.

const format = QUAKE1_CRAFTED;
const base = arenaQuake1();
const SIZE = 600_000;

const open = (bytes: Uint8Array) => createQuake1World(readQuake1(bytes));
const refused = (bytes: Uint8Array): string => refusal(() => open(bytes));

describe('crafted files', () => {
  testRanges({ id: 'quake1', format, base, size: SIZE, open });

  it.each(format.trees)('with $lump too deep to walk are refused', (tree) => {
    expect(refused(chain(format, base, tree, SIZE, 4000))).toMatch(/^limit: .* nodes deep; at most 2048/);
    expect(refused(doubling(format, base, tree, 200))).toMatch(/^limit: .* shared branches make/);
    expect(refused(doubling(format, base, tree, 12))).toBe('');
  });

  it.each(format.trees)('with $lump as deep as allowed are walked and explained', (tree) => {
    const world = createQuake1World(readQuake1(chain(format, base, tree, SIZE, 2000)));
    for (const tracer of [world.hull(0), world.hull(1), world.preciseRay()]) {
      const trace = tracer.trace([-999, 5, 6], [999, 7, 8]);
      const { steps } = explain(tracer as ReturnType<typeof world.hull>, [-999, 5, 6], [999, 7, 8]);
      expect(steps.length).toBeGreaterThan(0);
      expect(trace.fraction).toBeLessThanOrEqual(1);
    }
    expect(polygons(world).length).toBeGreaterThan(0);
  });

  it('whose textures share one header are refused before any are made', () => {
    const content = unpackLumps(format, base);
    const count = 100_000;
    const places = words([count, ...new Int32Array(count).fill(4)]);
    content.textures = places;
    expect(refused(packLumps(format, base, content))).toMatch(
      /^limit: quake1: textures: list 4000000 bytes, but/,
    );
  });

  it('with invalid planes are refused', () => {
    const content = unpackLumps(format, base);
    new DataView(content.planes!.buffer).setFloat32(20, 1e36, true);
    expect(refused(packLumps(format, base, content))).toMatch(
      /^value: quake1: planes 1: normal .* has length/,
    );
  });

  it('in which a distance would take minutes give it up', () => {
    // Half a space of each plane of the chain is farther than the one before, and below them is a tree of regions.
    const regions = (level: number, low: number, high: number): MadeTree => {
      if (level === 0) return -1;
      const middle = (low + high) / 2;
      const [front, back] = [regions(level - 1, middle, high), regions(level - 1, low, middle)];
      return { plane: across(1, middle), front, back };
    };
    let tree = regions(12, -2000, 2000);
    for (let k = 1800; k > 0; k--) tree = { plane: across(0, k), front: tree, back: -1 };
    const world = createQuake1World(makeFile([{ nodes: tree }], 'BSP2'));
    const problem = 'quake1: the distance to solid takes far more work than in any compiled map';
    expect(() => distanceToSolid(world, [0, 1, 0])).toThrow(
      expect.objectContaining({ code: 'limit', message: problem }),
    );
    expect(() => sphereInsideExact(world, [0, 1, 0], 5000)).toThrow(problem);
    // Near by, nothing of that is looked at.
    expect(distanceToSolid(world, [0, 1, 0], 500)).toBe(Infinity);
  });

  it('with faces shared by as many models as there is room for cost no more than the faces', () => {
    const content = unpackLumps(format, base);
    grow(format, content, 'faces', SIZE / 2);
    grow(format, content, 'models', SIZE);
    const last = content.models!.length - 64;
    // The last of the models has all faces that no other has; each face finds its model's tree at once.
    putField(content.models!, last, { at: 56, size: 4 }, 600);
    putField(content.models!, last, { at: 60, size: 4 }, content.faces!.length / 20 - 600);
    const world = createQuake1World(readQuake1(packLumps(format, base, content)));
    expect(polygons(world.model(world.numModels))).toEqual([]);
  });
});
