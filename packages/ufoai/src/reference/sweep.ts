import type { ClipOutcome, Recorder } from '@bspkit/core';
import type { WorldMemory } from '../kernel/memory.ts';
import type { Move, Size } from './prepare.ts';
import {
  between,
  byAxis,
  dot,
  type Point,
  readBrush,
  readLeaf,
  readNode,
  type TreeBrush,
  type TreeSide,
} from './tree.ts';

// Boxes through one tree, written out recursively and without bounds. Slow; the kernels are tested against it, and its
// recorded steps are what `explain` gives.

const f = Math.fround;
const EPSILON = 1 / 32;
/** How far off a plane a position test still takes the box to be on both sides. */
const TOUCH = 0.001;
/** Leafs that a position test looks at, at most. */
const MOST_LEAFS = 1024;

/** The record of a trace, as the engine carries it from tree to tree. */
export interface Found {
  fraction: number;
  normal: Point;
  dist: number;
  startSolid: boolean;
  allSolid: boolean;
  contents: number;
  brush: TreeBrush | undefined;
  side: TreeSide | undefined;
  /** In the tile's file; -1 for none. */
  leaf: number;
  tile: number;
  /** Inline model that was traced; 0 for the world. */
  model: number;
}

export const nothing = (fraction: number): Found => ({
  fraction,
  normal: [0, 0, 0],
  dist: 0,
  startSolid: false,
  allSolid: false,
  contents: 0,
  brush: undefined,
  side: undefined,
  leaf: -1,
  tile: -1,
  model: 0,
});

/** What stops a box. */
interface Filter {
  readonly mask: number;
  readonly reject: number;
}

/** Everything about a trace but the tree. */
interface Query extends Filter {
  readonly memory: WorldMemory;
  readonly size: Size;
  readonly move: Move;
  readonly record: Recorder;
}

/** What the sides of a brush leave of a move. */
interface Clip {
  readonly enter: number;
  readonly leave: number;
  readonly entered: TreeSide | undefined;
  readonly startsOut: boolean;
  readonly endsOut: boolean;
}

/** Traces through the tree below a node, and writes what it finds into the record. */
export function traceTree(query: Query, tile: number, root: number, found: Found): void {
  if (query.move.still) new Touch(query, tile, found).head(root);
  else new Sweep(query, tile, found).head(root);
}

class Sweep {
  private readonly _query: Query;
  private readonly _tile: number;
  private readonly _found: Found;
  private readonly _seen: Set<number> = new Set();

  constructor(query: Query, tile: number, found: Found) {
    this._query = query;
    this._tile = tile;
    this._found = found;
  }

  head(root: number): void {
    const { start, end } = this._query.move;
    this._visit(root, 0, 1, start, end, 0);
  }

  private _visit(child: number, from: number, to: number, start: Point, end: Point, depth: number): void {
    const { memory, size, record } = this._query;
    if (this._found.fraction <= from) return;
    if (child < 0) {
      this._leaf(-1 - child, from, to, depth);
      return;
    }
    const { number, type, normal, dist, children } = readNode(memory, this._tile, child);
    const a = f((type < 3 ? start[type]! : dot(normal, start)) - dist);
    const b = f((type < 3 ? end[type]! : dot(normal, end)) - dist);
    const reach = size.extents.map((extent, k) => Math.abs(f(extent * normal[k]!)));
    const slanted = size.isPoint ? 0 : f(f(reach[0]! + reach[1]!) + reach[2]!);
    const offset = type < 3 ? size.extents[type]! : slanted;
    const shown = { kind: 'node', node: number, depth, normal, dist, start, end } as const;
    const measured = { startFraction: from, endFraction: to, startDist: a, endDist: b, offset };
    for (const side of [0, 1] as const) {
      if (side === 0 ? a < offset || b < offset : a >= -offset || b >= -offset) continue;
      record({ ...shown, ...measured, children: [side] });
      this._visit(children[side], from, to, start, end, depth + 1);
      return;
    }
    const { first, near, far } = splitFractions(a, b, offset);
    const second = first === 0 ? 1 : 0;
    record({ ...shown, ...measured, children: [first, second], split: { near, far } });
    const along = (t: number): number => f(from + f(f(to - from) * t));
    this._visit(children[first], from, along(near), start, between(start, end, near), depth + 1);
    this._visit(children[second], along(far), to, between(start, end, far), end, depth + 1);
  }

