import { arenaQuake1 } from '@bspkit/fixtures';
import { createRandom, pick } from '@bspkit/geometry';
import { WITHOUT_WASM } from '@bspkit/testkit/no-wasm';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createHullTrace,
  createQuake1World,
  type HullRules,
  type HullTrace,
  type HullTracer,
  pointContents,
  Quake1World,
  readQuake1,
} from '../src/index.ts';
import { cutTreelets, TREELET_EXITS, TREELET_NODES, weighNodes } from '../src/wasm/treelets.ts';
import { across, boxTree, type MadeTree, makeFile, point, roomFile, runs, solidBox, tree } from './make.ts';
import { drawMove, maps } from './moves.ts';

const file = readQuake1(arenaQuake1());

describe('the kernel in WebAssembly', () => {
  it('moves hulls where it is available, by default', () => {
    expect(createQuake1World(file).kernel).toBe('wasm');
    expect(createQuake1World(file, { kernel: 'wasm' }).kernel).toBe('wasm');
    const { data, kernel } = createQuake1World(file, { kernel: 'js' });
    expect(kernel).toBe('js');
    expect(Quake1World.from(data).kernel).toBe('wasm');
    expect(Quake1World.from(data, { kernel: 'auto' }).kernel).toBe('wasm');
    expect(Quake1World.from(data, { kernel: 'js' }).kernel).toBe('js');
  });

  it('has nothing of a world before its first tracer, and then one memory for all of them', () => {
    const world = createQuake1World(file);
    expect(world._memory.hullKernel).toBeUndefined();
    world.hull(1);
    const { hullKernel } = world._memory;
    expect(hullKernel).toBeDefined();
    world.model(1).hull(0).trace([0, 0, 64], [0, 0, 0]);
    expect(world._memory.hullKernel).toBe(hullKernel);
  });

  it.each<[string, new (...args: never[]) => Error, () => unknown]>([
    ['kernel', RangeError, () => createQuake1World(file, { kernel: 'c' as never })],
    ['kernel', TypeError, () => Quake1World.from(createQuake1World(file).data, { kernel: 1 as never })],
    [
      "'kernels'",
      TypeError,
      () => Quake1World.from(createQuake1World(file).data, { kernels: 'js' } as never),
    ],
  ])('refuses a wrong %s', (words, type, work) => {
    expect(work).toThrow(type);
    expect(work).toThrow(words);
  });
});

describe('where WebAssembly is not available', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it.each(WITHOUT_WASM)('because it %s, TypeScript moves hulls', async (_, engine) => {
    vi.stubGlobal('WebAssembly', engine);
    vi.resetModules();
    const other = await import('../src/index.ts');
    const world = other.createQuake1World(other.readQuake1(arenaQuake1()));
    expect(world.kernel).toBe('js');
    const here = createQuake1World(file).hull(1);
    expect(world.hull(1).trace([0, 0, 64], [200, 0, -64])).toEqual(here.trace([0, 0, 64], [200, 0, -64]));
    const words = "kernel 'wasm' needs WebAssembly with SIMD";
    expect(() => other.Quake1World.from(world.data, { kernel: 'wasm' })).toThrow(words);
    expect(() => other.createQuake1World(roomFile(), { kernel: 'wasm' })).toThrow(words);
  });

  it('because there is no memory for one more world, TypeScript moves hulls there', async () => {
    class Memory {
      constructor() {
        throw new RangeError('could not allocate memory');
      }
    }
    const { Module } = (globalThis as unknown as { WebAssembly: { Module: unknown } }).WebAssembly;
    vi.stubGlobal('WebAssembly', { Module, Memory });
    vi.resetModules();
    const other = await import('../src/index.ts');
    const world = other.createQuake1World(other.readQuake1(arenaQuake1()));
    expect(world.kernel).toBe('wasm');
    expect(world.ray().blocked([0, 0, 64], [0, 0, -640])).toBe(true);
    expect(world.kernel).toBe('js');
    const strict = other.Quake1World.from(world.data, { kernel: 'wasm' });
    expect(() => strict.ray()).toThrow('could not allocate memory');
  });
});

/** Every bit of an answer. */
function bitsOf({ endPos, normal, localEnd, ...rest }: HullTrace): unknown[] {
  return [...endPos, ...normal, ...localEnd, ...Object.values(rest)];
}

/** A world opened with each kernel. */
function openBoth(data: ArrayBufferLike): [wasm: Quake1World, js: Quake1World] {
  return [Quake1World.from(data, { kernel: 'wasm' }), Quake1World.from(data, { kernel: 'js' })];
}

