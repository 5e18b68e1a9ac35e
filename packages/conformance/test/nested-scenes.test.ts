import type { Bounds, Tracer, Vec3 } from '@bspkit/core';
import { between, createRandom } from '@bspkit/geometry';
import { createQuakeWorldCommand, createQuakeWorldMover, createQuakeWorldState } from '@bspkit/movement';
import { createBody, createScene } from '@bspkit/scene';
import { expectSame, moving } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { quake1Arena, quake2Arena, quake3Arena, ufoaiHouse } from './worlds.ts';

// What is in a scene inside another scene is met as if it were in the outer one.

const around = (size: number): Bounds => ({ mins: [-size, -size, -size], maxs: [size, size, size] });
const crate = () => createBody({ kind: 'box', ...around(8) });
/** A scene with only a crate. */
const crates = () => {
  const scene = createScene();
  scene.add(crate());
  return scene;
};

/** Compares two tracers for moves near a box. */
function expectAlike(one: Tracer, other: Tracer, { mins, maxs }: Bounds): void {
  const random = createRandom(seedOf(5));
  const point = (): Vec3 => [0, 1, 2].map((k) => between(random, mins[k]! - 60, maxs[k]! + 60));
  let met = 0;
  for (let k = 0; k < 2000; k++) {
    const [start, end] = [point(), point()];
    const [a, b] = [one.trace(start, end), other.trace(start, end)];
    const answers = [a, b].map(({ fraction, startSolid, allSolid, contents, endPos, normal }) => ({
      ...{ fraction, startSolid, allSolid, contents },
      ...{ endPos: [...endPos], normal: [...normal] },
    }));
    expectSame(answers[1], answers[0]);
    expectSame(other.blocked(start, end), one.blocked(start, end), moving(start, end));
    if (a.fraction < 1) met++;
  }
  expect(met).toBeGreaterThan(50);
}

