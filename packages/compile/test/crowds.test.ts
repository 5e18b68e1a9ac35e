import { crc32 } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import { treeBounds } from '../src/box.ts';
import { type Brush, brushesBox, createBrush } from '../src/brushes.ts';
import { seesSame, unionFaces } from '../src/csg.ts';
import {
  boxBrush,
  CompileError,
  compileMap,
  formatMap,
  hullBrush,
  parseMap,
  type SourceBrush,
} from '../src/index.ts';
import { createMaterialFinder } from '../src/materials.ts';
import { PlaneSet } from '../src/planes.ts';
import { createBoxSolid } from '../src/solid.ts';
import { checkGrowing, writeWithin } from '../src/target.ts';
import { CLIP_RULE, DRAWN_RULE } from '../src/targets/quake1/hull.ts';
import { buildTree, type TreeLeaf, treeLeafs } from '../src/tree.ts';
import { countSides, WorkCounts } from '../src/work.ts';
import { errorOf } from './error-of.ts';
import { entryOf } from './every-target.ts';

/** Three rows of bars, each of which crosses all of the others. */
const bars = (count: number): SourceBrush[] =>
  Array.from({ length: count }, (_, k) => [
    boxBrush([-200, 8 * k, 0], [8 * count + 100, 8 * k + 4, 4]),
    boxBrush([8 * k, -200, 1], [8 * k + 4, 8 * count + 100, 5]),
    boxBrush([8 * k, 3, -200], [8 * k + 4, 7, 200]),
  ]).flat();

/** Bodies of many sides, all in each other's way. */
const heap = (count: number): SourceBrush[] =>
  Array.from({ length: count }, (_, k) => {
    const at = [(37 * k) % 100, (91 * k) % 85, (53 * k) % 95] as const;
    const points = Array.from({ length: 12 }, (_, i) => {
      const [x, y, z] = [7 * k + 41 * i, 11 * k + 67 * i, 5 * k + 29 * i].map((n) => (n * n) % 211);
      return [at[0] + x!, at[1] + y!, at[2] + z!] as const;
    });
    return hullBrush(points);
  });

/** What other tests cannot see: the bytes are those that trying each brush with all others gave. */
const CHECKSUMS = {
  quake1: [2732655408, 3370061943],
  quake2: [935572009, 3314104728],
  quake3: [3147000486, 3633232760],
  ufoai: [2570480068, 1782961035],
};

describe('crowds of brushes', () => {
  it.each(['quake1', 'quake2', 'quake3', 'ufoai'] as const)('compile to frozen bytes for %s', (format) => {
    const sums = [bars(14), heap(24)].map((brushes) =>
      crc32(compileMap(brushes, { format, tjunc: false }).bytes),
    );
    expect(sums).toEqual(entryOf<number[]>(CHECKSUMS, format, 'CHECKSUMS, in crowds.test.ts,'));
  });
});

