import { arenaQuake1 } from '@bspkit/fixtures';
import { between, createRandom, pick } from '@bspkit/geometry';
import { BLOCKS, bundlesThatDiffer } from '@bspkit/testkit/blockers';
import { clearingsLookedFor, LOOKED_FOR } from '@bspkit/testkit/clearings';
import { testKernelChoice } from '@bspkit/testkit/no-wasm';
import { seedOf } from '@bspkit/testkit/seed';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gridOf, listObstacles } from '../src/clearings.ts';
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
import { DEPTH_WORD, MODEL_HEADS } from '../src/layout.ts';
import {
  EXIT_PATH,
  FLAG_IN_OPEN,
  FRAME_BYTES,
  FRAMES,
  LEAF_BIT,
  LEAF_CONTENTS,
  LEAF_CONTENTS_MASK,
  LEAF_FLAGS,
  MOVE_FRAMES,
  NUMBERS,
  PATH,
  STEP_BYTES,
  TREELET_BYTES,
  TREELET_EXITS,
  TREELET_NODES,
} from '../src/wasm/layout.ts';
import {
  across,
  boxTree,
  type MadePlane,
  type MadeTree,
  makeFile,
  point,
  runs,
  solidBox,
  tree,
} from './make.ts';
import { drawMove, maps } from './moves.ts';

const file = readQuake1(arenaQuake1());

describe('the kernel in WebAssembly', () => {
  testKernelChoice(async () => {
    const { createQuake1World, Quake1World, readQuake1 } = await import('../src/index.ts');
    const file = readQuake1(arenaQuake1());
    return {
      create: (options) => createQuake1World(file, options),
      from: (data, options) => Quake1World.from(data, options),
    };
  }, [(world) => world.hull(1).trace([0, 0, 64], [200, 0, -64])]);

  it('is not used for a world before its first tracer, and then has one memory for all of them', () => {
    const world = createQuake1World(file);
    expect(world._memory.hullKernel).toBeUndefined();
    world.hull(1);
    const { hullKernel } = world._memory;
    expect(hullKernel).toBeDefined();
    world.model(1).hull(0).trace([0, 0, 64], [0, 0, 0]);
    expect(world._memory.hullKernel).toBe(hullKernel);
  });
});

describe('for data that no file makes', () => {
  it.each<[string, string | RegExp, (world: Quake1World, ints: Int32Array) => void]>([
    [
      'takes too much memory',
      'more memory than there is',
      (_, ints) => {
        ints[DEPTH_WORD] = 2 ** 23;
      },
    ],
    [
      'leads out of memory',
      /memory access|out of bounds/i,
      ({ _memory: { places } }, ints) => {
        ints[places.models.first + MODEL_HEADS + 1] = 2 ** 28;
      },
    ],
    [
      'leads back to where it was',
      /memory access|out of bounds/i,
      ({ _memory: { places } }, ints) => {
        ints.fill(places.clipNodes.first, places.clipNodes.first + 2, places.clipNodes.first + 4);
      },
    ],
  ])('because a tree %s, TypeScript moves hulls', (_, words, change) => {
    const data = (createQuake1World(file).data as ArrayBuffer).slice();
    change(Quake1World.from(data), new Int32Array(data));
    const world = Quake1World.from(data);
    expect(world.kernel).toBe('wasm');
    world.hull(1);
    expect(world.kernel).toBe('js');
    expect(() => Quake1World.from(data, { kernel: 'wasm' }).hull(1)).toThrow(words);
  });
});

/** All bits of an answer. */
function bitsOf({ endPos, normal, localEnd, ...rest }: HullTrace): unknown[] {
  return [...endPos, ...normal, ...localEnd, ...Object.values(rest)];
}

/** A world opened with each kernel. */
function openBoth(data: ArrayBufferLike): [wasm: Quake1World, js: Quake1World] {
  return [Quake1World.from(data, { kernel: 'wasm' }), Quake1World.from(data, { kernel: 'js' })];
}

/** Compares everything that two tracers answer for a move, one tracer for each kernel. */
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

