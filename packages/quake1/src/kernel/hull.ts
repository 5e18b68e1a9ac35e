import type { TraceBatch, Vec3 } from '@bspkit/core';
import { type Clearings, held, isClear, type Moves } from '@bspkit/core/format';
import { SURFACE_EPSILON } from '../constants.ts';
import { packedContents } from '../sections.ts';
import {
  FLAG_ALL_SOLID,
  FLAG_BACK,
  FLAG_IN_OPEN,
  FLAG_IN_WATER,
  FLAG_START_SOLID,
  FLAG_STOPPED,
  FLAG_TRANSLUCENT,
  END as LAST,
  PLANE_SHIFT,
  STOPPED,
  TOO_FAR,
  WALK_QUAKE,
  WALK_SERVER,
} from '../wasm/layout.ts';
import type { Mover } from './mover.ts';

/**
 * Moves points through the trees of an opened world, one at a time: the walk below, or the same walk in WebAssembly, which gives
 * the same bits faster. Trees are identified by the number of their head among all of the opened world's.
 */
export interface HullKernel {
  /**
   * The move in the tree's own frame: three numbers from 0 on for its start, and from `END` on for its end. Then, from `STOP` on,
   * where it was stopped, and at what fraction of the move. All are exactly float32s.
   */
  readonly points: Float32Array | Float64Array;
  /**
   * Walks the move by the rules `WALK_…`; with `anyHit`, only until something is in the way. First checks whether the move stays
   * in one of the tree's clearings, if there are any. Returns `FLAG_…` bits, and above them, if it was stopped, the number of the
   * plane. Or `TOO_FAR`, always if a number is not finite: the caller must check.
   */
  walk(head: number, rules: number, anyHit: boolean, clearings: Clearings | null): number;
  /** The same for any finite numbers, however large. */
  walkFar(head: number, rules: number, anyHit: boolean): number;
  /** Contents at the start, by the rule of traces: a point on a plane is in front of it. */
  contentsAt(head: number): number;
  /** Moves many at a time; `undefined` if they are moved one by one. */
  readonly batches: HullBatches | undefined;
}

/** Batches, with the answers of the walks. Moves that are too far are left to the tracer. */
export interface HullBatches {
  trace(mover: Mover, out: TraceBatch<never>, moves: Moves): void;
  /** Writes 1 for moves that are blocked and 0 for others. */
  test(mover: Mover, out: Uint8Array, moves: Moves): void;
}

/** Where in the points the end of a move is, and where it was stopped; how many numbers there are. */
export const END: number = LAST / 4;
export const STOP: number = STOPPED / 4;
export const POINTS: number = STOP + 4;

/** The extent of a point around itself. */
export const NOWHERE: Vec3 = [0, 0, 0];

/** Access to the trees in a buffer, and memory to walk them: one per opened world, never shared. */
export class HullWalk implements HullKernel {
  readonly batches: undefined;
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  /** Nodes in the buffer, or packed leafs. */
  readonly heads: ArrayLike<number>;
  /**
   * Slots of four numbers: a point of the move and its fraction. Slot 0 is the start, slot 1 the end, slot 2 where it was
   * stopped, each later one the point where a node cut the move. Doubles that hold float32 values, so that reading one converts
   * nothing.
   */
  readonly points: Float64Array;
  private readonly _start: Float64Array;
  private readonly _end: Float64Array;
  /** Four words per slot: node << 1 | near side; the slots where the piece that the node cut begins and ends. */
  readonly links: Int32Array;
  /** Numbers that functions pass here and not as arguments, because V8 allocates a double for those: `REAL_…`. */
  readonly reals: Float64Array;
  /** Whose walk it is: `WALK_…`. */
  rules: number = WALK_QUAKE;
  /** Slot of the cut that the move was stopped at, -1 when it was not. */
  cut = -1;
  /** The cut point is known to be in the leaf that its near side was left through, except for what {@link isWhereLeft} checks. */
  sure = false;

