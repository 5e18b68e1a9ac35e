import { findRealData, readRealMap, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { between, createRandom } from '@bspkit/geometry';
import { createScene, type RulesName } from '@bspkit/scene';
import { openBsp } from 'bspkit';
import { describe, expect, it } from 'vitest';

const BODIES = 100;
const EYES = 100;

/** Our own maps have no sets of what is visible, so that everything may be seen there. */
describe.skipIf(!findRealData())(`which bodies may be seen on real maps${skippedWithoutMaps}`, () => {
  it.each<[string, RulesName]>([
    ['quake1/e1m1.bsp', 'quake1'],
    ['quake2/e1m1.bsp', 'quake2'],
    ['quake3/oa_dm1.bsp', 'quake3'],
  ])('%s: those that brute force finds among the leafs of their boxes', async (name, rules) => {
    const world = await openBsp(readRealMap(name));
    if (!('visible' in world && 'boxLeafs' in world))
      expect.fail('this format knows nothing of what is visible');
    const random = createRandom(17);
    const { mins, maxs } = world.bounds;
    const ray = world.ray();
    const open = (): Float32Array => {
      for (;;) {
        const at = Float32Array.from([0, 1, 2], (k) => between(random, mins[k]!, maxs[k]!));
        const isOutside = 'cluster' in world && world.cluster(world.leaf(at)) < 0;
        if (!isOutside && !ray.trace(at, at).startSolid) return at;
      }
    };
    const scene = createScene(world, { rules });
    const collider = {
      bounds: { mins: [-16, -16, -24], maxs: [16, 16, 32] },
      ray: () => ray,
      box: () => ray,
    };
    for (let k = 0; k < BODIES; k++) scene.add(collider, { origin: open() });
    /** Numbers of the bodies whose boxes, one unit wider, touch a leaf that some of these see. */
    const seenFrom = (leafs: readonly number[]): number[] =>
      [...scene].flatMap(({ number, origin, bounds }) => {
        const low = Float32Array.from(origin, (x, axis) => x + bounds.mins[axis]! - 1);
        const high = Float32Array.from(origin, (x, axis) => x + bounds.maxs[axis]! + 1);
        const isSeen = world.boxLeafs(low, high).some((to) => leafs.some((from) => world.visible(from, to)));
        return isSeen ? number : [];
      });
    const found = new Int32Array(BODIES);
    let [seen, hidden, wider] = [0, 0, 0];
    for (let k = 0; k < EYES; k++) {
      const eye = open();
      const count = scene.visibleFrom(eye, -1, found);
      const numbers = Array.from(found.subarray(0, count));
      expect(numbers).toEqual(seenFrom([world.leaf(eye)]));
      // From a box, as some servers ask: what its leafs see, of those that are in the map.
      const [from, to] = [-8, 8].map((far) => eye.map((x) => x + far)) as [Float32Array, Float32Array];
      const near = world
        .boxLeafs(from, to)
        .filter((leaf) => !('cluster' in world) || world.cluster(leaf) >= 0);
      const numWide = scene.visibleFrom({ mins: from, maxs: to }, -1, found);
      expect(Array.from(found.subarray(0, numWide))).toEqual(seenFrom(near));
      wider += numWide - count;
      // Whatever is really seen is among them.
      for (const { number, origin } of scene) {
        if (world.sight(eye, origin)) expect(numbers).toContain(number);
      }
      seen += count;
      hidden += BODIES - count;
    }
    expect(seen).toBeGreaterThan(EYES);
    expect(hidden).toBeGreaterThan(EYES);
    expect(wider).toBeGreaterThan(0);
  });
});
