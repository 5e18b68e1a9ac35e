import fc from 'fast-check';
import { vi } from 'vitest';
import type { HullTracer, Quake1File, Quake1FileModel, Quake1Version } from '../src/index.ts';
import { type HullKernel, HullWalk } from '../src/kernel/hull.ts';
import { createHullWalk, type WorldMemory } from '../src/kernel/memory.ts';

/** By how much the number of runs of every property is multiplied: 1, or more for a proof (`BSPKIT_RUNS_QUAKE1=200`). */
const FACTOR = Number(process.env.BSPKIT_RUNS_QUAKE1 ?? 1);
if (FACTOR > 1) vi.setConfig({ testTimeout: 60_000 * FACTOR });

/** The number of runs of a property that usually has `usual`. */
export const runs = (usual: number): { numRuns: number } => ({ numRuns: usual * FACTOR });

/** A plane made by hand: its normal need not be of unit length, so that planes can be as odd as in broken maps. */
export interface MadePlane {
  readonly normal: readonly [number, number, number];
  readonly dist: number;
  readonly type: number;
}

/** A tree made by hand: contents, or a plane with its front and back. */
export type MadeTree =
  | number
  | { readonly plane: MadePlane; readonly front: MadeTree; readonly back: MadeTree };

const EMPTY = -1;
const SOLID = -2;

/** The plane across an axis (0, 1, 2). */
export const across = (axis: 0 | 1 | 2, dist: number): MadePlane => {
  const normal: [number, number, number] = [0, 0, 0];
  normal[axis] = 1;
  return { normal, dist, type: axis };
};

/** The axial planes of a tree. */
export function axialPlanes(tree: MadeTree): MadePlane[] {
  if (typeof tree === 'number') return [];
  const { plane, front, back } = tree;
  return [...(plane.type < 3 ? [plane] : []), ...axialPlanes(front), ...axialPlanes(back)];
}

/** The tree of a hollow box: `inside` within, solid without. */
export function boxTree(
  mins: readonly number[],
  maxs: readonly number[],
  inside: MadeTree = EMPTY,
): MadeTree {
  let tree = inside;
  for (const axis of [0, 1, 2] as const) {
    tree = { plane: across(axis, mins[axis]!), front: tree, back: SOLID };
    tree = { plane: across(axis, maxs[axis]!), front: SOLID, back: tree };
  }
  return tree;
}

/** The trees of a model: nodes for hull 0, clip nodes for the others. */
export interface MadeModel {
  readonly nodes: MadeTree;
  readonly hulls?: readonly MadeTree[];
}

/** A map of models without faces. Leaf 0 is solid, every other end of a node tree is a leaf of its own, all vised. */
export function makeFile(models: readonly MadeModel[], version: Quake1Version = 29): Quake1File {
  const planes: MadePlane[] = [];
  const nodes: [number, number, number][] = [];
  const clips: [number, number, number][] = [];
  const leafs: number[] = [SOLID];
  const add = (tree: MadeTree, to: [number, number, number][], end: (contents: number) => number): number => {
    if (typeof tree === 'number') return end(tree);
    const number = to.length;
    to.push([planes.push(tree.plane) - 1, 0, 0]);
    to[number]![1] = add(tree.front, to, end);
    to[number]![2] = add(tree.back, to, end);
    return number;
  };
  const leafOf = (contents: number): number => (contents === SOLID ? -1 : -leafs.push(contents));
  const made: Quake1FileModel[] = models.map((model, k) => {
    // The engine reads a head below 0 as contents, never as a leaf.
    const root = typeof model.nodes === 'number' ? model.nodes : add(model.nodes, nodes, leafOf);
    const hulls = (model.hulls ?? []).map((hull) => add(hull, clips, (contents) => contents));
    const heads = Int32Array.of(root, hulls[0] ?? SOLID, hulls[1] ?? SOLID, hulls[2] ?? 0);
    return {
      mins: Float32Array.of(-100, -100, -100),
      maxs: Float32Array.of(100, 100, 100),
      origin: new Float32Array(3),
      heads,
      numVisLeafs: k === 0 ? leafs.length - 1 : 0,
      firstFace: 0,
      numFaces: 0,
    };
  });
  const ints = (values: number[]): Int32Array => Int32Array.from(values);
  return {
    format: 'quake1',
    version,
    entities: '{\n"classname" "worldspawn"\n}\n',
    planes: {
      count: planes.length,
      normals: Float32Array.from(planes.flatMap(({ normal }) => [...normal])),
      dists: Float32Array.from(planes, ({ dist }) => dist),
      types: ints(planes.map(({ type }) => type)),
    },
    textures: [],
    vertexes: { count: 0, positions: new Float32Array(0) },
    visibility: new Uint8Array(0),
    nodes: {
      count: nodes.length,
      planes: ints(nodes.map(([plane]) => plane)),
      children: ints(nodes.flatMap(([, front, back]) => [front, back])),
      mins: new Float32Array(3 * nodes.length),
      maxs: new Float32Array(3 * nodes.length),
      firstFaces: new Int32Array(nodes.length),
      numFaces: new Int32Array(nodes.length),
    },
    texInfos: {
      count: 0,
      vectors: new Float32Array(0),
      textures: new Int32Array(0),
      flags: new Int32Array(0),
    },
    faces: {
      count: 0,
      planes: new Int32Array(0),
      sides: new Int32Array(0),
      firstEdges: new Int32Array(0),
      numEdges: new Int32Array(0),
      texInfos: new Int32Array(0),
      styles: new Uint8Array(0),
      lightOffsets: new Int32Array(0),
    },
    lighting: new Uint8Array(0),
    clipNodes: {
      count: clips.length,
      planes: ints(clips.map(([plane]) => plane)),
      children: ints(clips.flatMap(([, front, back]) => [front, back])),
    },
    leafs: {
      count: leafs.length,
      contents: ints(leafs),
      visOffsets: new Int32Array(leafs.length).fill(-1),
      mins: new Float32Array(3 * leafs.length),
      maxs: new Float32Array(3 * leafs.length),
      firstMarkSurfaces: new Int32Array(leafs.length),
      numMarkSurfaces: new Int32Array(leafs.length),
    },
    markSurfaces: new Int32Array(0),
    edges: new Int32Array(0),
    surfEdges: new Int32Array(0),
    models: made,
    extensions: [],
    lumps: {} as Quake1File['lumps'],
  };
}

