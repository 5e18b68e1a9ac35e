import {
  B_END,
  B_EXTENTS,
  B_HEAD,
  B_MAXS,
  B_MINS,
  B_START,
  BOX_FRAME_FLOATS,
  type BoxSettings,
  BRUSH_WORDS,
  type BrushFile,
  type BrushMemory,
  type BrushRules,
  boundMove,
  checkReach,
  clearAnswer,
  createBlock,
  LEAF_WORDS,
  NODE_WORDS,
  OBLIQUE,
  PLANE_WORDS,
  R_BRUSH,
  R_CONTENTS,
  R_NORMAL,
  R_START_SOLID,
  S_MASK,
  S_POINT,
  S_STILL,
  SIDE_WORDS,
  traceHead,
  writeBrushes,
} from '../src/index.ts';

/** A plane: normal and distance. */
export type Plane = readonly [x: number, y: number, z: number, dist: number];

/** The planes of a box. */
export const boxPlanes = (mins: readonly number[], maxs: readonly number[]): Plane[] =>
  [0, 1, 2].flatMap((axis): Plane[] => {
    const facing = (sign: number): [number, number, number] =>
      [0, 1, 2].map((k) => (k === axis ? sign : 0)) as [number, number, number];
    return [
      [...facing(1), maxs[axis]!],
      [...facing(-1), -mins[axis]!],
    ];
  });

/** What to make a file from. Children and heads below 0 are leafs. */
export interface Parts {
  readonly brushes: readonly { readonly planes: readonly Plane[]; readonly contents?: number }[];
  /** For each leaf, the brushes that it lists, and its contents. */
  readonly leafs: readonly { readonly brushes: readonly number[]; readonly contents: number }[];
  readonly nodes: readonly { readonly plane: Plane; readonly children: readonly [number, number] }[];
}

type File = BrushFile & {
  readonly nodes: { readonly count: number; readonly planes: Int32Array };
  readonly planes: { readonly count: number; readonly types: Int32Array };
  readonly leafs: { readonly count: number; readonly contents: Int32Array };
  readonly sides: { readonly count: number };
};

/** A file as a format's reader returns it. */
export function makeFile({ brushes, leafs, nodes }: Parts): File {
  const planes = [...brushes.flatMap((brush) => brush.planes), ...nodes.map(({ plane }) => plane)];
  const numSides = brushes.reduce((sum, brush) => sum + brush.planes.length, 0);
  const firsts = (lengths: readonly number[]): Int32Array =>
    Int32Array.from(lengths, (_, k) => lengths.slice(0, k).reduce((sum, length) => sum + length, 0));
  const sidesOf = brushes.map((brush) => brush.planes.length);
  const listed = leafs.map((leaf) => leaf.brushes.length);
  return {
    planes: {
      count: planes.length,
      normals: Float32Array.from(planes.flatMap((plane) => plane.slice(0, 3))),
      dists: Float32Array.from(planes, ([, , , dist]) => dist),
      types: Int32Array.from(planes, (plane) => {
        const axis = plane.slice(0, 3).indexOf(1);
        return axis < 0 ? OBLIQUE : axis;
      }),
    },
    nodes: {
      count: nodes.length,
      planes: Int32Array.from(nodes, (_, k) => numSides + k),
      children: Int32Array.from(nodes.flatMap(({ children }) => children)),
    },
    leafs: {
      count: leafs.length,
      contents: Int32Array.from(leafs, ({ contents }) => contents),
      firstBrushes: firsts(listed),
      numBrushes: Int32Array.from(listed),
    },
    leafBrushes: Int32Array.from(leafs.flatMap((leaf) => leaf.brushes)),
    brushes: {
      count: brushes.length,
      firstSides: firsts(sidesOf),
      numSides: Int32Array.from(sidesOf),
      contents: Int32Array.from(brushes, ({ contents = 1 }) => contents),
    },
    sides: {
      count: numSides,
      planes: Int32Array.from({ length: numSides }, (_, k) => k),
      textures: new Int32Array(numSides).fill(-1),
    },
  };
}

const RULES: BrushRules = { inDouble: false, touchMargin: 1, touchEpsilon: 0 };

/** The world of a file, opened. */
export function openFile(file: File, rules: Partial<BrushRules> = {}): BrushMemory {
  const counts = {
    nodes: NODE_WORDS * file.nodes.count,
    planes: PLANE_WORDS * file.planes.count,
    leafs: LEAF_WORDS * file.leafs.count,
    leafBrushes: file.leafBrushes.length,
    brushes: BRUSH_WORDS * file.brushes.count,
    sides: SIDE_WORDS * file.sides.count,
  };
  const places = {} as Record<keyof typeof counts, { first: number; count: number }>;
  // Place 0 means none.
  let words = 1;
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) {
    places[name] = { first: words, count: counts[name] };
    words += counts[name];
  }
  const data = new ArrayBuffer(4 * words);
  const memory = { ints: new Int32Array(data), floats: new Float32Array(data), places };
  const first = { planes: 0, leafs: 0, leafBrushes: 0, brushes: 0, sides: 0 };
  writeBrushes({ ...memory, first }, file, file.planes.dists);
  for (let k = 0, at = places.nodes.first; k < file.nodes.count; k++, at += NODE_WORDS) {
    const plane = file.nodes.planes[k]!;
    memory.ints[at] = file.planes.types[plane]! + 16 * plane;
    memory.floats[at + 1] = file.planes.dists[plane]!;
    memory.ints.set(file.nodes.children.subarray(2 * k, 2 * k + 2), at + 2);
  }
  const depth = file.nodes.count + 1;
  const block: BoxSettings = createBlock(B_HEAD + 16);
  return {
    ...memory,
    ...block,
    rules: { ...RULES, ...rules },
    settings: undefined,
    traces: new Int32Array(1),
    brushStamps: new Int32Array(file.brushes.count),
    boxFrames: new Float32Array(BOX_FRAME_FLOATS * depth),
    boxFrameNodes: new Int32Array(depth),
  };
}

/** Traces a box of this half size, and returns the block's results. */
export function traceBox(
  memory: BrushMemory,
  start: readonly number[],
  end: readonly number[],
  half = 0,
  root = 0,
): { fraction: number; normal: number[]; startSolid: boolean; contents: number; hit: boolean } {
  const { box, boxState } = memory;
  for (let k = 0; k < 3; k++) {
    box[B_START + k] = start[k]!;
    box[B_END + k] = end[k]!;
    box[B_MINS + k] = -half;
    box[B_MAXS + k] = half;
    box[B_EXTENTS + k] = half;
  }
  boxState[S_MASK] = -1;
  boxState[S_POINT] = half === 0 ? 1 : 0;
  boxState[S_STILL] = start.every((x, k) => x === end[k]) ? 1 : 0;
  checkReach(memory);
  clearAnswer(memory);
  boundMove(memory);
  traceHead(memory, root);
  return {
    fraction: box[B_HEAD]!,
    normal: Array.from(box.subarray(B_HEAD + R_NORMAL, B_HEAD + R_NORMAL + 3)),
    startSolid: boxState[B_HEAD + R_START_SOLID] !== 0,
    contents: boxState[B_HEAD + R_CONTENTS]!,
    hit: boxState[B_HEAD + R_BRUSH] !== 0,
  };
}