/** Compares all that two tracers say of a move, one of each kernel. */
function createComparison(
  wasm: HullTracer,
  js: HullTracer,
): (start: Float32Array, end: Float32Array) => boolean {
  const [a, b] = [createHullTrace(), createHullTrace()];
  return (start, end) => {
    wasm.trace(start, end, a);
    js.trace(start, end, b);
    const expected = bitsOf(b);
    if (!bitsOf(a).every((value, k) => Object.is(value, expected[k]))) expect(a).toEqual(b);
    const blocked = js.blocked(start, end);
    if (wasm.blocked(start, end) !== blocked) expect(a).toBe('blocked as the other kernel says');
    return blocked;
  };
}

const RULES: readonly HullRules[] = ['quake', 'quakeworld', 'halflife', 'halflife-player'];
describe.each(maps)('both kernels give the same bits: %s', (_, bytes) => {
  const [wasm, js] = openBoth(createQuake1World(readQuake1(bytes)).data);
  const [door, scripted] = [wasm.model(1), js.model(1)];
  const subjects: [string, HullTracer, HullTracer][] = [
    ...RULES.flatMap((rules, k): [string, HullTracer, HullTracer][] => [
      [`point, ${rules}`, wasm.hull(0, { rules }), js.hull(0, { rules })],
      [`hull ${1 + (k % 2)}, ${rules}`, wasm.hull(1 + (k % 2), { rules }), js.hull(1 + (k % 2), { rules })],
    ]),
    ['model', door.hull(1, { origin: [8, 0, 0.5] }), scripted.hull(1, { origin: [8, 0, 0.5] })],
    [
      'turned model',
      door.hull(0, { rules: 'halflife', angles: [0.5, 1, -0.5] }),
      scripted.hull(0, { rules: 'halflife', angles: [0.5, 1, -0.5] }),
    ],
  ];

  it.each(subjects)('%s', (name, tracer, other) => {
    const random = createRandom(name.length);
    const compare = createComparison(tracer, other);
    const bounds = tracer.model > 0 ? door.bounds : wasm.bounds;
    const [start, end] = [new Float32Array(3), new Float32Array(3)];
    let hits = 0;
    for (let k = 0; k < runs(1500).numRuns; k++) {
      drawMove(random, bounds, k, start, end);
      if (compare(start, end)) hits++;
    }
    expect(hits).toBeGreaterThan(0);
  });

  it('contents', () => {
    const random = createRandom(3);
    const [at, end] = [new Float32Array(3), new Float32Array(3)];
    const seen = new Set<number>();
    for (let k = 0; k < runs(1500).numRuns; k++) {
      drawMove(random, wasm.bounds, k, at, end);
      for (let hull = 0; hull < wasm.hulls.length; hull++) {
        const contents = wasm.hullContents(hull, at);
        if (contents !== js.hullContents(hull, at)) expect(at).toBe('a point in the same contents');
        seen.add(contents);
      }
      const liquids = [{ contents: -3, origin: [0, 1, 2] }];
      expect(pointContents(wasm, at, [{ model: door, ...liquids[0]! }])).toBe(
        pointContents(js, at, [{ model: scripted, ...liquids[0]! }]),
      );
    }
    expect(seen.size).toBeGreaterThan(1);
  });
});