  /** A mask of all bits asks for neither contents nor reject. */
  private _passes(contents: number): boolean {
    const { mask, reject } = this._query;
    return (mask | 0) === -1 || ((contents & mask) !== 0 && (contents & reject) === 0);
  }

  private _leaf(leaf: number, startFraction: number, endFraction: number, depth: number): void {
    const { memory, record } = this._query;
    const { number, contents, brushes } = readLeaf(memory, this._tile, leaf);
    record({ kind: 'leaf', leaf: number, depth, contents, startFraction, endFraction });
    if (!this._passes(contents)) return;
    for (const place of brushes) {
      this._brush(readBrush(memory, this._tile, place), number);
      if (this._found.fraction === 0) return;
    }
  }

  private _brush(brush: TreeBrush, leaf: number): void {
    const { number, contents, place } = brush;
    const clip = this._seen.has(place) || !this._passes(contents) ? undefined : this._clip(brush);
    const outcome = this._judge(brush, clip);
    this._seen.add(place);
    const found = this._found;
    if (outcome === 'startSolid' || outcome === 'allSolid') {
      found.startSolid = true;
      if (outcome === 'allSolid') found.allSolid = true;
      found.leaf = leaf;
    } else if (outcome === 'hit') {
      const { enter, entered } = clip!;
      found.fraction = Math.max(enter, 0);
      found.normal = entered!.normal;
      found.dist = entered!.dist;
      found.contents = contents;
      found.brush = brush;
      found.side = entered;
      found.leaf = leaf;
    }
    const { enter, leave, entered } = clip ?? { enter: -1, leave: 1, entered: undefined };
    const side = entered?.number ?? -1;
    this._query.record({ kind: 'brush', brush: number, contents, outcome, enter, leave, side });
  }

  private _judge({ place, contents }: TreeBrush, clip: Clip | undefined): ClipOutcome {
    if (this._seen.has(place)) return 'again';
    if (!this._passes(contents)) return 'masked';
    if (!clip) return 'missed';
    if (!clip.startsOut) return clip.endsOut ? 'startSolid' : 'allSolid';
    if (clip.enter >= clip.leave || clip.enter <= -1) return 'missed';
    return clip.enter < this._found.fraction ? 'hit' : 'farther';
  }

  private _clip({ sides }: TreeBrush): Clip | undefined {
    const { size, move, record } = this._query;
    let enter = -1;
    let leave = 1;
    let entered: TreeSide | undefined;
    let startsOut = false;
    let endsOut = false;
    if (sides.length === 0) return undefined;
    for (const side of sides) {
      const { number, normal } = side;
      const dist = size.isPoint ? side.dist : widened(side, size);
      const startDist = f(dot(move.start, normal) - dist);
      const endDist = f(dot(move.end, normal) - dist);
      if (startDist > 0) startsOut = true;
      if (endDist > 0) endsOut = true;
      const passes = startDist > 0 && endDist >= startDist;
      if (!passes && (startDist > 0 || endDist > 0)) {
        const whole = f(startDist - endDist);
        if (startDist > endDist) {
          const t = f((startDist - EPSILON) / whole);
          if (t > enter) [enter, entered] = [t, side];
        } else {
          leave = Math.min(leave, f((startDist + EPSILON) / whole));
        }
      }
      record({ kind: 'side', side: number, normal, dist, startDist, endDist, enter, leave });
      if (passes) return undefined;
    }
    return { enter, leave, entered, startsOut, endsOut };
  }
}

/** A side's distance, moved out by the corner of the box that meets it first. */
function widened({ normal, dist }: TreeSide, { mins, maxs }: Size): number {
  const corner: Point = [0, 1, 2].map((k) => (normal[k]! < 0 ? maxs : mins)[k]!) as unknown as Point;
  return f(dist - dot(corner, normal));
}