  /** Room to walk trees of `depth` nodes. The planes' limits must be set before the first walk. */
  constructor(data: ArrayBufferLike, heads: ArrayLike<number>, depth: number) {
    const slots = depth + 4;
    this.ints = new Int32Array(data);
    this.floats = new Float32Array(data);
    this.heads = heads;
    this.points = new Float64Array(4 * slots);
    this.points[END + 3] = 1;
    this._start = this.points.subarray(0, 3);
    this._end = this.points.subarray(END, END + 3);
    this.links = new Int32Array(4 * slots);
    this.reals = new Float64Array(4);
  }

  walk(head: number, rules: number, anyHit: boolean, clearings: Clearings | null): number {
    const { points } = this;
    if (clearings && isClear(clearings, this._start, this._end, NOWHERE, NOWHERE)) return FLAG_IN_OPEN;
    const sum = points[0]! + points[1]! + points[2]! + points[END]! + points[END + 1]! + points[END + 2]!;
    // x - x is 0 only for finite numbers, and as doubles, finite float32s add up to a finite number.
    return sum - sum === 0 ? this.walkFar(head, rules, anyHit) : TOO_FAR;
  }

  walkFar(head: number, rules: number, anyHit: boolean): number {
    this.rules = rules;
    const node = held(this).heads[head]!;
    // Two functions, so that a case that is rare in one does not make V8 throw away its code for the other.
    const flags = sweep(this, node, anyHit);
    return this.cut < 0 ? flags : flags | stop(this, node, anyHit);
  }

  contentsAt(head: number): number {
    const { ints } = this;
    setMargin(this);
    let node = this.heads[head]!;
    while (node >= 0) node = ints[node + (isBehind(this, node, 0) ? 3 : 2)]!;
    return packedContents(node);
  }
}

/** Distance from a plane beyond which the side is certain: see {@link setMargin}. */
const REAL_MARGIN = 0;
/** The greatest component of a normal, at least 1, and the greatest dist, of all planes, whatever their sign. */
const REAL_NORMAL = 1;
const REAL_DIST = 2;
/** The result of {@link measure}. */
const REAL_DISTANCE = 3;

/** Sets the greatest component of a plane's normal, and the greatest dist, in the tree, whatever their sign. */
export function setPlaneLimits({ reals }: HullWalk, normal: number, dist: number): void {
  // A plane that the file calls axial is taken as axial, whatever its normal.
  reals[REAL_NORMAL] = Math.max(1, normal);
  reals[REAL_DIST] = dist;
}

/** A packed leaf of solid. */
const SOLID = ~2;
const EMPTY_BITS = ~1 & 63;
const SOLID_BITS = SOLID & 63;
const TRANSLUCENT_BITS = ~15 & 63;

/** Slot of the first cut. */
const FIRST_CUT = 12;

/**
 * Moves the point in slot 0 to the one in slot 1 through the tree at `head`: the engine's recursive hull check, in float32 as the
 * engine's C code computes it with SSE, without recursion and without its second look into every far side.
 *
 * The engine cuts a move at each plane that it crosses, 1/32 before the plane; walks the near side; then asks for the contents of
 * the cut point on the far side, and walks the far side only when they are not solid. That query goes down the very same nodes
 * that the walk would take to its first leaf, so here the walk answers it: a solid leaf, unless it is the one at the start, is a
 * hit on the node that cut last.
 *
 * With `anyHit` the walk ends as soon as it is certain that the move starts in solid or is stopped. Returns `FLAG_…` bits.
 */
