import { inspect } from 'node:util';
import { BRUSH_STAMP, BRUSHES, TRACES } from '@bspkit/brushes';
import { entityModel, entityVector, parseEntities } from '@bspkit/core';
import { houseUfoai } from '@bspkit/fixtures';
import { between, createRandom } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  ACTOR_CROUCHING,
  ACTOR_STANDING,
  ALL_LEVELS,
  cellSight,
  cellToWorld,
  contentsNames,
  createUfoaiWorld,
  EYE_CROUCHING,
  explain,
  heads,
  leafPolygons,
  levelOf,
  levels,
  levelsBetween,
  MASK_SHOT,
  polygons,
  readUfoai,
  surfaceNames,
  worldToCell,
} from '../src/index.ts';
import { MapBuilder, type TreeSpec, writeMap } from './writer.ts';

const file = readUfoai(houseUfoai());
const house = createUfoaiWorld(file);

describe('cells and levels', () => {
  it('have their middles where the game has them', () => {
    expect(cellToWorld([128, 128, 0])).toEqual([16, 16, 32]);
    expect(cellToWorld([0, 255, 7])).toEqual([-4080, 4080, 480]);
    for (const cell of [
      [0, 0, 0],
      [255, 255, 7],
      [12, 200, 3],
    ]) {
      expect(worldToCell(cellToWorld(cell))).toEqual(cell);
    }
    expect(worldToCell([-5000, 5000, 9999])).toEqual([0, 255, 7]);
    expect(() => cellToWorld([0, 256, 0])).toThrow('cell[1] must be a whole number in 0..255, got 256');
    expect(() => worldToCell([Number.NaN, 0, 0])).toThrow(RangeError);
  });

  it('have room for actors as large as the game has them', () => {
    expect(ACTOR_STANDING).toEqual({ mins: [-9, -9, -24], maxs: [9, 9, 20] });
    expect(ACTOR_CROUCHING).toEqual({ mins: [-9, -9, -24], maxs: [9, 9, 5] });
  });

  it('are computed from heights', () => {
    expect([-10, 0, 63.9, 64, 511, 9999].map(levelOf)).toEqual([1, 1, 1, 2, 8, 8]);
    expect(levelsBetween(10, 150)).toBe(levels(1, 2, 3));
    expect(levelsBetween(150, 10)).toBe(levels(1, 2, 3));
    expect(levelsBetween(-100, 9999)).toBe(ALL_LEVELS);
  });

  it('see each other over low walls and not through high ones', () => {
    const builder = new MapBuilder();
    const low = builder.box([112, -64, 0, 120, 64, 30], 0x101);
    const high = builder.box([192, -64, 0, 200, 64, 64], 0x101);
    const models = { 1: MapBuilder.union([low, high], [112, -64, 0, 200, 64, 64]) };
    const world = createUfoaiWorld([{ file: readUfoai(writeMap({ ...builder, models })) }]);
    const [a, b, c] = [
      [129, 128, 0],
      [132, 128, 0],
      [135, 128, 0],
    ] as const;
    expect(cellSight(world, a, b)).toBeCloseTo(2 / 3, 6);
    expect(cellSight(world, a, b, { eye: EYE_CROUCHING, heights: [-4] })).toBe(0);
    expect(cellSight(world, a, b, { eye: EYE_CROUCHING, heights: [EYE_CROUCHING] })).toBe(1);
    expect(cellSight(world, b, c)).toBe(0);
    expect(cellSight(world, b, c, { levels: levels(2) })).toBe(1);
    expect(() => cellSight(world, [0, 0, 8], a)).toThrow('from[2]');
    expect(() => cellSight(world, a, b, { heights: [] })).toThrow(RangeError);
  });
});

describe('sight by a line', () => {
  const [inside, outside] = [
    [139, 129, 0],
    [139, 133, 0],
  ] as const;

  it('stops at doors, where they are', () => {
    const door = house.model(1);
    const line = house.line({ models: [door] });
    expect(cellSight(house, inside, outside)).toBe(1);
    expect(cellSight(line, inside, outside)).toBe(0);
    door.place({ angles: [0, 90, 0] });
    expect(cellSight(line, inside, outside)).toBe(1);
    expect(cellSight(line, inside, outside, { eye: EYE_CROUCHING, heights: [0] })).toBe(1);
  });

  it('has the filter of the line', () => {
    expect(() => cellSight(house.line(), inside, outside, { levels: 1 })).toThrow(
      new TypeError("there is no option 'levels' here; the options are eye, heights"),
    );
  });
});

