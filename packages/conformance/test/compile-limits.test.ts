import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { boxBrush, compileMap, type MapSource, type SourcePatch } from '@bspkit/compile';
import { createChecks } from '@bspkit/core/format';
import { readQuake1 } from '@bspkit/quake1';
import { readQuake2 } from '@bspkit/quake2';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { readUfoai } from '@bspkit/ufoai';
import { expect, it } from 'vitest';
import { ROOT } from '../src/sources.ts';

// The compiler does not depend on any reader, but makes no file that ours refuse: it repeats their limits as constants of its
// own.

/** The value of a constant in the source text: `6_000_000`, `0x100000`, `2 ** 20`. */
function constant(file: string, name: string): number {
  const text = readFileSync(join(ROOT, 'packages', file), 'utf8');
  const found = new RegExp(`^(?:export )?const ${name} = (\\w+)(?: \\*\\* (\\d+))?;$`, 'm').exec(text);
  if (!found) throw new Error(`${file} has no constant ${name} that is a number`);
  const [base, power] = [Number(found[1]!.replaceAll('_', '')), Number(found[2] ?? 1)];
  return base ** power;
}

const QUAKE1 = 'compile/src/targets/quake1';
const QUAKE2 = 'compile/src/targets/quake2/write.ts';
const QUAKE3 = 'compile/src/targets/quake3';
const UFOAI = 'compile/src/targets/ufoai/write.ts';

it.each([
  ['compile/src/source.ts', 'MOST_ENTITIES', 'core/src/entities.ts', 'MAX_ENTITIES'],
  [`${QUAKE1}/write.ts`, 'MOST_DEPTH', 'quake1/src/check.ts', 'MAX_DEPTH'],
  [`${QUAKE1}/brush-list.ts`, 'MOST_SQUARES', 'quake1/src/mesh.ts', 'MAX_SQUARES'],
  [`${QUAKE1}/brush-list.ts`, 'MOST_SIDES', 'quake1/src/bspx.ts', 'MAX_SIDES'],
  [QUAKE2, 'MOST_DEPTH', 'quake2/src/check.ts', 'MAX_DEPTH'],
  [QUAKE2, 'MOST_SQUARES', 'quake2/src/check.ts', 'MAX_SQUARES'],
  [QUAKE2, 'SQUARES_OF_SIDE', 'quake2/src/check.ts', 'SQUARES_OF_SIDE'],
  [`${QUAKE3}/write.ts`, 'MOST_DEPTH', 'quake3/src/check.ts', 'MAX_DEPTH'],
  [`${QUAKE3}/brushes.ts`, 'MOST_SQUARES', 'quake3/src/check.ts', 'MAX_SQUARES'],
  [`${QUAKE3}/brushes.ts`, 'SQUARES_OF_SIDE', 'quake3/src/check.ts', 'SQUARES_OF_SIDE'],
  [`${QUAKE3}/patch-limits.ts`, 'MOST_CELLS', 'quake3/src/patches/build.ts', 'MAX_CELLS'],
  [`${QUAKE3}/patch-limits.ts`, 'POINTS_PER_CELL', 'quake3/src/patches/build.ts', 'VERTEXES_PER_CELL'],
  [UFOAI, 'MOST_DEPTH', 'ufoai/src/check.ts', 'MAX_DEPTH'],
  [UFOAI, 'MOST_SQUARES', 'ufoai/src/check.ts', 'MAX_SQUARES'],
  [UFOAI, 'MOST_HEADS', 'ufoai/src/check.ts', 'MAX_HEADS'],
])('%s has in %s what readers take', (target, ours, reader, theirs) => {
  const most = constant(reader, theirs);
  expect(most).toBeGreaterThan(3);
  expect(constant(target, ours)).toBe(most);
});

// Trees at the limit take seconds to make; small ones also show how depth is counted.
it.each([
  ['quake1', readQuake1],
  ['quake2', readQuake2],
  ['quake3', readQuake3],
  ['ufoai', readUfoai],
] as const)(
  'the depth of a tree without unions is to the compiler what it is to the reader of %s',
  (format, read) => {
    const walls = Array.from({ length: 40 }, (_, k) => {
      const turn = (2 * Math.PI * k) / 40;
      return { normal: [Math.cos(turn), Math.sin(turn), 0] as const, dist: 200 };
    });
    const sides = [
      ...walls,
      { normal: [0, 0, 1], dist: 64 } as const,
      { normal: [0, 0, -1], dist: 0 } as const,
    ];
    const { bytes, stats } = compileMap([{ sides }], { format });
    const { children } = read(bytes).nodes;
    const { depth } = stats.tree;
    const checks = createChecks(format);
    expect(checks.depth('nodes', children, [0], { most: depth })).toBe(depth);
    expect(() => checks.depth('nodes', children, [0], { most: depth - 1 })).toThrow(/nodes deep/);
  },
);