describe('too much work', () => {
  const planes = new PlaneSet();
  const context = { planes, material: createMaterialFinder(undefined, false), warnings: [] };
  const brushes = bars(6).map((brush, number): Brush => createBrush(context, brush, { brush: number }));
  const work = (most: Partial<Record<'pairs' | 'pieces' | 'faces' | 'listed', number>>): WorkCounts =>
    new WorkCounts(0, { pairs: 1e6, pieces: 1e6, faces: 1e6, listed: 1e6, corners: 1e6, ...most });
  const faces = unionFaces(planes, brushes, DRAWN_RULE, work({}));
  const build = (counts: WorkCounts, onLeaf?: (leaf: TreeLeaf) => void): TreeLeaf[] => [
    ...treeLeafs(
      buildTree({
        planes,
        brushes,
        faces,
        leafs: 'brushes',
        box: createBoxSolid(planes, treeBounds(brushesBox(brushes))),
        costs: { oblique: 0, crowd: 6 },
        rule: DRAWN_RULE,
        work: counts,
        onLeaf,
      }),
    ),
  ];

  it('is refused at the brush that makes one face too many, and not sooner', () => {
    const union = (most: number): unknown => unionFaces(planes, brushes, DRAWN_RULE, work({ faces: most }));
    expect(union(faces.length)).toEqual(faces);
    const error = errorOf(() => union(faces.length - 1));
    expect(error).toMatchObject({ code: 'limit', brush: faces.at(-1)!.brush });
    expect(error.message).toContain(`takes on at most ${faces.length - 1} faces`);
    const half = errorOf(() => union(faces.length / 2));
    expect(half.brush).toBe(faces[Math.floor(faces.length / 2)]!.brush);
  });

  it('is refused where too many brushes touch, before all pairs are listed', () => {
    const error = errorOf(() => unionFaces(planes, brushes, DRAWN_RULE, work({ pairs: 20 })));
    expect(error).toMatchObject({ code: 'limit', brush: expect.any(Number) });
    expect(error.message).toContain('takes on at most 20 pairs of brushes whose boxes touch');
    // Some millions: lists of all pairs of 24,000 brushes in one place took gigabytes of memory.
    expect(() => new WorkCounts(1000).add('pairs', 8_388_608 + 64_001)).toThrow(
      'takes on at most 8452608 pairs',
    );
  });

  it('is refused before the remaining sides are cut', () => {
    const looks = new Set<number>();
    const watched = brushes.map(
      (brush, number): Brush => ({
        ...brush,
        get contents() {
          looks.add(number);
          return brush.contents;
        },
      }),
    );
    const error = errorOf(() => unionFaces(planes, watched, DRAWN_RULE, work({ pieces: 30 })));
    expect(error.message).toContain('takes on at most 30 pieces');
    expect(error.brush).toBeLessThan(6);
    // The brush itself and those that cross it: all but the brushes of its own row, at most.
    expect(looks.size).toBeLessThan(brushes.length);
  });

  it('is refused where leafs list too many brushes, or faces are cut too often', () => {
    const leafs = build(work({}));
    const listed = leafs.reduce((sum, leaf) => sum + leaf.brushes.length, 0);
    expect(build(work({ listed }))).toHaveLength(leafs.length);
    expect(errorOf(() => build(work({ listed: listed - 1 }))).code).toBe('limit');
    expect(errorOf(() => build(work({ pieces: 3 }))).message).toContain('takes on at most 3 pieces');
  });

  it('stops a tree at the leaf that is one too many', () => {
    const seen: TreeLeaf[] = [];
    const leafs = build(work({}), (leaf) => seen.push(leaf));
    expect(seen.length).toBe(leafs.length);
    expect(leafs.every((leaf) => seen.includes(leaf))).toBe(true);
    expect(leafs.length).toBeGreaterThan(6);
    let count = 0;
    const onLeaf = (): void => checkGrowing({ leafs: ++count }, { leafs: 5 }, 'a game');
    expect(errorOf(() => build(work({}), onLeaf)).message).toBe(
      'a game holds at most 5 leafs, but the map has more',
    );
    expect(count).toBe(6);
  });

  it('is measured against the number of sides in the map', () => {
    const counts = new WorkCounts(1000);
    counts.add('faces', 196_608 + 16_000);
    expect(() => counts.add('faces', 1)).toThrow('takes on at most 212608 faces');
    expect(countSides(brushes)).toBe(6 * 18);
  });
});

