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
  CHILD_TYPE,
  GRID,
  LEAF_BYTES,
  LEAF_END,
  LEAF_NUMBER,
  NODE_BYTES,
  NODE_FRONT,
  NODE_LEAFS,
  NODE_PLANES,
  NODE_SIDES,
  REF_BRUSH,
  REF_BYTES,
  SIDE_BYTES,
  SIDE_CONTENTS,
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
    const target = out.floats;
    for (let side = 0, from = firstSide; side < numSides; side++, from += SIDE_WORDS) {
      const word = blockWord(at, side);
      target[word] = floats[from]!;
      target[word + LANE_COUNT] = floats[from + 1]!;
      target[word + 2 * LANE_COUNT] = floats[from + 2]!;
      target[word + 3 * LANE_COUNT] = floats[from + 3]!;
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
  /** Children made so far, 0 where none was: of leafs, behind those of nodes. */
  private readonly _children: Int32Array;
  private _nextNode: number;
  private readonly _planes: number;
  private readonly _sides: number;

  constructor(memory: Trees, out: Writer, brushes: Int32Array) {
    const { count } = memory.places.nodes;
    this._memory = memory;
    this._out = out;
    this._brushes = brushes;
    this._leafs = new Int32Array(count);
    this._children = new Int32Array(count + memory.places.leafs.count);
    this._nextNode = out.take(NODE_BYTES * count);
    this._planes = out.take(NODE_BYTES * count) - this._nextNode;
    this._sides = out.take(2 * SIDE_BYTES * count) - 2 * this._nextNode;
    out.ints[NODE_PLANES >> 2] = this._planes;
    out.ints[NODE_SIDES >> 2] = this._sides;
  }

  /** The child that stands for a node, or for a leaf: -1 - its number. */
  child(number: number): number {
    const leafs = this._survey(number);
    if (leafs > 0) return CHILD_EMPTY | (leafs << 2);
    const index = number >= 0 ? number : this._leafs.length - 1 - number;
    let child = this._children[index]!;
    if (child === 0) {
      child = number >= 0 ? this._node(number) : this._leaf(-1 - number) | CHILD_LEAF;
      this._children[index] = child;
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
    const at = this._nextNode;
    this._nextNode += NODE_BYTES;
    const plane = places.planes.first + PLANE_WORDS * (ints[record]! >>> 4);
    const normal = (at + this._planes) >> 2;
    for (let k = 0; k < 3; k++) out.floats[normal + k] = floats[plane + k]!;
    out.floats[normal + 3] = floats[record + 1]!;
    out.floats[at >> 2] = floats[record + 1]!;
    out.ints[(at + NODE_LEAFS) >> 2] = Math.abs(this._leafs[number]!);
    for (let side = 0; side < 2; side++) {
      const child = this.child(ints[record + 2 + side]!);
      out.ints[((at + NODE_FRONT) >> 2) + side] = child;
      this._describe(2 * at + this._sides + SIDE_BYTES * side, child);
    }
    return at | ((ints[record]! & KIND_MASK) << 2);
  }

  /** Writes a side: what is below a child. */
  private _describe(side: number, child: number): void {
    const { ints, shorts } = this._out;
    for (let at = side / 2; at < side / 2 + 6; at++) shorts[at] = -0x8000;
    if ((child & CHILD_EMPTY) !== 0) return;
    const contents = (side + SIDE_CONTENTS) >> 2;
    if ((child & CHILD_LEAF) !== 0) {
      const leaf = child & ~CHILD_LEAF;
      ints[contents] = ints[leaf >> 2]!;
      const end = ints[(leaf + LEAF_END) >> 2]!;
      for (let ref = leaf + LEAF_BYTES; ref < end; ref += REF_BYTES) this._widen(side, ref);
      return;
    }
    const first = 2 * (child & ~CHILD_TYPE) + this._sides;
    for (let below = first; below <= first + SIDE_BYTES; below += SIDE_BYTES) {
      ints[contents]! |= ints[(below + SIDE_CONTENTS) >> 2]!;
      this._widen(side, below);
    }
  }

  /** Widens bounds by others: all six numbers are the greater, the farther out. */
  private _widen(bounds: number, by: number): void {
    const { shorts } = this._out;
    const away = (by - bounds) / 2;
    for (let at = bounds / 2, end = at + 6; at < end; at++) {
      const other = shorts[at + away]!;
      if (other > shorts[at]!) shorts[at] = other;
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
    const { shorts } = out;
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
