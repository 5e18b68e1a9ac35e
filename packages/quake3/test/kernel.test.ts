import { blockedEach, type TraceField, traceEach } from '@bspkit/core';
import { arenaQuake3 } from '@bspkit/fixtures';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { between, createRandom, pick } from '@bspkit/geometry';
import { BLOCKS, shapesThatDiffer } from '@bspkit/testkit/blockers';
import { clearingsLookedFor, LOOKED_FOR } from '@bspkit/testkit/clearings';
import { testKernelChoice } from '@bspkit/testkit/no-wasm';
import { expectSame } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listObstacles } from '../src/clearings.ts';
import {
  boxEntity,
  createQuake3World,
  exactSphere,
  type Placed,
  Quake3World,
  readQuake3,
  type Trace,
} from '../src/index.ts';
import { F_ROWS } from '../src/kernel/frame.ts';
import {
  LIST_NUM_BRUSHES,
  MODEL_LIST,
  MODEL_WORDS,
  PATCH_NUM_FACETS,
  PATCH_WORDS,
  REF_WORDS,
} from '../src/layout.ts';
import type { Quake3Tracer } from '../src/tracer.ts';
import { BATCH, EMPTY_BIT, LEAF_BIT, ROOT } from '../src/wasm/layout.ts';
import { inKernel, runs, tracersOf, worldOf } from './worlds.ts';

const file = readQuake3(arenaQuake3());

describe('the kernel in WebAssembly', () => {
  testKernelChoice(async () => {
    const { createQuake3World, Quake3World, readQuake3 } = await import('../src/index.ts');
    const file = readQuake3(arenaQuake3());
    return {
      create: (options) => createQuake3World(file, options),
      from: (data, options) => Quake3World.from(data, options),
    };
  }, [(world) => world.box([-15, -15, -24], [15, 15, 32]).trace([0, 0, 64], [200, 0, -64])]);

  it('has nothing of a world before its first trace, and then one memory for all tracers', () => {
    const world = createQuake3World(file);
    const { memory } = world._target;
    const ray = world.ray();
    expect(memory.hot).toBeUndefined();
    ray.blocked([0, 0, 64], [0, 0, 0]);
    const { hot } = memory;
    expect(hot).toBeTruthy();
    world.model(1).box([-1, -1, -1], [1, 1, 1]).trace([0, 0, 64], [0, 0, 0]);
    expect(memory.hot).toBe(hot);
  });

  it('keeps the normals of sides once: its memory grows by two numbers for each that is in no brush', () => {
    const { sides } = file;
    const more = 50_000;
    const extended = {
      ...file,
      sides: {
        count: sides.count + more,
        planes: Int32Array.of(...sides.planes, ...new Int32Array(more)),
        shaders: Int32Array.of(...sides.shaders, ...new Int32Array(more)),
      },
    };
    const [before, after] = [file, extended].map((made) => {
      const world = createQuake3World(made);
      world.ray().trace([0, 0, 64], [0, 0, -64]);
      return world._target.memory.hot!.ints.byteLength;
    });
    const PAGE = 65_536;
    expect(Math.abs(after! - before! - 8 * more)).toBeLessThanOrEqual(PAGE);
  });

  it('gives zeros of normals their signs, in brushes with and without a side that is not axial', () => {
    const { planes } = file;
    const normals = planes.normals.map((x, k) => (x === 0 && (k * 7) % 5 < 2 ? -0 : x));
    const signed = { ...file, planes: { ...planes, normals } };
    const [wasm, js] = (['wasm', 'js'] as const).map((kernel) => createQuake3World(signed, { kernel }));
    const random = createRandom(seedOf(1));
    let negative = 0;
    for (let n = 0; n < 2000; n++) {
      const [start, end] = [0, 1].map(() =>
        [0, 1, 2].map((k) => between(random, wasm!.bounds.mins[k]!, wasm!.bounds.maxs[k]!)),
      );
      const [one, other] = [wasm!, js!].map((world) => world.ray().trace(start!, end!));
      expectSame(bitsOf(one!), bitsOf(other!));
      if ([...one!.normal].some((x) => Object.is(x, -0))) negative++;
    }
    expect(negative).toBeGreaterThan(100);
  });

  it('leaves exact spheres to TypeScript', () => {
    const world = createQuake3World(file);
    exactSphere(world, 8).trace([0, 0, 64], [0, 0, 0]);
    expect(world._target.memory.hot).toBeUndefined();
  });
});