describe('limits of formats', () => {
  const place = { line: 7, brush: 2 };

  it('are noticed while counts grow, with the place', () => {
    checkGrowing({ faces: 3, edges: 9 }, { faces: 3 }, 'a game', place);
    const error = errorOf(() => checkGrowing({ edges: 1, faces: 4 }, { faces: 3 }, 'a game', place));
    expect(error).toMatchObject({ code: 'limit', ...place });
    expect(error.message).toBe('line 7, brush 2: a game holds at most 3 faces, but the map has more');
  });

  it('lead to files with wider records, which other errors do not', () => {
    const fail = (code: 'limit' | 'empty') => (): never => {
      throw new CompileError(code, {}, '');
    };
    expect(writeWithin(() => 5)).toBe(5);
    expect(writeWithin(fail('limit'))).toBe(undefined);
    expect(() => writeWithin(fail('empty'))).toThrow(CompileError);
  });

  it('stop a file for UFO:AI at a brush, and name its line', () => {
    const text = formatMap({ entities: [{ properties: { classname: 'worldspawn' }, brushes: bars(45) }] });
    const error = errorOf(() => compileMap(parseMap(text), { format: 'ufoai', tjunc: false }));
    expect(error.message).toMatch(
      /^line \d+, entity 0, brush \d+: UFO:AI holds at most 65535 edges, but the map has more$/,
    );
  });

  it('stop narrow files in the same way', () => {
    // A wall with a texture so small that it is cut into 262 by 262 pieces.
    const { sides } = boxBrush([0, 0, 0], [8, 64, 64]);
    const texture = { s: [0, 980, 0, 0], t: [0, 0, 980, 0] } as const;
    const wall = { sides: sides.map((side) => (side.normal[0] === 1 ? { ...side, texture } : side)) };
    const errorFor = (options: Parameters<typeof compileMap>[1]): string =>
      errorOf(() => compileMap([boxBrush([90, 0, 0], [98, 8, 8]), wall], { ...options, tjunc: false }))
        .message;
    expect(errorFor({ format: 'quake1', bsp2: false, hulls: [] })).toBe(
      'entity 0, brush 1: BSP version 29 holds at most 32767 faces, but the map has more',
    );
    expect(errorFor({ format: 'quake2', qbsp: false })).toMatch(
      /^entity 0, brush 1: IBSP version 38 holds at most 65535 (faces|vertexes|edges), but the map has more$/,
    );
  });
});

it('are stopped by the brush whose planes are too many, before any of its surfaces is made', () => {
  // Round stones, each turned in another way: hardly any two of their planes are the same, nor are those of their bevels.
  const stone = (number: number): SourceBrush => {
    const corners = Array.from({ length: 14 }, (_, k) => {
      const z = 1 - (2 * k + 1) / 14;
      const [out, angle] = [64 * Math.sqrt(1 - z * z), 2.4 * k + number];
      return [
        out * Math.cos(angle) + 200 * (number % 30),
        out * Math.sin(angle) + 7 * number,
        64 * z + number / 7,
      ];
    });
    // They do not divide the world, which takes longest.
    return { ...hullBrush(corners), detail: true };
  };
  const stones = Array.from({ length: 1300 }, (_, k) => stone(k));
  const told: string[] = [];
  const onProgress = (stage: string): number => told.push(stage);
  expect(errorOf(() => compileMap(stones, { format: 'quake3', onProgress })).message).toMatch(
    /^entity 0, brush 1\d{3}: Quake 3 holds at most 131072 planes, but the map has more$/,
  );
  expect(told).not.toContain('surfaces');
});

it('knows when two rules see the same faces', () => {
  const planes = new PlaneSet();
  const context = { planes, material: createMaterialFinder(undefined, false), warnings: [] };
  const make = (...materials: string[]): Brush[] =>
    materials.map((material) => createBrush(context, boxBrush([0, 0, 0], [8, 8, 8], { material }), {}));
  expect(seesSame(make('base/wall', 'base/floor'), DRAWN_RULE, CLIP_RULE)).toBe(true);
  expect(seesSame(make('base/wall', 'common/clip'), DRAWN_RULE, CLIP_RULE)).toBe(false);
  expect(seesSame(make('skies/dusk'), DRAWN_RULE, DRAWN_RULE)).toBe(false);
});
