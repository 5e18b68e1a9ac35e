import { createRandom, pick } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  ALL_LEVELS,
  BOX_ALL,
  CONTENTS_ACTORCLIP,
  CONTENTS_DETAIL,
  CONTENTS_LADDER,
  CONTENTS_LIGHTCLIP,
  CONTENTS_PASSABLE,
  CONTENTS_SOLID,
  CONTENTS_WATER,
  CONTENTS_WEAPONCLIP,
  CONTENTS_WINDOW,
  createUfoaiWorld,
  heads,
  type LineFilter,
  levelList,
  levels,
  polygons,
  readUfoai,
  type UfoaiLineTracer,
  WITH_ACTORCLIP,
  WITH_WEAPONCLIP,
} from '../src/index.ts';
import { MapBuilder, type TreeSpec, writeMap } from './writer.ts';

/** One slab for each single level, for no level, for some sets of levels, and for each kind of clip, side by side. */
const SETS = [0, 1, 2, 4, 8, 16, 32, 64, 128, 0b101, 0xf0, 255];
const CLIPS = { 256: CONTENTS_LIGHTCLIP, 257: CONTENTS_WEAPONCLIP, 258: CONTENTS_ACTORCLIP };
const MODELS = [...SETS, 256, 257, 258];

const place = (model: number): number => -480 + 64 * MODELS.indexOf(model);

function slabWorld(
  without: readonly number[] = [],
  inline = 0,
  kernel: 'auto' | 'wasm' | 'js' = 'auto',
): ReturnType<typeof createUfoaiWorld> {
  const builder = new MapBuilder();
  const trees: Record<number, TreeSpec> = {};
  for (const model of MODELS) {
    if (without.includes(model)) continue;
    const contents = (CLIPS[model as 256] ?? CONTENTS_SOLID) | ((model & 255) << 8);
    const x = place(model);
    trees[model] = builder.box([x, -64, 128, x + 32, 64, 144], contents);
  }
  for (let k = 0; k < inline; k++) trees[259 + k] = builder.box([0, 256, 0, 32, 288, 64], CONTENTS_SOLID);
  return createUfoaiWorld([{ file: readUfoai(writeMap({ ...builder, models: trees })) }], { kernel });
}

/** The models whose slab stops a line through its middle. */
function blockedSet(test: (start: number[], end: number[]) => boolean): number[] {
  return MODELS.filter((model) => test([place(model) + 16, 0, 300], [place(model) + 16, 0, 20]));
}

/** What the README promises. */
function promised(mask: number): number[] {
  return MODELS.filter((model) => {
    if (model === 256) return false;
    if (model === 257) return (mask & WITH_WEAPONCLIP) !== 0;
    if (model === 258) return (mask & WITH_ACTORCLIP) !== 0;
    return model === 0 || (mask & ALL_LEVELS) === 0 || (model & mask) !== 0;
  });
}

/** What the engine does: clips also need the level bits that their numbers happen to have. */
function engine(mask: number): number[] {
  const chosen = (model: number): boolean => (mask & 255) === 0 || model === 0 || (model & mask & 255) !== 0;
  return promised(mask).filter((model) => chosen(model));
}

const EVERY_MASK = Array.from({ length: 0x400 }, (_, mask) => mask);