describe('where WebAssembly is not available', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it('TypeScript traces box entities', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    vi.resetModules();
    const { boxEntity } = await import('../src/index.ts');
    const words = "kernel 'wasm' needs WebAssembly with SIMD";
    expect(() => boxEntity([0, 0, 0], [1, 1, 1], { kernel: 'wasm' })).toThrow(words);
    expect(boxEntity([-1, -1, -1], [1, 1, 1]).ray({ mask: -1 }).blocked([0, 0, 9], [0, 0, 0])).toBe(true);
  });

  it('box entities refuse a wrong kernel', () => {
    const wrong = (): unknown => boxEntity([0, 0, 0], [1, 1, 1], { kernel: null as never });
    expect(wrong).toThrow(TypeError);
    expect(wrong).toThrow('kernel');
  });

  it('because its memory could not hold the world, TypeScript traces there', () => {
    const { data, _target } = createQuake3World(file);
    const changed = data.slice(0);
    const list = _target.memory.places.models.first + MODEL_WORDS + MODEL_LIST;
    new Int32Array(changed)[list + LIST_NUM_BRUSHES] = 0x0fffffff;
    const world = Quake3World.from(changed);
    const out = world.ray().trace([0, 0, 64], [0, 0, -64]);
    expect(world.kernel).toBe('js');
    expect(out).toEqual(createQuake3World(file).ray().trace([0, 0, 64], [0, 0, -64]));
    const strict = Quake3World.from(changed, { kernel: 'wasm' }).ray();
    expect(() => strict.blocked([0, 0, 64], [0, 0, -64])).toThrow(RangeError);
    expect(() => strict.blocked([0, 0, 64], [0, 0, -64])).toThrow('takes more memory than there is');
  });
});

/** Every bit of an answer. */
function bitsOf(trace: Trace): unknown[] {
  const { endPos, normal, ...rest } = trace;
  return [...endPos, ...normal, ...Object.values(rest)];
}

const real = ['quake3/oa_minia.bsp', 'quake3/q3dm6ish.bsp'].filter((name) =>
  realMapNames('quake3').includes(name),
);
const maps: [string, Uint8Array][] = [
  ['our arena', arenaQuake3()],
  ...real.map((name): [string, Uint8Array] => [name, readRealMap(name)]),
];

const MASKS = [1, -1, 0x10000, 0x20];
const EPSILONS = [0.125, 0.125, 0, 0.03, 1.7, 40];
/** How far moves go, in sizes of the map. */
const SCALES = [1, 1, 1, 1.5, 1000, 1e33];

