import {
  BLOCK_BYTES,
  BRUSH_BYTES,
  BRUSH_END,
  BRUSH_PLACE,
  BRUSH_SIDE,
  BRUSHES,
  BRUSHES_END,
  CHILD_EMPTY,
  CHILD_LEAF,
  GRID,
  LEAF_BYTES,
  LEAF_END,
  LEAF_NUMBER,
  NODE_BACK,
  NODE_BOUNDS,
  NODE_BYTES,
  NODE_FRONT,
  NODE_TYPE,
  REF_BRUSH,
  REF_BYTES,
} from './hot-layout.ts';
import {
  BRUSH_BOUNDS,
  BRUSH_SIDES,
  BRUSH_WORDS,
  KIND_MASK,
  LEAF_WORDS,
  NODE_WORDS,
  PLANE_WORDS,
  SIDE_WORDS,
} from './layout.ts';
import type { BrushMemory } from './memory.ts';
import type { Writer } from './writer.ts';

// What the kernel in WebAssembly walks, laid out as `hot-layout.ts` says.

/** Sides in a block. */
const LANE_COUNT = 4;

type Trees = Pick<BrushMemory, 'ints' | 'floats' | 'places'>;

/** Writes all brushes; gives their addresses. */
export function writeHotBrushes({ ints, floats, places }: Trees, out: Writer): Int32Array {
  const addresses = new Int32Array(places.brushes.count);
  out.ints[BRUSHES >> 2] = (out.length + 31) & ~31;
  for (let brush = 0; brush < addresses.length; brush++) {
    const place = places.brushes.first + BRUSH_WORDS * brush;
    const firstSide = ints[place + BRUSH_SIDES]!;
    const numSides = ints[place + BRUSH_SIDES + 1]!;
    const bytes = BRUSH_BYTES + BLOCK_BYTES * Math.ceil(numSides / LANE_COUNT);
    const at = out.take(bytes);
    addresses[brush] = at;
    out.ints[at >> 2] = ints[place]!;
    out.ints[(at + BRUSH_PLACE) >> 2] = place;
    out.ints[(at + BRUSH_SIDE) >> 2] = firstSide;
    out.ints[(at + BRUSH_END) >> 2] = at + bytes;
    // Lanes without a side have a plane that everything is behind.
    for (let lane = numSides; lane % LANE_COUNT !== 0; lane++) {
      out.floats[blockWord(at, lane) + 3 * LANE_COUNT] = Infinity;
    }
    for (let side = 0; side < numSides; side++) {
      const word = blockWord(at, side);
      for (let k = 0; k < 4; k++) {
        out.floats[word + LANE_COUNT * k] = floats[firstSide + SIDE_WORDS * side + k]!;
      }
    }
  }
  out.ints[BRUSHES_END >> 2] = out.length;
  return addresses;
}

/** Word of a side's first number in a brush. */
function blockWord(brush: number, side: number): number {
  return (brush + BRUSH_BYTES + BLOCK_BYTES * Math.floor(side / LANE_COUNT)) / 4 + (side % LANE_COUNT);
}

/** Copies trees, without what holds no brushes. */
export class TreeBuilder {
  private readonly _memory: Trees;
  private readonly _out: Writer;
  private readonly _brushes: Int32Array;
  /** Leafs below a node; below 0 where there are brushes too. */
  private readonly _leafs: Int32Array;
  /** Children made so far. */
  private readonly _children: Map<number, number> = new Map();

  constructor(memory: Trees, out: Writer, brushes: Int32Array) {
    this._memory = memory;
    this._out = out;
    this._brushes = brushes;
    this._leafs = new Int32Array(memory.places.nodes.count);
  }

  /** The child that stands for a node, or for a leaf: -1 - its number. */
  child(number: number): number {
    const leafs = this._survey(number);
    if (leafs > 0) return CHILD_EMPTY | (leafs << 2);
    let child = this._children.get(number);
    if (child === undefined) {
      child = number >= 0 ? this._node(number) : this._leaf(-1 - number) | CHILD_LEAF;
      this._children.set(number, child);
    }
    return child;
  }

