import { houseUfoai } from '@bspkit/fixtures';
import { expectSame } from '@bspkit/testkit/same';
import { describe, expect, it } from 'vitest';
import {
  CONTENTS_ACTORCLIP,
  CONTENTS_WATER,
  createUfoaiWorld,
  MASK_ALL,
  polygons,
  readUfoai,
  surfaceAt,
  type UfoaiWorld,
} from '../src/index.ts';
import { MapBuilder, writeMap } from './writer.ts';

/**
 * A floor, a wall with a gap, a door built around its own origin (`*1`) that stands in the gap, and a crate that was built in
 * place (`*2`).
 */
function doorMap(place = '"model" "*1" "origin" "0 0 32"'): ReturnType<typeof readUfoai> {
  const builder = new MapBuilder();
  const floor = builder.box([-256, -256, 0, 256, 256, 4], 0xff01);
  const left = builder.box([-256, -4, 4, -32, 4, 64], 0xff01);
  const right = builder.box([32, -4, 4, 256, 4, 64], 0xff01);
  const door = builder.box([-32, -2, -28, 32, 2, 28], 0xff01);
  const crate = builder.box([96, 96, 4, 128, 128, 36], 0xff01);
  const models = {
    255: MapBuilder.union([floor, left, right], [-256, -256, 0, 256, 256, 64]),
    259: door,
    260: crate,
  };
  const entities = [
    `{ "classname" "func_door" ${place} }`,
    '{ "classname" "func_breakable" "model" "*2" }',
  ].join('\n');
  return readUfoai(writeMap({ ...builder, models, entities, bounds: [-256, -256, -64, 256, 256, 128] }));
}

const file = doorMap();
const through = { start: [0, -100, 32], end: [0, 100, 32] } as const;
const atCrate = { start: [0, 112, 20], end: [200, 112, 20] } as const;

/** Numbers to four places, without signs of zero. */
const unsigned = (numbers: Float32Array): number[] =>
  Array.from(numbers, (x) => Math.round(x * 1e4) / 1e4 + 0);