describe.each(maps)('both kernels give the same bits: %s', (_, bytes) => {
  const world = createQuake3World(readQuake3(bytes));
  const door = world.model(1);
  const subjects: [string, Quake3Tracer][] = [
    ...Object.entries(tracersOf(world)),
    ['huge box', world.box([-700, -700, -700], [700, 700, 700])],
    ['model, box', door.box([-15, -15, -24], [15, 15, 32], { origin: [8, 0, 0] })],
    ['turned model, lopsided box', turn(door.box([-3.3, -20.1, 0.7], [9.9, 1.5, 7.3]), [10, 40, 7])],
    ['turned model, capsule', turn(door.capsule({ radius: 12, height: 50 }), [0, 3, 0])],
    ['turned model, ray', turn(door.ray(), [0, 90, 0])],
  ];

  /** Turns the door around its middle, so that moves still come near it. */
  function turn(tracer: Placed<Quake3Tracer>, angles: number[]): Placed<Quake3Tracer> {
    const { floats } = tracer.place({ angles })._kernel.frame;
    const middle = [0, 1, 2].map((k) => (door.bounds.mins[k]! + door.bounds.maxs[k]!) / 2);
    const origin = middle.map((x, k) => {
      return middle.reduce((left, m, row) => left - m * floats[F_ROWS + 3 * row + k]!, x);
    });
    return tracer.place({ origin });
  }

  it('contents of points', () => {
    const other = Quake3World.from(world.data, { kernel: 'js' });
    const { floats, places } = world._target.memory;
    const random = createRandom(seedOf(5));
    let found = 0;
    for (let k = 0; k < runs(1000); k++) {
      // In and around the bounds of some brush: on them, and as far outside as bounds are looked at.
      const ref = places.brushRefs.first + REF_WORDS * Math.floor(between(random, 0, places.brushRefs.count));
      const point = [0, 1, 2].map((axis) => {
        const [low, high] = [-floats[ref + 2 * axis]!, floats[ref + 2 * axis + 1]!];
        const places = [low, high, low - 0.125, high + 0.125];
        return pick(random, [...places, between(random, low - 0.2, high + 0.2), between(random, low, high)]);
      });
      const contents = world.contents(point);
      expect(contents).toBe(other.contents(point));
      if (contents !== 0) found++;
      const pose = { origin: [1, 2, k % 7], angles: [0, k % 40, 0] };
      const near = Array.from(door.bounds.mins, (x, axis) => between(random, x, door.bounds.maxs[axis]!));
      expect(door.contents(near, pose)).toBe(other.model(1).contents(near, pose));
    }
    expect(found).toBeGreaterThan(0);
  });

  /** Moves of all kinds that come near what a tracer traces against. */
  function moves(tracer: Quake3Tracer, random: () => number, count: number): Float32Array {
    const { mins, maxs } = 'place' in tracer ? door.bounds : world.bounds;
    const segments = new Float32Array(6 * count);
    const fill = (point: Float32Array, scale: number): void => {
      for (let k = 0; k < 3; k++) point[k] = between(random, mins[k]! - 60, maxs[k]! + 60) * scale;
    };
    for (let k = 0; k < count; k++) {
      const start = segments.subarray(6 * k, 6 * k + 3);
      const end = segments.subarray(6 * k + 3, 6 * k + 6);
      fill(start, 1);
      // On eighths of units epsilons bite.
      if (k % 5 === 0) for (let axis = 0; axis < 3; axis++) start[axis] = Math.round(start[axis]!) + 0.125;
      fill(end, SCALES[k % SCALES.length]!);
      if (k % 4 === 0) for (let axis = 0; axis < 3; axis++) end[axis] = start[axis]! + (end[axis]! % 30);
      if (k % 9 === 0) end[k % 3] = start[k % 3]!;
      if (k % 31 === 0) end.set(start);
    }
    return segments;
  }

  it.each(subjects)('%s', (name, tracer) => {
    const random = createRandom(name.length);
    const [wasm, js] = [tracer.createTrace(), tracer.createTrace()];
    const segments = moves(tracer, random, runs(400));
    let hits = 0;
    for (let at = 0; at < segments.length; at += 6) {
      if (at % 120 === 0) tracer.set({ mask: pick(random, MASKS), epsilon: pick(random, EPSILONS) });
      const start = segments.subarray(at, at + 3);
      const end = segments.subarray(at + 3, at + 6);
      inKernel(tracer, 'wasm', () => tracer.trace(start, end, wasm));
      inKernel(tracer, 'js', () => tracer.trace(start, end, js));
      const [a, b] = [bitsOf(wasm), bitsOf(js)];
      if (!a.every((value, place) => Object.is(value, b[place]))) expect(wasm).toEqual(js);
      const blocked = inKernel(tracer, 'wasm', () => tracer.blocked(start, end));
      expect(blocked).toBe(js.startSolid || js.fraction < 1);
      if (blocked) hits++;
    }
    expect(hits).toBeGreaterThan(0);
  });

  it.each(subjects)('batches: %s', (name, tracer) => {
    const random = createRandom(name.length + 1);
    // None, one, too few to be put in order, a lot, one more.
    for (const count of [0, 1, 255, BATCH, runs(BATCH + 1)]) {
      tracer.set({ mask: pick(random, MASKS), epsilon: pick(random, EPSILONS) });
      const segments = moves(tracer, random, count);
      const one = inKernel(tracer, 'js', () => tracer.traceBatch(segments));
      const many = inKernel(tracer, 'wasm', () => tracer.traceBatch(segments));
      for (const [field, values] of Object.entries(one)) {
        if (ArrayBuffer.isView(values)) expectSameBytes(many[field as TraceField], values);
      }
      const tests = inKernel(tracer, 'wasm', () => tracer.blockedBatch(segments));
      expectSameBytes(
        tests,
        inKernel(tracer, 'js', () => tracer.blockedBatch(segments)),
      );
    }
  });
});

