import { createRandom } from '@bspkit/geometry';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boxBrush,
  CompileError,
  type CompileFormat,
  compileMap,
  hullBrush,
  rampBrush,
  roomBrushes,
  type SourceBrush,
} from '../src/index.ts';
import { holders } from './brute.ts';
import { readQuake1File } from './read/quake1.ts';
import { readQuake2File } from './read/quake2.ts';
import { readQuake3File } from './read/quake3.ts';
import { readUfoaiFile } from './read/ufoai.ts';
import { roundedBoxes } from './rounded.ts';

const grid = fc.integer({ min: -16, max: 16 }).map((x) => x * 8);
const fine = fc.integer({ min: -1024, max: 1024 }).map((x) => x / 8);
const free = fc.double({ min: -128, max: 128, noNaN: true });
const size = fc.oneof(
  fc.integer({ min: 1, max: 8 }).map((x) => x * 8),
  fc.constantFrom(0.125, 0.25, 1, 2.5),
);
const material = fc.constantFrom('wall', 'wall', 'wall', '*water', '*lava', 'clip', 'sky1', 'window');

const box = fc
  .tuple(fc.tuple(grid, grid, grid), fc.tuple(size, size, size), material)
  .map(([a, s, m]) => boxBrush(a, [a[0] + s[0], a[1] + s[1], a[2] + s[2]], { material: m }));
const ramp = fc
  .tuple(fc.tuple(grid, grid, grid), fc.tuple(size, size, size), fc.constantFrom('+x', '-x', '+y', '-y'))
  .map(([a, s, h]) => rampBrush(a, [a[0] + s[0], a[1] + s[1], a[2] + s[2]], h as '+x'));
const hull = fc
  .tuple(
    fc.array(fc.tuple(fc.oneof(fine, free), fc.oneof(fine, free), fc.oneof(fine, free)), {
      minLength: 4,
      maxLength: 7,
    }),
    material,
  )
  .chain(([points, m]) => {
    try {
      return fc.constant(hullBrush(points, { material: m }));
    } catch {
      return box;
    }
  });
const soup = fc.oneof(
  fc.array(fc.oneof(box, box, ramp, hull), { minLength: 1, maxLength: 40 }),
  fc.array(fc.oneof(box, ramp, hull), { minLength: 60, maxLength: 100 }),
);

/**
 * Steps of a heap, each sunk deep into those before it: many brushes touch each side, and the next one covers most of it. With
 * fewer of them, no side would be cut by the largest of its neighbors first.
 */
const HEAP = Array.from({ length: 128 }, (_, i) => {
  const corner = [i * 0.5 - 120, i * 0.25 - 120, i * 0.125 - 120] as const;
  return boxBrush(corner, [corner[0] + 160, corner[1] + 160, corner[2] + 160], {
    material: i % 32 === 31 ? '*water' : 'wall',
  });
});

const SOLID = /^(wall|window)$/;
const is = (inside: readonly SourceBrush[], name: RegExp): boolean =>
  inside.some((brush) => name.test(brush.material ?? 'wall'));

/** The contents that Quake 1's hull 0 has where these brushes are. */
function quake1Contents(inside: readonly SourceBrush[]): number {
  if (is(inside, SOLID)) return -2;
  if (is(inside, /^sky/)) return -6;
  if (is(inside, /lava/)) return -5;
  return is(inside, /water/) ? -3 : -1;
}

/** Points all over, and as many again near the sides of brushes. */
function* points(brushes: readonly SourceBrush[], count: number): Generator<number[]> {
  if (brushes.length === 0) return;
  const random = createRandom(brushes.length);
  for (let i = 0; i < count; i++) {
    const point = [0, 1, 2].map(() => (random() - 0.5) * 320);
    if (i % 2 === 1) {
      const { sides } = brushes[Math.floor(random() * brushes.length)]!;
      const { normal, dist } = sides[Math.floor(random() * sides.length)]!;
      const off = point.reduce((sum, x, k) => sum + x * normal[k]!, -dist) - (random() - 0.5);
      point.forEach((x, k) => {
        point[k] = x - off * normal[k]!;
      });
    }
    yield point;
  }
}

/** Compiles, or returns nothing if the error says what is wrong with the soup. */
function compile(brushes: readonly SourceBrush[], format: CompileFormat): Uint8Array | undefined {
  try {
    return compileMap(brushes, { format }).bytes;
  } catch (error) {
    if (error instanceof CompileError && error.brush !== undefined) return undefined;
    throw error;
  }
}

// Large soups take a second each, so shrinking a failing one is left to whoever investigates it. BSPKIT_RUNS_SOUPS sets how many
// soups each format compiles; proof runs use hundreds.
const runs = {
  numRuns: 1 + Number(process.env.BSPKIT_RUNS_SOUPS ?? 2),
  endOnFailure: true,
};

