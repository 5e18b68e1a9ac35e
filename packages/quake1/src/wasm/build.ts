import { CONTENTS_EMPTY, CONTENTS_SOLID, CONTENTS_TRANSLUCENT } from '../constants.ts';
import type { WorldMemory } from '../kernel/memory.ts';
import type { TreeView } from '../kernel/tree.ts';
import {
  CONTENTS_MASK,
  DEPTH_WORD,
  DIST_WORD,
  NORMAL_WORD,
  nodeWords,
  PLANE_WORDS,
  packedContents,
} from '../layout.ts';
import {
  END,
  FAR,
  FLAG_IN_OPEN,
  FLAG_IN_WATER,
  FLAG_START_SOLID,
  FLAG_TRANSLUCENT,
  FRAME_BYTES,
  FRAMES,
  LEAF_BIT,
  LEAF_CONTENTS,
  LEAF_FLAGS,
  MARGIN_CUT,
  MARGIN_FACTOR,
  MARGIN_LEAST,
  MOVE_FRAMES,
  NUMBERS,
  PATH,
  PLANES,
  STEP_BYTES,
  TREELET_BYTES,
  TREELET_DIST,
  TREELET_EXITS,
  TREELET_Y,
  TREELET_Z,
} from './layout.ts';
import { cutTreelets, TREELET_NODES, type Treelets, TREELET_EXITS as WAYS, weighNodes } from './treelets.ts';

/** A world's trees as treelets, and where they go in the kernel's memory. */
export interface HotPlan {
  readonly bytes: number;
  /** Heads as the kernel has them, in the order of the world's. */
  readonly heads: Int32Array;
  readonly trees: readonly HotTree[];
  /** Where the plane numbers of all nodes go, the planes, and a bundle's path. */
  readonly numbers: number;
  readonly planes: number;
  readonly path: number;
  /** Bytes of one move's frames. */
  readonly moveFrames: number;
}

interface HotTree {
  readonly treelets: Treelets;
  /** Each node's place in the world's buffer. */
  readonly places: Int32Array;
  /** Where its treelets go. */
  readonly first: number;
}

const address = ({ first }: HotTree, treelet: number): number => first + TREELET_BYTES * treelet;

/** Plans the hot section. */
export function planHot({ ints, places, trees: [nodes, clipNodes], heads }: WorldMemory): HotPlan {
  const trees: HotTree[] = [];
  const hotHeads = Int32Array.from(heads, (head) => (head < 0 ? hotLeaf(head) : 0));
  const moveFrames = FRAME_BYTES * (ints[DEPTH_WORD]! + 1);
  let first = alignUp(FRAMES + LANES * moveFrames);
  for (const [which, view] of [nodes, clipNodes].entries()) {
    const { places, children, numberOf } = readTree(view);
    // Of every four heads the first is of the nodes, the others are of the clip nodes.
    const own = [...heads.keys()].filter((k) => ((k & 3) === 0) === (which === 0) && heads[k]! >= 0);
    const numbers = own.map((k) => numberOf(heads[k]!));
    const weights = weighNodes(children, numbers, (leaf) =>
      packedContents(leaf) === CONTENTS_SOLID ? 0 : 1,
    );
    const tree = { treelets: cutTreelets(children, weights, numbers), places, first };
    for (const [i, k] of own.entries()) hotHeads[k] = address(tree, tree.treelets.numbers[numbers[i]!]!);
    first = address(tree, tree.treelets.count);
    trees.push(tree);
  }
  const count = trees.reduce((sum, { treelets }) => sum + treelets.count, 0);
  const numbers = first;
  const planes = numbers + 4 * TREELET_NODES * count;
  const path = planes + PLANE_BYTES * places.planes.count;
  const bytes = path + STEP_BYTES * (ints[DEPTH_WORD]! + 1);
  return { bytes, heads: hotHeads, trees, numbers, planes, path, moveFrames };
}

const alignUp = (at: number): number => Math.ceil(at / TREELET_BYTES) * TREELET_BYTES;

/** A tree with its nodes numbered in their order, and children by those numbers. */
function readTree({ ints, first, end }: TreeView): {
  places: Int32Array;
  children: Int32Array;
  numberOf: (place: number) => number;
} {
  const places: number[] = [];
  // Nodes are four words or eight.
  const numbers = new Int32Array((end - first) / 4);
  for (let at = first; at < end; at += nodeWords(ints[at]! & 7)) {
    numbers[(at - first) / 4] = places.length;
    places.push(at);
  }
  const numberOf = (place: number): number => numbers[(place - first) / 4]!;
  const children = new Int32Array(2 * places.length);
  for (const [k, place] of places.entries()) {
    for (let side = 0; side < 2; side++) {
      const child = ints[place + 2 + side]!;
      children[2 * k + side] = child < 0 ? child : numberOf(child);
    }
  }
  return { places: Int32Array.from(places), children, numberOf };
}

