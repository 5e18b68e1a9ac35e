import type { ClipOutcome, Recorder, StepVec } from '@bspkit/core';
import {
  B_END,
  B_EXTENTS,
  B_MAXS,
  B_MINS,
  B_START,
  S_MASK,
  S_POINT,
  S_REJECT,
  type WorldMemory,
} from './kernel.ts';
import { SECTIONS, TILE_BRUSHES, TILE_LEAFS, TILE_NODES, TILE_SIDES } from './layout.ts';

// Sweeps of boxes, written out recursively and without bounds, over the query that a tracer has prepared. Slow; the
// kernels are tested against it, and its recorded steps are what `explain` gives.

const f = Math.fround;
const EPSILON = 1 / 32;

/** What the literal algorithm answers for a sweep through some heads. */
export interface ReferenceSweep {
  readonly fraction: number;
  readonly normal: StepVec;
  readonly dist: number;
  /** Of any head. */
  readonly startSolid: boolean;
  readonly allSolid: boolean;
  readonly contents: number;
}

type Point = StepVec;

const three = (from: ArrayLike<number>, at: number): Point => [from[at]!, from[at + 1]!, from[at + 2]!];
const dot = (a: Point, b: Point): number => f(f(f(a[0] * b[0]) + f(a[1] * b[1])) + f(a[2] * b[2]));
const lerp = (a: Point, b: Point, t: number): Point =>
  [0, 1, 2].map((k) => f(a[k]! + f(t * f(b[k]! - a[k]!)))) as unknown as Point;

/** What the sides of a brush leave of a move; `entered` is the place of the side entered last, 0 for none. */
interface Clip {
  readonly enter: number;
  readonly leave: number;
  readonly entered: number;
  readonly startsOut: boolean;
  readonly endsOut: boolean;
}

/** Sweeps the prepared box through heads, one after the other. */
export class BoxWalk {
  fraction: number;
  normal: Point = [0, 0, 0];
  dist = 0;
  startSolid = false;
  allSolid = false;
  contents = 0;
  private readonly _memory: WorldMemory;
  private readonly _record: Recorder;
  private readonly _start: Point;
  private readonly _end: Point;
  private readonly _seen: Set<number> = new Set();
  private _tile = 0;

  constructor(memory: WorldMemory, limit: number, record: Recorder) {
    this._memory = memory;
    this._record = record;
    this.fraction = limit;
    this._start = three(memory.box, B_START);
    this._end = three(memory.box, B_END);
  }

  /** Sweeps through the tree below a node of a tile. */
  head(tile: number, node: number): void {
    this._tile = this._memory.places.tiles.first + SECTIONS.tiles * tile;
    this._seen.clear();
    this._visit(node, 0, 1, this._start, this._end, 0);
  }

  private _visit(child: number, from: number, to: number, start: Point, end: Point, depth: number): void {
    const { ints, floats, places, box, boxState } = this._memory;
    if (this.fraction <= from) return;
    if (child < 0) {
      this._leaf(-1 - child, from, to, depth);
      return;
    }
    const at = places.nodes.first + SECTIONS.nodes * child;
    const axis = ints[at]! & 15;
    const normal = three(floats, places.planes.first + SECTIONS.planes * (ints[at]! >>> 4));
    const dist = floats[at + 1]!;
    const a = f((axis < 3 ? start[axis]! : dot(normal, start)) - dist);
    const b = f((axis < 3 ? end[axis]! : dot(normal, end)) - dist);
    const extents = three(box, B_EXTENTS);
    const reach = extents.map((extent, k) => Math.abs(f(extent * normal[k]!)));
    const slanted = boxState[S_POINT] ? 0 : f(f(reach[0]! + reach[1]!) + reach[2]!);
    const offset = axis < 3 ? extents[axis]! : slanted;
    const node = child - ints[this._tile + TILE_NODES]!;
    const shown = {
      kind: 'node',
      node,
      depth,
      normal,
      dist,
      start,
      end,
      startFraction: from,
      endFraction: to,
    } as const;
    const measured = { ...shown, startDist: a, endDist: b, offset };
    for (const side of [0, 1] as const) {
      if (side === 0 ? a < offset || b < offset : a >= -offset || b >= -offset) continue;
      this._record({ ...measured, children: [side] });
      this._visit(ints[at + 2 + side]!, from, to, start, end, depth + 1);
      return;
    }
    const { first, near, far } = splitFractions(a, b, offset);
    this._record({ ...measured, children: first ? [1, 0] : [0, 1], split: { near, far } });
    const middle = (t: number): number => f(from + f(f(to - from) * t));
    this._visit(ints[at + 2 + first]!, from, middle(near), start, lerp(start, end, near), depth + 1);
    this._visit(ints[at + 3 - first]!, middle(far), to, lerp(start, end, far), end, depth + 1);
  }