describe('the house', () => {
  it('lists its heads', () => {
    const trees = heads(house);
    expect(trees.map((head) => head.kind).filter((kind) => kind.endsWith('Clip'))).toEqual([
      'lightClip',
      'weaponClip',
      'actorClip',
    ]);
    expect(trees.filter((head) => head.kind === 'phantom')).toHaveLength(house.numModels);
    for (const head of trees.filter(({ kind }) => kind !== 'phantom')) expect(head.nodes).toBeGreaterThan(0);
    // Windows contain brushes and do not stop lines.
    expect(trees.some((head) => head.stumps > 0)).toBe(true);
  });

  it('has walls that stop both sight and boxes, and has contents', () => {
    const [start, end] = [
      [256, 50, 30],
      [256, 200, 30],
    ];
    const line = house.line().trace(start!, end!);
    expect([line.blocked, line.endPos[1], ...line.normal]).toEqual([true, 96, 0, -1, 0]);
    expect(house.sight(start!, end!)).toBe(false);
    expect(house.sight(start!, [200, 60, 30])).toBe(true);
    const { mins, maxs } = ACTOR_STANDING;
    const box = house.box(mins, maxs).trace(start!, end!);
    expect(box.endPos[1]).toBeCloseTo(96 - 9 - 1 / 32, 4);
    expect(contentsNames.names(box.contents)).toContain('solid');
    expect(contentsNames.names(house.contents([256, 100, 30]))).toContain('solid');
    expect(house.contents([256, 50, 30])).toBe(0);
    expect(contentsNames.bits('shot')).toBe(MASK_SHOT);
    expect(surfaceNames.bits('noDraw,light')).toBe(0x81);
  });

  it('gives polygons by level, facing out of their brushes', () => {
    const all = polygons(house);
    const clips = polygons(house, { clips: true });
    const ground = polygons(house, { levels: levels(1) });
    expect(all.length).toBeGreaterThan(ground.length);
    expect(clips.length).toBeGreaterThan(all.length);
    expect(polygons(house, { tile: 0 })).toHaveLength(all.length);
    expect(() => polygons(house, { tile: 1 })).toThrow(RangeError);
    for (const { vertices, normal, dist, contents } of clips) {
      expect(contents).not.toBe(0);
      const corner = (k: number): number[] => [...vertices.subarray(3 * k, 3 * k + 3)];
      for (let k = 0; k < vertices.length / 3; k++) {
        const height = corner(k).reduce((sum, x, axis) => sum + x * normal[axis]!, -dist);
        expect(Math.abs(height)).toBeLessThan(0.02);
      }
      // Counter-clockwise seen from the front: the first corner turns along the normal.
      const [a, b, c] = [corner(0), corner(1), corner(2)];
      const u = a.map((x, k) => b[k]! - x);
      const v = b.map((x, k) => c[k]! - x);
      const turn = [0, 1, 2].reduce(
        (sum, k) =>
          sum + (u[(k + 1) % 3]! * v[(k + 2) % 3]! - u[(k + 2) % 3]! * v[(k + 1) % 3]!) * normal[k]!,
        0,
      );
      expect(turn).toBeGreaterThan(0);
    }
  });

  it('gives the polygons of a leaf', () => {
    const counts = Array.from({ length: house.numLeafs }, (_, leaf) => leafPolygons(house, leaf).length);
    expect(Math.max(...counts)).toBeGreaterThan(5);
    expect(() => leafPolygons(house, house.numLeafs)).toThrow(RangeError);
  });

  it('explains traces', () => {
    const [start, end] = [
      [256, 50, 30],
      [256, 200, 30],
    ];
    const line = explain(house.line(), start!, end!);
    expect(line.trees!.length).toBeGreaterThan(1);
    expect(line.trees![0]).toEqual({ name: 'no level', model: 0, step: 0 });
    expect(line.steps.map((step) => step.kind)).toContain('leaf');
    expect(line.trace.blocked).toBe(true);
    const box = explain(house.box([-9, -9, -24], [9, 9, 20]), start!, end!);
    const hit = box.steps.filter((step) => step.kind === 'brush' && step.outcome === 'hit').at(-1);
    expect(hit).toMatchObject({ kind: 'brush', brush: box.trace.brush, side: box.trace.side });
    const door = explain(house.model(1).ray(), [352, 50, 30], [352, 200, 30]);
    expect(door.trees).toEqual([{ name: '*1', model: 1, step: 0 }]);
    // What an inline model leaves in the engine is a tree of the world's.
    const phantom = explain(house.line({ compat: 'engine' }), start!, end!).trees!.at(-1);
    expect(phantom).toMatchObject({ name: expect.stringMatching(/^\*/), model: 0 });
    const around = explain(house.ray({ models: [house.model(1)] }), [352, 50, 30], [352, 200, 30]);
    expect(around.trees!.at(-1)).toMatchObject({ name: '*1', model: 1 });
    expect(around.trees!.slice(0, -1).every(({ name, model }) => model === 0 && !name.includes('*'))).toBe(
      true,
    );
  });

  it('explains position tests: nodes and leafs first, then the brushes of the leafs', () => {
    const inWall = [256, 100, 30];
    const { steps, trace } = explain(house.ray(), inWall, inWall);
    expect(trace.allSolid).toBe(true);
    const last = steps.at(-1);
    expect(last).toMatchObject({ kind: 'brush', brush: trace.brush, outcome: 'allSolid' });
    expect(steps.map(({ kind }) => kind)).toContain('node');
  });
});