/** Where the first child's piece ends (`near`) and the second one's begins (`far`), and which is first. */
function splitFractions(a: number, b: number, offset: number): { first: 0 | 1; near: number; far: number } {
  const clamp = (t: number): number => (t < 0 ? 0 : t > 1 ? 1 : t);
  const inverse = f(1 / f(a - b));
  const ahead = f(a + offset);
  const behind = f(a - offset);
  if (a < b) {
    const near = clamp(f((behind + EPSILON) * inverse));
    return { first: 1, near, far: clamp(f((ahead + EPSILON) * inverse)) };
  }
  if (a > b) {
    const near = clamp(f((ahead + EPSILON) * inverse));
    return { first: 0, near, far: clamp(f((behind - EPSILON) * inverse)) };
  }
  return { first: 0, near: 1, far: 0 };
}

/** A position test: first the leafs that the box reaches, then their brushes. */
class Touch {
  private readonly _query: Query;
  private readonly _tile: number;
  private readonly _found: Found;

  constructor(query: Query, tile: number, found: Found) {
    this._query = query;
    this._tile = tile;
    this._found = found;
  }

  head(root: number): void {
    const { memory, mask, reject, record } = this._query;
    const seen = new Set<number>();
    const leafs: { leaf: number; depth: number }[] = [];
    this._collect(root, 0, leafs);
    for (const { leaf, depth } of leafs.slice(0, MOST_LEAFS)) {
      const { number, contents, brushes } = readLeaf(memory, this._tile, leaf);
      record({ kind: 'leaf', leaf: number, depth, contents, startFraction: 0, endFraction: 0 });
      if ((contents & mask) === 0) continue;
      for (const place of brushes) {
        const brush = readBrush(memory, this._tile, place);
        const passes = (brush.contents & mask) !== 0 && (brush.contents & reject) === 0;
        const isNew = !seen.has(place);
        seen.add(place);
        const holds = isNew && passes && this._holds(brush);
        const outcome = !isNew ? 'again' : !passes ? 'masked' : holds ? 'allSolid' : 'missed';
        const shown = { brush: brush.number, contents: brush.contents, enter: -1, leave: 1, side: -1 };
        record({ kind: 'brush', ...shown, outcome });
        if (!holds) continue;
        this._found.fraction = 0;
        this._found.startSolid = true;
        this._found.allSolid = true;
        this._found.contents = brush.contents;
        this._found.brush = brush;
        return;
      }
    }
  }

  private _collect(child: number, depth: number, leafs: { leaf: number; depth: number }[]): void {
    if (child < 0) {
      leafs.push({ leaf: -1 - child, depth });
      return;
    }
    const { memory, size, move, record } = this._query;
    const { number, type, normal, dist, children } = readNode(memory, this._tile, child);
    // The corners that lie lowest and highest along the normal; axial planes of nodes face up their axis.
    const corner = (most: boolean): Point =>
      byAxis((k) => {
        const faces = type < 3 || normal[k]! >= 0;
        return move.start[k]! + (faces === most ? size.maxs : size.mins)[k]!;
      });
    const [low, high] = [corner(false), corner(true)];
    const front = type < 3 ? high[type]! > dist + TOUCH : f(dot(normal, high) - dist) >= TOUCH;
    const back = type < 3 ? low[type]! < dist - TOUCH : f(dot(normal, low) - dist) < TOUCH;
    // Neither counts as both.
    const entered: (0 | 1)[] = front === back ? [0, 1] : front ? [0] : [1];
    record({
      kind: 'node',
      node: number,
      depth,
      normal,
      dist,
      start: low,
      end: high,
      startFraction: 0,
      endFraction: 0,
      startDist: f((type < 3 ? low[type]! : dot(normal, low)) - dist),
      endDist: f((type < 3 ? high[type]! : dot(normal, high)) - dist),
      offset: 0,
      children: entered,
    });
    for (const side of entered) this._collect(children[side], depth + 1, leafs);
  }

  /** Whether the box reaches into a brush; touching counts. */
  private _holds({ sides }: TreeBrush): boolean {
    const { size, move, record } = this._query;
    for (const side of sides) {
      const dist = widened(side, size);
      const away = f(dot(move.start, side.normal) - dist);
      const shown = { side: side.number, normal: side.normal, dist, enter: -1, leave: 1 };
      record({ kind: 'side', ...shown, startDist: away, endDist: away });
      if (away > 0) return false;
    }
    return sides.length > 0;
  }
}
