import type { Bounds6 } from '@bspkit/brushes';
import { unionSplit } from './bounds.ts';
import {
  CONTENTS_ACTORCLIP,
  CONTENTS_LIGHTCLIP,
  CONTENTS_PASSABLE,
  CONTENTS_SOLID,
  CONTENTS_WEAPONCLIP,
  REGULAR_MODELS,
} from './constants.ts';
import type { UfoaiFile } from './file.ts';
import {
  LINE_BLOCKED,
  LINE_BOX,
  LINE_BOX_WORDS,
  LINE_NODE_WORDS,
  LINE_OBLIQUE,
  LINE_OBLIQUE_WORDS,
  LINE_OPEN,
  LINE_UNION,
} from './layout.ts';

/** Root of a tree that lines walk; the engine calls it a thead. */
export interface LineHead {
  /** Model in the file: a level set (0 to 255), a clip (256 to 258), or an inline model's phantom. */
  readonly model: number;
  /** Place in the line section; 0 when nothing below it blocks. */
  readonly root: number;
  /** Nodes of the tree as the engine has it, before pruning; 0 for a phantom. */
  readonly nodes: number;
  /** Leafs that hold brushes and still do not block: the wiki's stumps. */
  readonly stumps: number;
  /** Bounds of what blocks, with room for rounding; `undefined` if nothing does. */
  readonly blocking: Bounds6 | undefined;
}

const BLOCKING = CONTENTS_SOLID | CONTENTS_ACTORCLIP | CONTENTS_WEAPONCLIP | CONTENTS_LIGHTCLIP;

/** Whether a leaf with these contents stops lines. */
function blocksLines(contents: number): boolean {
  return (contents & BLOCKING) !== 0 && (contents & CONTENTS_PASSABLE) === 0;
}

// What is below a node: nothing that blocks, only what blocks, or both.
const OPEN = 0;
const BLOCKED = 1;
const MIXED = 2;

/** With fewer nodes than this, walking a tree is faster than testing its bounds. */
const BOUNDED_NODES = 4;

const EVERYWHERE: Bounds6 = [-1e9, -1e9, -1e9, 1e9, 1e9, 1e9];
const NOWHERE: Bounds6 = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];

const nodeWords = (kind: number): number => (kind === LINE_OBLIQUE ? LINE_OBLIQUE_WORDS : LINE_NODE_WORDS);

/** The growing line section of a world. */
export class LineWriter {
  /** Words used. The first is left free, so that no place is 0. */
  length: number = 1;
  /** Depth of the deepest tree, in nodes. */
  depth: number = 0;
  private _ints: Int32Array = new Int32Array(1 << 14);
  private _floats: Float32Array = new Float32Array(this._ints.buffer);

  /** Makes room for `words` more; returns their place. */
  take(words: number): number {
    const place = this.length;
    this.length += words;
    if (this.length > this._ints.length) {
      const grown = new Int32Array(2 * Math.max(this.length, this._ints.length));
      grown.set(this._ints);
      this._ints = grown;
      this._floats = new Float32Array(grown.buffer);
    }
    return place;
  }

  int(place: number, value: number): void {
    this._ints[place] = value;
  }

  float(place: number, value: number): void {
    this._floats[place] = value;
  }

  /** Copies everything to `first` in a world's buffer, where places become those of the buffer. */
  copyTo(ints: Int32Array, first: number): void {
    ints.set(this._ints.subarray(0, this.length), first);
    let at = 1;
    const move = (place: number): void => {
      if (ints[first + place]! > LINE_OPEN) ints[first + place]! += first;
    };
    while (at < this.length) {
      const kind = this._ints[at]!;
      if (kind === LINE_BOX) {
        at += LINE_BOX_WORDS;
        continue;
      }
      move(at + 2);
      move(at + 3);
      at += nodeWords(kind);
    }
  }
}

/**
 * Line heads of a tile, in the engine's order: one for each model that is not empty. Inline models get no tree of their
 * own; in the engine their heads are zero records, which split by x = 0 and walk the tile's first tree once more.
 */
export function buildLineHeads(
  file: UfoaiFile,
  dists: Float32Array,
  shift: readonly number[],
  out: LineWriter,
): LineHead[] {
  const heads: LineHead[] = [];
  const builder = new LineBuilder(file, dists, shift, out);
  let phantom: number | undefined;
  for (const [model, { headNode }] of file.models.entries()) {
    if (headNode < 0) continue;
    if (model < REGULAR_MODELS) {
      heads.push(builder.head(model, headNode));
    } else {
      phantom ??= heads[0] ? builder.phantom(heads[0]) : 0;
      heads.push({ model, root: phantom, nodes: 0, stumps: 0, blocking: heads[0]?.blocking });
    }
  }
  return heads;
}

