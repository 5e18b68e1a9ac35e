import type { KernelChoice } from '@bspkit/core';
import { arenaQuake2 } from '@bspkit/fixtures';
import { chain, joined, packLumps, putField, unpackLumps } from '@bspkit/testkit/crafted';
import { QUAKE2_CRAFTED } from '@bspkit/testkit/crafted/quake2';
import { testBrushes, testRanges } from '@bspkit/testkit/crafted/suite';
import { describe, expect, it } from 'vitest';
import { brushPolygons, createQuake2World, explain, mesh, polygons, readQuake2 } from '../src/index.ts';

// What these cost at full size: packages/conformance/scripts/crafted-cost.ts.

const format = QUAKE2_CRAFTED;
const base = arenaQuake2();
const SIZE = 900_000;

describe('crafted files', () => {
  const open = (bytes: Uint8Array, kernel: KernelChoice = 'auto') =>
    createQuake2World(readQuake2(bytes), { kernel });
  const subject = { id: 'quake2', format, base, size: SIZE, open };
  testRanges(subject);
  testBrushes(subject, 2);

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
});
