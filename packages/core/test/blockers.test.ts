import { between, createRandom, direction, type Random } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import {
  BLOCKS_SEEN,
  MOST_WANTED,
  NUM_WANTED,
  WANTED,
  WANTED_BYTES,
  WORDS,
} from '../src/format/blocker-layout.ts';
import {
  type BlockerBrush,
  type BrushTree,
  blockerBytes,
  brushRoom,
  createBlockers,
  lookAtBrushes,
} from '../src/format/index.ts';

type Plane = readonly [x: number, y: number, z: number, dist: number];

interface Node {
  readonly plane: Plane;
  readonly front: number;
  readonly back: number;
}

/** A tree by its nodes: a child below 0 is leaf -1 - child. `lists`: the brushes of each leaf. */
interface Tree {
  readonly nodes: readonly Node[];
  readonly lists: ReadonlyMap<number, ReadonlySet<number>>;
  readonly root?: number;
  /** Contents by which brushes are found in leafs, where not by all. */
  readonly masks?: ReadonlyMap<number, number>;
}

const CONTENTS = 5;

function boxPlanes(mins: readonly number[], maxs: readonly number[]): Plane[] {
  const [x, y, z] = mins as [number, number, number];
  const [X, Y, Z] = maxs as [number, number, number];
  return [
    [-1, 0, 0, -x],
    [1, 0, 0, X],
    [0, -1, 0, -y],
    [0, 1, 0, Y],
    [0, 0, -1, -z],
    [0, 0, 1, Z],
  ];
}

interface Brush {
  readonly mins: readonly number[];
  readonly maxs: readonly number[];
  /** Beside those of its box. */
  readonly planes?: readonly Plane[];
}

/** The record of brush 0, and of 1 and so on, once the kernel has asked for all: highest corner and contents, or nothing. */
function look(tree: Tree, ...brushes: readonly Brush[]): (number[] | undefined)[] {
  const buffer = new ArrayBuffer(blockerBytes(brushRoom(brushes.length)));
  const ints = new Int32Array(buffer);
  const visited: BrushTree = {
    root: tree.root ?? 0,
    brush: ({ what: number }): BlockerBrush => {
      const { mins, maxs, planes = [] } = brushes[number]!;
      const bounds = boxPlanes(mins, maxs).filter(([, , , dist]) => dist !== Infinity);
      const sides = Float32Array.from([...bounds, ...planes].flat());
      return { number, contents: CONTENTS, mins, maxs, planes: sides, sides: [160, 224] };
    },
    split: (child) => (child < 0 ? undefined : tree.nodes[child]!),
    count: (leaf) => tree.lists.get(leaf)?.size ?? 0,
    found: (leaf, { number, contents }) =>
      tree.lists.get(leaf)?.has(number) ? contents & (tree.masks?.get(leaf) ?? -1) : 0,
  };
  const blockers = createBlockers(buffer, 0, brushRoom(brushes.length), lookAtBrushes(visited));
  for (let first = 0; first < brushes.length; first += MOST_WANTED) {
    const count = Math.min(MOST_WANTED, brushes.length - first);
    for (let k = 0; k < count; k++) ints[(WANTED + WANTED_BYTES * k) / 4] = first + k;
    ints[NUM_WANTED / 4] = count;
    blockers.find();
    expect(ints[NUM_WANTED / 4]).toBe(0);
  }
  const floats = new Float32Array(buffer);
  return brushes.map((_, number) => {
    const record = ints[WORDS / 4 + number]! / 4;
    if (record === 0) return undefined;
    expect(4 * record).toBeGreaterThan(BLOCKS_SEEN);
    expect([...ints.subarray(record + 7, record + 9)]).toEqual([160, 224]);
    return [
      ...floats.subarray(record, record + 3),
      ...floats.subarray(record + 4, record + 7),
      ints[record + 3]!,
    ];
  });
}

const lists = (...leafs: readonly (readonly number[])[]): ReadonlyMap<number, ReadonlySet<number>> =>
  new Map(leafs.map((brushes, k) => [-1 - k, new Set(brushes)]));

/** Two leafs, divided at x = 0: leaf 0 in front. */
const divided = (...leafs: readonly (readonly number[])[]): Tree => ({
  nodes: [{ plane: [1, 0, 0, 0], front: -1, back: -2 }],
  lists: lists(...leafs),
});