const RULES: readonly HullRules[] = ['quake1', 'quakeworld', 'halflife', 'halflife-player'];
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
    const random = createRandom(seedOf(3));
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

  it('where planes are called axial but are not, and where their distance is -0 or too great', () => {
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
    // Two nodes above one and the same node, which both of their sides lead to.
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

describe('clearings', () => {
  /** Forty slanted planes through the middle, one after the other, and a box at the end. */
  const slanted = (): MadeTree => {
    let tree: MadeTree = boxTree([-50, -50, -50], [50, 50, 50]);
    for (let k = 0; k < 40; k++) {
      const [x, y] = [Math.cos(k / 13), Math.sin(k / 13)];
      const plane: MadePlane = { normal: [Math.fround(x), Math.fround(y), 0], dist: k / 8 - 5, type: 3 };
      tree = { plane, front: -1, back: tree };
    }
    return tree;
  };

  it.each(['wasm', 'js'] as const)('are looked for where short moves often start: kernel %s', (kernel) => {
    const looked = clearingsLookedFor(() => {
      const world = createQuake1World(file, { kernel });
      return { tracer: world.hull(1), areas: () => world._memory.clearings[1]!.areas.size };
    });
    expect(looked).toEqual(LOOKED_FOR);
  });

  it('share their room among the hulls', () => {
    const memory = createQuake1World(file)._memory;
    const floats = memory.floats.slice();
    floats.set([-4096, -4096, -4096, 4096, 4096, 4096], memory.places.models.first);
    // In blocks of 64 bytes, rounded up for each hull.
    const bytes = 64 * memory.hulls.length * gridOf({ ...memory, floats })!.kept;
    expect(bytes).toBeGreaterThanOrEqual(131072);
    expect(bytes).toBeLessThan(131072 + 64 * memory.hulls.length);
  });

  it('do not exist where there are no steps left to list obstacles, as nodes are reached in thousands of ways', () => {
    const file = makeFile([{ nodes: solidBox([-9, -9, -9], [9, 9, 9]), hulls: [slanted(), -1] }]);
    const list = (left: number): Float32Array | null => {
      const [mins, maxs] = [
        [-500, -500, -500],
        [500, 500, 500],
      ];
      return listObstacles(createQuake1World(file)._memory, 1, mins, maxs, { left });
    };
    expect(list(10_000)!.length).toBeGreaterThan(6);
    const { children } = file.clipNodes;
    for (let k = 0; k < 12; k++) children[2 * k] = children[2 * k + 1] = k + 1;
    expect(list(10_000)).toBeNull();
    // However many are left, one list takes no more than a tree of its size can.
    expect(list(Number.POSITIVE_INFINITY)).toBeNull();
  });

  it.each(['wasm', 'js'] as const)('share their steps among all hulls: kernel %s', (kernel) => {
    const world = createQuake1World(file, { kernel });
    const listings = world.hulls.map((_, hull) => {
      world.hull(hull).trace([0, 0, 64], [0, 0, 65]);
      return world._memory.clearings[hull]!.listing;
    });
    expect(new Set(listings).size).toBe(1);
  });
});

/** A treelet of clip nodes as the kernel has it: its nodes, by number, and 16 exits. */
interface Treelet {
  readonly address: number;
  readonly nodes: readonly number[];
  readonly exits: Int32Array;
}

/** Planes in the points' tree of a world from {@link clipWorld}; after these, each clip node has its own. */
const BOX_PLANES = 6;

/** The treelets of a world from {@link clipWorld}, and the heads of its hulls except the first. */
function readTreelets({ _memory }: Quake1World): { treelets: Treelet[]; hotHeads: number[] } {
  const { buffer } = _memory.hullKernel!.points;
  const ints = new Int32Array(buffer);
  const moveFrames = ints[MOVE_FRAMES / 4]!;
  const first = TREELET_BYTES * Math.ceil((FRAMES + 4 * moveFrames) / TREELET_BYTES);
  const end = first / 8 + ints[NUMBERS / 4]!;
  const treelets: Treelet[] = [];
  for (let address = first, numbers = end; address < end; address += TREELET_BYTES, numbers += 16) {
    const planes = [...new Int32Array(buffer, numbers, TREELET_NODES)];
    if (planes[0]! < BOX_PLANES) continue;
    const nodes = planes.filter((plane) => plane >= 0).map((plane) => plane - BOX_PLANES);
    treelets.push({ address, nodes, exits: new Int32Array(buffer, address + TREELET_EXITS, 16) });
  }
  const heads = ints[PATH / 4]! + STEP_BYTES * (moveFrames / FRAME_BYTES);
  return { treelets, hotHeads: [...new Int32Array(buffer, heads + 4, 3)] };
}

/** A world whose clip nodes have the given children, with heads in the last three hulls of Half-Life. */
function clipWorld(children: Int32Array, heads: readonly number[]): Quake1World {
  const made = makeFile([{ nodes: solidBox([-9, -9, -9], [9, 9, 9]) }], 30);
  const [model] = made.models;
  const count = children.length / 2;
  // Nodes of both sizes.
  const planes: MadePlane[] = Array.from({ length: count }, (_, k) =>
    k % 3 > 0 ? across(0, k) : { normal: [0.6, 0.8, 0], dist: k, type: 3 },
  );
  return createQuake1World({
    ...made,
    planes: {
      count: BOX_PLANES + count,
      normals: Float32Array.of(...made.planes.normals, ...planes.flatMap(({ normal }) => [...normal])),
      dists: Float32Array.of(...made.planes.dists, ...planes.map(({ dist }) => dist)),
      types: Int32Array.of(...made.planes.types, ...planes.map(({ type }) => type)),
    },
    clipNodes: { count, planes: Int32Array.from(planes, (_, k) => BOX_PLANES + k), children },
    models: [{ ...model!, heads: Int32Array.of(model!.heads[0]!, ...heads) }],
  });
}

describe('treelets', () => {
  const random = createRandom(seedOf(5));
  const cut = Array.from({ length: 150 }, (_, round) => {
    const count = 1 + Math.floor(random() * 40);
    const isShared = round % 3 > 0;
    let last = 0;
    // Children come after their parents.
    const children = Int32Array.from({ length: 2 * count }, (_, k) => {
      const [parent, left] = [k >> 1, count - 1 - (k >> 1)];
      const leadsOn = isShared ? random() < 0.8 : last === parent || random() < 0.7;
      if (!leadsOn || (isShared ? left : count - 1 - last) === 0) return -1 - (k % 15);
      return isShared ? parent + 1 + Math.floor(random() * Math.min(left, 3)) : ++last;
    });
    const heads = [0, -7, isShared ? pick(random, [0, count - 1]) : 0];
    const world = clipWorld(children, heads);
    world.hull(1);
    return { isShared, children, heads, ...readTreelets(world) };
  });
  const weigh = (children: Int32Array, node: number): number =>
    node < 0
      ? Number(node !== -2)
      : weigh(children, children[2 * node]!) + weigh(children, children[2 * node + 1]!);

  it('lead where the tree leads', () => {
    for (const { children, heads, treelets, hotHeads } of cut) {
      const at = new Map(treelets.map((treelet) => [treelet.address, treelet]));
      const reached = (exit: number): number | undefined =>
        exit < 0 ? -((exit >> LEAF_CONTENTS) & LEAF_CONTENTS_MASK) : at.get(exit)?.nodes[0];
      expect(hotHeads.map(reached)).toEqual(heads);
      for (const { nodes, exits } of treelets) {
        for (const [sides, exit] of exits.entries()) {
          // Down the tree for as long as the way stays in the path.
          let node = nodes[0]!;
          let wrong = (exit & 1) === 1 ? 0 : 1;
          for (let lane = 0; lane < TREELET_NODES; lane++) {
            if (((exit >> lane) & 1) === 0) continue;
            if (nodes[lane] !== node) wrong++;
            node = children[2 * node + ((sides >> lane) & 1)]!;
          }
          if (reached(exit & ~EXIT_PATH) !== node) wrong++;
          if (wrong > 0) expect([...nodes, sides, exit]).toBe('a way through the tree');
        }
      }
    }
  });

  it('hold every node, and once where none is shared', () => {
    for (const { isShared, children, heads, treelets } of cut) {
      const below = new Set<number>();
      const visit = (node: number): void => {
        if (node < 0 || below.has(node)) return;
        below.add(node);
        visit(children[2 * node]!);
        visit(children[2 * node + 1]!);
      };
      heads.forEach(visit);
      const held = treelets.flatMap(({ nodes }) => nodes);
      expect(new Set(held)).toEqual(below);
      if (!isShared) expect(held).toHaveLength(below.size);
      expect(new Set(treelets.map(({ nodes }) => nodes[0])).size).toBe(treelets.length);
    }
  });

  it('take the heaviest nodes that they reach, and continue at the heaviest exit', () => {
    for (const { children, treelets } of cut) {
      const numbers = new Map(treelets.map(({ nodes }, k) => [nodes[0]!, k]));
      for (const [k, { nodes }] of treelets.entries()) {
        // Edges leading out of the nodes taken so far.
        const edges: number[] = [];
        const heaviest = (candidates: readonly number[]): number =>
          Math.max(...candidates.map((node) => weigh(children, node)));
        for (const [lane, node] of nodes.entries()) {
          if (lane > 0) {
            expect(edges).toContain(node);
            expect(weigh(children, node)).toBe(heaviest(edges));
            edges.splice(edges.indexOf(node), 1);
          }
          edges.push(...children.subarray(2 * node, 2 * node + 2).filter((child) => child >= 0));
        }
        if (nodes.length < TREELET_NODES) expect(edges).toEqual([]);
        const later = edges.filter((node) => numbers.get(node)! > k);
        if (later.length > 0) expect(weigh(children, treelets[k + 1]!.nodes[0]!)).toBe(heaviest(later));
      }
    }
  });
});

describe('blockers', () => {
  const start = [0, 0, 64];
  const floor = [5, 3, -200];
  const wall = [900, 3, 70];
  const near = [0, 0, 50];

  /** Makes walks of a hull of the world find nothing. */
  function empty(world: Quake1World, hull: number): void {
    const { _heads: heads } = world._memory.hullKernel as unknown as { readonly _heads: Int32Array };
    heads[hull] = LEAF_BIT | (1 << LEAF_CONTENTS) | (FLAG_IN_OPEN << LEAF_FLAGS);
  }

  it.each([0, 1, 2])('answer before the tree is walked, for long moves of their hull: %i', (hull) => {
    const world = createQuake1World(file);
    const tracer = world.hull(hull);
    for (let k = 0; k < BLOCKS; k++) expect(tracer.blocked(start, floor)).toBe(true);
    for (const other of [0, 1, 2]) empty(world, other);
    expect(tracer.blocked(start, floor)).toBe(true);
    expect(tracer.trace(start, floor).fraction).toBe(1);
    expect(tracer.blocked(start, near)).toBe(false);
    expect(tracer.blocked(start, start)).toBe(false);
    expect(() => tracer.blocked(start, [NaN, 0, 0])).toThrow(RangeError);
    expect([...tracer.blockedBatch(Float32Array.of(...start, ...wall, ...start, ...floor))]).toEqual([0, 1]);
    expect(tracer.traceBatch(Float32Array.of(...start, ...floor)).fraction[0]).toBe(1);
    for (const other of [0, 1, 2]) expect(world.hull(other).blocked(start, floor)).toBe(other === hull);
    expect(world.model(1).hull(hull).blocked(start, floor)).toBe(false);
  });

  it('are found by batches too, and asked where moves that they blocked begin', () => {
    const world = createQuake1World(file);
    const tracer = world.hull(1);
    // Both directions in one batch, so that others are asked before a move is walked.
    const other = [-100, -300, 64, -105, -303, -200];
    const many = new Float32Array(
      Array.from({ length: BLOCKS }, () => [...start, ...floor, ...other]).flat(),
    );
    for (let k = 0; k < 3; k++) expect(tracer.blockedBatch(many)).toEqual(new Uint8Array(2 * BLOCKS).fill(1));
    empty(world, 1);
    expect(tracer.blockedBatch(many)).toEqual(new Uint8Array(2 * BLOCKS).fill(1));
    expect(tracer.blocked(start, wall)).toBe(false);
  });

  it('are not asked where they are seldom in the way, until they are again', () => {
    const world = createQuake1World(file);
    const tracer = world.hull(0);
    const { _heads: heads } = world._memory.hullKernel as unknown as { readonly _heads: Int32Array };
    const isAsked = (): boolean => {
      const head = heads[0]!;
      empty(world, 0);
      const met = tracer.blocked(start, floor);
      heads[0] = head;
      return met;
    };
    for (let k = 0; k < BLOCKS; k++) expect(tracer.blocked(start, floor)).toBe(true);
    expect(isAsked()).toBe(true);
    // From the same place, in the same direction.
    for (let k = 0; k < 200; k++) expect(tracer.blocked(start, [400, 3, 40])).toBe(false);
    expect(isAsked()).toBe(false);
    for (let k = 0; k < 20; k++) expect(tracer.blocked(start, floor)).toBe(true);
    expect(isAsked()).toBe(true);
  });

  it('are not looked for if moves are short', () => {
    const world = createQuake1World(file);
    const tracer = world.hull(0);
    const short = Float32Array.from({ length: 6 * BLOCKS }, (_, k) => [0, 0, 64, 1, 1, -60][k % 6]!);
    for (let k = 0; k < 3; k++) expect(tracer.blockedBatch(short)).toEqual(new Uint8Array(BLOCKS).fill(1));
    for (let k = 0; k < BLOCKS; k++) expect(tracer.blocked([0, 0, 64], [1, 1, -60])).toBe(true);
    empty(world, 0);
    expect(tracer.blocked(start, floor)).toBe(false);
  });

  it('change no answer, whatever the planes of a map', () => {
    let blocked = 0;
    for (let seed = 0; seed < 12; seed++) {
      const random = createRandom(seedOf(seed));
      const broken = readQuake1(arenaQuake1());
      const { dists, normals } = broken.planes;
      for (let k = 0; k < seed; k++) dists[pick(random, [...dists.keys()])]! += between(random, -60, 60);
      for (let k = 0; k < seed % 4; k++)
        normals[pick(random, [...normals.keys()])]! += between(random, -0.3, 0.3);
      const world = createQuake1World(broken);
      const plain = createQuake1World(broken, { kernel: 'js' });
      for (const hull of [0, 1, 2]) {
        const found = bundlesThatDiffer(
          { tracer: world.hull(hull), plain: plain.hull(hull), bounds: world.bounds },
          seed,
        );
        expect(found.differing).toEqual([]);
        blocked += found.blocked;
      }
    }
    expect(blocked).toBeGreaterThan(1000);
  });
});