/** A node as lines see it; for a union that does not split, `front` is walked before `back`. */
interface Split {
  type: number;
  dist: number;
  x: number;
  y: number;
  z: number;
  front: number;
  back: number;
}

class LineBuilder {
  private readonly _file: UfoaiFile;
  private readonly _dists: Float32Array;
  private readonly _shift: readonly number[];
  private readonly _out: LineWriter;
  private readonly _state: Uint8Array;
  private readonly _bounds: Float64Array;
  /** How many nodes of a tree are left after pruning. */
  private readonly _sizes: Int32Array;
  /** The room that is left to each node on the way down: six numbers per level of depth. */
  private _rooms: Float64Array = new Float64Array(0);
  private _nodes = 0;
  private _stumps = 0;
  private _margin = 0;

  constructor(file: UfoaiFile, dists: Float32Array, shift: readonly number[], out: LineWriter) {
    this._file = file;
    this._dists = dists;
    this._shift = shift;
    this._out = out;
    this._state = new Uint8Array(file.nodes.count);
    this._bounds = new Float64Array(6 * file.nodes.count);
    this._sizes = new Int32Array(file.nodes.count);
  }

  /** Builds the tree below a regular model's head node. */
  head(model: number, root: number): LineHead {
    this._nodes = 0;
    this._stumps = 0;
    const depth = this._depth(root);
    this._out.depth = Math.max(this._out.depth, depth + 1);
    this._margin = margin(depth + 1);
    this._rooms = new Float64Array(6 * (depth + 2));
    this._rooms.set(EVERYWHERE);
    const state = this._survey(root, 0);
    if (state === OPEN) {
      return { model, root: 0, nodes: this._nodes, stumps: this._stumps, blocking: undefined };
    }
    const blocking = [...this._bounds.subarray(6 * root, 6 * root + 6)] as Bounds6;
    const place = this._box(blocking, 0);
    this._node(root);
    return { model, root: place, nodes: this._nodes, stumps: this._stumps, blocking };
  }

  /** The zero record of inline models: both children are the tile's first tree. */
  phantom({ root, blocking }: LineHead): number {
    if (!blocking) return 0;
    const place = this._box(blocking, 0);
    const node = this._out.take(LINE_NODE_WORDS);
    this._out.int(node + 2, root);
    this._out.int(node + 3, root);
    return place;
  }

  private _depth(node: number): number {
    if (node < 0) return 0;
    this._nodes++;
    const { children } = this._file.nodes;
    return 1 + Math.max(this._depth(children[2 * node]!), this._depth(children[2 * node + 1]!));
  }

  private _split(node: number): Split {
    const { nodes, planes } = this._file;
    const plane = nodes.planes[node]!;
    const [first, second] = [nodes.children[2 * node]!, nodes.children[2 * node + 1]!];
    if (plane < 0) {
      const { axis, dist } = unionSplit(this._file, this._shift, first, second);
      if (axis < 0) return { type: LINE_UNION, dist: 0, x: 0, y: 0, z: 0, front: first, back: second };
      return { type: axis, dist, x: 0, y: 0, z: 0, front: second, back: first };
    }
    return {
      type: Math.min(LINE_OBLIQUE, planes.types[plane]!),
      dist: this._dists[plane]!,
      x: planes.normals[3 * plane]!,
      y: planes.normals[3 * plane + 1]!,
      z: planes.normals[3 * plane + 2]!,
      front: first,
      back: second,
    };
  }

  /** What is below a child within a room of `_rooms`, and for nodes the bounds of what blocks. */
  private _survey(child: number, room: number): number {
    if (child < 0) {
      const { contents, numBrushes } = this._file.leafs;
      const blocks = blocksLines(contents[-1 - child]!);
      if (!blocks && numBrushes[-1 - child]! > 0) this._stumps++;
      return blocks ? BLOCKED : OPEN;
    }
    const split = this._split(child);
    const at = 6 * child;
    const rooms = this._rooms;
    const part = room + 6;
    this._bounds.set(NOWHERE, at);
    let size = 1;
    let open = true;
    // A union's two answers are compared by distance, so even two blocked children must both be walked there.
    let blocked = split.type !== LINE_UNION;
    for (let side = 0; side < 2; side++) {
      const below = side === 0 ? split.front : split.back;
      rooms.copyWithin(part, room, room + 6);
      cut(rooms, part, split, side, this._margin);
      const state = this._survey(below, part);
      if (below >= 0) size += this._sizes[below]!;
      if (state !== BLOCKED) blocked = false;
      if (state === OPEN) continue;
      open = false;
      if (below < 0) widenAt(this._bounds, at, rooms, part);
      else widenAt(this._bounds, at, this._bounds, 6 * below);
    }
    this._state[child] = open ? OPEN : blocked ? BLOCKED : MIXED;
    this._sizes[child] = open || blocked ? 0 : size;
    return this._state[child]!;
  }