describe('inline models', () => {
  const world = createUfoaiWorld([{ file }]);

  it('are where their entities say', () => {
    const [door, crate] = world.models();
    expect([...door!.origin, ...crate!.origin]).toEqual([0, 0, 32, 0, 0, 0]);
    expect([door!.number, crate!.number, door!.tile, door!.entity, crate!.entity]).toEqual([1, 2, 0, 0, 1]);
    expect(() => world.model(0)).toThrow(RangeError);
    expect(() => world.model(3)).toThrow(RangeError);
  });

  it('take arrays of their own and of each other', () => {
    const [door, crate] = world.models();
    const pose = { origin: Float32Array.of(1, 2, 3), angles: Float32Array.of(4, 5, 6) };
    door!.place(pose);
    // What was given is copied.
    pose.origin[0] = 7;
    expect([...door!.origin, ...door!.angles]).toEqual([1, 2, 3, 4, 5, 6]);
    door!.place({ origin: door!.angles, angles: door!.origin });
    expect([...door!.origin, ...door!.angles]).toEqual([4, 5, 6, 1, 2, 3]);
    crate!.place({ origin: door!.origin, angles: door!.angles });
    door!.place({ origin: [0, 0, 0] });
    expect([...crate!.origin, ...crate!.angles]).toEqual([4, 5, 6, 1, 2, 3]);
    const same = world.model(1).place({ origin: [4, 5, 6], angles: [1, 2, 3] });
    const swapped = world.model(1).place({ origin: [1, 2, 3], angles: [4, 5, 6] });
    swapped.place({ origin: swapped.angles, angles: swapped.origin });
    const ray = ([-300, 40, 20, 300, -30, 25] as const).map((x, k) => x + [4, 5, 6][k % 3]!);
    const [start, end] = [ray.slice(0, 3), ray.slice(3)];
    expect(swapped.ray().trace(start, end)).toEqual(same.ray().trace(start, end));
  });

  it('have contents where traces would start in them, wherever they are', () => {
    const house = readUfoai(houseUfoai());
    const tiles = createUfoaiWorld([{ file: house }, { file: house, x: 3, y: -2, z: 1 }]);
    let found = 0;
    for (const model of tiles.models()) {
      const { mins, maxs } = model.bounds;
      const middle = Array.from(mins, (x, axis) => (x + maxs[axis]!) / 2);
      const poses = [
        { origin: Float32Array.from(model.origin), angles: [0, 0, 0] },
        { origin: [10.3, -7.1, 90.7], angles: [0, 30, 0] },
        { origin: [-200, 40, 3], angles: [20, 250, 45] },
      ];
      const other = tiles.model(model.number);
      for (const [k, pose] of poses.entries()) {
        const ray = model.place(pose).ray();
        for (let n = 0; n < 400; n++) {
          // In and around its bounds, which are not turned.
          const point = middle.map((at, axis) => {
            const reach = (maxs[k === 0 ? axis : 0]! - mins[k === 0 ? axis : 0]!) / 2;
            return at + pose.origin[axis]! + 1.1 * reach * Math.sin(n * (axis + 1.3));
          });
          const contents = model.contents(point);
          expectSame(contents !== 0, ray.trace(point, point).startSolid);
          expectSame(other.contents(point, pose), contents);
          if (contents !== 0) found++;
        }
      }
    }
    expect(found).toBeGreaterThan(50);
    const crate = world.model(2);
    expect([95, 97].map((x) => crate.contents([x, 112, 20]) !== 0)).toEqual([false, true]);
    expect(() => crate.contents([0, Number.NaN, 0])).toThrow('point[1]');
  });

  it('stop lines and boxes that they are given to, and no others', () => {
    const models = world.models();
    const { start, end } = through;
    expect(world.line().blocked(start, end)).toBe(false);
    expect(world.line({ models }).blocked(start, end)).toBe(true);
    const hit = world.line({ models }).trace(start, end);
    expect(hit).toMatchObject({ blocked: true, model: 1, tile: 0, level: -1, contents: 0xff01 });
    expect(unsigned(hit.normal)).toEqual([0, -1, 0]);
    expect(hit.endPos[1]).toBeCloseTo(-2 - 1 / 32, 4);
    expect(world.ray().trace(start, end).fraction).toBe(1);
    const box = world.box([-9, -9, -24], [9, 9, 20], { models }).trace(start, end);
    expect([box.model, box.tile, box.normal[1]]).toEqual([1, 0, -1]);
    expect(box.endPos[1]).toBeCloseTo(-11 - 1 / 32, 4);
  });

  it('stop lines in the same place after any test', () => {
    const { start, end } = through;
    const line = world.line({ models: world.models() });
    const before = line.trace(start, end).endPos[1];
    for (const test of [world.ray(), world.model(1).ray(), world.box([-9, -9, -24], [9, 9, 20])]) {
      test.blocked(start, end);
      expect(line.trace(start, end).endPos[1]).toBe(before);
      test.blockedBatch(Float32Array.from([...start, ...end]));
      expect(line.trace(start, end).endPos[1]).toBe(before);
    }
  });

  it('are followed when they move and turn', () => {
    const door = world.model(1);
    const line = world.line({ models: [door] });
    const { start, end } = through;
    expect(line.blocked(start, end)).toBe(true);
    door.place({ origin: [64, 0, 32] });
    expect(line.blocked(start, end)).toBe(false);
    door.place({ origin: [0, 0, 32], angles: [0, 90, 0] });
    expect(line.blocked(start, end)).toBe(true);
    expect(line.blocked([10, -100, 32], [10, 100, 32])).toBe(false);
    // Another body of the same model stays where it was.
    expect(world.line({ models: world.models() }).blocked([10, -100, 32], [10, 100, 32])).toBe(true);
    expect(() => door.place({ origin: [0, Number.NaN, 0] })).toThrow('origin[1] must be a finite float32');
    expect([...door.origin]).toEqual([0, 0, 32]);
  });

  it('turn normals back exactly, while the engine is exact for a single angle only', () => {
    const start = [0, -100, 40];
    const normalOf = (angles: number[], engine: boolean): number[] => {
      const door = world.model(1).place({ angles });
      const tracer = door.ray({ mask: MASK_ALL, ...(engine ? { compat: 'engine' } : {}) });
      return unsigned(tracer.trace(start, [0, 100, 40]).normal);
    };
    expect(normalOf([0, 30, 0], false)).toEqual([0.5, -0.866, 0]);
    expect(normalOf([0, 30, 0], true)).toEqual([0.5, -0.866, 0]);
    const [clean, engine] = [normalOf([20, 30, 0], false), normalOf([20, 30, 0], true)];
    expect(engine).not.toEqual(clean);
    // The door's front faces along y in its own frame: pitch does not tilt that axis.
    expect(clean).toEqual([0.5, -0.866, 0]);
  });

  it('are met wherever they are turned and moved to, while the engine only looks near their bounds', () => {
    // 64 units wide, from its hinge: turned by 90 degrees, its end is farther out than half of that.
    const house = createUfoaiWorld(readUfoai(houseUfoai()));
    const open = house.model(1).place({ origin: [352, -200, 32], angles: [0, 90, 0] });
    const far = world.model(1).place({ origin: [5000, 0, 32] });
    const size = [
      [-4, -4, -4],
      [4, 4, 4],
    ] as const;
    for (const [where, model, start, end] of [
      [house, open, [320, -145, 40], [380, -145, 40]],
      [world, far, [5000, -100, 32], [5000, 100, 32]],
    ] as const) {
      const models = [model];
      const { endPos, normal } = model.ray().trace(start, end);
      expect(where.line({ models }).blocked(start, end)).toBe(true);
      expect(where.line({ models }).trace(start, end)).toMatchObject({ blocked: true, endPos, normal });
      const box = where.box(...size, { models }).trace(start, end);
      expect([box.model, box.fraction]).toEqual([1, model.box(...size).trace(start, end).fraction]);
      expect(where.line({ models, compat: { entities: true } }).blocked(start, end)).toBe(false);
      expect(where.box(...size, { models, compat: 'engine' }).trace(start, end).model).toBe(-1);
    }
  });

  it('have their polygons in the same frame, wherever their tile is', () => {
    const shifted = createUfoaiWorld([{ file, x: 8, y: -16, z: 1 }]);
    for (const number of [1, 2]) {
      const [own, other] = [world, shifted].map((where) => {
        const model = where.model(number);
        return polygons(model).map(({ vertices, normal, dist }) => ({
          vertices: Array.from(vertices, (x, k) => x + (number === 1 ? 0 : model.origin[k % 3]!)),
          normal: Array.from(normal),
          dist,
        }));
      });
      expect(own).toHaveLength(6);
      // The crate was built in place: its planes are where it is.
      if (number === 1) expect(other).toEqual(own);
      else expect(other![0]!.vertices[0]! - own![0]!.vertices[0]!).toBe(256);
    }
    const door = shifted.model(1);
    const [start, end] = [through.start, through.end].map((point) =>
      point.map((x, k) => x + [256, -512, 64][k]!),
    );
    const hit = shifted.ray({ models: [door] }).trace(start!, end!);
    expect(hit.model).toBe(1);
    const { polygon } = surfaceAt(shifted, hit)!;
    // In the model's frame: as far from its origin as what was hit is from where the model is.
    const at = Array.from(hit.endPos, (x, k) => x - door.origin[k]!);
    const height = polygon!.normal.reduce((sum, n, k) => sum + n * at[k]!, 0) - polygon!.dist;
    expect(height).toBeCloseTo(1 / 32, 4);
    for (let k = 0; k < 3; k++) {
      const xs = Array.from(polygon!.vertices).filter((_, n) => n % 3 === k);
      expect(Math.min(...xs) - 0.1).toBeLessThan(at[k]!);
      expect(Math.max(...xs) + 0.1).toBeGreaterThan(at[k]!);
    }
  });

  it('are traced by tracers of their own, up to a limit', () => {
    const door = world.model(1);
    const { start, end } = through;
    expect(door.ray().trace(start, end).fraction).toBeCloseTo((98 - 1 / 32) / 200, 5);
    expect(door.ray({ limit: 0.5 }).trace(start, end).fraction).toBeCloseTo((98 - 1 / 32) / 200, 5);
    expect(door.ray({ limit: 0.5 }).blocked(start, end)).toBe(true);
    const angles = [0, 180, 0];
    for (const ray of [
      door.ray({ limit: 0.25 }),
      door.ray({ limit: 0.25, angles }),
      door.ray().set({ limit: 0.25 }),
      door.line(Object.create({ limit: 0.25 })),
    ]) {
      const { fraction, endPos, normal, model } = ray.trace(start, end);
      expect([fraction, ...endPos, ...normal, model]).toEqual([1, ...end, 0, 0, 0, -1]);
      expect(ray.blocked(start, end)).toBe(false);
    }
    // The engine's fraction of such a move is the limit.
    const ray = door.ray({ limit: 0.25, compat: 'engine' });
    expect(ray.trace(start, end)).toMatchObject({ fraction: 0.25, model: -1 });
    expect(ray.blocked(start, end)).toBe(true);
    expect(door.box([-9, -9, -24], [9, 9, 20]).trace([0, 0, 32], [0, 0, 32]).allSolid).toBe(true);
    expect(polygons(world.model(2))).toHaveLength(6);
  });

  it('a limit of 0 leaves nothing to find, as in the engine: not even a start in solid', () => {
    const door = world.model(1);
    const inside = [0, 0, 32];
    expect(door.ray().trace(inside, [0, 100, 32]).startSolid).toBe(true);
    expect(door.ray({ limit: 0 }).trace(inside, [0, 100, 32])).toMatchObject({
      fraction: 1,
      startSolid: false,
    });
    expect(door.ray({ limit: 0 }).trace(inside, inside)).toMatchObject({ fraction: 0, startSolid: true });
  });

  it('are elsewhere only for a tracer that has a pose of its own, as in other games', () => {
    const door = world.model(1);
    const { start, end } = through;
    const size = [
      [-9, -9, -24],
      [9, 9, 20],
    ] as const;
    const all = world.line({ models: [door] });
    const open = { origin: [200, 0, 32] };
    for (const placed of [
      door.ray(open),
      door.line(open),
      door.box(...size, open),
      door.ray({ angles: [0, 90, 0] }).place(open),
      door.box(...size).place(open),
      door.line().set({ limit: 1 }).place(open),
    ]) {
      expect(placed.blocked(start, end)).toBe(false);
      expect(placed.trace([200, -100, 32], [200, 100, 32]).model).toBe(1);
      expect(placed.place({ origin: door.origin, angles: door.angles }).blocked(start, end)).toBe(true);
    }
    expect([...door.origin, ...door.angles]).toEqual([0, 0, 32, 0, 0, 0]);
    expect([door.ray().blocked(start, end), all.blocked(start, end)]).toEqual([true, true]);
    const [from, to] = [[10, -100, 32] as const, [10, 100, 32] as const];
    expect(door.ray().blocked(from, to)).toBe(true);
    expect(door.ray({ angles: [0, 90, 0] }).blocked(from, to)).toBe(false);
  });

  it('are followed by their tracers until those are placed themselves', () => {
    const door = world.model(1);
    const { start, end } = through;
    const [follower, placed] = [door.ray(), door.ray()];
    door.place({ angles: [0, 90, 0] });
    // Turned as the door is now: what is left out is the model's.
    expect(placed.place({ origin: [64, 0, 32] })).toBe(placed);
    expect(follower.trace(start, end).endPos[1]).toBeCloseTo(-32 - 1 / 32, 4);
    expect(placed.trace([64, -100, 32], [64, 100, 32]).endPos[1]).toBeCloseTo(-32 - 1 / 32, 4);
    door.place({ origin: [0, 0, 9999], angles: [0, 0, 0] });
    expect([follower.blocked(start, end), placed.blocked(start, end)]).toEqual([false, false]);
    expect(placed.trace([64, -100, 32], [64, 100, 32]).endPos[1]).toBeCloseTo(-32 - 1 / 32, 4);
    expect(() => placed.place({ origin: [0, 0, 32], angles: [0, Number.POSITIVE_INFINITY, 0] })).toThrow(
      'angles[1] must be a finite',
    );
    expect(placed.blocked(start, end)).toBe(false);
    expect(() => door.ray({ origin: [0, Number.NaN, 0] })).toThrow('origin[1] must be a finite float32');
  });

  it.each([1, 2])('are followed still by a tracer whose place cannot be read, at read %d', (failing) => {
    const { start, end } = through;
    const door = world.model(1);
    const ray = door.ray();
    let reads = 0;
    const get = (): number => {
      if (++reads === failing) throw new Error('unread');
      return 0;
    };
    const origin = Object.defineProperty([0, 0, 32], 1, { get });
    expect(() => ray.place({ origin })).toThrow('unread');
    expect(ray.blocked(start, end)).toBe(true);
    door.place({ origin: [500, 0, 32] });
    expect(ray.blocked(start, end)).toBe(false);
  });

  it('of the world cannot be placed through its tracers', () => {
    expect('place' in world.ray()).toBe(false);
    expect('place' in world.line()).toBe(false);
    // @ts-expect-error - the world stands where it is
    expect(() => world.ray({ origin: [0, 0, 0] })).toThrow("no option 'origin'");
  });

  it('stop lines of their own by solid and water, as they stop lines of the world', () => {
    const builder = new MapBuilder();
    const models = {
      259: builder.box([-8, -8, -8, 8, 8, 8], 0x20020),
      260: builder.box([-8, -8, -8, 8, 8, 8], CONTENTS_ACTORCLIP),
    };
    const odd = createUfoaiWorld(readUfoai(writeMap({ ...builder, models })));
    const [start, end] = [
      [-50, 0, 0],
      [50, 0, 0],
    ] as const;
    const size = [0, 0, 0];
    const blocked = odd
      .models()
      .map((model) =>
        [model.line(), model.ray(), model.box(size, size), model.ray({ mask: CONTENTS_ACTORCLIP })].map(
          (tracer) => tracer.blocked(start, end),
        ),
      );
    // What only stops walkers is invisible: rays pass it unless their mask includes it.
    expect(blocked).toEqual([
      [true, false, false, false],
      [false, false, true, true],
    ]);
    const together = odd.models().map((model) => odd.line({ models: [model] }).blocked(start, end));
    expect(together).toEqual([true, false]);
  });

  it('do not take a move in the world to be a position test of theirs', () => {
    // Ends so close together that they become one when the origin is subtracted, but are two before.
    const door = world.model(1).place({ origin: [0, 0.025, 32] });
    const start = [0, -Math.fround(1e-10), 32];
    const trace = world.ray({ models: [door], mask: CONTENTS_WATER }).trace(start, [0, 0, 32]);
    expect(trace.fraction).toBe(1);
    expect(trace.endPos[1]).toBe(0);
  });
});