describe('level masks', () => {
  const world = slabWorld();

  it('every mask of 0..0x3ff stops the lines that it should, in tests and traces', () => {
    const line = world.line();
    for (const mask of EVERY_MASK) {
      line.set({ levels: mask });
      const expected = promised(mask);
      expect(
        blockedSet((start, end) => line.blocked(start, end)),
        `mask ${mask}`,
      ).toEqual(expected);
      expect(
        blockedSet((start, end) => line.trace(start, end).blocked),
        `mask ${mask}`,
      ).toEqual(expected);
    }
  });

  it('every mask as in the engine: clips need a level bit too, and the place of impact ignores the mask', () => {
    const line = world.line({ compat: 'engine' });
    for (const mask of EVERY_MASK) {
      line.set({ levels: mask });
      expect(
        blockedSet((start, end) => line.blocked(start, end)),
        `mask ${mask}`,
      ).toEqual(engine(mask));
      if (mask % 37 === 0) {
        expect(blockedSet((start, end) => line.trace(start, end).blocked)).toEqual(MODELS);
      }
    }
  });

  it('boxes, contents and polygons take the same brushes for a mask, clips apart; for 0, those of every level', () => {
    const ray = world.ray({ mask: CONTENTS_SOLID });
    const slabs = MODELS.filter((model) => model < 256);
    for (const mask of [0, 1, 2, 0x80, 0b101, 0xff, 0x100, 0x102, 0x300, BOX_ALL, -1]) {
      const expected = slabs.filter((model) => mask === 0 || model === 0 || (model & mask) !== 0);
      ray.set({ levels: mask });
      const stopped = blockedSet((start, end) => ray.blocked(start, end));
      const held = slabs.filter((model) => world.contents([place(model) + 16, 0, 136], mask) !== 0);
      const lefts = new Set(polygons(world, { levels: mask }).map(({ vertices }) => vertices[0]));
      const cut = slabs.filter((model) => lefts.has(place(model)));
      expect([stopped, held, cut], `mask ${mask}`).toEqual([expected, expected, expected]);
    }
  });

  it('oddities can be chosen one by one', () => {
    const some = (line: UfoaiLineTracer): [number[], number[]] => [
      blockedSet((start, end) => line.blocked(start, end)),
      blockedSet((start, end) => line.trace(start, end).blocked),
    ];
    const mask = 0x104;
    expect(some(world.line({ levels: mask, compat: { maskBits: true } }))).toEqual([
      engine(mask),
      engine(mask),
    ]);
    expect(some(world.line({ levels: mask, compat: { maskIgnored: true } }))).toEqual([
      promised(mask),
      MODELS,
    ]);
    expect(some(world.line({ levels: mask, compat: {} }))).toEqual([promised(mask), promised(mask)]);
    // They are copied: what the caller does with its own objects afterwards changes no line.
    const compat = { maskIgnored: false };
    const line = world.line({ compat });
    compat.maskIgnored = true;
    expect(some(line.set({ levels: mask }))).toEqual([promised(mask), promised(mask)]);
  });

  it('options may be inherited, as an object of a class has them', () => {
    const hit = (line: UfoaiLineTracer): number[] => blockedSet((start, end) => line.blocked(start, end));
    expect(hit(world.line(Object.create({ levels: levels(1, 3), actorClip: true })))).toEqual(
      promised(0x105),
    );
    const compat = Object.create({ maskBits: true });
    expect(hit(world.line({ levels: 0x104, compat }))).toEqual(engine(0x104));
  });

  it('options mean the same as bits, and light clip can be added', () => {
    const hit = (line: UfoaiLineTracer): number[] => blockedSet((start, end) => line.blocked(start, end));
    expect(hit(world.line({ levels: levels(1, 3), actorClip: true }))).toEqual(promised(0x105));
    expect(hit(world.line({ levels: levels(2), weaponClip: true }))).toEqual(promised(0x202));
    expect(hit(world.line({ levels: 0x3ff, actorClip: false, weaponClip: false }))).toEqual(promised(0xff));
    expect(hit(world.line({ actorClip: true, weaponClip: true, lightClip: true }))).toEqual(MODELS);
  });

  it('settings mean the same in any order: what is left out stays as it was asked for', () => {
    const random = createRandom(seedOf(9));
    const flags = [undefined, true, false];
    const line = world.line({ actorClip: true });
    const asked: LineFilter = { actorClip: true };
    for (let k = 0; k < 500; k++) {
      const settings: LineFilter = {
        levels: pick(random, [undefined, levels(8), 0, 0x101, 0x202, 0x300]),
        actorClip: pick(random, flags),
        weaponClip: pick(random, flags),
        lightClip: pick(random, flags),
      };
      for (const [name, value] of Object.entries(settings)) {
        if (value !== undefined) Object.assign(asked, { [name]: value });
      }
      const [ours, fresh] = [line.set(settings), world.line(asked)].map((each) =>
        blockedSet((start, end) => each.blocked(start, end)),
      );
      expect(ours).toEqual(fresh);
    }
  });

  it.each([
    ['solid', CONTENTS_SOLID, true],
    ['solid and detail', CONTENTS_SOLID | CONTENTS_DETAIL, true],
    ['solid and passable', CONTENTS_SOLID | CONTENTS_PASSABLE, false],
    ['detail alone', CONTENTS_DETAIL, false],
    ['windows', CONTENTS_WINDOW, false],
    ['water', CONTENTS_WATER, false],
    ['ladders', CONTENTS_LADDER, false],
  ] as const)('they stop at what is solid: %s', (_, contents, stops) => {
    const builder = new MapBuilder();
    const slab = builder.box([0, -64, 128, 32, 64, 144], contents);
    const world = createUfoaiWorld(readUfoai(writeMap({ ...builder, models: { 0: slab } })));
    expect(world.line().blocked([16, 0, 300], [16, 0, 20])).toBe(stops);
  });

  it('a hit names its level, tile and plane', () => {
    const trace = world.line().trace([place(4) + 16, 0, 300], [place(4) + 16, 0, 20]);
    expect(trace).toMatchObject({ blocked: true, level: 4, tile: 0, model: 0, dist: 144, startSolid: false });
    expect([...trace.normal]).toEqual([0, 0, 1]);
    expect([...trace.endPos]).toEqual([place(4) + 16, 0, 144]);
    expect(trace.fraction).toBeCloseTo(156 / 280, 6);
    const back = world.line().trace([place(4) + 16, 0, 20], [place(4) + 16, 0, 300]);
    expect([...back.normal, back.dist]).toEqual([-0, -0, -1, -128].map((x) => x || 0));
  });

  it.each(['wasm', 'js'] as const)('a hit within 0.001 units of the end does not count: %s', (kernel) => {
    const line = slabWorld([], 0, kernel).line();
    // Both ends are in the slab: then the hit is where the line starts.
    const start = [place(4) + 16, 0, 136];
    const blocked = (length: number): boolean => line.trace(start, [start[0]!, 0, 136 + length]).blocked;
    expect([0.0009, 0.0011].map(blocked)).toEqual([false, true]);
    // A test counts it, even of length zero.
    const isBlocked = (length: number): boolean => line.blocked(start, [start[0]!, 0, 136 + length]);
    expect([0, 0.0009].map(isBlocked)).toEqual([true, true]);
  });

  it.each(['wasm', 'js'] as const)(
    'a line that ends less than 0.1 units inside is not blocked: %s',
    (kernel) => {
      const line = slabWorld([], 0, kernel).line();
      const x = place(4) + 16;
      const ends = [144.05, 144, 143.95, 143.85, 127.95, 128, 128.05, 128.15];
      for (const [k, end] of ends.entries()) {
        const from = [x, 0, k < 4 ? 300 : 20];
        expect(line.blocked(from, [x, 0, end]), `${end}`).toBe(k % 4 === 3);
        expect(line.trace(from, [x, 0, end]).blocked, `${end}`).toBe(k % 4 === 3);
      }
    },
  );

  it.each(['wasm', 'js'] as const)(
    'along a surface, lines within 0.1 units are in front of its plane: %s',
    (kernel) => {
      const line = slabWorld([], 0, kernel).line();
      const x = place(4) + 16;
      const blocked = (z: number): boolean => line.blocked([x, -8, z], [x, 8, z]);
      // Both planes look up: the space is in front of the upper one, and the slab in front of the lower one.
      expect([144.05, 143.95, 143.85].map(blocked)).toEqual([false, false, true]);
      expect([128.05, 127.95, 127.85].map(blocked)).toEqual([true, true, false]);
    },
  );
});