function sweep(walk: HullWalk, head: number, anyHit: boolean): number {
  const { ints, floats, points, links, reals } = walk;
  setMargin(walk);
  const margin = reals[REAL_MARGIN]!;
  const fround = Math.fround;
  let flags = FLAG_ALL_SOLID;
  let node = head;
  let begin = 0;
  let end = END;
  let next = FIRST_CUT;
  let cut = -1;
  let wasSolid = false;
  let clear = margin < SURE_MARGIN;
  let ax = points[0]!;
  let ay = points[1]!;
  let az = points[2]!;
  let bx = points[END]!;
  let by = points[END + 1]!;
  let bz = points[END + 2]!;
  for (;;) {
    while (node >= 0) {
      let kind = 0;
      let d1 = 0;
      let d2 = 0;
      // Down to where the move crosses a plane. This loop has no calls and no writes, and the ends of the piece are not in an
      // array: V8 compiles it better like that.
      for (;;) {
        kind = ints[node]! & 3;
        const dist = floats[node + 1]!;
        if (kind === 0) {
          d1 = ax - dist;
          d2 = bx - dist;
        } else if (kind === 1) {
          d1 = ay - dist;
          d2 = by - dist;
        } else if (kind === 2) {
          d1 = az - dist;
          d2 = bz - dist;
        } else {
          const nx = floats[node + 4]!;
          const ny = floats[node + 5]!;
          const nz = floats[node + 6]!;
          d1 = nx * ax + ny * ay + nz * az - dist;
          d2 = nx * bx + ny * by + nz * bz - dist;
        }
        // Far from the plane, the sign is certain in doubles, and the engine's six roundings need not be repeated.
        if (d1 > margin && d2 > margin) node = ints[node + 2]!;
        else if (d1 < -margin && d2 < -margin) node = ints[node + 3]!;
        else break;
        if (node < 0) break;
      }
      if (node < 0) break;
      if (kind !== 3) {
        d1 = fround(d1);
        d2 = fround(d2);
      } else {
        measure(walk, node, begin);
        d1 = reals[REAL_DISTANCE]!;
        measure(walk, node, end);
        d2 = reals[REAL_DISTANCE]!;
      }
      // Read before the branches, which are taken so seldom that V8 compiles the walk without having seen them. Code in a branch
      // that it has not seen makes V8 throw the compiled code away, and now and then it never makes good code again.
      const front = ints[node + 2]!;
      const back = ints[node + 3]!;
      if (d1 >= 0 && d2 >= 0) {
        clear = false;
        node = front;
        continue;
      }
      if (d1 < 0 && d2 < 0) {
        clear = false;
        node = back;
        continue;
      }
      const side = d1 < 0 ? 1 : 0;
      let fraction = fround((d1 < 0 ? d1 + SURFACE_EPSILON : d1 - SURFACE_EPSILON) / fround(d1 - d2));
      if (fraction < 0) fraction = 0;
      if (fraction > 1) fraction = 1;
      // NaN, where coordinates are so large that float32 overflows: Half-Life's server ends the trace there, unless it has found
      // solid before, when it asked for the contents behind the last cut.
      if (Number.isNaN(fraction) && walk.rules === WALK_SERVER) {
        if (cut >= 0 && isSolidAt(walk, node, begin)) {
          node = SOLID;
          break;
        }
        walk.cut = -1;
        return flags;
      }
      if (!(d1 > margin || d1 < -margin)) clear = false;
      const f = points[begin + 3]!;
      bx = fround(ax + fround(fraction * fround(bx - ax)));
      by = fround(ay + fround(fraction * fround(by - ay)));
      bz = fround(az + fround(fraction * fround(bz - az)));
      points[next] = bx;
      points[next + 1] = by;
      points[next + 2] = bz;
      points[next + 3] = fround(f + fround(fround(points[end + 3]! - f) * fraction));
      links[next] = (node << 1) | side;
      links[next + 1] = begin;
      links[next + 2] = end;
      end = next;
      next += 4;
      node = side === 0 ? front : back;
    }
    const bits = node & 63;
    const solid = bits === SOLID_BITS;
    // Read before the branches, as above.
    const begun = flags | FLAG_START_SOLID;
    if (!solid) {
      flags &= ~FLAG_ALL_SOLID;
      flags |=
        bits === EMPTY_BITS ? FLAG_IN_OPEN : bits === TRANSLUCENT_BITS ? FLAG_TRANSLUCENT : FLAG_IN_WATER;
    } else if (cut < 0) {
      flags = begun;
      if (anyHit) break;
    } else {
      // If the move has been in nothing but solid, there is no plane to report.
      if ((flags & FLAG_ALL_SOLID) === 0) {
        walk.cut = cut;
        walk.sure = clear && !wasSolid;
        return flags;
      }
      break;
    }
    if (end === END) break;
    // The near side is done: the far side of the node that cut last begins at its cut point. The slot stays in use.
    wasSolid = solid;
    cut = end;
    begin = end;
    next = end + 4;
    const link = links[end]!;
    end = links[end + 2]!;
    ax = bx;
    ay = by;
    az = bz;
    bx = points[end]!;
    by = points[end + 1]!;
    bz = points[end + 2]!;
    node = ints[(link >> 1) + 3 - (link & 1)]!;
  }
  walk.cut = -1;
  return flags;
}