describe('inline models of a tile that was moved', () => {
  const world = createUfoaiWorld([{ file }, { file, x: 20, y: 4, z: 1 }]);
  const offset = [640, 128, 64];
  const moved = (point: readonly number[]): number[] => point.map((x, k) => x + offset[k]!);
  const models = world.models();

  it('are numbered through all tiles and move with them', () => {
    expect(models.map((model) => [model.number, model.tile])).toEqual([
      [1, 0],
      [2, 0],
      [3, 1],
      [4, 1],
    ]);
    expect([...models[2]!.origin]).toEqual([640, 128, 96]);
    for (const { start, end } of [through, atCrate]) {
      const line = world.line({ models });
      expect(line.blocked(moved(start), moved(end))).toBe(true);
      const trace = line.trace(moved(start), moved(end));
      expect([trace.blocked, trace.tile]).toEqual([true, 1]);
      const box = world.box([-4, -4, -4], [4, 4, 4], { models }).trace(moved(start), moved(end));
      expect([box.fraction < 1, box.tile]).toEqual([true, 1]);
    }
  });

  it('are met in a tile that was moved even if their entities name the origin first; the engine looks elsewhere', () => {
    const originFirst = doorMap('"origin" "0 0 32" "model" "*1"');
    const [usual, other] = [file, originFirst].map((tile) => createUfoaiWorld([{ file: tile, x: 40 }]));
    const [start, end] = [through.start, through.end].map(([x, y, z]) => [x + 1280, y, z] as const);
    const answers = [usual!, other!].map((world) => {
      const door = world.model(1);
      const models = [door];
      const line = world.line({ models });
      return [
        door.bounds,
        door.contents([1280, 0, 32]),
        line.blocked(start!, end!),
        line.trace(start!, end!).fraction,
        world.box([-9, -9, -9], [9, 9, 9], { models }).trace(start!, end!).fraction,
      ];
    });
    expect(answers[0]![2]).toBe(true);
    expect(answers[1]).toEqual(answers[0]);
    const asEngine = (world: UfoaiWorld) =>
      world.line({ models: [world.model(1)], compat: { entities: true } }).blocked(start!, end!);
    expect([asEngine(usual!), asEngine(other!)]).toEqual([true, false]);
  });

  it('a crate built in place may be moved from there; the engine would add its tile twice', () => {
    const crate = world.model(4).place({ origin: [8, 0, 0] });
    const [start, end] = [moved([0, 112, 20]), moved([200, 112, 20])];
    expect(crate.ray().trace(start, end).endPos[0]).toBeCloseTo(640 + 96 + 8 - 1 / 32, 3);
    expect(crate.ray({ compat: 'engine' }).trace(start, end).fraction).toBe(1);
  });

  it("the engine's place of impact misses them, and its first model near a line always counts", () => {
    const { start, end } = { start: moved(through.start), end: moved(through.end) };
    const engine = world.line({ models, compat: 'engine' });
    expect(engine.blocked(start, end)).toBe(true);
    const trace = engine.trace(start, end);
    expect(trace.blocked).toBe(true);
    expect([...trace.endPos]).toEqual(end);
    expect(world.line({ models }).trace(start, end).endPos[1]).toBeCloseTo(126 - 1 / 32, 3);
  });
});