  private _survey(child: number): number {
    const { ints, places } = this._memory;
    if (child < 0) return ints[places.leafs.first + LEAF_WORDS * (-1 - child) + 2] === 0 ? 1 : -1;
    let leafs = this._leafs[child]!;
    if (leafs === 0) {
      const at = places.nodes.first + NODE_WORDS * child;
      const front = this._survey(ints[at + 2]!);
      const back = this._survey(ints[at + 3]!);
      leafs = Math.abs(front) + Math.abs(back);
      if (front < 0 || back < 0) leafs = -leafs;
      this._leafs[child] = leafs;
    }
    return leafs;
  }

  private _node(number: number): number {
    const { ints, floats, places } = this._memory;
    const out = this._out;
    const record = places.nodes.first + NODE_WORDS * number;
    const kind = ints[record]! & KIND_MASK;
    const at = out.take(NODE_BYTES);
    const plane = places.planes.first + PLANE_WORDS * (ints[record]! >>> 4);
    for (let k = 0; k < 3; k++) out.floats[(at >> 2) + k] = floats[plane + k]!;
    out.floats[(at >> 2) + 3] = floats[record + 1]!;
    out.ints[(at + NODE_TYPE) >> 2] = kind;
    const front = this.child(ints[record + 2]!);
    const back = this.child(ints[record + 3]!);
    out.ints[(at + NODE_FRONT) >> 2] = front;
    out.ints[(at + NODE_BACK) >> 2] = back;
    const shorts = new Int16Array(out.ints.buffer);
    const bounds = (at + NODE_BOUNDS) >> 1;
    shorts.fill(-0x8000, bounds, bounds + 6);
    this._widen(shorts, bounds, front);
    this._widen(shorts, bounds, back);
    return at;
  }

  /** Widens bounds by those of a child: all six numbers are the greater, the farther out. */
  private _widen(shorts: Int16Array, bounds: number, child: number): void {
    if ((child & CHILD_EMPTY) !== 0) return;
    const isLeaf = (child & CHILD_LEAF) !== 0;
    const at = child & ~CHILD_LEAF;
    const end = isLeaf ? this._out.ints[(at + LEAF_END) >> 2]! : at + NODE_BOUNDS + REF_BYTES;
    for (let from = isLeaf ? at + LEAF_BYTES : at + NODE_BOUNDS; from < end; from += REF_BYTES) {
      for (let k = 0; k < 6; k++) {
        shorts[bounds + k] = Math.max(shorts[bounds + k]!, shorts[from / 2 + k]!);
      }
    }
  }

  private _leaf(number: number): number {
    const { ints, floats, places } = this._memory;
    const out = this._out;
    const record = places.leafs.first + LEAF_WORDS * number;
    const count = ints[record + 2]!;
    const at = out.take(LEAF_BYTES + REF_BYTES * count);
    out.ints[at >> 2] = ints[record]!;
    out.ints[(at + LEAF_NUMBER) >> 2] = number;
    out.ints[(at + LEAF_END) >> 2] = at + LEAF_BYTES + REF_BYTES * count;
    const shorts = new Int16Array(out.ints.buffer);
    for (let k = 0; k < count; k++) {
      const brush = ints[ints[record + 1]! + k]!;
      const ref = at + LEAF_BYTES + REF_BYTES * k;
      for (let axis = 0; axis < 3; axis++) {
        shorts[ref / 2 + axis] = quarters(-floats[brush + BRUSH_BOUNDS + axis]!);
        shorts[ref / 2 + 3 + axis] = quarters(floats[brush + BRUSH_BOUNDS + 3 + axis]!);
      }
      out.ints[(ref + REF_BRUSH) >> 2] = this._brushes[(brush - places.brushes.first) / BRUSH_WORDS]!;
    }
    return at;
  }
}

/** A bound on the grid, rounded up, within 16 bits. */
function quarters(bound: number): number {
  return Math.max(-0x8000, Math.min(0x7fff, Math.ceil(GRID * bound)));
}