describe('both kernels give the same bits', () => {
  it('in any tree, in hulls and models of any kind', () => {
    const far = fc.float({ noNaN: true, noDefaultInfinity: true });
    const ends = fc.oneof({ weight: 8, arbitrary: point }, fc.tuple(far, far, far));
    const moves = fc.array(fc.tuple(ends, ends), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(tree, tree, moves, fc.constantFrom(...RULES), (nodes, clip, list, rules) => {
        const made = makeFile([{ nodes: boxTree([-9, -9, -9], [9, 9, 9]) }, { nodes, hulls: [clip, -1] }]);
        const [wasm, js] = openBoth(createQuake1World(made).data);
        for (const hull of [0, 1, 2]) {
          const compare = createComparison(
            wasm.model(1).hull(hull, { rules }),
            js.model(1).hull(hull, { rules }),
          );
          for (const [start, end] of list) compare(Float32Array.from(start), Float32Array.from(end));
        }
      }),
      runs(150),
    );
  });

  it('where planes are said to be axial and are not, and where their distance is no zero or too great', () => {
    const odd = (dist: number): MadeTree => ({
      plane: { normal: [0.6, 0.8, 0], dist, type: 0 },
      front: { plane: across(2, -0), front: -1, back: -15 },
      back: { plane: across(1, dist), front: { plane: across(2, 0), front: -3, back: -2 }, back: -1 },
    });
    for (const dist of [0, -0, 3, 1e29, -1e31, 3e38]) {
      const [wasm, js] = openBoth(createQuake1World(makeFile([{ nodes: odd(dist) }])).data);
      const compare = createComparison(wasm.hull(0), js.hull(0));
      fc.assert(
        fc.property(point, point, (start, end) => {
          compare(Float32Array.from(start), Float32Array.from(end));
          compare(Float32Array.from([0, -0, start[2]]), Float32Array.from([end[0], 0, -0]));
        }),
        runs(60),
      );
    }
  });

  it('where a head is contents, and where branches are shared', () => {
    const nodes = solidBox([-9, -9, -9], [9, 9, 9]);
    const heads = makeFile([
      { nodes, hulls: [-2, -1] },
      { nodes, hulls: [nodes, -1] },
    ]);
    const [wasm, js] = openBoth(createQuake1World(heads).data);
    for (const hull of [1, 2]) {
      expect(wasm.hull(hull).trace([0, 0, 0], [9, 9, 9])).toEqual(js.hull(hull).trace([0, 0, 0], [9, 9, 9]));
      expect(wasm.hullContents(hull, [0, 0, 0])).toBe(hull === 1 ? -2 : -1);
    }
    // Two nodes over one and the same, which both of their sides lead to.
    const file = makeFile([
      { nodes: solidBox([-9, -9, -9], [9, 9, 9]), hulls: [boxTree([-9, -8, -7], [6, 5, 4]), -1] },
    ]);
    const { children } = file.clipNodes;
    children[0] = children[1] = 2;
    const [shared, scripted] = openBoth(createQuake1World(file).data);
    const compare = createComparison(shared.hull(1), scripted.hull(1));
    fc.assert(
      fc.property(point, point, (start, end) => {
        compare(Float32Array.from(start), Float32Array.from(end));
      }),
      runs(200),
    );
  });
});

describe('treelets', () => {
  it('lead where the tree leads', () => {
    const random = createRandom(5);
    for (let round = 0; round < 100; round++) {
      const count = 1 + Math.floor(random() * 40);
      // Children come after their parents, and may be shared.
      const children = Int32Array.from({ length: 2 * count }, (_, k) => {
        const [parent, left] = [k >> 1, count - 1 - (k >> 1)];
        return left > 0 && random() < 0.8 ? parent + 1 + Math.floor(random() * Math.min(left, 3)) : -1 - k;
      });
      const heads = [0, -7, pick(random, [0, count - 1])];
      const weights = weighNodes(children, heads, () => 1);
      const { count: made, nodes, exits, paths, numbers } = cutTreelets(children, weights, heads);
      expect(nodes).toHaveLength(TREELET_NODES * made);
      expect(exits).toHaveLength(TREELET_EXITS * made);
      for (const head of heads) if (head >= 0) expect(numbers[head]).toBeGreaterThanOrEqual(0);
      for (let treelet = 0; treelet < made; treelet++) {
        const own = nodes.subarray(TREELET_NODES * treelet, TREELET_NODES * treelet + TREELET_NODES);
        expect(numbers[own[0]!]).toBe(treelet);
        for (let sides = 0; sides < TREELET_EXITS; sides++) {
          // Down the tree as long as the way stays in the path.
          const path = paths[TREELET_EXITS * treelet + sides]!;
          let node = own[0]!;
          let wrong = (path & 1) === 1 ? 0 : 1;
          for (let lane = 0; lane < TREELET_NODES; lane++) {
            if (((path >> lane) & 1) === 0) continue;
            if (own[lane] !== node) wrong++;
            node = children[2 * node + ((sides >> lane) & 1)]!;
          }
          const exit = exits[TREELET_EXITS * treelet + sides]!;
          if ((exit < 0 ? exit : nodes[TREELET_NODES * exit]!) !== node) wrong++;
          if (wrong > 0) expect([...own, sides, path, exit]).toBe('a way through the tree');
        }
      }
    }
  });

  it('weigh as much as the leafs below', () => {
    const children = Int32Array.of(1, 2, -1, -2, -3, 1);
    expect([...weighNodes(children, [0], (leaf) => -leaf)]).toEqual([9, 3, 6]);
    expect([...weighNodes(children, [-5, 1], () => 1)]).toEqual([-1, 2, -1]);
  });
});
