import type { ClipOutcome, NodeStep, Recorder } from '@bspkit/core';
import type { BrushMemory, BrushRules } from '../memory.ts';
import {
  between,
  byAxis,
  dot,
  type FirstNumbers,
  type Point,
  readBrush,
  readLeaf,
  readNode,
  readSides,
  type TreeBrush,
  type TreeSide,
} from './tree.ts';

// Boxes through one tree, written out recursively and without bounds. Slow; the kernels are tested against it, and its recorded
// steps are what `explain` returns.

/** A box around what moves. */
export interface Size {
  readonly mins: Point;
  readonly maxs: Point;
  /** How far it widens axial planes of the tree. */
  readonly extents: Point;
  readonly isPoint: boolean;
}

/** A move in the tree's frame. */
export interface Move {
  readonly start: Point;
  readonly end: Point;
  /** Whether it is a position test. */
  readonly still: boolean;
}

const f = Math.fround;
const EPSILON = 1 / 32;
/** The most leafs that a position test looks at. */
const MOST_LEAFS = 1024;

/** What has been found in one tree or, as an engine carries it over, in several. */
export interface Found {
  fraction: number;
  normal: Point;
  dist: number;
  startSolid: boolean;
  allSolid: boolean;
  contents: number;
  brush: TreeBrush | undefined;
  side: TreeSide | undefined;
  /** In the file; -1 for none. */
  leaf: number;
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
});

/** Everything about a trace except the tree. */
export interface Query {
  readonly memory: BrushMemory;
  readonly rules: BrushRules;
  readonly first: FirstNumbers;
  readonly mask: number;
  readonly reject: number;
  /** Whether sweeps ignore both. */
  readonly every: boolean;
  readonly size: Size;
  readonly move: Move;
  readonly record: Recorder;
}

/** The part of a move that is within the sides of a brush. */
interface Clip {
  readonly enter: number;
  readonly leave: number;
  readonly entered: TreeSide | undefined;
  readonly startsOut: boolean;
  readonly endsOut: boolean;
}

/** Traces through the tree below a node, and writes what it finds into the record. */
export function traceTree(query: Query, root: number, found: Found): void {
  if (query.move.still) new Touch(query, found).head(root);
  else new Sweep(query, found).head(root);
}

class Sweep {
  private readonly _query: Query;
  private readonly _found: Found;
  private readonly _seen: Set<number> = new Set();

  constructor(query: Query, found: Found) {
    this._query = query;
    this._found = found;
  }

  head(root: number): void {
    const { start, end } = this._query.move;
    this._visit(root, 0, 1, start, end, 0);
  }

  private _visit(child: number, from: number, to: number, start: Point, end: Point, depth: number): void {
    const { memory, rules, first: numbers, size, record } = this._query;
    if (this._found.fraction <= from) return;
    if (child < 0) {
      this._leaf(-1 - child, from, to, depth);
      return;
    }
    const { number, type, normal, dist, children } = readNode(memory, numbers, child);
    const a = f((type < 3 ? start[type]! : dot(normal, start)) - dist);
    const b = f((type < 3 ? end[type]! : dot(normal, end)) - dist);
    const reach = size.extents.map((extent, k) => Math.abs(f(extent * normal[k]!)));
    const slanted = size.isPoint ? 0 : f(f(reach[0]! + reach[1]!) + reach[2]!);
    const offset = type < 3 ? size.extents[type]! : slanted;
    // Neither child alone where a distance is NaN.
    const inFront = a >= offset && b >= offset;
    const isWhole = inFront || (a < -offset && b < -offset);
    const { nearer, near, far } = splitFractions(a, b, offset, rules);
    const first: 0 | 1 = isWhole ? (inFront ? 0 : 1) : nearer;
    const second: 0 | 1 = first === 0 ? 1 : 0;
    // In one literal: spreads take V8 many times as long, and there are thousands of steps.
    const step: NodeStep = {
      kind: 'node',
      node: number,
      depth,
      normal,
      dist,
      start,
      end,
      startFraction: from,
      endFraction: to,
      startDist: a,
      endDist: b,
      offset,
      children: isWhole ? [first] : [first, second],
    };
    record(isWhole ? step : Object.assign(step, { split: { near, far } }));
    if (isWhole) {
      this._visit(children[first], from, to, start, end, depth + 1);
      return;
    }
    const along = (t: number): number => f(from + f(f(to - from) * t));
    this._visit(children[first], from, along(near), start, between(start, end, near), depth + 1);
    this._visit(children[second], along(far), to, between(start, end, far), end, depth + 1);
  }

  private _passes(contents: number): boolean {
    const { mask, reject, every } = this._query;
    return every || ((contents & mask) !== 0 && (contents & reject) === 0);
  }

