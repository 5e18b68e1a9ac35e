import type { KernelName } from '@bspkit/core';
import { readEngineMap } from '@bspkit/fixtures/engine';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { between, createRandom } from '@bspkit/geometry';
import { bytesPerCall, expectNoBytes } from '@bspkit/testkit/allocation';
import { describe, expect, it } from 'vitest';
import * as source from '../src/index.ts';
import { KERNELS, tracersOf } from './worlds.ts';

type Package = typeof source;

/** A map with patches where there is one: the arena has a single arch. */
const map = realMapNames('quake3').includes('quake3/oa_minia.bsp')
  ? readRealMap('quake3/oa_minia.bsp')
  : readEngineMap('quake3/arena.bsp');

function tracers({ boxEntity, exactSphere }: Package, world: source.Quake3World, kernel: KernelName) {
  const door = world.model(1);
  return {
    ...tracersOf(world),
    exactSphere: exactSphere(world, 12),
    exactSphereOnModel: exactSphere(door, 12, { angles: [0, 3, 0] }),
    modelBox: door.box([-15, -15, -24], [15, 15, 32], { origin: [8, 0, 0] }),
    turnedModelCapsule: door.capsule({ radius: 12, height: 50 }, { angles: [0, 3, 0] }),
    boxEntity: boxEntity([-16, -16, -24], [16, 16, 32], { kernel }).box([-4, -4, -4], [4, 4, 4], {
      mask: -1,
      origin: [0, 0, 64],
    }),
  };
}

/**
 * Moves made before anything is measured: from open places of the map to others, to places near by, through the model
 * `*1`, and through a box entity at 0 0 64.
 */
const world = source.createQuake3World(source.readQuake3(map));
const random = createRandom(11);
const within = ({ mins, maxs }: source.Bounds, margin: number): number[] =>
  Array.from(mins, (low, k) => between(random, low - margin, maxs[k]! + margin));
const open = (): number[] => {
  const point = within(world.bounds, 0);
  return world.cluster(world.leaf(point)) >= 0 && world.contents(point) === 0 ? point : open();
};
const moves = Array.from({ length: 256 }, (_, k) => {
  const start = open();
  const near = start.map((x) => x + between(random, -60, 60));
  const ends = [
    [start, open()],
    [start, near],
    [within(world.model(1).bounds, 60), within(world.model(1).bounds, 60)],
    [
      [-90, 5, near[0]! % 90],
      [90, -5, 64],
    ],
  ];
  const [from, to] = ends[k % 4]!;
  return { start: Float32Array.from(from!), end: Float32Array.from(to!) };
});

/** Tests that tracing allocates nothing, with each kernel of the package. */
export function testAllocation(package_: Package): void {
  describe.each(KERNELS)('%s: nothing is allocated by', (kernel) => testKernel(package_, kernel));
}

function testKernel(package_: Package, kernel: KernelName): void {
  const out = package_.createTrace();
  const known = package_.createQuake3World(package_.readQuake3(map), { kernel });
  const door = known.model(1);
  const all = tracers(package_, known, kernel);

  it.each(Object.entries(all))('%s: trace with out, and blocked', (name, tracer: source.Quake3Tracer) => {
    let [hits, misses] = [0, 0];
    expectNoBytes((call) => {
      const { start, end } = moves[call & 255]!;
      if (tracer.trace(start, end, out).fraction < 1) hits++;
      else misses++;
    });
    // All of it was done, not only the way out at the first test.
    expect(Math.min(hits, misses), name).toBeGreaterThan(0);
    let blocked = 0;
    expectNoBytes((call) => {
      const { start, end } = moves[call & 255]!;
      if (tracer.blocked(start, end)) blocked++;
    });
    expect(blocked).toBeGreaterThan(0);
  });

  it.each(['box', 'capsule', 'exactSphere'] as const)('%s: position tests', (name) => {
    expectNoBytes((call) => {
      const { start } = moves[call & 255]!;
      all[name].trace(start, start, out);
    });
  });

  it('leafs that a box touches, and whether one sees another', () => {
    const leafs = new Int32Array(8);
    const corner = Float32Array.of(0, 0, 0);
    let found = 0;
    expectNoBytes((call) => {
      const { start } = moves[call & 255]!;
      for (let k = 0; k < 3; k++) corner[k] = start[k]! + 40;
      found += known.boxLeafs(start, corner, leafs);
      if (known.visible(known.leaf(start), leafs[0]!)) found++;
    });
    expect(found).toBeGreaterThan(1000);
  });

  it('changing size and filter, and placing a model', () => {
    const tracer = all.modelBox;
    const pose = { origin: new Float32Array(3), angles: new Float32Array(3) };
    const settings = { mask: -1, mins: Float32Array.of(-8, -8, -8), maxs: Float32Array.of(8, 8, 8) };
    expectNoBytes((call) => {
      pose.origin[0] = call & 63;
      pose.angles[1] = call & 31;
      settings.maxs[2] = call & 7;
      tracer
        .set(settings)
        .place(pose)
        .trace(moves[call & 255]!.start, moves[call & 255]!.end, out);
    });
  });

  it('changing radius and epsilon, but for what reading them takes', () => {
    const sphere = known.sphere(8);
    const sizes = [8.5, 9.25, 10.75, 12.125].map((radius) => ({ radius, epsilon: 1 / radius }));
    // V8 boxes both fractions when they are read, as there are settings of many kinds here.
    const read = 32;
    const bytes = bytesPerCall((call) => void sphere.set(sizes[call & 3]!), undefined, read);
    expect(bytes).toBeLessThanOrEqual(read);
  });

  it('contents at a point, of the world and of a model that is moved and turned', () => {
    const pose = { origin: Float32Array.of(4, 0, 0), angles: new Float32Array(3) };
    const { mins, maxs } = door.bounds;
    const middle = Float32Array.from(mins, (low, k) => (low + maxs[k]!) / 2);
    let found = 0;
    expectNoBytes((call) => {
      pose.angles[1] = call & 7;
      if (door.contents(middle, pose) !== 0) found++;
      if (known.contents(moves[call & 255]!.end) !== 0) found++;
    });
    expect(found).toBeGreaterThan(0);
  });

  it('what was hit, but for the answer', () => {
    const box = known.box([-15, -15, -24], [15, 15, 32], { mask: -1 });
    const hits = moves
      .map(({ start, end }) => box.trace(start, end))
      .filter((trace) => package_.surfaceAt(known, trace));
    const isDrawn = (trace: source.Trace) => package_.surfaceAt(known, trace)!.polygon !== undefined;
    const bytesOf = (traces: readonly source.Trace[], most: number): number =>
      bytesPerCall((call) => void package_.surfaceAt(known, traces[call % traces.length]!), undefined, most);
    const drawn = hits.filter(isDrawn);
    const undrawn = hits.filter((trace) => !isDrawn(trace));
    expect(Math.min(drawn.length, undrawn.length)).toBeGreaterThan(0);
    expect(bytesOf(drawn, 1_000)).toBeLessThanOrEqual(1_000);
    expect(bytesOf(undrawn, 200)).toBeLessThanOrEqual(200);
  });

  it('and the measure does see what is allocated', () => {
    const kept: unknown[] = [0];
    const { start, end } = moves[1]!;
    const bytes = bytesPerCall(() => {
      kept[0] = all.ray.trace(start, end);
    }, 100);
    expect(bytes).toBeGreaterThan(8);
  });
}
