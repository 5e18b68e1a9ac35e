import { describe, expect, it } from 'vitest';
import { boxBrush, CompileError, type CompileFormat, compileMap, type SourceBrush } from '../src/index.ts';
import { PlaneSet } from '../src/planes.ts';
import { SideSquares } from '../src/side-squares.ts';
import type { WriterInput } from '../src/target.ts';
import { withBrushList } from '../src/targets/quake1/brush-list.ts';
import { type Quake2Model, Quake2Writer } from '../src/targets/quake2/write.ts';
import { MOST_SQUARES, SQUARES_OF_SIDE } from '../src/targets/quake3/brushes.ts';
import type { UfoaiModel } from '../src/targets/ufoai/models.ts';
import { longestWay, type RegionTrees } from '../src/targets/ufoai/regions.ts';
import { UfoaiWriter } from '../src/targets/ufoai/write.ts';
import { checkDepth } from '../src/tree-counts.ts';

/**
 * A pillar of many walls; wide enough that the tolerance hides none of them, as then all sides would be computed a second time.
 */
function pillar(sides: number, x: number): SourceBrush {
  const walls = Array.from({ length: sides - 2 }, (_, k) => {
    const turn = (2 * Math.PI * k) / (sides - 2);
    const normal = [Math.cos(turn), Math.sin(turn), 0] as const;
    return { normal, dist: 2000 + x * normal[0] };
  });
  return { sides: [...walls, { normal: [0, 0, 1], dist: 64 }, { normal: [0, 0, -1], dist: 0 }] };
}

/** What is wrong with the map. It is found before trees are made, which would take seconds. */
function refusal(brushes: readonly SourceBrush[], format: CompileFormat): CompileError {
  const stages: string[] = [];
  try {
    compileMap(brushes, { format, onProgress: (stage) => stages.push(stage) });
  } catch (error) {
    expect(new Set(stages)).toEqual(new Set(['brushes']));
    if (error instanceof CompileError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('brushes of many sides', () => {
  const pillars = Array.from({ length: 7 }, (_, k) => pillar(960, 500 * k));

  it.each<[CompileFormat, number, number]>([
    ['quake2', 6, 6_000_000],
    ['quake3', 6, 6_000_000],
    ['ufoai', 1, 1_048_576],
  ])('are refused where a reader of %s would not take the file', (format, brush, most) => {
    const error = refusal(pillars.slice(0, brush + 1), format);
    expect(error).toMatchObject({ code: 'limit', entity: 0, brush });
    expect(error.message).toMatch(/with the 9\d\d sides of this brush, squares of brushes' sides make \d+/);
    expect(error.message).toMatch(new RegExp(`may have ${most}: make it of fewer sides$`));
  });

  it('are counted with the sides that the file adds', () => {
    const squares = new SideSquares(100, 'A game');
    squares.add(8, {});
    squares.add(6, {});
    expect(() => squares.add(1, { brush: 2 })).toThrow(
      "brush 2: with the 1 sides of this brush, squares of brushes' sides make 101 together, where A game may have 100",
    );
  });

  it('may be more in a larger map of Quake 3, whose brushes have no more of them each', () => {
    const add = (sides: number): void => {
      const squares = new SideSquares(MOST_SQUARES, 'Quake 3', SQUARES_OF_SIDE);
      for (let k = 0; k < 14_000; k++) squares.add(sides, {});
    };
    add(24);
    expect(() => add(25)).toThrow(/where Quake 3 may have 6\d{6}: make it of fewer sides$/);
  });

  it('are refused in the brush list of Quake 1, and so are too many sides', () => {
    const planes = new PlaneSet();
    const slanted = Array.from({ length: 1000 }, (_, k) => planes.find(0.6, 0.8, 0, k));
    const brush = (count: number) => ({
      solid: { planes: slanted.slice(0, count) },
      box: { mins: [0, 0, 0], maxs: [1, 1, 1] },
      contents: 1,
      place: { brush: 3 },
    });
    const list = (count: number, each: number) => () =>
      withBrushList(
        new Uint8Array(),
        planes,
        [Array.from({ length: count }, () => brush(each))] as never,
        'Quake 1',
      );
    expect(list(5, 1000)).not.toThrow();
    expect(list(6, 1000)).toThrow(
      /^brush 3: with the 1006 sides .* where BRUSHLIST of Quake 1 may have 6000000/,
    );
    expect(list(87_381, 0)).not.toThrow();
    expect(list(87_382, 0)).toThrow(
      'BRUSHLIST of Quake 1 holds at most 524288 sides, but the map has 524292',
    );
  });

  it('make trees no deeper than readers walk', () => {
    expect(() => checkDepth(1024, 1024, 'A game')).not.toThrow();
    expect(() => checkDepth(1025, 1024, 'A game')).toThrow(
      new CompileError(
        'limit',
        {},
        "A game may have trees 1024 nodes deep, the map's is 1025: make brushes of fewer sides",
      ),
    );
  });

  it('are refused for their depth before they are written, which thousands of nodes would be too many for', () => {
    const planes = new PlaneSet();
    const plane = planes.find(1, 0, 0, 0);
    const box = { mins: [0, 0, 0], maxs: [0, 0, 0] };
    const leaf = { plane: -1, bits: 0, holders: [], brushes: [], center: [0, 0, 0], box };
    let tree: object = leaf;
    for (let depth = 0; depth < 4000; depth++) tree = { plane, front: leaf, back: tree, box };
    const models = { models: [], entities: [], sources: [] };
    const input = { planes, models, countWork: () => undefined, tjunc: false } as unknown as WriterInput;
    const areas = { of: () => 0, count: 1, portals: [] };
    const world = { brushes: [], tree, drawn: [], isFilled: () => false, areas };
    const level = { brushes: [], trees: { tree, brushes: [], box }, box };
    const writers = [
      new Quake2Writer(input, [world as unknown as Quake2Model], false),
      new UfoaiWriter(input, [level as unknown as UfoaiModel], 78, undefined),
    ];
    for (const writer of writers) expect(() => writer.write()).toThrow(/1024 nodes deep, the map's is 4000/);
  });

  it('of UFO:AI are counted with its unions', () => {
    const leaf = { plane: -1, brushes: [] };
    const chain = (nodes: number): object =>
      nodes === 0 ? leaf : { plane: 0, front: leaf, back: chain(nodes - 1) };
    const way = (trees: object): number => longestWay(trees as RegionTrees);
    expect(way({ tree: chain(1024) })).toBe(1024);
    const pair = { low: { tree: chain(3) }, high: { tree: chain(7) } };
    expect(way(pair)).toBe(8);
    expect(way({ low: pair, high: { tree: chain(8) } })).toBe(9);
    expect(way({ low: { tree: chain(20) }, high: pair })).toBe(21);
  });
});

it('refuses more models than UFO:AI traces through, before trees are made', () => {
  const doors = Array.from({ length: 1024 }, (_, k) => ({
    properties: { classname: 'func_door' },
    brushes: [boxBrush([k, 0, 96], [k + 1, 4, 112])],
  }));
  const world = { properties: { classname: 'worldspawn' }, brushes: [boxBrush([0, 0, 0], [64, 64, 64])] };
  expect(() => compileMap({ entities: [world, ...doors] }, { format: 'ufoai' })).toThrow(
    'UFO:AI holds at most 1024 models with brushes, but the map has 1025',
  );
});
