import { lengthOf, type Winding } from '@bspkit/geometry';
import { type Box, boxAround, boxesTouch } from './box.ts';
import { cellKey, listOf } from './lists.ts';

/** Corners closer to each other than this are the same. */
const SAME = 0.005;
/** Corners with a sine up to this count as straight. */
const STRAIGHT = 1e-4;

/** With more windings than this, those with a corner in common are looked up. */
const MANY_WINDINGS = 32;

/** Joins windings on one plane, seen from where its normal points, wherever two of them are convex together. */
export function mergeWindings(windings: readonly Winding[], normal: readonly number[]): Winding[] {
  const merged: Bounded[] = [];
  const index = windings.length > MANY_WINDINGS ? new CornerIndex(normal) : undefined;
  for (const winding of windings) {
    let grown = withBox(winding);
    // The larger winding may fit others that the smaller one did not.
    for (;;) {
      const whole = joinFirst(index?.near(grown.winding) ?? merged, grown, normal);
      if (!whole) break;
      grown = withBox(whole);
    }
    index?.add(grown, merged.length);
    merged.push(grown);
  }
  return merged.flatMap(({ winding, isTaken }) => (isTaken ? [] : [winding]));
}

/** Joins a winding to the first of the others that it fits, which is then taken. */
function joinFirst(
  others: readonly Bounded[],
  { winding, box }: Bounded,
  normal: readonly number[],
): Winding | undefined {
  for (const other of others) {
    if (other.isTaken || !boxesTouch(other.box, box, SAME)) continue;
    const whole = joinWindings(other.winding, winding, normal);
    if (!whole) continue;
    other.isTaken = true;
    return whole;
  }
  return undefined;
}

interface Bounded {
  readonly winding: Winding;
  readonly box: Box;
  /** Whether it has become part of another. */
  isTaken: boolean;
}

/** Where the cells of a unit begin: not at whole numbers, where most corners are. */
const CELL_START = 0.37;

/**
 * Windings by their corners, as seen along the axis nearest to their normal. PERF: sides that many brushes cross are in hundreds
 * of pieces; trying each with all others took time by the square of their number.
 */
class CornerIndex {
  private readonly _cells = new Map<number, { readonly bounded: Bounded; readonly number: number }[]>();
  private readonly _axes: readonly [number, number];

  constructor([nx, ny, nz]: readonly number[]) {
    const [x, y, z] = [Math.abs(nx!), Math.abs(ny!), Math.abs(nz!)];
    this._axes = x >= y && x >= z ? [1, 2] : y >= z ? [0, 2] : [0, 1];
  }

  /** Adds a winding with its number, which is greater than those before. */
  add(bounded: Bounded, number: number): void {
    const { winding } = bounded;
    const [u, v] = this._axes;
    for (let i = 0; i < winding.length; i += 3) {
      const [a, b] = [winding[i + u]! + CELL_START, winding[i + v]! + CELL_START];
      for (let x = Math.floor(a - 2 * SAME); x <= a + 2 * SAME; x++) {
        for (let y = Math.floor(b - 2 * SAME); y <= b + 2 * SAME; y++) {
          const cell = listOf(this._cells, cellKey(x, y));
          if (cell.at(-1)?.number !== number) cell.push({ bounded, number });
        }
      }
    }
  }

  /** All windings that share a corner with this one, and perhaps others, by number. */
  near(winding: Winding): Bounded[] {
    const [u, v] = this._axes;
    const found = new Map<number, Bounded>();
    for (let i = 0; i < winding.length; i += 3) {
      const key = cellKey(Math.floor(winding[i + u]! + CELL_START), Math.floor(winding[i + v]! + CELL_START));
      for (const { bounded, number } of this._cells.get(key) ?? [])
        if (!bounded.isTaken) found.set(number, bounded);
    }
    return [...found.keys()].sort((a, b) => a - b).map((number) => found.get(number)!);
  }
}

const withBox = (winding: Winding): Bounded => ({
  winding,
  box: boxAround([winding]),
  isTaken: false,
});

/** Joins two windings that share an edge; `undefined` if they do not, or are not convex together. */
function joinWindings(a: Winding, b: Winding, normal: readonly number[]): Winding | undefined {
  const countA = a.length / 3;
  const countB = b.length / 3;
  for (let i = 0; i < countA; i++) {
    for (let j = 0; j < countB; j++) {
      if (!isSame(a, i, b, (j + 1) % countB) || !isSame(a, (i + 1) % countA, b, j)) continue;
      // Around `a` from the edge's end to its start, then likewise around `b`; the ends of the edge are taken once each.
      const out: number[] = [];
      for (let k = 1; k <= countA; k++) push(out, a, (i + k) % countA);
      for (let k = 2; k < countB; k++) push(out, b, (j + k) % countB);
      return convexWinding(out, normal);
    }
  }
  return undefined;
}

const push = (out: number[], from: Winding, i: number): number =>
  out.push(from[3 * i]!, from[3 * i + 1]!, from[3 * i + 2]!);

const isSame = (a: Winding, i: number, b: Winding, j: number): boolean =>
  Math.abs(a[3 * i]! - b[3 * j]!) < SAME &&
  Math.abs(a[3 * i + 1]! - b[3 * j + 1]!) < SAME &&
  Math.abs(a[3 * i + 2]! - b[3 * j + 2]!) < SAME;

/** A winding without the corners on its straight edges; `undefined` when a corner turns the wrong way. */
function convexWinding(winding: Winding, [nx, ny, nz]: readonly number[]): Winding | undefined {
  const out: number[] = [];
  const length = winding.length;
  for (let i = 0; i < length; i += 3) {
    const before = (i + length - 3) % length;
    const after = (i + 3) % length;
    const ax = winding[i]! - winding[before]!;
    const ay = winding[i + 1]! - winding[before + 1]!;
    const az = winding[i + 2]! - winding[before + 2]!;
    const bx = winding[after]! - winding[i]!;
    const by = winding[after + 1]! - winding[i + 1]!;
    const bz = winding[after + 2]! - winding[i + 2]!;
    const turn = nx! * (ay * bz - az * by) + ny! * (az * bx - ax * bz) + nz! * (ax * by - ay * bx);
    const sine = turn / (lengthOf(ax, ay, az) * lengthOf(bx, by, bz));
    // Clockwise turns are negative. A corner that bends back may be two edges on one line, so it counts as wrong.
    if (!(sine < STRAIGHT)) return undefined;
    if (sine < -STRAIGHT) out.push(winding[i]!, winding[i + 1]!, winding[i + 2]!);
    else if (ax * bx + ay * by + az * bz < 0) return undefined;
  }
  return out.length >= 9 ? out : undefined;
}