describe('scenes in scenes', () => {
  it('are met even if their contents move a larger shape than was asked for', () => {
    const { bounds } = quake1Arena().model(1);
    const flat = createScene();
    const [outer, inner] = [createScene(), createScene()];
    const [mins, maxs]: [Vec3, Vec3] = [
      [-6, -6, -6],
      [6, 6, 6],
    ];
    const [deep, around] = [createScene(), createScene(outer)];
    const box = flat.box(mins, maxs);
    const nested = [outer, deep, around].map((scene) => scene.box(mins, maxs));
    outer.add(inner, { bounds });
    deep.add(outer, { bounds });
    flat.add(quake1Arena().model(1));
    // After the tracers were created, and after the scene was added.
    const body = inner.add(quake1Arena().model(1));
    for (const tracer of nested) expectAlike(box, tracer, bounds);
    expectAlike(box, outer.box(mins, maxs), bounds);
    inner.remove(body);
    expect(nested.map((tracer) => tracer.blocked([-64, 320, 200], [-64, 320, -20]))).toEqual([
      false,
      false,
      false,
    ]);
    inner.add(quake1Arena().model(1));
    for (const tracer of nested)
      expectAlike(box.set({ maxs: [8, 8, 9] }), tracer.set({ maxs: [8, 8, 9] }), bounds);
  });

  it('are given the options of the world around them', () => {
    const bounds = around(8);
    const first = createScene(quake3Arena());
    first.add(crates(), { bounds });
    const plain = createScene(quake3Arena());
    plain.add(crate());
    expectAlike(plain.ray({ curves: false }), first.ray({ curves: false }), bounds);
    const second = createScene(ufoaiHouse());
    second.line({ levels: 1 });
    second.add(crates(), { bounds });
    expect(() => second.line({ levels: 2 })).not.toThrow();
    const third = createScene(quake1Arena());
    third.add(createScene(quake3Arena()), { bounds });
    expect(() => third.ray({ rules: 'quakeworld' })).not.toThrow();
    expect(() => third.ray({ rulez: 'quakeworld' } as object)).toThrow("there is no option 'rulez'");
    // A scene as the world of another one knows its world's options.
    const outer = createScene(createScene(quake3Arena()));
    expect(() => outer.ray({ curves: false })).not.toThrow();
    expect(() => outer.ray({ curve: false } as object)).toThrow("there is no option 'curve'");
  });

  it('are met by hulls and lines like bodies that do not have these', () => {
    const world = quake1Arena();
    const flat = createScene(world);
    flat.add(crate());
    const outer = createScene(world);
    outer.add(crates(), { bounds: around(8) });
    expectAlike(flat.hull(1), outer.hull(1), around(8));
    // A player who drops onto the crate.
    const ends = [flat, outer].map((trace) => {
      const mover = createQuakeWorldMover({ trace, contents: world });
      const state = createQuakeWorldState();
      state.origin.set([4, 4, 90]);
      const command = Object.assign(createQuakeWorldCommand(), { msec: 16 });
      for (let k = 0; k < 100; k++) mover.move(state, command);
      return state;
    });
    expect(ends[1]).toEqual(ends[0]);
    expect(ends[0]!.origin[2]).toBeCloseTo(32, 0);

    const house = ufoaiHouse();
    const yard = createScene(house);
    yard.add(createScene(quake2Arena()), { bounds: quake2Arena().bounds });
    const direct = createScene(house);
    direct.add(quake2Arena());
    expectAlike(direct.line(), yard.line(), quake2Arena().bounds);
  });

  it('have the contents of what is in them, where it is', () => {
    const water = [256, 256, -64] as const;
    const bare = quake3Arena();
    expect(bare.contents(water) & 32).toBe(32);
    const far = (point: Vec3): Vec3 => [point[0]! + 4000, point[1]!, point[2]!];
    for (const collider of [quake3Arena(), createScene(quake3Arena())]) {
      const scene = createScene(quake3Arena());
      const body = scene.add(collider, { origin: [4000, 0, 0], bounds: bare.bounds });
      for (const [x, y, z] of [water, [0, -200, 64], [256, 0, 8], [-256, 256, 32]] as const) {
        expect(scene.contents(far([x, y, z]))).toBe(bare.contents([x, y, z]) | bare.contents(far([x, y, z])));
      }
      // A quarter turn: what was ahead is on the left then.
      scene.move(body, { angles: [0, 90, 0] });
      expect(scene.contents([4000 - water[1], water[0], water[2]]) & 32).toBe(32);
    }
  });

  it('have the contents of everything in them, one after the other', () => {
    const { bounds } = quake3Arena();
    const wide = { mins: [-9000, -9000, -9000], maxs: [9000, 9000, 9000] };
    // Close together, so that a point is inside several of them.
    const places: Vec3[] = [
      [120, 0, 0],
      [0, 0, 0],
      [-104, 8, 0],
    ];
    const [flat, inner, outer] = [createScene(quake3Arena()), createScene(), createScene(quake3Arena())];
    for (const scene of [flat, inner]) {
      for (const [k, origin] of places.entries())
        scene.add(quake3Arena(), { origin, angles: [0, 5 * k, 0], bounds });
      scene.add(quake3Arena().model(1), { origin: [500, 0, 0] });
    }
    outer.add(inner, { bounds: wide });
    const random = createRandom(seedOf(3));
    const seen = new Set<number>();
    for (let k = 0; k < 3000; k++) {
      const near = places[k % 3]!;
      const point = [0, 1, 2].map((n) => near[n]! + between(random, bounds.mins[n]!, bounds.maxs[n]!));
      const bits = flat.contents(point);
      seen.add(bits);
      expectSame(outer.contents(point), bits);
    }
    expect(seen.size).toBeGreaterThan(2);
  });

  it('have the contents of their bodies, and no others, if they have no world', () => {
    const world = quake3Arena();
    const outer = createScene(world);
    const { bounds } = world;
    outer.add(crates(), { bounds });
    const model = quake3Arena().model(1);
    const inside = Array.from(model.bounds.mins, (x, k) => (x + model.bounds.maxs[k]!) / 2);
    const holder = createScene();
    holder.add(quake3Arena().model(1));
    outer.add(holder, { bounds });
    outer.add(createScene(ufoaiHouse()), { bounds });
    const solid = model.contents(inside);
    expect(solid).not.toBe(0);
    const alone = createScene(world);
    alone.add(ufoaiHouse(), { bounds });
    expect(outer.contents(inside)).toBe(alone.contents(inside) | solid);
  });
});

describe('colliders of your own', () => {
  const nothing = (): never => undefined as never;
  const bounds = around(8);

  it('are refused if they make no tracers', () => {
    const wrong = 'what ray() makes must be a tracer, got undefined';
    const scene = createScene();
    const ray = scene.ray();
    const body = scene.add({ bounds, ray: nothing });
    const move = [
      [0, 0, 0],
      [1, 0, 0],
    ] as const;
    for (const use of [() => ray.trace(...move), () => ray.blocked(...move), () => scene.ray()]) {
      expect(use).toThrow(wrong);
    }
    scene.remove(body);
    expect(ray.blocked(...move)).toBe(false);
    expect(() => createScene({ ray: nothing }).ray()).toThrow(wrong);
  });

  it('are refused if factories, options or bounds are something else', () => {
    const no = (part: object) => part as never;
    expect(() => createScene(no({ ray: 7 }))).toThrow(new TypeError('world.ray must be a function, got 7'));
    expect(() => createScene().add(no({ bounds, box: {} }))).toThrow('collider.box must be a function');
    expect(() => createScene(no({ ray: nothing, traceOptions: 3 }))).toThrow(
      new TypeError('world.traceOptions must be an array, got 3'),
    );
    expect(() => createScene(no({ ray: nothing, bounds: { mins: [0, 0, 0] } }), { rules: 'quake3' })).toThrow(
      /maxs must be/,
    );
  });
});