describe('phantom heads', () => {
  // The first tree is that of level 1, since no brush is of no level; two inline models leave heads 259 and 260.
  const world = slabWorld([0], 2);
  const start = [place(1) + 16, 0, 300];
  const end = [place(1) + 16, 0, 20];

  it('walk the first tree again for masks that share a bit with the low byte of their number', () => {
    for (const mask of EVERY_MASK) {
      const selected = (mask & 255) === 0 || (mask & 1) !== 0;
      // 259 & 255 = 3 and 260 & 255 = 4.
      const phantom = (mask & 7) !== 0;
      expect(world.line({ levels: mask }).blocked(start, end)).toBe(selected);
      expect(world.line({ levels: mask, compat: 'engine' }).blocked(start, end), `mask ${mask}`).toBe(
        selected || phantom,
      );
      expect(world.line({ levels: mask, compat: { phantomHeads: true } }).trace(start, end).blocked).toBe(
        selected || phantom,
      );
    }
  });

  it('are listed, without a tree', () => {
    const phantoms = heads(world).filter((head) => head.kind === 'phantom');
    expect(phantoms.map((head) => [head.level, head.nodes])).toEqual([
      [259, 0],
      [260, 0],
    ]);
  });
});

describe('helpers', () => {
  it('convert levels to masks and back', () => {
    expect(levels(1, 3)).toBe(0b101);
    expect(levels(1, 2, 3, 4, 5, 6, 7, 8)).toBe(ALL_LEVELS);
    expect(levelList(0b101 | WITH_ACTORCLIP)).toEqual([1, 3]);
    expect(() => levels()).toThrow(RangeError);
    expect(() => levels(0)).toThrow('level must be a whole number in 1..8');
    expect(() => levels(9)).toThrow(RangeError);
  });

  it('have contents at a point as it is in float32, like everything that is traced', () => {
    const world = slabWorld();
    // Nearer to the slab's side than the float32 numbers before it are.
    const point = [place(0) - 1e-6, 0, 136];
    expect(world.ray().trace(point, point).startSolid).toBe(true);
    expect(world.contents(Float32Array.from(point))).toBe(CONTENTS_SOLID);
    expect(world.contents(point)).toBe(CONTENTS_SOLID);
  });

  it('take any 32 bits as a mask, and ignore those other than levels and clips', () => {
    const world = slabWorld();
    const hits = (levels: number): number[] => {
      const line = world.line({ levels });
      return blockedSet((start, end) => line.blocked(start, end));
    };
    expect(hits(-1)).toEqual(promised(0x3ff));
    expect(hits(0xffffffff)).toEqual(promised(0x3ff));
    expect(hits(0x404)).toEqual(promised(4));
    // Neither has a bit of a level, so every level is meant.
    expect(hits(0x400)).toEqual(promised(0));
    expect(hits(-0x80000000)).toEqual(promised(0));
    for (const bad of [1.5, Number.NaN, 2 ** 32, -(2 ** 31) - 1]) {
      expect(() => world.line({ levels: bad })).toThrow('levels must be a whole number of 32 bits');
      expect(() => world.ray({ levels: bad })).toThrow('levels must be a whole number of 32 bits');
      expect(() => world.contents([0, 0, 0], bad)).toThrow('levels must be a whole number of 32 bits');
    }
  });
});
