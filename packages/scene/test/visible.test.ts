import { runInNewContext } from 'node:vm';
import type { Vec3 } from '@bspkit/core';
import { createRandom, pick } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { createScene, type RulesName } from '../src/index.ts';
import { ALL_RULES, cube, everywhere, miss, sliced } from './answers.ts';

const out = new Int32Array(256);

describe('bodies that may be seen', () => {
  it('are those that touch a leaf that the eye’s leaf sees, by number', () => {
    const { world } = sliced((from, to) => Math.abs(from - to) <= 1);
    const scene = createScene(world);
    for (const x of [-250, -50, 50, 150, 250]) scene.add(cube(10), { origin: [x, 0, 0] });
    const seen = (x: number, mask = -1): number[] =>
      Array.from(out.subarray(0, scene.visibleFrom([x, 0, 0], mask, out)));
    expect(seen(50)).toEqual([2, 3, 4]);
    expect(seen(-250)).toEqual([1]);
    expect(seen(850)).toEqual([]);
    // From solid.
    expect(seen(-999)).toEqual([1, 2, 3, 4, 5]);
    // A body that sticks out into the next leaf, or touches it, is seen from there too.
    scene.move(5, { origin: [209, 0, 0] });
    expect(seen(50)).toEqual([2, 3, 4, 5]);
    scene.move(5, { origin: [210.5, 0, 0] });
    expect(seen(50)).toEqual([2, 3, 4, 5]);
    scene.move(5, { origin: [211.5, 0, 0] });
    expect(seen(50)).toEqual([2, 3, 4]);
    // Whatever traces make of them; selected by their contents.
    scene.move(3, { solid: 'none', contents: 4 });
    scene.move(4, { solid: 'trigger', contents: 2 });
    expect(seen(50)).toEqual([2, 3, 4]);
    expect(seen(50, 6)).toEqual([2, 3, 4]);
    scene.move(2, { contents: 1 });
    expect(seen(50, 6)).toEqual([3, 4]);
    scene.remove(3);
    expect(seen(50)).toEqual([2, 4]);
  });

  it('may be heard if the world knows what is heard: the same with its other set', () => {
    const near = (far: number) => (from: number, to: number) => Math.abs(from - to) <= far;
    const { world } = sliced(near(0));
    const hearing = {
      ...world,
      hearable: near(1),
      area: (leaf: number) => leaf % 2,
      areasConnected: Object.is,
    };
    const scene = createScene(hearing);
    for (const x of [-250, -50, 50, 150, 250]) scene.add(cube(10), { origin: [x, 0, 0] });
    const listed = (count: number): number[] => Array.from(out.subarray(0, count));
    expect(listed(scene.visibleFrom([50, 0, 0], -1, out))).toEqual([3]);
    expect(listed(scene.hearableFrom([50, 0, 0], -1, out))).toEqual([2, 3, 4]);
    scene.move(4, { contents: 1 });
    expect(listed(scene.hearableFrom([50, 0, 0], 6, out))).toEqual([2, 3]);
    expect(listed(scene.hearableFrom({ mins: [50, 0, 0], maxs: [150, 0, 0] }, -1, out))).toEqual([
      2, 3, 4, 5,
    ]);
    const divided = createScene(hearing, { areaPortals: true });
    for (const x of [-50, 50, 150]) divided.add(cube(10), { origin: [x, 0, 0] });
    expect(listed(divided.hearableFrom([50, 0, 0], -1, out))).toEqual([2]);
    expect(() => scene.hearableFrom(5 as never, -1, out)).toThrow('ear must be a point or a box');
    const deaf = createScene(world) as unknown as typeof scene;
    expect(() => deaf.hearableFrom([50, 0, 0], -1, out)).toThrow(
      new TypeError('the world lacks hearable(), so it cannot be known what may be heard'),
    );
  });

  it('are written to a list of another realm, as are those that an area touches', () => {
    const { world } = sliced((from, to) => from === to);
    const scene = createScene(world);
    scene.add(cube(10), { origin: [50, 0, 0] });
    const list: Int32Array = runInNewContext('new Int32Array(4)');
    expect(scene.visibleFrom([50, 0, 0], -1, list)).toBe(1);
    expect(list[0]).toBe(1);
    list[0] = 0;
    expect(scene.touching({ center: [50, 0, 0], radius: 5 }, -1, list)).toBe(1);
    expect(list[0]).toBe(1);
  });

  it('are those that any leaf of a box sees, except for leafs without a cluster', () => {
    const { world } = sliced((from, to) => from === to);
    const scene = createScene({ ...world, cluster: (leaf: number) => (leaf < 14 ? leaf : -1) });
    for (const x of [-250, -50, 50, 150, 450, 550]) scene.add(cube(10), { origin: [x, 0, 0] });
    const seen = (low: number, high: number): number[] => {
      const count = scene.visibleFrom({ mins: [low, 0, 0], maxs: [high, 0, 0] }, -1, out);
      return Array.from(out.subarray(0, count));
    };
    expect(seen(-50, 150)).toEqual([2, 3, 4]);
    expect(seen(-50, -50)).toEqual([2]);
    // All leafs, which are more than there was room for.
    expect(seen(-950, 950)).toEqual([1, 2, 3, 4]);
    expect(seen(350, 450)).toEqual([]);
    // Only what is outside the map: from there, everything is seen.
    expect(seen(450, 550)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(seen(-999, -999)).toEqual([1, 2, 3, 4, 5, 6]);
    // Cluster 0 is one, the first of the map.
    const first = createScene({ ...world, cluster: (leaf: number) => Math.max(leaf - 10, -1) });
    for (const x of [50, 150]) first.add(cube(10), { origin: [x, 0, 0] });
    expect(first.visibleFrom({ mins: [-50, 0, 0], maxs: [50, 0, 0] }, -1, out)).toBe(1);
    expect(() => seen(1, 0)).toThrow('mins[0]');
    expect(() => seen(Number.NaN, 0)).toThrow(RangeError);
    const from = (eye: unknown) => () => scene.visibleFrom(eye as Vec3, -1, out);
    expect(from(undefined)).toThrow(new TypeError('eye must be a point or a box, got undefined'));
    expect(from({ maxs: [0, 0, 0] })).toThrow(new TypeError('mins must be three numbers, got undefined'));
    expect(from([0, 0])).toThrow('eye[2]');
  });

  it('are not those that touch no leaf, wherever the eye is', () => {
    const { world } = sliced(() => true);
    const outside = (mins: Vec3, maxs: Vec3, leafs?: Int32Array): never =>
      (mins[2]! > 500 ? 0 : world.boxLeafs(mins, maxs, leafs!)) as never;
    // The first leafs are in solid, and an eye there sees everything that is in the map.
    const scene = createScene({ ...world, boxLeafs: outside, cluster: (leaf: number) => leaf - 3 });
    scene.add(cube(10), { origin: [50, 0, 0] });
    scene.add(cube(10), { origin: [50, 0, 900] });
    const solid = { mins: [-895, 0, 0], maxs: [-890, 0, 0] };
    for (const eye of [[50, 0, 0], { mins: [40, 0, 0], maxs: [60, 0, 0] }, solid]) {
      expect(Array.from(out.subarray(0, scene.visibleFrom(eye, -1, out)))).toEqual([1]);
    }
  });

  it('are counted even if there is no room for them', () => {
    const { world } = sliced(() => true);
    const scene = createScene(world);
    for (let k = 0; k < 5; k++) scene.add(cube(1));
    const few = new Int32Array(2);
    expect(scene.visibleFrom([0, 0, 0], -1, few)).toBe(5);
    expect([...few]).toEqual([1, 2]);
    scene.move(4, { contents: 0 });
    expect([-1, 1].map((mask) => scene.visibleFrom([0, 0, 0], mask, few))).toEqual([5, 4]);
  });

  it('are linked again only when they have moved, even if to more leafs than before', () => {
    const { world, linked } = sliced((from, to) => from === to);
    const scene = createScene(world);
    const body = cube(10);
    for (let k = 0; k < 3; k++) scene.add(k === 1 ? body : cube(10), { origin: [50, 0, 0] });
    expect(scene.visibleFrom([50, 0, 0], -1, out)).toBe(3);
    expect(scene.visibleFrom([250, 0, 0], -1, out)).toBe(0);
    expect(linked()).toBe(3);
    body.resize({ kind: 'box', mins: [-800, 0, 0], maxs: [800, 0, 0] });
    scene.move(2, {});
    expect(scene.visibleFrom([-650, 0, 0], -1, out)).toBe(1);
    expect(scene.visibleFrom([750, 0, 0], -1, out)).toBe(1);
    // Once to count its leafs, and again because there was no room for them.
    expect(linked()).toBe(5);
    // More bodies than there was room for.
    for (let k = 0; k < 40; k++) scene.add(cube(1), { origin: [50, 0, 0] });
    expect(scene.visibleFrom([50, 0, 0], -1, out)).toBe(43);
  });

  it.each<[RulesName, number]>([
    ['nearest', Math.hypot(10, 30, 10)],
    ['quake3', Math.hypot(10, 30, 10)],
    ['quake3-client', Math.hypot(10, 30, 10)],
    ['quake2', 30],
    ['halflife', 30],
    // Here nothing turns.
    ['quake1', 10],
  ])('are linked as by rules %s, if turned %d units far and one more', (rules, reach) => {
    const { world } = sliced((from, to) => from === to);
    const scene = createScene(world, { rules });
    const model = { ...miss(), bounds: { mins: [-10, -20, -10], maxs: [10, 30, 10] } };
    const body = scene.add(model, { angles: [0, 45, 0] });
    for (const [at, isSeen] of [
      [reach + 0.99, true],
      [reach + 1.01, false],
    ] as const) {
      scene.move(body, { origin: [100 + at, 0, 0] });
      expect(scene.visibleFrom([50, 0, 0], -1, out), `${at}`).toBe(Number(isSeen));
    }
  });

  it.each(ALL_RULES)('are linked no farther for angles that do not turn them, by rules %s', (rules) => {
    const { world } = sliced((from, to) => from === to);
    const scene = createScene(world, { rules });
    // A player, say, who looks around.
    const body = scene.add(cube(10), { angles: [0, 45, 0] });
    const reach = rules === 'ufoai' ? 10 : 11;
    for (const [at, isSeen] of [
      [reach - 0.01, true],
      [reach + 0.01, false],
    ] as const) {
      scene.move(body, { origin: [100 + at, 0, 0], angles: [20, 30, 0] });
      expect(scene.visibleFrom([50, 0, 0], -1, out), `${at}`).toBe(Number(isSeen));
    }
  });

  it('are linked in a wider box if they are items, with Quake’s rules', () => {
    const { world } = sliced((from, to) => from === to);
    const scene = createScene(world, { rules: 'quake1' });
    const item = scene.add(cube(10), { item: true, origin: [124.5, 0, 0] });
    expect(scene.visibleFrom([50, 0, 0], -1, out)).toBe(1);
    scene.move(item, { item: false });
    expect(scene.visibleFrom([50, 0, 0], -1, out)).toBe(0);
  });

  it('are all that brute force finds, whatever is added, removed and moved', () => {
    const random = createRandom(seedOf(8));
    const table = Array.from({ length: 400 }, () => random() < 0.15);
    const { world } = sliced((from, to) => table[20 * from + to]!);
    const scene = createScene(world);
    const place = (): number[] => [1900 * (random() - 0.5), 0, 0];
    const leafs = new Int32Array(20);
    let found = 0;
    for (let step = 0; step < 400; step++) {
      const bodies = Array.from(scene, ({ number }) => number);
      const kind = random();
      if (kind < 0.4 || bodies.length === 0) scene.add(cube(150 * random()), { origin: place() });
      else if (kind < 0.6) scene.remove(pick(random, bodies));
      else scene.move(pick(random, bodies), { origin: place() });
      const eye = place();
      const expected: number[] = [];
      for (const { number, origin, bounds } of scene) {
        const [mins, maxs] = [bounds.mins, bounds.maxs].map((corner, side) =>
          Float32Array.from(corner, (x, k) => origin[k]! + x + (side === 0 ? -1 : 1)),
        ) as [Float32Array, Float32Array];
        const count = world.boxLeafs(mins, maxs, leafs);
        if (leafs.subarray(0, count).some((leaf) => world.visible(world.leaf(eye), leaf)))
          expected.push(number);
      }
      const count = scene.visibleFrom(eye, -1, out);
      expect(Array.from(out.subarray(0, count))).toEqual(expected);
      found += count;
    }
    expect(found).toBeGreaterThan(1000);
  });

  it('may be hidden by area portals: those that touch no area connected with the eye’s by open ones', () => {
    const { world } = sliced((from, to) => Math.abs(from - to) <= 4);
    let isOpen = false;
    const divided = {
      ...world,
      // Below 0 for what is outside the map, or in solid.
      cluster: (leaf: number) => (leaf < 16 ? leaf : -1),
      area: (leaf: number) => (leaf < 10 ? 1 : leaf < 14 ? 2 : leaf < 16 ? 3 : 0),
      areasConnected: (a: number, b: number) => a === b || (isOpen && a + b === 3),
    };
    const places = [-350, -150, 4, 150, 450, 650].map((x): [number, number, number] => [x, 0, 0]);
    const scene = createScene(divided, { areaPortals: true });
    const blind = createScene(divided);
    for (const origin of places) for (const one of [scene, blind]) one.add(cube(10), { origin });
    const seen = (eye: Vec3 | { mins: Vec3; maxs: Vec3 }, from = scene): number[] =>
      Array.from(out.subarray(0, from.visibleFrom(eye, -1, out)));
    // The third is in the doorway.
    expect(seen([-50, 0, 0])).toEqual([1, 2, 3]);
    expect(seen([50, 0, 0])).toEqual([3, 4]);
    expect(seen([450, 0, 0])).toEqual([5]);
    isOpen = true;
    expect(seen([-50, 0, 0])).toEqual([1, 2, 3, 4]);
    expect(seen([50, 0, 0])).toEqual([1, 2, 3, 4]);
    expect(seen([450, 0, 0])).toEqual([5]);
    isOpen = false;
    // The area of a box that reaches through the door is that of its middle.
    expect(seen({ mins: [-40, 0, 0], maxs: [20, 0, 0] })).toEqual([1, 2, 3]);
    expect(seen({ mins: [-20, 0, 0], maxs: [40, 0, 0] })).toEqual([3, 4]);
    // From outside, nothing: neither what is in the map nor what is outside too.
    expect(seen([750, 0, 0])).toEqual([]);
    expect(seen([750, 0, 0], blind)).toEqual([5, 6]);
    expect(seen([50, 0, 0], blind)).toEqual([1, 2, 3, 4, 5]);
    const refused = (why: string): TypeError => new TypeError(`areaPortals must be false, as ${why}`);
    expect(() => createScene(world, { areaPortals: true })).toThrow(
      refused('the world lacks area(), areasConnected()'),
    );
    const blank = { ...divided, visible: undefined } as unknown as typeof divided;
    expect(() => createScene(blank, { areaPortals: true })).toThrow(refused('the world lacks visible()'));
    expect(() => createScene(undefined, { areaPortals: true })).toThrow(refused('the scene has no world'));
    expect(() => createScene(divided, { areaPortals: 1 as never })).toThrow(TypeError);
  });

  it('stay as they are while the world is asked, which cannot ask for any of them', () => {
    const { world } = sliced((from, to) => from === to);
    const { boxLeafs } = world;
    let meddle = (): void => {};
    world.boxLeafs = ((mins: Vec3, maxs: Vec3, leafs: Int32Array) => {
      const count = boxLeafs(mins, maxs, leafs);
      meddle();
      return count;
    }) as typeof boxLeafs;
    const scene = createScene(world);
    const body = scene.add(cube(5), { origin: [50, 0, 0] });
    for (const forbidden of [
      () => scene.move(body, { origin: [650, 0, 0] }),
      () => scene.remove(body),
      () => void scene.add(cube(5)),
      () => void scene.visibleFrom([50, 0, 0], -1, out),
    ]) {
      meddle = forbidden;
      expect(() => scene.visibleFrom([50, 0, 0], -1, out)).toThrow(
        /^(bodies cannot be added|a world cannot ask what is seen)/,
      );
    }
    meddle = () => {};
    expect(scene.visibleFrom([50, 0, 0], -1, out)).toBe(1);
    scene.move(body, { origin: [650, 0, 0] });
    expect(scene.visibleFrom([650, 0, 0], -1, out)).toBe(1);
  });

  it.each<RulesName>(['nearest', 'quake1', 'quake2', 'quake3'])(
    'are found by rules %s though a box among them ends beyond float32',
    (rules) => {
      const { world } = sliced((from, to) => from === to);
      const { boxLeafs } = world;
      world.boxLeafs = ((mins: Vec3, maxs: Vec3, leafs: Int32Array) => {
        for (const x of [...Array.from(mins), ...Array.from(maxs)]) expect(Number.isFinite(x)).toBe(true);
        return boxLeafs(mins, maxs, leafs);
      }) as typeof boxLeafs;
      const scene = createScene(world, { rules });
      const vast = { mins: [-3e38, -3e38, -3e38], maxs: [3e38, 3e38, 3e38] };
      scene.add(cube(5), { origin: [50, 0, 0] });
      scene.add({ ...miss(), bounds: vast }, { origin: [1e38, 0, -1e38] });
      scene.add({ ...miss(), bounds: vast }, { angles: [0, 45, 0] });
      expect(scene.visibleFrom([50, 0, 0], -1, out)).toBe(3);
    },
  );

  it.each([Number.NaN, -1, 0.5, 2 ** 30, [10], undefined])('need a number of leafs, not %j', (count) => {
    const { world } = sliced(() => true);
    world.boxLeafs = (() => count) as unknown as typeof world.boxLeafs;
    const scene = createScene(world);
    scene.add(cube(5));
    expect(() => scene.visibleFrom([0, 0, 0], -1, out)).toThrow('what world.boxLeafs() returns must be');
  });

  it('need a world that knows what is seen from where', () => {
    const scene = createScene({ ...miss(), bounds: everywhere } as unknown as ReturnType<
      typeof sliced
    >['world']);
    const unknown = (why: string): TypeError =>
      new TypeError(`${why}, so it cannot be known what may be seen`);
    expect(() => scene.visibleFrom([0, 0, 0], -1, out)).toThrow(
      unknown('the world lacks leaf(), boxLeafs(), visible()'),
    );
    const { world } = sliced(() => true);
    const empty = createScene(undefined as unknown as typeof world);
    expect(() => empty.visibleFrom([0, 0, 0], -1, out)).toThrow(unknown('the scene has no world'));
    const seeing = createScene(world);
    expect(() => seeing.visibleFrom([0, 0, 0], 0.5, out)).toThrow(RangeError);
    expect(() => seeing.visibleFrom([0, 0, 0], -1, [] as unknown as Int32Array)).toThrow('out must be');
    const gone = new Int32Array(4);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    expect(() => seeing.visibleFrom([0, 0, 0], -1, gone)).toThrow(
      new TypeError('out must not have been transferred or cut off'),
    );
    expect('visibleFrom' in createScene(world)).toBe(true);
  });
});