/** The same map for every test: a room 128 wide with a pillar, in all hulls, and a door 8 wide as model 1. No faces. */
export function roomFile(version: Quake1Version = 29): Quake1File {
  const grown = (by: number): MadeTree =>
    boxTree(
      [-64 + by, -64 + by, -64 + by],
      [64 - by, 64 - by, 64 - by],
      solidBox([-8 - by, -8 - by, -64 + by], [8 + by, 8 + by, 64 - by]),
    );
  const door = { nodes: solidBox([-4, -4, -4], [4, 4, 4]) };
  const world = { nodes: grown(0), hulls: [grown(16), grown(24), grown(8)].slice(0, version === 30 ? 3 : 2) };
  return makeFile(
    [world, { ...door, hulls: world.hulls.map(() => solidBox([-20, -20, -20], [20, 20, 20])) }],
    version,
  );
}

/** The tree of a solid box in the open. */
export function solidBox(mins: readonly number[], maxs: readonly number[]): MadeTree {
  let tree: MadeTree = SOLID;
  for (const axis of [2, 1, 0] as const) {
    tree = { plane: across(axis, mins[axis]!), front: tree, back: EMPTY };
    tree = { plane: across(axis, maxs[axis]!), front: EMPTY, back: tree };
  }
  return tree;
}

/** Coordinates as maps have them: whole numbers and halves, where ties happen, and anything between. */
const coordinate: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: -64, max: 64 }),
  fc.integer({ min: -128, max: 128 }).map((n) => n / 2 + 0.03125),
  fc.float({ min: -80, max: 80, noNaN: true }),
);

export const point: fc.Arbitrary<[number, number, number]> = fc.tuple(coordinate, coordinate, coordinate);

const plane: fc.Arbitrary<MadePlane> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom(0, 1, 2), coordinate).map(([axis, dist]) => across(axis as 0, dist)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.integer({ min: -9, max: 9 }),
        fc.integer({ min: -9, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        coordinate,
      )
      .map(([x, y, z, dist]): MadePlane => {
        const length = Math.hypot(x, y, z);
        const normal = [x, y, z].map((n) => Math.fround(n / length)) as [number, number, number];
        return { normal, dist: Math.fround(dist), type: 5 };
      }),
  },
);

/** Trees of any shape, with open, solid and water ends. */
export const tree: fc.Arbitrary<MadeTree> = fc.letrec<{ tree: MadeTree; node: MadeTree; end: MadeTree }>(
  (tie) => ({
    end: fc.constantFrom(-1, -1, -2, -2, -3),
    node: fc.record({ plane, front: tie('tree'), back: tie('tree') }),
    tree: fc.oneof({ maxDepth: 7, depthSize: 'large' }, tie('end'), { arbitrary: tie('node'), weight: 4 }),
  }),
).node;

/**
 * Calls `ask` with each kernel in turn that can move a tracer's hull: WebAssembly, then TypeScript, the only one for box
 * entities.
 */
export function inKernels(tracer: HullTracer, ask: (tracer: HullTracer) => void): void {
  ask(tracer);
  if (tracer.model < 0) return;
  const own = tracer as unknown as { _kernel: HullKernel; _target: { _memory: WorldMemory } };
  const wasm = own._kernel;
  if (wasm instanceof HullWalk) throw new Error('there is no WebAssembly, or it is switched off');
  own._kernel = createHullWalk(own._target._memory);
  try {
    ask(tracer);
  } finally {
    own._kernel = wasm;
  }
}