/** Checks soups, at least one of which must compile, and the heap, which must compile too. */
function checkSoups(format: CompileFormat, check: (brushes: readonly SourceBrush[]) => boolean): void {
  it(`lose no point when compiled for ${format}`, () => {
    let compiled = 0;
    const one = (brushes: readonly SourceBrush[]): void => {
      if (check(brushes)) compiled++;
    };
    fc.assert(fc.property(soup, one), runs);
    expect(compiled).toBeGreaterThan(0);
  });

  // Takes half a second, or ten if the time grows with the cube of its size.
  it(`lose no point in a heap when compiled for ${format}`, () => {
    expect(check(HEAP)).toBe(true);
  });
}

/** Compares what a file has at points with what it should have, but not in the shell around brushes. */
function expectPoints(
  brushes: readonly SourceBrush[],
  expected: (inside: readonly SourceBrush[]) => number,
  found: (point: readonly number[]) => number,
): void {
  for (const point of points(brushes, Math.max(400, 16 * brushes.length))) {
    const inside = holders(brushes, point);
    if (!inside) continue;
    const answer = { point, contents: expected(inside) };
    if (found(point) !== answer.contents) expect({ point, contents: found(point) }).toEqual(answer);
  }
}

describe('soups of random brushes', () => {
  checkSoups('quake3', (brushes) => {
    const bytes = compile(brushes, 'quake3');
    if (!bytes) return false;
    const file = readQuake3File(bytes);
    const expected = (inside: readonly SourceBrush[]): number => {
      let bits = is(inside, SOLID) || is(inside, /^sky/) ? 1 : 0;
      if (is(inside, /window/)) bits |= 0x20000000;
      if (is(inside, /lava/)) bits |= 8;
      if (is(inside, /water/)) bits |= 0x20;
      return is(inside, /clip/) ? bits | 0x10000 : bits;
    };
    expectPoints(brushes, expected, (point) => file.contents(point));
    return true;
  });

  checkSoups('quake1', (brushes) => {
    const bytes = compile(brushes, 'quake1');
    if (!bytes) return false;
    const file = readQuake1File(bytes);
    expectPoints(brushes, quake1Contents, (point) => file.contents(0, point));
    return true;
  });

  checkSoups('quake2', (brushes) => {
    const bytes = compile(brushes, 'quake2');
    if (!bytes) return false;
    const file = readQuake2File(bytes);
    const expected = (inside: readonly SourceBrush[]): number => {
      if (is(inside, /^(wall|sky1)$/)) return 1;
      const liquid = (is(inside, /lava/) ? 8 : 0) | (is(inside, /water/) ? 0x20 : 0);
      return (is(inside, /window/) ? 2 : 0) | liquid;
    };
    // Bits of clips reach as far as their leafs.
    expectPoints(brushes, expected, (point) => file.leafs[file.leaf(point)]!.contents & 0x2b);
    return true;
  });

  // Each brush goes into one model or another.
  checkSoups('ufoai', (soupBrushes) => {
    const brushes = soupBrushes.map((brush, i) => ({ ...brush, levels: i % 3 === 0 ? 255 : 254 }));
    const bytes = compile(brushes, 'ufoai');
    if (!bytes) return false;
    const file = readUfoaiFile(bytes);
    for (const model of [254, 255, 258]) {
      const own = brushes.filter(({ material, levels }) => (material === 'clip' ? 258 : levels) === model);
      const expected = (inside: readonly SourceBrush[]): number => {
        if (is(inside, /^(wall|sky1)$/)) return 1;
        if (is(inside, /window/)) return 2;
        return is(inside, /water|lava/) ? 0x20020 : 0;
      };
      // Solid hides the rest, window hides what is passable, and the level flags are the model's.
      const found = (point: readonly number[]): number => {
        const bits = file.contents(model, point) & 0x20023;
        return bits & 1 ? bits & ~2 : bits;
      };
      if (model === 258) {
        const clip = (inside: readonly SourceBrush[]): number => (inside.length > 0 ? 0x10000 : 0);
        expectPoints(own, clip, (point) => file.contents(model, point) & 0x10000);
      } else expectPoints(own, expected, found);
    }
    return true;
  });
});

it.each(['quake1', 'quake2', 'quake3'] as const)(
  'a sealed room is sealed, however nearly sides of what is in it lie in one plane: %s',
  (format) => {
    for (let seed = 108; seed < 108 + runs.numRuns / 3; seed++) {
      const source = {
        entities: [
          {
            properties: { classname: 'worldspawn' },
            brushes: [...roomBrushes([-194, -194, -194], [194, 194, 194], 16), ...roundedBoxes(seed, 20, 80)],
          },
          { properties: { classname: 'light', origin: '193 0 0' } },
        ],
      };
      const { warnings } = compileMap(source, { format, tjunc: false });
      expect({ seed, leaks: warnings.filter(({ code }) => code === 'leak') }).toEqual({ seed, leaks: [] });
    }
  },
);
