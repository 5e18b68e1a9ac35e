import { boxBrush, compileMap, rampBrush } from '@bspkit/compile';
import type { Vec3 } from '@bspkit/core';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  BOX_MODEL,
  boxEntity,
  CONTENTS_BODY,
  CONTENTS_PLAYERCLIP,
  CONTENTS_WATER,
  createQuake3World,
  exactSphere,
  leafPolygons,
  MASK_PLAYERSOLID,
  type Placed,
  patches,
  polygons,
  type Quake3Tracer,
  readQuake3,
  SURFACE_EPSILON,
  TUTORIAL_EPSILON,
} from '../src/index.ts';

/** A floor with a wall of clip at x = 64, water over the floor at y >= 64, and a ramp, and a door `*1`. */
const source = {
  entities: [
    {
      properties: { classname: 'worldspawn' },
      brushes: [
        boxBrush([-256, -256, -16], [256, 256, 0], { material: 'test/floor' }),
        boxBrush([64, -256, 0], [72, 0, 128], { material: 'common/clip' }),
        boxBrush([-256, 64, 0], [256, 256, 32], { material: 'liquids/water' }),
        rampBrush([-128, -64, 0], [-64, 0, 64], '+x', { material: 'test/ramp' }),
      ],
    },
    {
      properties: { classname: 'func_door' },
      brushes: [boxBrush([128, -32, 0], [136, 32, 96], { material: 'test/door' })],
    },
  ],
};
const file = readQuake3(compileMap(source, { format: 'quake3' }).bytes);
const world = createQuake3World(file);

describe('a ray', () => {
  it('stops an eighth of a unit before a surface, and says what it hit', () => {
    const trace = world.ray().trace([0, -100, 64], [0, -100, -64]);
    expect(trace.fraction).toBe(Math.fround((64 - SURFACE_EPSILON) / 128));
    expect([...trace.endPos]).toEqual([0, -100, SURFACE_EPSILON]);
    expect([...trace.normal]).toEqual([0, 0, 1]);
    expect(trace).toMatchObject({
      dist: 0,
      startSolid: false,
      allSolid: false,
      contents: 1,
      model: 0,
      brush: 0,
    });
    expect(world.textureNames()[trace.texture]).toBe('textures/test/floor');
    expect(trace.side).toBeGreaterThanOrEqual(0);
    expect(trace.plane).toBeGreaterThanOrEqual(0);
    expect(trace.patch).toBe(-1);
  });

  it('goes through what is not in its mask', () => {
    const [start, end] = [
      [0, -100, 64],
      [100, -100, 64],
    ];
    expect(world.ray().trace(start, end).fraction).toBe(1);
    const trace = world.ray({ mask: MASK_PLAYERSOLID }).trace(start, end);
    expect(trace.fraction).toBeLessThan(1);
    expect(trace.contents & CONTENTS_PLAYERCLIP).toBe(CONTENTS_PLAYERCLIP);
    expect(world.ray({ mask: CONTENTS_WATER }).trace([0, 100, 64], [0, 100, -64]).endPos[2]).toBe(32.125);
  });

  it('keeps the distance it is told', () => {
    const ray = world.ray({ epsilon: TUTORIAL_EPSILON });
    expect(ray.trace([0, -100, 64], [0, -100, -64]).endPos[2]).toBe(TUTORIAL_EPSILON);
    expect(ray.set({ epsilon: 0 }).trace([0, -100, 64], [0, -100, -64]).endPos[2]).toBe(0);
  });
});

describe('starting in solid', () => {
  it('does not stop a move that leaves the brush, and stops one that does not', () => {
    const out = world.ray().trace([0, -100, -8], [0, -100, 64]);
    expect(out).toMatchObject({ fraction: 1, startSolid: true, allSolid: false, brush: -1, model: -1 });
    const within = world.ray().trace([0, -100, -8], [10, -100, -8]);
    expect(within).toMatchObject({
      fraction: 0,
      startSolid: true,
      allSolid: true,
      contents: 1,
      brush: 0,
      side: -1,
    });
    expect(world.ray().blocked([0, -100, -8], [0, -100, 64])).toBe(true);
  });

  it('is what a move of no length tests', () => {
    const box = world.box([-8, -8, -8], [8, 8, 8]);
    expect(box.trace([0, -100, 8], [0, -100, 8])).toMatchObject({
      fraction: 0,
      startSolid: true,
      allSolid: true,
    });
    expect(box.trace([0, -100, 9], [0, -100, 9])).toMatchObject({
      fraction: 1,
      startSolid: false,
      allSolid: false,
    });
  });
});

