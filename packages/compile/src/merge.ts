import { lengthOf, type Winding } from '@bspkit/geometry';
import { addPoints, type Box, boxesTouch, emptyBox } from './box.ts';

/** Corners nearer than this are the same. */
const SAME = 0.005;
/** Sines up to this count as straight. */
const STRAIGHT = 1e-4;

/** Joins windings of one plane, seen from where its normal points, wherever two are convex together. */
export function mergeWindings(windings: readonly Winding[], normal: readonly number[]): Winding[] {
  const merged: Bounded[] = [];
  for (const winding of windings) {
    let grown = withBox(winding);
    for (let i = 0; i < merged.length; i++) {
      const other = merged[i]!;
      if (!boxesTouch(other.box, grown.box, SAME)) continue;
      const whole = joinWindings(other.winding, grown.winding, normal);
      if (!whole) continue;
      // The larger winding may fit those that the smaller one did not.
      grown = withBox(whole);
      merged.splice(i, 1);
      i = -1;
    }
    merged.push(grown);
  }
  return merged.map(({ winding }) => winding);
}

interface Bounded {
  readonly winding: Winding;
  readonly box: Box;
}

const withBox = (winding: Winding): Bounded => ({ winding, box: addPoints(emptyBox(), winding) });

/** Two windings with an edge in common as one; `undefined` when they have none, or are not convex together. */
function joinWindings(a: Winding, b: Winding, normal: readonly number[]): Winding | undefined {
  const countA = a.length / 3;
  const countB = b.length / 3;
  for (let i = 0; i < countA; i++) {
    for (let j = 0; j < countB; j++) {
      if (!isSame(a, i, b, (j + 1) % countB) || !isSame(a, (i + 1) % countA, b, j)) continue;
      // Around `a` from the edge's end to its start, then around `b` likewise; the ends of the edge come once each.
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