/** How much one rounding to float32 can change a number, relative to it. */
const ROUNDING = 1 / 2 ** 24;
/**
 * The margin covers points that come from at most this many cuts, each made on the result of the previous one; their last slot.
 */
const SURE_CUTS = 12;
const SURE_MARGIN: number = SURFACE_EPSILON / 1.5;
const LAST_SURE_SLOT: number = FIRST_CUT + 4 * (SURE_CUTS - 2);

/**
 * Writes how far from a plane both ends of a piece must be so that no rounding can matter: neither in their distance, which is
 * rounded six times, nor in that of a point that the piece is later cut at, which in each coordinate is rounded twice as part of
 * the move's length and once as itself, again for every cut that it comes from. Where numbers are so large that float32 could
 * overflow, no distance is certain.
 */
function setMargin({ points, reals }: HullWalk): void {
  const x = points[0]!;
  const y = points[1]!;
  const z = points[2]!;
  const ex = points[END]!;
  const ey = points[END + 1]!;
  const ez = points[END + 2]!;
  const start = Math.abs(x) + Math.abs(y) + Math.abs(z);
  const end = Math.abs(ex) + Math.abs(ey) + Math.abs(ez);
  const length = Math.abs(ex - x) + Math.abs(ey - y) + Math.abs(ez - z);
  // No product of a normal and a point exceeds the normal's greatest component times the sum of the point's.
  const most = Math.max(start, end);
  const roundings =
    reals[REAL_NORMAL]! * ((6 + SURE_CUTS) * most + 2 * SURE_CUTS * length) + 6 * reals[REAL_DIST]!;
  // The last term is more than underflow can ever lose.
  const margin = roundings * ROUNDING + 1e-30;
  reals[REAL_MARGIN] = margin < 1e20 ? margin : Number.POSITIVE_INFINITY;
}

/** Measures the distance of a slot's point from the plane of a node, with the engine's roundings, into `REAL_DISTANCE`. */
function measure({ ints, floats, points, reals }: HullWalk, node: number, slot: number): void {
  const fround = Math.fround;
  const kind = ints[node]! & 3;
  const dist = floats[node + 1]!;
  if (kind !== 3) {
    reals[REAL_DISTANCE] = fround(points[slot + kind]! - dist);
    return;
  }
  const x = fround(floats[node + 4]! * points[slot]!);
  const y = fround(floats[node + 5]! * points[slot + 1]!);
  const z = fround(floats[node + 6]! * points[slot + 2]!);
  reals[REAL_DISTANCE] = fround(fround(fround(x + y) + z) - dist);
}

/** By rules, the part of the piece that the engine backs off by: a tenth as a double, as a float32, and a twentieth. */
const BACK_OFF: Float64Array = /* @__PURE__ */ Float64Array.of(0.1, Math.fround(0.1), 0.05);