describe('boxes', () => {
  const world = createUfoaiWorld([{ file }]);

  it('without anything to trace give a clean miss; the engine answers 2', () => {
    const [start, end] = [
      [3000, 0, 0],
      [3000, 100, 0],
    ];
    const clean = world.ray().trace(start!, end!);
    expect([clean.fraction, ...clean.endPos, clean.tile]).toEqual([1, 3000, 100, 0, -1]);
    const engine = world.ray({ compat: 'engine' }).trace(start!, end!);
    expect([engine.fraction, ...engine.endPos]).toEqual([2, 0, 0, 0]);
    expect([
      world.ray().blocked(start!, end!),
      world.ray({ compat: 'engine' }).blocked(start!, end!),
    ]).toEqual([false, false]);
  });

  it("take levels from their heights in the engine's traces with models", () => {
    const builder = new MapBuilder();
    const models = { 8: builder.box([0, 0, 0, 32, 32, 32], 0x801) };
    const odd = createUfoaiWorld([{ file: readUfoai(writeMap({ ...builder, models })) }]);
    const traced = (engine: boolean): number =>
      odd
        .ray({ levels: 8, models: [], ...(engine ? { compat: 'engine' } : {}) })
        .trace([16, 16, 60], [16, 16, 10]).fraction;
    expect(traced(false)).toBeLessThan(1);
    expect(traced(true)).toBe(2);
  });

  it('keep a start in solid that the engine loses when nothing is hit', () => {
    // Two overlapping boxes in heads of their own; the first head is somewhere else.
    const builder = new MapBuilder();
    const models = {
      1: builder.box([200, 0, 0, 232, 32, 32], 1),
      2: builder.box([0, 0, 0, 32, 32, 32], 1),
    };
    const two = createUfoaiWorld([{ file: readUfoai(writeMap({ ...builder, models })) }]);
    const [start, end] = [
      [16, 16, 16],
      [16, 16, 100],
    ];
    expect(two.ray().trace(start!, end!)).toMatchObject({ startSolid: true, allSolid: false, fraction: 1 });
    expect(two.ray({ compat: 'engine' }).trace(start!, end!).startSolid).toBe(false);
  });

  it('refuse what makes no sense', () => {
    expect(() => world.box([1, 0, 0], [0, 0, 0])).toThrow('mins[0] must not be above maxs[0]');
    expect(() => world.ray({ tile: 1 })).toThrow('tile must be 0, got 1');
    expect(() => world.ray({ head: 0 })).toThrow(TypeError);
    expect(() => world.ray({ tile: 0, head: 99 })).toThrow(RangeError);
    expect(() => world.ray({ mask: 0.5 })).toThrow('mask must be a whole number of 32 bits');
    expect(() => world.ray().set({ mins: [0, 0, 0] })).toThrow('mins and maxs do not belong to a ray');
    expect(() => world.ray().set({ radius: 1 } as object)).toThrow("no option 'radius'");
    expect(() => world.ray().set({ limit: 1 } as object)).toThrow("no option 'limit'");
    expect(() => world.line().set({ mask: 1 } as object)).toThrow("no option 'mask'");
    expect(() => world.model(1).ray({ limit: Number.NaN })).toThrow('limit must be 0 or more, got NaN');
    expect(() => world.ray().trace([0, 0, Number.POSITIVE_INFINITY], [0, 0, 0])).toThrow(RangeError);
    expect(() => world.line().blocked([0, 0, 0], [0, Number.NaN, 0])).toThrow(RangeError);
  });
});