describe('a world', () => {
  const twoTiles = createUfoaiWorld([{ file }, { file: tableMap(), x: 40 }]);

  /** A map of one box, with other textures and entities than the house. */
  function tableMap(): typeof file {
    const builder = new MapBuilder();
    const models = { 1: builder.box([0, 0, 0, 32, 32, 32], 0x101) };
    return readUfoai(writeMap({ ...builder, models, entities: '{ "classname" "misc_table" }' }));
  }

  it('of one map is the same as an assembly of one tile', () => {
    expect(new Uint8Array(house.data)).toEqual(new Uint8Array(createUfoaiWorld([{ file }]).data));
  });

  it('has texture names and entities of each tile, read once', () => {
    expect(twoTiles.textureNames()).toEqual(file.textures.map(({ name }) => name));
    expect(twoTiles.textureNames(1)).toEqual(['test/texture0', 'test/texture1']);
    expect(twoTiles.textureNames(1)).toBe(twoTiles.textureNames(1));
    expect(twoTiles.entities()[0]?.classname).toBe('worldspawn');
    expect(twoTiles.entities(0)).toEqual(parseEntities(file.entities, 'ufoai'));
    expect(twoTiles.entities(1)).toEqual([{ classname: 'misc_table' }]);
    expect(twoTiles.entities()).toEqual([...twoTiles.entities(0), ...twoTiles.entities(1)]);
    expect(twoTiles.entities()).toBe(twoTiles.entities());
    expect(house.entities()).toEqual(house.entities(0));
    expect(twoTiles.entities(1)).toBe(twoTiles.entities(1));
    expect(() => twoTiles.entities(2)).toThrow('tile must be a whole number in 0..1, got 2');
    expect(() => twoTiles.textureNames(-1)).toThrow(RangeError);
  });

  it('has the entities of all tiles where they stand, with models by their numbers among all', () => {
    const twins = createUfoaiWorld([{ file }, { file, x: 40, y: -3, z: 1 }]);
    const own = parseEntities(file.entities, 'ufoai');
    const [first, second] = [twins.entities().slice(0, own.length), twins.entities().slice(own.length)];
    expect(first).toEqual(own);
    expect(second.map(Object.keys)).toEqual(own.map(Object.keys));
    const shift = [40 * 32, -3 * 32, 64];
    let [placed, models] = [0, 0];
    for (const [k, { origin, model, ...rest }] of own.entries()) {
      expect(second[k]).toMatchObject(rest);
      const moved = entityVector(second[k]!, 'origin');
      expect(moved).toEqual(origin && entityVector(own[k]!, 'origin')!.map((x, axis) => x + shift[axis]!));
      if (origin) placed++;
      const number = entityModel(own[k]!);
      if (number === undefined) expect(second[k]!.model).toBe(model);
      else {
        // As the model of that number says.
        const { tile, entity } = twins.model(entityModel(second[k]!)!);
        expect([tile, entity]).toEqual([1, house.model(number).entity]);
        models++;
      }
    }
    expect(placed).toBeGreaterThan(2);
    expect(models).toBeGreaterThan(1);
    // Of one tile alone, too.
    const moved = createUfoaiWorld([{ file, x: 40, y: -3, z: 1 }]).entities();
    expect(moved.map(({ origin }) => origin)).toEqual(second.map(({ origin }) => origin));
    expect(moved.map(({ model }) => model)).toEqual(own.map(({ model }) => model));
  });

  it('has no models of other tiles for entities that name one which their own tile lacks', () => {
    const count = house.numModels;
    const wrong = [0, count + 1, count + 2].map((model) => `{ "model" "*${model}" }`).join(' ');
    const broken = { ...file, entities: wrong };
    const models = createUfoaiWorld([{ file: broken }, { file: broken }, { file: broken }]).entities();
    const numbers = [0, 3 * count + 1, 3 * count + 2];
    expect(models.map(entityModel)).toEqual([...numbers, ...numbers, ...numbers]);
    expect(createUfoaiWorld(broken).entities().map(entityModel)).toEqual([0, count + 1, count + 2]);
  });

  it('has a moved tile as it was, but for less than 1/1000 of a unit beside slanted planes', () => {
    const random = createRandom(seedOf(1));
    const whole = (low: number, high: number): number => Math.floor(between(random, low, high + 1));
    const bounds = [0, 0, 0, 512, 512, 512] as const;
    // As fine as float32 is where tiles end.
    const onGrid = (x: number): number => Math.round(x * 4096) / 4096;
    let [same, other] = [0, 0];
    for (let k = 0; k < 300; k++) {
      const [a, b] = [between(random, 0.3, 1), between(random, 0.3, 1)];
      const length = Math.sqrt(a * a + b * b + 1);
      const normal = [a / length, b / length, 1 / length].map(Math.fround) as [number, number, number];
      const dist = Math.fround(between(random, 200, 300));
      const slope: TreeSpec = {
        plane: 0,
        front: { contents: 0, brushes: [] },
        back: { contents: 1, brushes: [0] },
        bounds,
      };
      const tile = readUfoai(
        writeMap({
          planes: [[...normal, dist]],
          brushes: [{ contents: 1, sides: [0] }],
          models: { 255: slope },
          bounds,
        }),
      );
      const [x, y, z] = [whole(-110, 110), whole(-110, 110), whole(0, 7)];
      const [alone, moved] = [createUfoaiWorld(tile), createUfoaiWorld([{ file: tile, x, y, z }])];
      const contentsMoved = (point: readonly number[]): number =>
        moved.contents([point[0]! + 32 * x, point[1]! + 32 * y, point[2]! + 64 * z], ALL_LEVELS);
      for (let tries = 0; tries < 40; tries++) {
        const point = [onGrid(between(random, 20, 180)), onGrid(between(random, 20, 180)), 0];
        const height = (dist - normal[0] * point[0]! - normal[1] * point[1]!) / normal[2];
        point[2] = onGrid(height + between(random, -0.004, 0.004));
        if (point[2] < 1) continue;
        const beside = Math.abs((point[2] - height) * normal[2]);
        if (alone.contents(point, ALL_LEVELS) === contentsMoved(point)) same++;
        else {
          other++;
          expect(beside).toBeLessThan(0.001);
        }
      }
    }
    // They differ, as the game rounds a plane's distance when it moves a tile.
    expect(other).toBeGreaterThan(50);
    expect(same).toBeGreaterThan(5 * other);
  });

  it('numbers leafs through its tiles', () => {
    const [first, second] = twoTiles.tiles;
    expect([first!.firstLeaf, second!.firstLeaf]).toEqual([0, file.leafs.count]);
    const { tile, leaf } = twoTiles.ray().trace([1296, 16, 100], [1296, 16, 0]);
    expect(tile).toBe(1);
    const textures = leafPolygons(twoTiles, second!.firstLeaf + leaf).map((polygon) => polygon.texture);
    expect(textures.sort()).toEqual([-1, -1, 0, 0, 1, 1]);
  });

  it('prints as one line, and so do its models and tracers', () => {
    const show = (thing: unknown): string => inspect(thing);
    expect(show(house)).toMatch(/^UfoaiWorld \{ 1 tile, \d+ leafs, 3 models \}$/);
    expect(show(twoTiles)).toMatch(/^UfoaiWorld \{ 2 tiles/);
    expect(show(house.line({ levels: 0x105 }))).toBe('UfoaiLineTracer { levels 0x105 }');
    expect(show(house.ray())).toBe('UfoaiTracer { ray }');
    expect(show(house.box([-9, -9, -24], [9, 9, 20]))).toBe('UfoaiTracer { box -9 -9 -24 to 9 9 20 }');
    expect(show(house.model(2))).toBe('UfoaiModel { *2 at 0 0 0, angles 0 0 0 }');
    expect(show(house.model(2).ray())).toBe('UfoaiPlacedTracer { ray }');
  });

  it('makes answers of the right kind for its tracers', () => {
    expect(house.line().createTrace()).toMatchObject({ fraction: 1, blocked: false, tile: -1, level: -1 });
    expect(house.ray().createTrace()).toMatchObject({ fraction: 1, tile: -1, leaf: -1 });
  });

  it('changes a tracer completely or not at all', () => {
    const [start, end] = [
      [256, 50, 30],
      [256, 200, 30],
    ];
    const box = house.box([-9, -9, -24], [9, 9, 20]);
    const before = box.trace(start!, end!);
    const bad: [object, ErrorConstructor][] = [
      [{ mins: [-1, -1, -1], mask: 0.5 }, RangeError],
      [{ mask: 0, levels: 2 ** 33 }, RangeError],
      [{ reject: 1, mins: [100, 0, 0] }, RangeError],
      [{ mask: 0, radius: 3 }, TypeError],
    ];
    for (const [settings, error] of bad) {
      expect(() => box.set(settings)).toThrow(error);
      expect(box.trace(start!, end!)).toEqual(before);
      expect(box.shape).toEqual({
        kind: 'box',
        mins: Float32Array.of(-9, -9, -24),
        maxs: Float32Array.of(9, 9, 20),
      });
    }
    const line = house.line();
    expect(() => line.set({ levels: 0.5, lightClip: true })).toThrow(RangeError);
    expect(line.trace(start!, end!)).toEqual(house.line().trace(start!, end!));
  });

  it('sees a brush again after the stamps of 2^31 traces are used up', () => {
    const world = createUfoaiWorld(tableMap(), { kernel: 'js' });
    const tracer = world.ray();
    const [start, end] = [
      [16, 16, 100],
      [16, 16, 0],
    ];
    const before = tracer.trace(start!, end!);
    expect(before.fraction).toBeLessThan(1);
    const { traces, brushStamps } = world._memory;
    expect(brushStamps[0]).toBe(traces[0]);
    // The next trace begins again with the number that the brush was stamped with.
    brushStamps[0] = 1;
    traces[0] = 0x7fffffff;
    expect(tracer.trace(start!, end!)).toEqual(before);
    expect(traces[0]).toBe(1);
  });

  it('the same in WebAssembly', () => {
    const world = createUfoaiWorld(tableMap(), { kernel: 'wasm' });
    const tracer = world.ray();
    const [start, end] = [
      [16, 16, 100],
      [16, 16, 0],
    ];
    const before = tracer.trace(start!, end!);
    expect(before.fraction).toBeLessThan(1);
    const { ints } = world._memory.hotBoxes!;
    const stamp = (ints[BRUSHES / 4]! + BRUSH_STAMP) / 4;
    expect(ints[stamp]).toBe(ints[TRACES / 4]);
    ints[stamp] = 1;
    ints[TRACES / 4] = 0x7fffffff;
    expect(tracer.trace(start!, end!)).toEqual(before);
    expect(ints[TRACES / 4]).toBe(1);
  });
});
