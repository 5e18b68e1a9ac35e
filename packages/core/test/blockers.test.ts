import { between, createRandom, direction, type Random } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import {
  BLOCKS_SEEN,
  MOST_WANTED,
  NUM_WANTED,
  SET_BYTES,
  SETS,
  SETS_MASK,
  WANTED,
  WANTED_BYTES,
  WANTED_MOVE,
  WORDS,
} from '../src/format/blocker-layout.ts';
import {
  type BlockerBrush,
  type BrushTree,
  blockerBytes,
  brushRoom,
  cellRoom,
  createBlockers,
  findCell,
  lookAtBrushes,
  type SolidTree,
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
  /** Contents bits for which brushes are found in leafs, where these are not all. */
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
  /** Planes other than those of its box. */
  readonly planes?: readonly Plane[];
}

/** The records of all brushes, once the kernel has asked for each: highest corner and contents, or nothing. */
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

describe('a brush is a blocker', () => {
  const across = { mins: [-16, -16, -16], maxs: [16, 16, 16] };
  const kept = [-15, -15, -15, 15, 15, 15, CONTENTS];

  it('if every leaf that it reaches into lists it; its record is its inside', () => {
    expect(look(divided([0], [0]), across)).toEqual([kept]);
    expect(look(divided([0], []), across)).toEqual([undefined]);
    expect(look(divided([], [0]), across)).toEqual([undefined]);
    expect(look(divided([], []), across)).toEqual([undefined]);
  });

  it('for those of its contents for which all of these leafs list it', () => {
    const tree = divided([0], [0]);
    expect(look({ ...tree, masks: new Map([[-1, 4 + 2]]) }, across)).toEqual([[...kept.slice(0, 6), 4]]);
    expect(look({ ...tree, masks: new Map([[-2, 2]]) }, across)).toEqual([undefined]);
  });

  it('even if its sides touch other leafs, but not if what lies a unit behind them does', () => {
    // Some room is left for the rounding of walks: the inside of the first comes no nearer than 1.
    const touching = { mins: [0, -16, -16], maxs: [16, 16, 16] };
    const near = { mins: [-0.2, -16, -16], maxs: [16, 16, 16] };
    const nearer = { mins: [-0.6, -16, -16], maxs: [16, 16, 16] };
    const found = look(divided([0, 1, 2], []), touching, near, nearer);
    expect(found.map((record) => record !== undefined)).toEqual([true, true, false]);
  });

  it('if anything is inside', () => {
    const thin = { mins: [4, -16, -16], maxs: [6, 16, 16] };
    const thick = { mins: [4, -16, -16], maxs: [6.5, 16, 16] };
    const empty = { ...across, planes: [[0.6, 0.8, 0, -40] as const] };
    const found = look(divided([0, 1, 2], [0, 1, 2]), thin, thick, empty);
    expect(found.map((record) => record !== undefined)).toEqual([false, true, false]);
  });

  it.each([0, 1, 2])('whatever lists it in leafs that only its bounds reach into, along axis %i', (axis) => {
    const plane = (...[x, y, z, dist]: Plane): Plane => {
      const turned = [x, y, z, x, y].slice((3 - axis) % 3) as unknown as Plane;
      return [turned[0], turned[1], turned[2], dist];
    };
    // All that it has in leaf 0 is cut off.
    const cut = { ...across, planes: [plane(0.8, 0.6, 0, -10)] };
    const tree: Tree = {
      nodes: [
        { plane: plane(1, 0, 0, 0), front: 1, back: -3 },
        { plane: plane(0, 1, 0, 0), front: -1, back: -2 },
      ],
      lists: lists([], [0], [0]),
    };
    expect(look(tree, cut)[0]).toBeDefined();
    expect(look(tree, across)[0]).toBeUndefined();
    // The oblique planes of the nodes, one after another, leave nothing of a box there either.
    const around: Tree = {
      nodes: [
        { plane: plane(0.6, 0.8, 0, 10), front: 1, back: -3 },
        { plane: plane(0.6, -0.8, 0, 10), front: -1, back: -2 },
      ],
      lists: lists([], [0], [0]),
    };
    expect(look(around, across)[0]).toBeDefined();
  });

  it('within reach, and with valid planes', () => {
    const everywhere = divided([0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5]);
    const endless = { mins: [-16, -16, -Infinity], maxs: [16, 16, Infinity] };
    const far = { mins: [40000, -16, -16], maxs: [50000, 16, 16] };
    const none = { ...across, planes: [[NaN, 0, 0, 1] as const] };
    const long = { ...across, planes: [[2, 0, 0, 8] as const] };
    const short = { ...across, planes: [[0.99, 0, 0, 8] as const] };
    const vast = { ...across, planes: [[0.6, 0.8, 0, Infinity] as const] };
    const found = look(everywhere, endless, far, none, long, short, vast);
    expect(found.map((record) => record !== undefined)).toEqual([true, false, false, false, false, false]);
    expect(found[0]!.slice(2, 6)).toEqual([-Infinity, 15, 15, Infinity]);
    for (const x of [NaN, 0.99, 1.01, 0]) {
      const crooked: Tree = { ...everywhere, nodes: [{ plane: [x, 0, 0, 0], front: -1, back: -2 }] };
      expect(look(crooked, across)).toEqual([undefined]);
    }
  });

  it('and is examined no longer than pays off, however branches of the tree are shared', () => {
    // Both children of each node are the next one: 2^47 ways to the leaf. Deeper than 48 nodes nothing is kept anyway.
    for (const depth of [47, 60]) {
      const nodes = Array.from({ length: depth }, (_, k): Node => {
        const next = k === depth - 1 ? -1 : k + 1;
        return { plane: [1, 0, 0, 0], front: next, back: next };
      });
      expect(look({ nodes, lists: lists([0]) }, across)).toEqual([undefined]);
    }
  });

  it('unless all work has been spent on others', () => {
    const nodes: Node[] = [{ plane: [1, 0, 0, 1000], front: -1, back: 1 }];
    for (let k = 1; k < 40; k++)
      nodes.push({ plane: [1, 0, 0, 0], front: k === 39 ? -1 : k + 1, back: k === 39 ? -1 : k + 1 });
    const woven = { nodes, lists: lists([0, 1]) };
    const away = { mins: [1100, -16, -16], maxs: [1132, 16, 16] };
    expect(look(woven, away, across).map((record) => record !== undefined)).toEqual([true, false]);
    expect(look(woven, across, away).map((record) => record !== undefined)).toEqual([false, false]);
  });

  it('as long as there is room for it', () => {
    const many = Array.from({ length: 16400 }, () => across);
    const all = new Set(many.keys());
    const found = look({ nodes: [], lists: new Map([[-1, all]]), root: -1 }, ...many.slice(0, 100));
    expect(found.every((record) => record !== undefined)).toBe(true);
    expect(blockerBytes(brushRoom(16400)) - blockerBytes(brushRoom(16384))).toBe(64);
  });

  it('has sets: a power of two, up to 1024, more for more solids', () => {
    const sets = [0, 64, 65, 2000, 4096, 4097, 1e6].map((brushes) => brushRoom(brushes).sets);
    expect(sets).toEqual([16, 16, 32, 512, 1024, 1024, 1024]);
    expect([66, 4097, 1e6].map((words) => cellRoom(words).sets)).toEqual([16, 32, 1024]);
    const room = brushRoom(65);
    const buffer = new ArrayBuffer(64 + blockerBytes(room));
    createBlockers(buffer, 64, room, () => undefined);
    const ints = new Int32Array(buffer, 64);
    expect(ints[SETS_MASK / 4]).toBe(31);
    expect(ints[SETS / 4]).toBe(buffer.byteLength - 32 * SET_BYTES);
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

/** A walk may come to the leaf of a place that is less than this far away from it. */
const ROUNDING = 0.5;

describe('in random trees', () => {
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
          // Now and then, a list lacks one.
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

describe('cells of trees whose leafs are solid', () => {
  /** Solid leafs. */
  type Solid = ReadonlySet<number>;

  interface Solids {
    readonly nodes: readonly (Omit<Node, 'plane'> & { readonly plane: Plane | undefined })[];
    readonly solid: Solid;
  }

  interface Cell {
    readonly mins: number[];
    readonly maxs: number[];
    readonly sides: number[];
  }

  const ROOM = cellRoom(200);

  /** The cell that a move blocked by leafs is found in. */
  function cellOn(
    { nodes, solid }: Solids,
    start: readonly number[],
    end: readonly number[],
  ): Cell | undefined {
    const buffer = new ArrayBuffer(blockerBytes(ROOM));
    const ints = new Int32Array(buffer);
    const floats = new Float32Array(buffer);
    const tree: SolidTree = {
      split: (child) => (child < 0 ? undefined : nodes[child]!),
      isSolid: (leaf) => solid.has(leaf),
    };
    const blockers = createBlockers(buffer, 0, ROOM, (noted, work) => {
      expect(noted).toMatchObject({ what: 9, number: 5 });
      const cell = findCell(tree, 0, noted, work);
      return cell && { ...cell, number: noted.number, contents: 1 };
    });
    ints.set([9, 5], WANTED / 4);
    floats.set([...start, ...end], (WANTED + WANTED_MOVE) / 4);
    ints[NUM_WANTED / 4] = 1;
    blockers.find();
    const record = ints[WORDS / 4 + 5]! / 4;
    if (record === 0) return undefined;
    const [first, last] = [ints[record + 7]! / 4, ints[record + 8]! / 4];
    const sides: number[] = [];
    for (let block = first; block < last; block += 16) {
      for (let lane = 0; lane < 4; lane++) {
        const side = [0, 1, 2, 3].map((k) => floats[block + 4 * k + lane]!);
        if (side[3] === Infinity) expect(side).toEqual([0, 0, 0, Infinity]);
        else sides.push(...side);
      }
    }
    return {
      mins: [...floats.subarray(record, record + 3)],
      maxs: [...floats.subarray(record + 4, record + 7)],
      sides,
    };
  }

  it('are what lies a unit inside their planes, without redundant planes', () => {
    // Solid from 10 to 30 along x, below 5 in z, to the front of a slanted plane.
    const nodes: Node[] = [
      { plane: [1, 0, 0, 10], front: 1, back: -1 },
      { plane: [1, 0, 0, 200], front: -1, back: 2 },
      { plane: [1, 0, 0, 30], front: -1, back: 3 },
      { plane: [0, 0, 1, 5], front: -1, back: 4 },
      { plane: [0.6, 0, 0.8, -40], front: -2, back: -1 },
    ];
    const tree = { nodes, solid: new Set([-2]) };
    const cell = cellOn(tree, [0, 0, 0], [40, 0, 0])!;
    expect(cell.maxs[0]).toBe(29);
    expect(cell.mins[0]).toBe(11);
    expect(cell.maxs[2]).toBe(4);
    expect(cell.sides).toEqual([-0.6, -0, -0.8, 40].map(Math.fround));
    // Where the slanted plane meets x = 30, moved by a unit.
    expect(cell.mins[2]).toBeCloseTo((-40 - 0.6 * 30) / 0.8 + 1, 1);
    expect(cell.mins[1]).toBe(-32767);
    // Nothing is in the way, or too little of it to tell.
    expect(cellOn(tree, [0, 0, 9], [40, 0, 9])).toBeUndefined();
    expect(cellOn(tree, [0, 0, 0], [12, 0, 0])).toBeUndefined();
  });

  it.each([1, 2])(
    'keep a plane that leans so little towards axis %i that float32 does not tell from x',
    (axis) => {
      const lean = 2e-4;
      const normal = [1, axis === 1 ? lean : 0, axis === 2 ? lean : 0] as const;
      expect(Math.fround(1 / Math.sqrt(1 + lean * lean))).toBe(1);
      const nodes: Node[] = [
        { plane: [1, 0, 0, 10], front: 1, back: -1 },
        { plane: [...normal, 30], front: -1, back: -2 },
      ];
      const cell = cellOn({ nodes, solid: new Set([-2]) }, [0, 0, 0], [40, 0, 0])!;
      // Far away along that axis, the plane is units away from x = 30.
      expect(cell.sides).toEqual([...normal, 30].map(Math.fround));
      expect(cell.mins[0]).toBe(11);
      expect(cell.maxs[0]).toBeCloseTo(30 + lean * 32768 - 1, 0);
    },
  );

  it('have no plane where moves go through both children', () => {
    const nodes = [
      { plane: undefined, front: 1, back: 2 },
      { plane: [1, 0, 0, 10] as const, front: -1, back: -1 },
      { plane: [0, 1, 0, 10] as const, front: -1, back: -2 },
    ];
    const cell = cellOn({ nodes, solid: new Set([-2]) }, [0, 0, 0], [50, 1, 1])!;
    expect(cell).toEqual({ mins: [-32767, -32767, -32767], maxs: [32767, 9, 32767], sides: [] });
  });

  it('with nothing inside are no blockers, nor are those far down', () => {
    const thin: Node[] = [
      { plane: [0.8, 0.6, 0, 0], front: 1, back: -1 },
      { plane: [0.8, 0.6, 0, 1.9], front: -1, back: -2 },
    ];
    expect(cellOn({ nodes: thin, solid: new Set([-2]) }, [0, -100, 0], [0.1, 100, 0])).toBeUndefined();
    const deep = Array.from({ length: 110 }, (_, k): Node => {
      return { plane: [1, 0, 0, k - 150], front: k === 109 ? -2 : k + 1, back: -1 };
    });
    expect(cellOn({ nodes: deep, solid: new Set([-2]) }, [0, 0, 0], [50, 0, 0])).toBeUndefined();
    expect(
      cellOn(
        {
          nodes: deep.slice(20).map((node) => ({ ...node, front: node.front < 0 ? -2 : node.front - 20 })),
          solid: new Set([-2]),
        },
        [0, 0, 0],
        [50, 0, 0],
      ),
    ).toBeDefined();
  });

  it('have nothing inside that walks would find in another leaf', () => {
    const random = createRandom(5);
    const place = (): number[] => [0, 1, 2].map(() => between(random, -150, 150));
    let found = 0;
    for (let world = 0; world < 200; world++) {
      const nodes = randomTree(random);
      if (nodes.length === 0) continue;
      const solid = new Set(Array.from({ length: 64 }, (_, k) => -1 - k).filter(() => random() < 0.3));
      for (let move = 0; move < 5; move++) {
        const cell = cellOn({ nodes, solid }, place(), place());
        if (!cell) continue;
        found++;
        const leafs = new Set<number>();
        for (let k = 0; k < 200; k++) {
          const inside = cell.mins.map((x, a) =>
            between(random, Math.max(x, -200), Math.max(-200, Math.min(cell.maxs[a]!, 200))),
          );
          const beyond = (side: number): boolean => {
            const plane = cell.sides.slice(4 * side, 4 * side + 4) as unknown as Plane;
            return excess(plane, inside) > -1;
          };
          if (Array.from({ length: cell.sides.length / 4 }, (_, side) => side).some(beyond)) continue;
          let child = 0;
          while (child >= 0) {
            const { plane, front, back } = nodes[child]!;
            child = excess(plane, inside) > between(random, -ROUNDING, ROUNDING) ? front : back;
          }
          leafs.add(child);
        }
        for (const leaf of leafs)
          if (!solid.has(leaf) || leafs.size > 1) expect([world, ...leafs]).toBe('one solid leaf');
      }
    }
    expect(found).toBeGreaterThan(200);
  });
});