  private _passes(contents: number): boolean {
    const { boxState } = this._memory;
    const mask = boxState[S_MASK]!;
    return mask === -1 || ((contents & mask) !== 0 && (contents & boxState[S_REJECT]!) === 0);
  }

  private _leaf(number: number, startFraction: number, endFraction: number, depth: number): void {
    const { ints, places } = this._memory;
    const at = places.leafs.first + SECTIONS.leafs * number;
    const contents = ints[at]!;
    const leaf = number - ints[this._tile + TILE_LEAFS]!;
    this._record({ kind: 'leaf', leaf, depth, contents, startFraction, endFraction });
    if (!this._passes(contents)) return;
    for (let k = 0; k < ints[at + 2]!; k++) {
      this._brush(ints[ints[at + 1]! + k]!);
      if (this.fraction === 0) return;
    }
  }

  private _brush(place: number): void {
    const { ints, places } = this._memory;
    const contents = ints[place]!;
    const clip = this._seen.has(place) || !this._passes(contents) ? undefined : this._clip(place);
    const outcome = this._judge(place, clip);
    this._seen.add(place);
    if (outcome === 'hit') this._keep(place, clip!);
    const { enter, leave, entered } = clip ?? { enter: -1, leave: 1, entered: 0 };
    this._record({
      kind: 'brush',
      brush: ints[place + 9]! - ints[this._tile + TILE_BRUSHES]!,
      contents,
      outcome,
      enter,
      leave,
      side:
        entered === 0 ? -1 : (entered - places.sides.first) / SECTIONS.sides - ints[this._tile + TILE_SIDES]!,
    });
  }

  private _judge(place: number, clip: Clip | undefined): ClipOutcome {
    if (this._seen.has(place)) return 'again';
    if (!this._passes(this._memory.ints[place]!)) return 'masked';
    if (!clip) return 'missed';
    if (!clip.startsOut) {
      this.startSolid = true;
      this.allSolid ||= !clip.endsOut;
      return clip.endsOut ? 'startSolid' : 'allSolid';
    }
    if (clip.enter >= clip.leave || clip.enter <= -1) return 'missed';
    return clip.enter < this.fraction ? 'hit' : 'farther';
  }

  private _keep(place: number, { enter, entered }: Clip): void {
    const { ints, floats } = this._memory;
    this.fraction = Math.max(enter, 0);
    this.normal = three(floats, entered);
    this.dist = floats[entered + 3]!;
    this.contents = ints[place]!;
  }

  private _clip(place: number): Clip | undefined {
    const { ints, floats, places, box, boxState } = this._memory;
    let enter = -1;
    let leave = 1;
    let entered = 0;
    let startsOut = false;
    let endsOut = false;
    if (ints[place + 2] === 0) return undefined;
    for (let k = 0; k < ints[place + 2]!; k++) {
      const at = ints[place + 1]! + SECTIONS.sides * k;
      const normal = three(floats, at);
      const corner = normal.map((n, axis) => box[(n < 0 ? B_MAXS : B_MINS) + axis]!) as unknown as Point;
      const dist = boxState[S_POINT] ? floats[at + 3]! : f(floats[at + 3]! - dot(corner, normal));
      const startDist = f(dot(this._start, normal) - dist);
      const endDist = f(dot(this._end, normal) - dist);
      if (startDist > 0) startsOut = true;
      if (endDist > 0) endsOut = true;
      const passes = startDist > 0 && endDist >= startDist;
      if (!passes && (startDist > 0 || endDist > 0)) {
        const whole = f(startDist - endDist);
        if (startDist > endDist) {
          const t = f((startDist - EPSILON) / whole);
          if (t > enter) [enter, entered] = [t, at];
        } else {
          leave = Math.min(leave, f((startDist + EPSILON) / whole));
        }
      }
      const side = (at - places.sides.first) / SECTIONS.sides - ints[this._tile + TILE_SIDES]!;
      this._record({ kind: 'side', side, normal, dist, startDist, endDist, enter, leave });
      if (passes) return undefined;
    }
    return { enter, leave, entered, startsOut, endsOut };
  }
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