describe('shapes', () => {
  it('rest on a floor by their own size', () => {
    const down = (tracer: Quake3Tracer): number => tracer.trace([0, -100, 100], [0, -100, -100]).endPos[2]!;
    const player = world.box([-15, -15, -24], [15, 15, 32]);
    expect(down(player)).toBeCloseTo(24 + SURFACE_EPSILON, 4);
    expect(down(world.sphere(10))).toBeCloseTo(10 + SURFACE_EPSILON, 4);
    expect(down(world.capsule({ radius: 10, height: 50 }))).toBeCloseTo(25 + SURFACE_EPSILON, 4);
    expect(down(world.capsule([-10, -10, -24], [10, 10, 32]))).toBeCloseTo(24 + SURFACE_EPSILON, 4);
  });

  it('show their size, also after it was changed', () => {
    const box = world.box([-1, -2, -3], [1, 2, 3]);
    expect(box.shape).toEqual({
      kind: 'box',
      mins: Float32Array.of(-1, -2, -3),
      maxs: Float32Array.of(1, 2, 3),
    });
    box.set({ maxs: [5, 5, 5] });
    expect(box.shape).toMatchObject({ mins: Float32Array.of(-1, -2, -3), maxs: Float32Array.of(5, 5, 5) });
    expect(world.sphere(4).set({ radius: 6 }).shape).toEqual({ kind: 'sphere', radius: 6 });
    expect(world.ray().shape).toEqual({ kind: 'ray' });
  });
});

describe('an inline model', () => {
  const door = world.model(1);

  it('is not part of the world, and is hit where it stands', () => {
    const [start, end] = [
      [100, 0, 40],
      [200, 0, 40],
    ];
    expect(world.ray().trace(start, end).fraction).toBe(1);
    const ray = door.ray();
    const hit = ray.trace(start, end);
    expect(hit.endPos[0]).toBeCloseTo(128 - SURFACE_EPSILON, 4);
    expect(hit).toMatchObject({ model: 1, contents: 1 });
    expect(ray.place({ origin: [10, 0, 0] }).trace(start, end).endPos[0]).toBeCloseTo(
      138 - SURFACE_EPSILON,
      4,
    );
    expect(ray.place({ origin: [0, 0, 200] }).trace(start, end).fraction).toBe(1);
  });

  it('turns its normal with its angles', () => {
    const ray = door.ray({ angles: [0, 90, 0] });
    // Turned by 90 degrees around the vertical, the door at x = 128 stands at y = 128.
    const trace = ray.trace([0, 0, 40], [0, 256, 40]);
    expect(trace.endPos[1]).toBeCloseTo(128 - SURFACE_EPSILON, 3);
    expect(trace.normal[1]).toBeCloseTo(-1, 6);
  });

  it('has bounds one unit wider than its brushes, and contents', () => {
    expect(door.bounds.mins).toEqual(Float32Array.of(127, -33, -1));
    expect(door.bounds.maxs).toEqual(Float32Array.of(137, 33, 97));
    expect(door.contents([130, 0, 10])).toBe(1);
    expect(door.contents([130, 0, 10], { origin: [0, 0, 64] })).toBe(0);
    expect(door.contents([0, 130, 10], { angles: [0, 90, 0] })).toBe(1);
    expect(world.contents([130, 0, 10])).toBe(0);
  });
});