describe('blockers are brushes', () => {
  const across = { mins: [-16, -16, -16], maxs: [16, 16, 16] };
  const kept = [-15, -15, -15, 15, 15, 15, CONTENTS];

  it('that all leafs list which they reach into, kept by their insides', () => {
    expect(look(divided([0], [0]), across)).toEqual([kept]);
    expect(look(divided([0], []), across)).toEqual([undefined]);
    expect(look(divided([], [0]), across)).toEqual([undefined]);
    expect(look(divided([], []), across)).toEqual([undefined]);
  });

  it('by those of their contents that all of these leafs have', () => {
    const tree = divided([0], [0]);
    expect(look({ ...tree, masks: new Map([[-1, 4 + 2]]) }, across)).toEqual([[...kept.slice(0, 6), 4]]);
    expect(look({ ...tree, masks: new Map([[-2, 2]]) }, across)).toEqual([undefined]);
  });

  it('whose sides may touch other leafs, though not with what lies a unit behind', () => {
    // Half a unit is left for how walks round: the inside of the first comes no nearer than 1.
    const touching = { mins: [0, -16, -16], maxs: [16, 16, 16] };
    const near = { mins: [-0.3, -16, -16], maxs: [16, 16, 16] };
    const nearer = { mins: [-0.6, -16, -16], maxs: [16, 16, 16] };
    const found = look(divided([0, 1, 2], []), touching, near, nearer);
    expect(found.map((record) => record !== undefined)).toEqual([true, true, false]);
  });

  it('of which something is inside', () => {
    const thin = { mins: [4, -16, -16], maxs: [6, 16, 16] };
    const thick = { mins: [4, -16, -16], maxs: [6.5, 16, 16] };
    const empty = { ...across, planes: [[0.6, 0.8, 0, -40] as const] };
    const found = look(divided([0, 1, 2], [0, 1, 2]), thin, thick, empty);
    expect(found.map((record) => record !== undefined)).toEqual([false, true, false]);
  });

  it('that leave out leafs which only their bounds reach into', () => {
    // What is cut off is all that is in leaf 0.
    const cut = { ...across, planes: [[0.8, 0.6, 0, -10] as const] };
    const tree: Tree = {
      nodes: [
        { plane: [1, 0, 0, 0], front: 1, back: -3 },
        { plane: [0, 1, 0, 0], front: -1, back: -2 },
      ],
      lists: lists([], [0], [0]),
    };
    expect(look(tree, cut)[0]).toBeDefined();
    expect(look(tree, across)[0]).toBeUndefined();
    // One oblique plane of a node after another leaves nothing there of a box either.
    const around: Tree = {
      nodes: [
        { plane: [0.6, 0.8, 0, 10], front: 1, back: -3 },
        { plane: [0.6, -0.8, 0, 10], front: -1, back: -2 },
      ],
      lists: lists([], [0], [0]),
    };
    expect(look(around, across)[0]).toBeDefined();
  });

  it('within reach, with planes that are some', () => {
    const everywhere = divided([0, 1, 2, 3, 4], [0, 1, 2, 3, 4]);
    const endless = { mins: [-16, -16, -Infinity], maxs: [16, 16, Infinity] };
    const far = { mins: [40000, -16, -16], maxs: [50000, 16, 16] };
    const none = { ...across, planes: [[NaN, 0, 0, 1] as const] };
    const long = { ...across, planes: [[2, 0, 0, 8] as const] };
    const vast = { ...across, planes: [[0.6, 0.8, 0, Infinity] as const] };
    const found = look(everywhere, endless, far, none, long, vast);
    expect(found.map((record) => record !== undefined)).toEqual([true, false, false, false, false]);
    expect(found[0]!.slice(2, 6)).toEqual([-Infinity, 15, 15, Infinity]);
    const crooked: Tree = { ...everywhere, nodes: [{ plane: [NaN, 0, 0, 0], front: -1, back: -2 }] };
    expect(look(crooked, across)).toEqual([undefined]);
  });

  it('that are looked at no longer than pays, however a tree is woven', () => {
    // Both children of each node are the next one: 2^40 ways to the leaf. Deeper than 48 nodes nothing is kept anyway.
    for (const depth of [40, 60]) {
      const nodes = Array.from({ length: depth }, (_, k): Node => {
        const next = k === depth - 1 ? -1 : k + 1;
        return { plane: [1, 0, 0, 0], front: next, back: next };
      });
      expect(look({ nodes, lists: lists([0]) }, across)).toEqual([undefined]);
    }
  });

  it('in as many as there is room for', () => {
    const many = Array.from({ length: 16400 }, () => across);
    const all = new Set(many.keys());
    const found = look({ nodes: [], lists: new Map([[-1, all]]), root: -1 }, ...many.slice(0, 100));
    expect(found.every((record) => record !== undefined)).toBe(true);
    expect(blockerBytes(brushRoom(16400)) - blockerBytes(brushRoom(16384))).toBe(64);
  });
});