/**
 * The move is stopped at the node that cut it last. The engine then checks whether the cut point, looked up from the head, is in
 * solid after all, and backs off by parts of the piece until it is not.
 */
function stop(walk: HullWalk, head: number, anyHit: boolean): number {
  const { ints, points, links, reals, cut } = walk;
  const fround = Math.fround;
  const node = links[cut]! >> 1;
  const answer =
    FLAG_STOPPED | ((links[cut]! & 1) === 0 ? 0 : FLAG_BACK) | ((ints[node]! >> 3) << PLANE_SHIFT);
  for (let k = 0; k < 4; k++) points[STOP + k] = points[cut + k]!;
  if (anyHit && points[STOP + 3]! < 1) return answer;
  if (walk.sure && isWhereLeft(walk, cut)) return answer;
  if (!isSolidAt(walk, head, STOP)) return answer;
  const begin = links[cut + 1]!;
  const end = links[cut + 2]!;
  measure(walk, node, begin);
  const d1 = reals[REAL_DISTANCE]!;
  measure(walk, node, end);
  const d2 = reals[REAL_DISTANCE]!;
  let fraction = fround((d1 < 0 ? d1 + SURFACE_EPSILON : d1 - SURFACE_EPSILON) / fround(d1 - d2));
  if (fraction < 0) fraction = 0;
  if (fraction > 1) fraction = 1;
  const step = BACK_OFF[walk.rules]!;
  do {
    fraction = fround(fraction - step);
    // Backed up past the start of the piece: the last point stays. It also stays where the engine would never end, because
    // coordinates are so large that the fraction is NaN.
    if (!(fraction >= 0)) break;
    for (let k = 0; k < 3; k++) {
      const from = points[begin + k]!;
      points[STOP + k] = fround(from + fround(fraction * fround(points[end + k]! - from)));
    }
    const f = points[begin + 3]!;
    points[STOP + 3] = fround(f + fround(fround(points[end + 3]! - f) * fraction));
  } while (isSolidAt(walk, head, STOP));
  return answer;
}

/** Whether a slot's point is behind the plane of `node`, by the rule of traces: a point on the plane is in front. */
function isBehind(walk: HullWalk, node: number, slot: number): boolean {
  const { ints, floats, points, reals } = walk;
  const kind = ints[node]! & 3;
  const dist = floats[node + 1]!;
  if (kind !== 3) return points[slot + kind]! < dist;
  const nx = floats[node + 4]!;
  const ny = floats[node + 5]!;
  const nz = floats[node + 6]!;
  const d = nx * points[slot]! + ny * points[slot + 1]! + nz * points[slot + 2]! - dist;
  const margin = reals[REAL_MARGIN]!;
  if (d > margin || d < -margin) return d < 0;
  measure(walk, node, slot);
  return reals[REAL_DISTANCE]! < 0;
}

/** Whether a slot's point is in solid, looked up from `head`. */
function isSolidAt(walk: HullWalk, head: number, slot: number): boolean {
  const { ints } = walk;
  let node = head;
  while (node >= 0) node = ints[node + (isBehind(walk, node, slot) ? 3 : 2)]!;
  return (node & 63) === SOLID_BITS;
}

/**
 * Whether a cut point is certainly in the leaf that its near side was left through, so that it need not be looked up from the
 * head. It is if it is on the same side of every node above as the walk was. For nodes that the walk passed on one side, far from
 * the plane, that is known (see {@link setMargin}). It is known too for nodes that cut a piece whose near side was walked, if
 * both the start of the piece and its cut point are far from the plane. Nodes whose far side was walked are checked, as that side
 * begins at a point on the other.
 */
function isWhereLeft(walk: HullWalk, cut: number): boolean {
  const { links } = walk;
  if (cut > LAST_SURE_SLOT) return false;
  for (let far = links[cut + 1]!; far !== 0; far = links[far + 1]!) {
    if (isBehind(walk, links[far]! >> 1, cut) === ((links[far]! & 1) === 1)) return false;
  }
  return true;
}
