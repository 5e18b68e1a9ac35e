import { readRealMap, realMapNames, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { describe, expect, it } from 'vitest';
import { createUfoaiWorld, heads, readUfoai, surfaceAt } from '../src/index.ts';
import { referenceBox } from '../src/reference/box.ts';
import { referenceLine } from '../src/reference/line.ts';

// Maps of the game, a sample of those that are there; all of them with BSPKIT_ALL_MAPS=1.

const SAMPLE = 8;
const all = realMapNames('ufoai').sort();
const step = process.env.BSPKIT_ALL_MAPS ? 1 : Math.max(1, Math.ceil(all.length / SAMPLE));
const maps = all.filter((_, k) => k % step === 0);
const ignore = (): void => {};

describe.skipIf(maps.length === 0)(`${maps.length} of ${all.length} real maps${skippedWithoutMaps}`, () => {
  it.each(maps)('%s loads, and answers as the literal algorithms do', (name) => {
    const file = readUfoai(readRealMap(name));
    const world = createUfoaiWorld(file);
    expect(heads(world).length).toBe(file.models.filter((model) => model.headNode >= 0).length);
    expect(world.numModels).toBe(file.models.length - 259);
    expect(world.textureNames()).toEqual(file.textures.map((texture) => texture.name));
    const models = world.models();
    const lines = [world.line(), world.line({ compat: 'engine' }), world.line({ models })];
    const box = world.box([-9, -9, -24], [9, 9, 20], { models });
    const ray = world.ray();
    const { mins, maxs } = world.bounds;
    for (let k = 0; k < 12; k++) {
      const at = (turn: number): number[] =>
        [0, 1, 2].map((axis) => {
          const share = (Math.sin(turn * 12.9898 + axis * 78.233 + k) + 1) / 2;
          return Math.fround(mins[axis]! + share * (maxs[axis]! - mins[axis]!));
        });
      const [start, end] = [at(1), at(2)];
      const tracer = lines[k % 3]!;
      const { blocked, trace } = referenceLine(tracer, start, end, ignore, ignore);
      expect(tracer.blocked(start, end)).toBe(blocked);
      expect(tracer.trace(start, end)).toEqual(trace);
      expect(box.trace(start, end)).toEqual(referenceBox(box, start, end, ignore, ignore));
      const hit = ray.trace(start, end);
      const surface = surfaceAt(world, hit);
      expect(surface?.name).toBe(hit.side < 0 ? undefined : file.textures[hit.texture]?.name);
    }
  });
});