/** Equal, zeros of either sign being different. */
function expectSameBytes(a: ArrayBufferView, b: ArrayBufferView): void {
  // Vitest takes long to compare arrays: only what differs is left to it, to be shown.
  if (!bytesOf(a).equals(bytesOf(b))) expect(bytesOf(a)).toEqual(bytesOf(b));
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

describe('batches in WebAssembly', () => {
  const world = createQuake3World(file);
  const ray = world.ray();
  const count = BATCH + 300;
  const segments = new Float32Array(6 * count);
  for (let k = 0; k < count; k++) segments.set([(k % 300) - 150, 0, 64, 0, (k % 300) - 150, -64], 6 * k);

  it.each<[string, (k: number) => number]>([
    ['in no order', (k) => (k * 7919) % count],
    ['in order', (k) => k],
    ['from one place', () => 0],
    ['from places almost infinitely far apart', (k) => (k % 2 === 0 ? 3e38 : -3e38)],
  ])('have their answers in their places: %s', (_, place) => {
    const moves = segments.slice();
    for (let k = 0; k < count; k++) moves[6 * k] = place(k);
    expect(ray.traceBatch(moves)).toEqual(traceEach(ray, moves));
    expect(ray.blockedBatch(moves)).toEqual(blockedEach(ray, moves));
  });

  it('follow a box entity that has been resized, and one that another was traced after', () => {
    const [a, b] = [boxEntity([-8, -8, -8], [8, 8, 8]), boxEntity([-1, -1, -1], [1, 1, 1])];
    const [tracer, other] = [a.ray({ mask: -1, origin: [0, 0, 30] }), b.ray({ mask: -1 })];
    for (const size of [8, 3, 90]) {
      a.resize([-size, -size, -size], [size, size, size]);
      expect(other.blockedBatch(segments)).toEqual(blockedEach(other, segments));
      const batch = tracer.traceBatch(segments);
      expect(batch).toEqual(inKernel(tracer, 'js', () => traceEach(tracer, segments)));
      expect(batch.fraction).not.toEqual(new Float32Array(count).fill(1));
    }
  });
});

describe('moves that float32 can hardly hold', () => {
  const world = createQuake3World(file);
  const targets = [world.model(1), boxEntity([-15, -15, -24], [15, 15, 32])];

  it.each(['wasm', 'js'] as const)('have a fraction from 0 to 1 and whole numbers: %s', (kernel) => {
    const random = createRandom(seedOf(7));
    const far = (): number =>
      pick(random, [0, 100, -200, 1e38, -1e38, 2e38, -2e38, 3.4e38, -3.4e38, between(random, -3e38, 3e38)]);
    const point = (): number[] => [far(), far(), far()];
    for (let k = 0; k < 1000; k++) {
      const target = pick(random, targets);
      const pose = { mask: -1, origin: point() };
      const tracers = [
        world.ray({ mask: -1 }),
        world.box([-(2 ** 100), -15, -24], [15, 2 ** 100, 32], { mask: -1 }),
        target.ray(pose),
        target.box([-15, -15, -24], [15, 15, 32], pose),
        target.capsule({ radius: 15, height: 56 }, pose),
      ];
      const tracer = pick(random, tracers);
      const [start, end] = [point(), point()];
      const { fraction, side } = inKernel(tracer, kernel, () => tracer.trace(start, end));
      if (!(fraction >= 0 && fraction <= 1 && Number.isInteger(side))) {
        expect({ start, end, fraction, side }).toBe('an answer');
      }
    }
  });

  it('are the same with both kernels where the shape is large, and after it has been made smaller', () => {
    const [wasm, js] = (['wasm', 'js'] as const).map((kernel) => createQuake3World(file, { kernel }));
    const random = createRandom(seedOf(8));
    const far = (): number => pick(random, [0, 100, -200, between(random, -3.4e38, 3.4e38)]);
    const point = (): number[] => [far(), far(), far()];
    const size = (): number => pick(random, [1, 2 ** 20, 2 ** 60, 2 ** 100]) * random();
    const corner = (): number[] => [size(), size(), size()];
    const tracers = [wasm!, js!].flatMap((world) => {
      const box = world.box([-15, -15, -24], [15, 15, 32], { mask: -1 });
      return [box, world.capsule([-15, -15, -24], [15, 15, 32], { mask: -1 })];
    });
    let hits = 0;
    for (let k = 0; k < 1000; k++) {
      const small = { mins: [-15, -15, -24], maxs: [15, 15, 32] };
      const shape = k % 3 === 0 ? small : { mins: corner().map((x) => -x), maxs: corner() };
      const epsilon = k % 5 === 0 ? size() : 0.125;
      const [start, end] = [point(), point()];
      const segments = Float32Array.from([...start, ...end]);
      const answers = tracers.map((tracer) => ({
        trace: tracer.set({ ...shape, epsilon }).trace(start, end),
        blocked: tracer.blocked(start, end),
        batch: tracer.traceBatch(segments),
      }));
      for (const shape of [0, 1]) expectSame(answers[shape], answers[shape + 2]);
      if (answers[0]!.trace.fraction < 1) hits++;
    }
    expect(hits).toBeGreaterThan(100);
  });

  const curved = 'quake3/am_underworks2.bsp';

  it.runIf(realMapNames('quake3').includes(curved))(
    'lose no side of a facet with one so far off that its fraction is no number',
    () => {
      const map = createQuake3World(readQuake3(readRealMap(curved)));
      const moves = [
        [
          16794616,
          [2.7864158883424058e38, 2.972013525430253e38, 0],
          [-1.46383068593883e37, -1.5613335530361044e37, -1010920],
        ],
        [
          690944262983906200,
          [2.716272419913713e38, 2.707239851620823e38, -1.8328836306001387e38],
          [-4.718967279734889e37, -4.703275286484784e37, 3.184260220496338e37],
        ],
      ] as const;
      for (const [radius, start, end] of moves) {
        const sphere = map.sphere(radius);
        for (const kernel of ['wasm', 'js'] as const) {
          expect(inKernel(sphere, kernel, () => sphere.trace(start, end)).fraction).toBe(1);
        }
      }
    },
  );

  it('are not asked with shapes to which the engine could not add a position', () => {
    const [low, high] = [
      [-15, -15, -24],
      [15, 15, 32],
    ];
    const sizes = 'from -(2 ** 100) to 2 ** 100, got';
    const box = world.box(low!, high!);
    expect(() => box.set({ mins: [-15, -2e30, -24] })).toThrow(`mins[1] must be ${sizes} -2e+30`);
    expect(() => box.set({ maxs: [15, 15, 2e30] })).toThrow(`maxs[2] must be ${sizes} 2e+30`);
    expect(box.shape).toEqual({ kind: 'box', mins: Float32Array.from(low!), maxs: Float32Array.from(high!) });
    expect(() => box.set({ epsilon: 2e30 })).toThrow('epsilon must be 2 ** 100 or less, got 2e+30');
    for (const make of [
      () => world.box([1e38, 0, 0], [3e38, 1, 1]),
      () => world.capsule({ radius: 2e30, height: 1e31 }),
      () => world.sphere(2e30),
      () => exactSphere(world, 2e30),
      () => world.model(1).box([1e38, 0, 0], [3e38, 1, 1]),
      () => world.ray({ epsilon: 2e30 }),
    ])
      expect(make).toThrow(RangeError);
  });
});

describe('clearings', () => {
  it.each(['wasm', 'js'] as const)('are looked for where short moves often start: kernel %s', (kernel) => {
    const looked = clearingsLookedFor(() => {
      const world = createQuake3World(file, { kernel });
      return {
        tracer: world.box([-9, -9, -9], [9, 9, 9]),
        areas: () => world._target.memory.clearings!.areas.size,
      };
    });
    expect(looked).toEqual(LOOKED_FOR);
  });

  it('reach under a curve, as its facets are listed and not its bounds', () => {
    const { memory } = createQuake3World(file)._target;
    const { ints, places } = memory;
    const everywhere = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const numListed =
      listObstacles(
        memory,
        everywhere.map((x) => -x),
        everywhere,
        { left: 1e6 },
      )!.length / 6;
    let numFacets = 0;
    for (let k = 0; k < places.patches.count; k++) {
      numFacets += ints[places.patches.first + PATCH_WORDS * k + PATCH_NUM_FACETS]!;
    }
    expect(numFacets).toBeGreaterThan(places.patches.count);
    expect(numListed).toBeGreaterThan(numFacets);
    expect(numListed).toBeLessThanOrEqual(numFacets + places.brushes.count);
  });

  it('reach up to a patch where its facets have no axial side', () => {
    const points = Array.from(
      { length: 9 },
      (_, k) => [32 * (k % 3), 32 * Math.floor(k / 3), 0, 0, 0] as const,
    );
    const patch = { material: 'test/curve', width: 3, height: 3, points };
    const { memory } = worldOf([], [patch])._target;
    // The front of this facet has no border above it. Its patch ends a unit above, and there is a unit of room.
    expect([...listObstacles(memory, [0, 0, 0], [64, 64, 64], { left: 1e6 })!]).toEqual([
      -1, -1, -1, 65, 65, 2,
    ]);
    expect(listObstacles(memory, [0, 0, 0], [64, 64, 64], { left: 7 })).toBeNull();
  });
});

describe('blockers', () => {
  const [floor, wall] = [
    [5, 3, -200],
    [900, 3, 70],
  ];

  it('answer before the tree is walked, moves that go far, for contents that they have', () => {
    const world = createQuake3World(file);
    const ray = world.ray();
    const near = [0, 0, 50];
    const asking = [
      world.box([-1, -1, -1], [1, 1, 1]),
      world.box([2, 2, 2], [2, 2, 2]),
      world.box([-1024, -1, -1], [1024, 1, 1]),
      world.capsule([-15, -15, -24], [15, 15, 32]),
    ];
    const others = [
      world.ray({ mask: 0x10000 }),
      world.ray({ epsilon: 0.25 }),
      world.ray({ epsilon: 0 }),
      world.box([-1025, -1, -1], [1025, 1, 1]),
      world.model(1).ray(),
    ];
    for (let k = 0; k < BLOCKS; k++) expect(ray.blocked([0, 0, 64], floor)).toBe(true);
    for (const other of [...asking, ...others]) other.blocked([0, 0, 64], near);
    // A world without anything, as walks find it.
    world._target.memory.hot!.ints[ROOT >> 2] = LEAF_BIT | EMPTY_BIT;
    expect(ray.blocked([0, 0, 64], floor)).toBe(true);
    expect([...ray.blockedBatch(Float32Array.of(0, 0, 64, ...floor, 0, 0, 64, ...wall))]).toEqual([1, 0]);
    expect(ray.trace([0, 0, 64], floor).fraction).toBe(1);
    expect(ray.blocked([0, 0, 64], near)).toBe(false);
    expect(() => ray.blocked([0, 0, 64], [NaN, 0, 0])).toThrow(RangeError);
    expect(() => ray.blocked([NaN, 0, 64], floor)).toThrow(RangeError);
    expect(ray.blocked([0, 0, 64], [0, 0, 64])).toBe(false);
    expect(ray.blocked([0, 0, 64], [0, 0, -40000])).toBe(false);
    for (const other of asking) expect(other.blocked([0, 0, 64], floor)).toBe(true);
    for (const other of others) expect(other.blocked([0, 0, 64], floor)).toBe(false);
    expect(world.ray({ mask: -1, epsilon: 1 / 1024 }).blocked([0, 0, 64], floor)).toBe(true);
  });

  it('are not asked without an epsilon, where walks lose what they divide by nothing for', () => {
    const world = createQuake3World(file);
    const ray = world.ray();
    const start = [448.74871826171875, -275.74884033203125, 0];
    const end = [-1232.6201171875, -503.2974853515625, -9.99994610111476e-41];
    for (let k = 0; k < BLOCKS; k++) ray.blocked(start, [end[0]!, end[1]!, -1]);
    for (let k = 0; k < BLOCKS; k++) ray.blocked(start, end);
    const plain = createQuake3World(file, { kernel: 'js' });
    for (const epsilon of [0, 1e-45, 1e-40]) {
      expect(world.ray({ epsilon }).blocked(start, end)).toBe(plain.ray({ epsilon }).blocked(start, end));
    }
  });

  it('are found by batches too', () => {
    const world = createQuake3World(file);
    const ray = world.ray();
    const many = new Float32Array(Array.from({ length: BLOCKS }, () => [0, 0, 64, ...floor]).flat());
    for (let k = 0; k < 3; k++) expect(ray.blockedBatch(many)).toEqual(new Uint8Array(BLOCKS).fill(1));
    world._target.memory.hot!.ints[ROOT >> 2] = LEAF_BIT | EMPTY_BIT;
    expect(ray.blockedBatch(many)).toEqual(new Uint8Array(BLOCKS).fill(1));
    expect(ray.blocked([0, 0, 64], wall)).toBe(false);
  });

  it('are not asked where they are seldom in the way, until they would be again', () => {
    const world = createQuake3World(file);
    const ray = world.ray();
    const from = [0, 0, 64];
    const isAsked = (): boolean => {
      const { ints } = world._target.memory.hot!;
      const root = ints[ROOT >> 2]!;
      ints[ROOT >> 2] = LEAF_BIT | EMPTY_BIT;
      const met = ray.blocked(from, floor);
      ints[ROOT >> 2] = root;
      return met;
    };
    for (let k = 0; k < BLOCKS; k++) expect(ray.blocked(from, floor)).toBe(true);
    expect(isAsked()).toBe(true);
    // From the same place, the same way.
    for (let k = 0; k < 200; k++) expect(ray.blocked(from, [100, 3, 50])).toBe(false);
    expect(isAsked()).toBe(false);
    for (let k = 0; k < 20; k++) expect(ray.blocked(from, floor)).toBe(true);
    expect(isAsked()).toBe(true);
  });

  it('that are boxes are met by all of a box, of a capsule by no more than its box and it have in common', () => {
    const world = createQuake3World(file);
    const ray = world.ray();
    const box = world.box([-15, -15, -24], [15, 15, 32]);
    const wide = world.capsule([-20, -4, -20], [20, 4, 20]);
    for (let k = 0; k < BLOCKS; k++) expect(ray.blocked([0, 0, 64], floor)).toBe(true);
    world._target.memory.hot!.ints[ROOT >> 2] = LEAF_BIT | EMPTY_BIT;
    const into = [24.5, 23.5, 22.5].map((z) => [0, 0, 64, 300, 3, z]);
    expect(into.map((move) => box.blocked(move.slice(0, 3), move.slice(3)))).toEqual([false, false, true]);
    expect([...box.blockedBatch(Float32Array.from(into.flat()))]).toEqual([0, 0, 1]);
    expect(into.map((move) => ray.blocked(move.slice(0, 3), move.slice(3)))).toEqual([false, false, false]);
    // Past an end of the floor.
    const past = [145, 132, 129].map((y) => wide.blocked([10, y, 5], [500, y + 0.5, -8]));
    expect(past).toEqual([false, false, true]);
  });

  it('change no answer in maps whose leafs do not list what is in them', () => {
    let blocked = 0;
    for (let seed = 0; seed < runs(12); seed++) {
      const random = createRandom(seedOf(seed));
      const broken = readQuake3(arenaQuake3());
      const { leafBrushes, planes } = broken;
      for (let k = 0; k < 4 * seed; k++)
        leafBrushes[pick(random, [...leafBrushes.keys()])] = pick(random, [...leafBrushes]);
      for (let k = 0; k < seed % 5; k++)
        planes.dists[pick(random, [...planes.dists.keys()])]! += between(random, -9, 9);
      const world = createQuake3World(broken);
      const plain = createQuake3World(broken, { kernel: 'js' });
      const found = shapesThatDiffer(
        { world, plain },
        (made, mins, maxs) => [made.ray(), made.box(mins, maxs), made.capsule(mins, maxs)],
        seed,
      );
      expect(found.differing).toEqual([]);
      blocked += found.blocked;
    }
    expect(blocked).toBeGreaterThan(3000);
  });
});