  /** Writes a node and all below it in pre-order, so that a walk reads forward in memory. */
  private _node(node: number): number {
    const { type, dist, x, y, z, front, back } = this._split(node);
    const out = this._out;
    const place = out.take(nodeWords(type));
    out.int(place, type);
    out.float(place + 1, dist);
    if (type === LINE_OBLIQUE) {
      out.float(place + 4, x);
      out.float(place + 5, y);
      out.float(place + 6, z);
    }
    const branches = this._below(front) === MIXED && this._below(back) === MIXED;
    const bounded = branches || type === LINE_UNION;
    out.int(place + 2, this._child(front, bounded));
    out.int(place + 3, this._child(back, bounded));
    return place;
  }

  private _below(child: number): number {
    if (child >= 0) return this._state[child]!;
    return blocksLines(this._file.leafs.contents[-1 - child]!) ? BLOCKED : OPEN;
  }

  private _child(child: number, bounded: boolean): number {
    const below = this._below(child);
    if (below !== MIXED) return below === OPEN ? LINE_OPEN : LINE_BLOCKED;
    if (!bounded || this._sizes[child]! < BOUNDED_NODES) return this._node(child);
    const place = this._box(this._bounds, 6 * child);
    this._node(child);
    return place;
  }

  private _box(bounds: ArrayLike<number>, at: number): number {
    const place = this._out.take(LINE_BOX_WORDS);
    this._out.int(place, LINE_BOX);
    for (let k = 0; k < 6; k++) this._out.float(place + 1 + k, bounds[at + k]!);
    return place;
  }
}

/** Widens six numbers of bounds to contain six others too. */
function widenAt(bounds: Float64Array, at: number, other: Float64Array, from: number): void {
  for (let k = 0; k < 3; k++) {
    bounds[at + k] = Math.min(bounds[at + k]!, other[from + k]!);
    bounds[at + 3 + k] = Math.max(bounds[at + 3 + k]!, other[from + 3 + k]!);
  }
}

/**
 * How far beyond its planes a leaf may still be reached by the pieces of a line, in a tree of some depth.
 *
 * A walk keeps a piece on one side of a plane while both its ends are within 0.1 of that side. Rounding adds to that: with
 * coordinates below 2^13 (LINE_CULL_LIMIT), a float32 operation has an error of 2^-11 at most. A point where a line is split lies
 * within 40 of these from the plane, and within 6 on each axis from the piece it was taken from, once for every split on the way
 * down. So it may drift out of the room by 6 * 1.74 (the sum of a unit normal's components), and by 6 more away from what bounds
 * are compared with: the line itself, or the box around a piece of it. The last term is for the rounding of the bounds themselves.
 */
function margin(depth: number): number {
  return 0.1 + 2 ** -11 * (40 + 17 * depth) + 0.01;
}

/** Cuts a room to what is in front of a plane (side 0) or behind it (side 1), as far as a box can represent that. */
function cut(
  rooms: Float64Array,
  at: number,
  { type, dist, x, y, z }: Split,
  side: number,
  slack: number,
): void {
  if (type === LINE_UNION) return;
  if (type < LINE_OBLIQUE) {
    if (side === 0) rooms[at + type] = Math.max(rooms[at + type]!, dist - slack);
    else rooms[at + 3 + type] = Math.min(rooms[at + 3 + type]!, dist + slack);
    return;
  }
  const sign = side === 0 ? 1 : -1;
  const least = sign * dist - slack;
  // The greatest value of normal * point along each axis within the room.
  const mostX = Math.max(sign * x * rooms[at]!, sign * x * rooms[at + 3]!);
  const mostY = Math.max(sign * y * rooms[at + 1]!, sign * y * rooms[at + 4]!);
  const mostZ = Math.max(sign * z * rooms[at + 2]!, sign * z * rooms[at + 5]!);
  trim(rooms, at, sign * x, least - mostY - mostZ);
  trim(rooms, at + 1, sign * y, least - mostX - mostZ);
  trim(rooms, at + 2, sign * z, least - mostX - mostY);
}

/** Keeps the part of one axis of a room where `normal * x` is `least` or more. */
function trim(rooms: Float64Array, at: number, normal: number, least: number): void {
  // If the plane hardly leans on this axis, it says little about it, with large errors.
  if (Math.abs(normal) < 1e-3) return;
  if (normal > 0) rooms[at] = Math.max(rooms[at]!, least / normal);
  else rooms[at + 3] = Math.min(rooms[at + 3]!, least / normal);
}