/** Patches of the same shape, 64 units between the points of their grids. */
function curved(size: number, count: number, height: (x: number, y: number) => number): MapSource {
  const points = Array.from({ length: size * size }, (_, i): SourcePatch['points'][number] => {
    const [x, y] = [i % size, Math.floor(i / size)];
    return [64 * x, 64 * y, height(x, y), 0, 0];
  });
  const patches = Array.from({ length: count }, () => ({
    material: 'curve',
    width: size,
    height: size,
    points,
  }));
  return {
    entities: [
      { properties: { classname: 'worldspawn' }, brushes: [boxBrush([0, 0, -64], [9, 9, -9])], patches },
    ],
  };
}

/** What the reader says about such patches; the file is made with flat ones, which the compiler accepts. */
function readCurved(size: number, count: number, height: (x: number, y: number) => number): void {
  const bytes = compileMap(
    curved(size, count, () => 0),
    { format: 'quake3' },
  ).bytes.slice();
  const view = new DataView(bytes.buffer);
  // The patches' vertexes are the last ones in lump 10: 44 bytes each, with the height after x and y.
  const end = view.getInt32(88, true) + view.getInt32(92, true);
  const vertexes = size * size * count;
  for (let k = 0; k < vertexes; k++) {
    const i = k % (size * size);
    view.setFloat32(end - 44 * (vertexes - k) + 8, height(i % size, Math.floor(i / size)), true);
  }
  createQuake3World(readQuake3(bytes));
}

it.each<[string, number, number, (x: number, y: number) => number, RegExp]>([
  [
    'a patch in waves',
    31,
    1,
    (x, y) => 300 * ((x + y) % 2),
    /^entity 0, patch 0: the patch needs more than 1024 facets: bend it less/,
  ],
  [
    'one of flat cells',
    31,
    1,
    (x, y) => 150 * (x % 2) + 150 * (y % 2),
    /the patch needs more than 1024 facets/,
  ],
  // 576 cells.
  [
    'a rough patch',
    25,
    1,
    (x, y) => 70 * (x % 2) + 90 * (y % 2) + ((37 * x * x + 91 * y * y) % 31),
    /more than 4096 planes/,
  ],
  ['a spike', 31, 1, (x, y) => (x + y === 30 ? 20_000 : 0), /the patch needs more than 129 rows or columns/],
  [
    'many patches',
    17,
    60,
    (x, y) => 60 * ((x + y) % 2),
    /^entity 0, patch 50: up to this .* need 13056 cells, but @bspkit\/quake3 takes 12890: /,
  ],
])('%s that Quake 3 cannot hold is refused, as by its reader', (_, size, count, height, problem) => {
  expect(() => compileMap(curved(size, count, height), { format: 'quake3' })).toThrow(
    expect.objectContaining({ code: 'limit', message: expect.stringMatching(problem) }),
  );
  expect(() => readCurved(size, count, height)).toThrow(expect.objectContaining({ code: 'limit' }));
});

it('patches close to the limit are accepted by both or refused by both', () => {
  const taken = Array.from({ length: 12 }, (_, k) => {
    const height = (x: number, y: number): number => (40 + 6 * k) * ((x % 2) + (y % 2)) + (k % 3) * x * y;
    const by = (run: () => void): boolean => {
      try {
        run();
        return true;
      } catch (error) {
        expect(error).toMatchObject({ code: 'limit' });
        return false;
      }
    };
    const isTaken = by(() => void compileMap(curved(25, 1, height), { format: 'quake3' }));
    expect(by(() => readCurved(25, 1, height))).toBe(isTaken);
    return isTaken;
  });
  expect(taken).toContain(true);
  expect(taken).toContain(false);
});

it('curves that the compiler accepts are divided as by the reader', () => {
  const height = (x: number, y: number): number => 66 * (x % 2) + 66 * (y % 2);
  expect(() => compileMap(curved(31, 1, height), { format: 'quake3' })).not.toThrow();
  expect(() => readCurved(31, 1, height)).not.toThrow();
});

it('terrains of curves are taken by both', () => {
  const bump = (x: number, y: number): number => 2 * ((x % 2) + (y % 2));
  expect(() => compileMap(curved(31, 46, bump), { format: 'quake3' })).not.toThrow();
  expect(() => readCurved(31, 46, bump)).not.toThrow();
});

it('warns of a patch for which some builds of the engine refuse the map', () => {
  const rough = (x: number, y: number): number =>
    70 * (x % 2) + 90 * (y % 2) + ((37 * x * x + 91 * y * y) % 31);
  const warningsFor = (size: number) => compileMap(curved(size, 1, rough), { format: 'quake3' }).warnings;
  // ioquake3's server, as Debian built it in 2022, loads the first of these maps, but not the second: MAX_PATCH_PLANES.
  expect(warningsFor(17)).toEqual([]);
  expect(warningsFor(19)).toMatchObject([{ code: 'patch-planes', entity: 0, patch: 0 }]);
  expect(warningsFor(19)[0]!.message).toMatch(/^entity 0, patch 0: the patch needs 2474 planes; /);
});
