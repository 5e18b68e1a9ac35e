import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createUfoaiWorld, explain, readUfoai } from '../src/index.ts';

// All maps that the game ships, unpacked into a folder by a script; a sample of them unless BSPKIT_UFOAI_ALL is set.

const folder = process.env.BSPKIT_UFOAI_MAPS;
const present = folder !== undefined && existsSync(folder);
const why = present ? '' : ' (skipped: no folder of maps in BSPKIT_UFOAI_MAPS)';
const SAMPLE = 40;

function findMaps(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .flatMap((entry) => {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) return findMaps(inner);
      return entry.name.endsWith('.bsp') ? [inner] : [];
    })
    .sort();
}

const all = present ? findMaps(folder) : [];
const step = process.env.BSPKIT_UFOAI_ALL ? 1 : Math.max(1, Math.floor(all.length / SAMPLE));
const maps = all.filter((_, k) => k % step === 0);

describe.skipIf(!present)(`${maps.length} of the game's ${all.length} maps${why}`, () => {
  it('are found', () => {
    expect(maps.length).toBeGreaterThanOrEqual(Math.min(SAMPLE, all.length));
    expect(maps.length).toBeGreaterThan(0);
  });

  it.each(maps.map((path) => [path.slice(folder!.length + 1), path]))('%s loads and answers', (_, path) => {
    const file = readUfoai(readFileSync(path));
    const world = createUfoaiWorld([{ file }]);
    const heads = world.heads();
    expect(heads.length).toBe(file.models.filter((model) => model.headNode >= 0).length);
    expect(world.numModels).toBe(file.models.length - 259);
    const models = world.models();
    const tracers = [world.line(), world.line({ compat: 'engine' })];
    const { mins, maxs } = world.bounds;
    for (let k = 0; k < 12; k++) {
      const at = (turn: number): number[] =>
        [0, 1, 2].map((axis) => {
          const share = (Math.sin(turn * 12.9898 + axis * 78.233 + k) + 1) / 2;
          return Math.fround(mins[axis]! + share * (maxs[axis]! - mins[axis]!));
        });
      const [start, end] = [at(1), at(2)];
      const tracer = tracers[k % 2]!;
      const { trace, reference } = explain(tracer, start, end);
      expect(tracer.blocked(start, end)).toBe(reference.blocked);
      expect([trace.blocked, ...trace.endPos]).toEqual([reference.hitBlocked, ...reference.hit]);
      const box = explain(world.box([-9, -9, -24], [9, 9, 20], { tile: 0 }), start, end);
      expect(box.trace.fraction).toBe(box.reference!.fraction);
      expect(world.line({ models }).trace(start, end).fraction).toBeLessThanOrEqual(1);
    }
  });
});