describe('a box entity', () => {
  it('is a body that moves and changes its size', () => {
    const entity = boxEntity([-16, -16, -24], [16, 16, 32]);
    const ray = entity.ray({ mask: CONTENTS_BODY, origin: [0, 0, 100] });
    const [start, end] = [
      [-100, 0, 100],
      [100, 0, 100],
    ];
    const trace = ray.trace(start, end);
    expect(trace.endPos[0]).toBeCloseTo(-16 - SURFACE_EPSILON, 4);
    expect(trace).toMatchObject({
      model: BOX_MODEL,
      contents: CONTENTS_BODY,
      texture: -1,
      surfaceFlags: 0,
      side: 1,
    });
    // On a face is inside, as for the brushes of models.
    const at = { origin: [0, 0, 100], angles: [0, 45, 0] };
    const ask = (x: number): number => entity.contents([x, 0, 100], at);
    expect([-16.01, -16, 0, 16, 16.01].map(ask)).toEqual([0, CONTENTS_BODY, CONTENTS_BODY, CONTENTS_BODY, 0]);
    expect(entity.contents([0, 0, 100])).toBe(0);
    entity.resize([-4, -4, -4], [4, 4, 4]);
    expect([ask(4), ask(5)]).toEqual([CONTENTS_BODY, 0]);
    expect(ray.trace(start, end).endPos[0]).toBeCloseTo(-4 - SURFACE_EPSILON, 4);
    expect(ray.set({ mask: 1 }).trace(start, end).fraction).toBe(1);
    expect(() => entity.resize([1, 0, 0], [0, 0, 0])).toThrow('mins[0]');
    const exact = exactSphere(entity, 2, { mask: CONTENTS_BODY });
    expect(exact.trace([-100, 0, 0], [100, 0, 0]).fraction).toBeLessThan(1);
  });
});

// Everything else that is wrong is tried with each function and method by the tests of arguments.
describe('wrong use', () => {
  const ray = world.ray();
  it.each<[string, new (...args: never[]) => Error, () => unknown]>([
    ['world must be', TypeError, () => patches(world.model(1) as never)],
    ['world must be', TypeError, () => leafPolygons(boxEntity([0, 0, 0], [1, 1, 1]) as never, 0)],
    ['target must be', TypeError, () => polygons(boxEntity([0, 0, 0], [1, 1, 1]) as never)],
    ["'patchlevel'", TypeError, () => polygons(world, { patchlevel: 2 } as never)],
    ['patchLevel', RangeError, () => polygons(world, { patchLevel: 0 })],
    ['mins[2] must not be above maxs[2]', RangeError, () => world.box([0, 0, 1], [1, 1, 0])],
    ['height', RangeError, () => world.capsule({ radius: 10, height: 10 })],
    ['epsilon', RangeError, () => world.ray({ epsilon: -1 })],
    ['radius', TypeError, () => ray.set({ radius: 3 })],
    ['mins', TypeError, () => ray.set({ mins: [0, 0, 0] })],
    ['origin', TypeError, () => ray.set({ origin: [0, 0, 0] } as never)],
    ['origin', TypeError, () => world.ray({ origin: [0, 0, 0] } as never)],
    ['angles', TypeError, () => exactSphere(world, 3, { angles: [0, 0, 0] } as never)],
  ])('of %s is refused', (words, type, work) => {
    expect(work).toThrow(type);
    expect(work).toThrow(words);
  });
});

describe('types', () => {
  it('of vectors are those of arrays, which can be taken apart', () => {
    const [x, y, z] = world.bounds.mins;
    expect([x, y, z]).toEqual(Array.from(world.bounds.mins));
    expectTypeOf<Float32Array>().toExtend<Vec3>();
    expectTypeOf<Float64Array>().toExtend<Vec3>();
    expectTypeOf<readonly [number, number, number]>().toExtend<Vec3>();
    expectTypeOf<string>().not.toExtend<Vec3>();
  });

  it('let tracers of models be placed, and those of the world not', () => {
    expectTypeOf(world.ray()).toEqualTypeOf<Quake3Tracer>();
    expectTypeOf(world.model(1).capsule({ radius: 1, height: 2 })).toEqualTypeOf<Placed<Quake3Tracer>>();
    expectTypeOf(boxEntity([0, 0, 0], [0, 0, 0]).sphere(1)).toEqualTypeOf<Placed<Quake3Tracer>>();
    expectTypeOf(exactSphere(world, 1)).toEqualTypeOf<Quake3Tracer>();
    expectTypeOf(exactSphere(world.model(1), 1, { origin: [0, 0, 0] })).toEqualTypeOf<Placed<Quake3Tracer>>();
    expectTypeOf<Quake3Tracer>().not.toHaveProperty('place');
    expectTypeOf(world.ray().set).parameter(0).not.toHaveProperty('origin');
  });
});