/** Leafs as the kernel has them, by their contents as a number above 0. */
const LEAFS: Int32Array = /* @__PURE__ */ Int32Array.from(
  { length: CONTENTS_MASK + 1 },
  (_, contents) => LEAF_BIT | (contents << LEAF_CONTENTS) | (leafFlags(-contents) << LEAF_FLAGS),
);

/** A packed leaf as the kernel has it. */
function hotLeaf(leaf: number): number {
  return LEAFS[~leaf & CONTENTS_MASK]!;
}

function leafFlags(contents: number): number {
  if (contents === CONTENTS_SOLID) return FLAG_START_SOLID;
  if (contents === CONTENTS_EMPTY) return FLAG_IN_OPEN;
  return contents === CONTENTS_TRANSLUCENT ? FLAG_TRANSLUCENT : FLAG_IN_WATER;
}

/** Moves of a batch that are looked at together. */
const LANES = 4;

/** Bytes of a plane: its normal and distance. */
const PLANE_BYTES = 16;

/** What one rounding to float32 can change, relative to the number. */
const ROUNDING = 2 ** -24;

/** Coordinates and distances below this never overflow float32. */
const FAR_AWAY = 1e30;

/** Writes the hot section. */
export function writeHot(memory: WorldMemory, plan: HotPlan, buffer: ArrayBuffer): void {
  const { trees } = plan;
  const ints = new Int32Array(buffer);
  const floats = new Float32Array(buffer);
  const dist = memory.floats[DIST_WORD]!;
  floats[FAR / 4] = dist < FAR_AWAY ? FAR_AWAY : 0;
  floats[END / 4 + 3] = 1;
  // As in `setMargin`, but by how many cuts there are, with the sum of both ends for the greater of them and for the length
  // between them, six more roundings for distances in float32, and 1/100 more for what is rounded here.
  const rounding = 1.01 * ROUNDING * Math.max(1, memory.floats[NORMAL_WORD]!);
  floats[MARGIN_FACTOR / 4] = 2 * 6 * rounding;
  floats[MARGIN_CUT / 4] = 3 * rounding;
  floats[MARGIN_LEAST / 4] = 1.01 * ROUNDING * 12 * dist + 1e-30;
  const firstTreelet = trees[0]!.first;
  ints[NUMBERS / 4] = plan.numbers - firstTreelet / 8;
  ints[PLANES / 4] = plan.planes;
  ints[PATH / 4] = plan.path;
  ints[MOVE_FRAMES / 4] = plan.moveFrames;
  writePlanes(memory, floats, plan.planes / 4);
  let numbersAt = plan.numbers / 4;
  for (const tree of trees) {
    const { treelets, places, first } = tree;
    for (let treelet = 0; treelet < treelets.count; treelet++) {
      const at = (first + TREELET_BYTES * treelet) / 4;
      for (let lane = 0; lane < TREELET_NODES; lane++) {
        const node = treelets.nodes[TREELET_NODES * treelet + lane]!;
        ints[numbersAt++] = node < 0 ? -1 : memory.ints[places[node]!]! >> 3;
        writePlane(memory, node < 0 ? -1 : places[node]!, floats, at + lane);
      }
      for (let sides = 0; sides < WAYS; sides++) {
        const way = WAYS * treelet + sides;
        const exit = treelets.exits[way]!;
        const reached = exit < 0 ? hotLeaf(exit) : first + TREELET_BYTES * exit;
        ints[at + TREELET_EXITS / 4 + sides] = reached | treelets.paths[way]!;
      }
    }
  }
}

/** Writes the planes of the file, which axial nodes do not have exactly. */
function writePlanes({ floats, places }: WorldMemory, to: Float32Array, at: number): void {
  for (let plane = 0; plane < places.planes.count; plane++) {
    const from = places.planes.first + PLANE_WORDS * plane;
    for (let k = 0; k < 4; k++) to[at + 4 * plane + k] = floats[from + k]!;
  }
}

/** Writes the plane of the node at `place`, or for -1 one that has everything in front of it. */
function writePlane({ ints, floats }: WorldMemory, place: number, to: Float32Array, at: number): void {
  if (place < 0) {
    to[at + TREELET_DIST / 4] = Number.NEGATIVE_INFINITY;
    return;
  }
  const kind = ints[place]! & 3;
  const dist = floats[place + 1]!;
  to[at] = kind === 3 ? floats[place + 4]! : kind === 0 ? 1 : 0;
  to[at + TREELET_Y / 4] = kind === 3 ? floats[place + 5]! : kind === 1 ? 1 : 0;
  to[at + TREELET_Z / 4] = kind === 3 ? floats[place + 6]! : kind === 2 ? 1 : 0;
  // See wasm/index.ts.
  to[at + TREELET_DIST / 4] = dist === 0 ? -0 : dist;
}