  private _leaf(leaf: number, startFraction: number, endFraction: number, depth: number): void {
    const { memory, first, record } = this._query;
    const { number, contents, brushes } = readLeaf(memory, first, leaf);
    record({ kind: 'leaf', leaf: number, depth, contents, startFraction, endFraction });
    if (!this._passes(contents)) return;
    for (const place of brushes) {
      this._brush(readBrush(memory, first, place), number);
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

  private _clip(brush: TreeBrush): Clip | undefined {
    const { memory, first, size, move, record, rules } = this._query;
    const sides = readSides(memory, first, brush);
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
          const t = f(added(startDist, -EPSILON, rules) / whole);
          if (t > enter) [enter, entered] = [t, side];
        } else {
          const t = f(added(startDist, EPSILON, rules) / whole);
          // Unlike Math.min, the engine passes over NaN.
          if (t < leave) leave = t;
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

/** A distance and an epsilon, rounded or not. */
const added = (distance: number, epsilon: number, { inDouble }: BrushRules): number =>
  inDouble ? distance + epsilon : f(distance + epsilon);

/** Where the nearer child's piece ends (`near`) and the other one's begins (`far`), and which is nearer. */
function splitFractions(
  a: number,
  b: number,
  offset: number,
  rules: BrushRules,
): { nearer: 0 | 1; near: number; far: number } {
  const inverse = f(1 / f(a - b));
  const fraction = (distance: number, epsilon: number): number => {
    const t = f(added(distance, epsilon, rules) * inverse);
    return t < 0 ? 0 : t > 1 ? 1 : t;
  };
  const ahead = f(a + offset);
  const behind = f(a - offset);
  if (a < b) return { nearer: 1, near: fraction(behind, EPSILON), far: fraction(ahead, EPSILON) };
  if (a > b) return { nearer: 0, near: fraction(ahead, EPSILON), far: fraction(behind, -EPSILON) };
  return { nearer: 0, near: 1, far: 0 };
}

/** Which children contain part of a standing box that reaches from `nearest` to `farthest` along a plane's normal. */
function sidesOf(nearest: number, farthest: number, dist: number, type: number, epsilon: number): (0 | 1)[] {
  // Compared exactly, axial planes are tested in an order of their own.
  if (type < 3 && epsilon === 0) return dist <= nearest ? [0] : dist >= farthest ? [1] : [0, 1];
  const front = type < 3 ? farthest > dist + epsilon : f(farthest - dist) >= epsilon;
  const back = type < 3 ? nearest < dist - epsilon : f(nearest - dist) < epsilon;
  // Neither counts as both.
  return front === back ? [0, 1] : front ? [0] : [1];
}

/**
 * A position test: the leafs that the box reaches, and their brushes until one holds it. The engines look for all leafs first;
 * here each has its brushes after it, so that all steps are where they belong in the tree.
 */
class Touch {
  private readonly _query: Query;
  private readonly _found: Found;
  private readonly _seen: Set<number> = new Set();
  /** How many leafs may still be looked into. */
  private _left = MOST_LEAFS;

  constructor(query: Query, found: Found) {
    this._query = query;
    this._found = found;
  }

  head(root: number): void {
    this._visit(root, 0);
  }

  private _leaf(leaf: number, depth: number): void {
    const { memory, first, mask, record } = this._query;
    const { number, contents, brushes } = readLeaf(memory, first, leaf);
    record({ kind: 'leaf', leaf: number, depth, contents, startFraction: 0, endFraction: 0 });
    if (this._left-- <= 0 || (contents & mask) === 0) return;
    for (const place of brushes) {
      if (!this._brush(place)) continue;
      this._left = 0;
      return;
    }
  }

  /** Whether a brush holds the box. */
  private _brush(place: number): boolean {
    const { memory, first, mask, reject, record } = this._query;
    const brush = readBrush(memory, first, place);
    const passes = (brush.contents & mask) !== 0 && (brush.contents & reject) === 0;
    const isNew = !this._seen.has(place);
    this._seen.add(place);
    const holds = isNew && passes && this._holds(brush);
    const outcome = !isNew ? 'again' : !passes ? 'masked' : holds ? 'allSolid' : 'missed';
    const shown = { brush: brush.number, contents: brush.contents, enter: -1, leave: 1, side: -1 };
    record({ kind: 'brush', ...shown, outcome });
    if (!holds) return false;
    this._found.fraction = 0;
    this._found.startSolid = true;
    this._found.allSolid = true;
    this._found.contents = brush.contents;
    this._found.brush = brush;
    return true;
  }

  private _visit(child: number, depth: number): void {
    if (child < 0) {
      this._leaf(-1 - child, depth);
      return;
    }
    const { memory, rules, first, size, move, record } = this._query;
    const { touchMargin, touchEpsilon } = rules;
    const { number, type, normal, dist, children } = readNode(memory, first, child);
    // The corners that are lowest and highest along the normal; axial planes of nodes face up their axis.
    const corner = (most: boolean): Point =>
      byAxis((k) => {
        const faces = type < 3 || normal[k]! >= 0;
        const up = faces === most;
        return f(move.start[k]! + (up ? size.maxs : size.mins)[k]!) + (up ? touchMargin : -touchMargin);
      });
    const [low, high] = [corner(false), corner(true)];
    const [nearest, farthest] = [low, high].map((end) => (type < 3 ? end[type]! : dot(normal, end)));
    const entered = sidesOf(nearest!, farthest!, dist, type, touchEpsilon);
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
      startDist: f(nearest! - dist),
      endDist: f(farthest! - dist),
      offset: 0,
      children: entered,
    });
    for (const side of entered) this._visit(children[side], depth + 1);
  }

  /** Whether the box reaches into a brush; touching counts. */
  private _holds(brush: TreeBrush): boolean {
    const { memory, first, size, move, record } = this._query;
    const sides = readSides(memory, first, brush);
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