/** A random tree over a few hundred units, with planes of all kinds, and a leaf for each child below. */
function randomTree(random: Random): Node[] {
  const nodes: Node[] = [];
  let leafs = 0;
  const grow = (depth: number): number => {
    if (depth === 0 || random() < 0.1) return -1 - leafs++;
    const number = nodes.length;
    nodes.push(undefined as never);
    const axis = Math.floor(between(random, 0, 3));
    const normal = random() < 0.5 ? [0, 1, 2].map((k) => (k === axis ? 1 : 0)) : direction(random);
    const plane = [...normal, between(random, -120, 120)] as unknown as Plane;
    nodes[number] = { plane, front: grow(depth - 1), back: grow(depth - 1) };
    return number;
  };
  grow(6);
  return nodes;
}

function randomBrush(random: Random): Brush {
  const mins = [0, 1, 2].map(() => between(random, -150, 100));
  const maxs = mins.map((x) => x + between(random, 3, 80));
  const middle = mins.map((x, k) => (x + maxs[k]!) / 2);
  const planes = Array.from({ length: Math.floor(between(random, 0, 5)) }, (): Plane => {
    const n = direction(random);
    return [...n, n[0] * middle[0]! + n[1] * middle[1]! + n[2] * middle[2]! + between(random, 2, 30)];
  });
  return { mins, maxs, planes };
}

const excess = ([x, y, z, dist]: Plane, p: readonly number[]): number =>
  x * p[0]! + y * p[1]! + z * p[2]! - dist;

describe('in random trees', () => {
  /** What a walk may take for the leaf that holds a place, less than so far from planes on either side of them. */
  const ROUNDING = 0.4;

  /** Leafs that walks come to with a place of a brush's inside, in many tries. */
  function reached(nodes: readonly Node[], { mins, maxs, planes = [] }: Brush, random: Random): Set<number> {
    const found = new Set<number>();
    for (let k = 0; k < 300; k++) {
      const place = mins.map((x, axis) => between(random, x + 1, maxs[axis]! - 1));
      if (planes.some((plane) => excess(plane, place) > -1)) continue;
      let child = nodes.length > 0 ? 0 : -1;
      while (child >= 0) {
        const { plane, front, back } = nodes[child]!;
        const off = excess(plane, place);
        child = off > between(random, -ROUNDING, ROUNDING) ? front : back;
      }
      found.add(child);
    }
    return found;
  }

  it('no blocker is reached in a leaf that does not list it', () => {
    const random = createRandom(3);
    let kept = 0;
    let refused = 0;
    for (let world = 0; world < 60; world++) {
      const nodes = randomTree(random);
      const brushes = Array.from({ length: 20 }, () => randomBrush(random));
      const leafs = brushes.map((brush) => reached(nodes, brush, random));
      const all = new Map<number, Set<number>>();
      for (const [number, brush] of leafs.entries()) {
        for (const leaf of brush) {
          // Now and then a list lacks one.
          if (random() < 0.02) continue;
          if (!all.has(leaf)) all.set(leaf, new Set());
          all.get(leaf)!.add(number);
        }
      }
      const found = look({ nodes, lists: all, root: nodes.length > 0 ? 0 : -1 }, ...brushes);
      for (const [number, record] of found.entries()) {
        if (!record) {
          refused++;
          continue;
        }
        kept++;
        for (const leaf of reached(nodes, brushes[number]!, random)) {
          if (!all.get(leaf)?.has(number)) expect({ world, number, leaf }).toBe('listed');
        }
      }
    }
    expect(kept).toBeGreaterThan(500);
    expect(refused).toBeGreaterThan(100);
  });

  it('every brush that is listed everywhere is one, if there is anything inside', () => {
    const random = createRandom(4);
    for (let world = 0; world < 60; world++) {
      const nodes = randomTree(random);
      const brushes = Array.from({ length: 20 }, () => randomBrush(random));
      const all = new Set(brushes.keys());
      const lists = new Map(Array.from({ length: 64 }, (_, k) => [-1 - k, all] as const));
      const found = look({ nodes, lists, root: nodes.length > 0 ? 0 : -1 }, ...brushes);
      for (const [number, record] of found.entries()) {
        if (!record && reached(nodes, brushes[number]!, random).size > 0) {
          expect({ world, number }).toBe('kept');
        }
      }
    }
  });
});
