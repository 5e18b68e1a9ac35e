import { findRealData, readRealMap, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { between, createRandom } from '@bspkit/geometry';
import type { Quake2World } from '@bspkit/quake2';
import type { Quake3World } from '@bspkit/quake3';
import { createScene, type RulesName, type Scene } from '@bspkit/scene';
import { seedOf } from '@bspkit/testkit/seed';
import { openBsp } from 'bspkit';
import { describe, expect, it } from 'vitest';

/** Boxes of players. */
const BOUNDS = { mins: [-16, -16, -24], maxs: [16, 16, 32] };
const BODIES = 100;
const EYES = 100;

type OpenedWorld = Awaited<ReturnType<typeof openBsp>>;

/** Places in the open within a world. */
function places(world: OpenedWorld, random: () => number): () => Float32Array {
  const { mins, maxs } = world.bounds;
  const ray = world.ray();
  return () => {
    for (;;) {
      const at = Float32Array.from([0, 1, 2], (k) => between(random, mins[k]!, maxs[k]!));
      const isOutside = 'cluster' in world && world.cluster(world.leaf(at)) < 0;
      if (!isOutside && !ray.trace(at, at).startSolid) return at;
    }
  };
}

/** A player's body, which nothing traces here. */
const standIn = (world: OpenedWorld) => ({
  bounds: BOUNDS,
  ray: () => world.ray(),
  box: () => world.ray(),
});

/** Corners of a body's box at its position, extended by one unit. */
const linked = (origin: Float32Array): [Float32Array, Float32Array] => [
  Float32Array.from(origin, (x, axis) => x + BOUNDS.mins[axis]! - 1),
  Float32Array.from(origin, (x, axis) => x + BOUNDS.maxs[axis]! + 1),
];

/** Our own maps have no visibility sets, so there everything may be seen. */
describe.skipIf(!findRealData())(`which bodies may be seen on real maps${skippedWithoutMaps}`, () => {
  it.each<[string, RulesName]>([
    ['quake1/e1m1.bsp', 'quake1'],
    ['quake2/e1m1.bsp', 'quake2'],
    ['quake3/oa_dm1.bsp', 'quake3'],
  ])('%s: those that brute force finds among the leafs of their boxes', async (name, rules) => {
    const world = await openBsp(readRealMap(name));
    if (!('visible' in world && 'boxLeafs' in world))
      expect.fail('this format knows nothing of what is visible');
    const open = places(world, createRandom(seedOf(17)));
    const scene = createScene(world, { rules });
    const collider = standIn(world);
    for (let k = 0; k < BODIES; k++) scene.add(collider, { origin: open() });
    /** Numbers of the bodies whose boxes, extended by one unit, touch a leaf that some of these leafs see. */
    const seenFrom = (leafs: readonly number[]): number[] =>
      [...scene].flatMap(({ number, origin }) => {
        const touched = world.boxLeafs(...linked(origin));
        const isSeen = touched.some((to) => leafs.some((from) => world.visible(from, to)));
        return isSeen ? number : [];
      });
    const found = new Int32Array(BODIES);
    let [seen, hidden, wider, more] = [0, 0, 0, 0];
    for (let k = 0; k < EYES; k++) {
      const eye = open();
      const count = scene.visibleFrom(eye, -1, found);
      const numbers = Array.from(found.subarray(0, count));
      expect(numbers).toEqual(seenFrom([world.leaf(eye)]));
      // From a box, as some servers do: what its leafs see, of those that are in the map.
      const [from, to] = [-8, 8].map((far) => eye.map((x) => x + far)) as [Float32Array, Float32Array];
      const near = world
        .boxLeafs(from, to)
        .filter((leaf) => !('cluster' in world) || world.cluster(leaf) >= 0);
      const numWide = scene.visibleFrom({ mins: from, maxs: to }, -1, found);
      expect(Array.from(found.subarray(0, numWide))).toEqual(seenFrom(near));
      wider += numWide - count;
      // Whatever is really visible is among them.
      for (const { number, origin } of scene) {
        if (world.sight(eye, origin)) expect(numbers).toContain(number);
      }
      seen += count;
      hidden += BODIES - count;
      if (!('hearable' in world)) continue;
      const at = world.leaf(eye);
      const numHeard = (scene as Scene<Quake2World>).hearableFrom(eye, -1, found);
      const heard = [...scene].flatMap(({ number, origin }) =>
        world.boxLeafs(...linked(origin)).some((to) => world.hearable(at, to)) ? number : [],
      );
      expect(Array.from(found.subarray(0, numHeard))).toEqual(heard);
      expect(heard).toEqual(expect.arrayContaining(numbers));
      more += numHeard - count;
    }
    expect(more > 0).toBe('hearable' in world);
    expect(seen).toBeGreaterThan(EYES);
    expect(hidden).toBeGreaterThan(EYES);
    expect(wider).toBeGreaterThan(0);
  });

  it.each<[string, RulesName, number]>([
    ['quake2/portals.bsp', 'quake2', 9],
    ['quake3/oa_dm5.bsp', 'quake3', 6],
  ])('%s: with area portals, only those in areas that open ones connect', async (name, rules, numAreas) => {
    const world = (await openBsp(readRealMap(name))) as Quake2World | Quake3World;
    const random = createRandom(seedOf(23));
    const open = places(world, random);
    const scene = createScene(world, { rules, areaPortals: true });
    const collider = standIn(world);
    for (let k = 0; k < BODIES; k++) scene.add(collider, { origin: open() });
    const area = (): number => Math.floor(numAreas * random());
    /** Portals to open and close: here all that are open, in pairs, if the world counts them. */
    const pairs: [number, number][] = [];
    const change = (): void => {
      if (world.format === 'quake2') {
        world.setAreaPortal(Math.floor(random() * (world.numAreaPortals + 1)), random() < 0.5);
      } else if (pairs.length > 0 && random() < 0.5) {
        world.adjustAreaPortal(...pairs.shift()!, false);
      } else {
        pairs.push([area(), area()]);
        world.adjustAreaPortal(...pairs.at(-1)!, true);
      }
    };
    const found = new Int32Array(BODIES);
    let [seen, hidden] = [0, 0];
    for (let k = 0; k < EYES; k++) {
      change();
      const eye = k % 2 === 0 ? open() : scene.body(1 + Math.floor(random() * BODIES)).origin;
      const from = world.leaf(eye);
      const count = scene.visibleFrom(eye, -1, found);
      const expected = [...scene].flatMap(({ number, origin }) => {
        const touched = world.boxLeafs(...linked(origin)).filter((leaf) => world.cluster(leaf) >= 0);
        if (!touched.some((to) => world.visible(from, to))) return [];
        if (touched.some((to) => world.areasConnected(world.area(from), world.area(to)))) return number;
        hidden++;
        return [];
      });
      expect(Array.from(found.subarray(0, count))).toEqual(expected);
      seen += count;
    }
    expect(seen).toBeGreaterThan(EYES / 2);
    expect(hidden).toBeGreaterThan(0);
  });
});
