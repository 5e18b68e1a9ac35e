/** A point by its three coordinates. */
export type Corner = readonly [number, number, number];
export type Triangle = readonly [Corner, Corner, Corner];
export type Axis = 0 | 1 | 2;

/** Line numbers beyond this cannot be counted one by one. */
const LAST_LINE = Number.MAX_SAFE_INTEGER;

/** An edge seen along an axis: where it begins, and the way to the next corner. */
interface Edge {
  readonly p: number;
  readonly q: number;
  readonly dp: number;
  readonly dq: number;
}

/** An edge of which a triangle is on a given side. */
interface Bound extends Edge {
  /** Whether what is on the edge is the triangle's, and not that of the one beyond. */
  readonly isOwn: boolean;
}

/** Receives squares `from .. end - 1` of a row. */
type See = (row: number, from: number, end: number) => void;

/**
 * The squares of a grid whose middles are within a triangle, seen along an axis: on one side of all edges. What is on an edge
 * belongs to the triangle that rows enter there, or that lies above it, so that triangles with a common edge share no square. The
 * time depends on the rows and what is in them, not on the squares around the triangle: along a row, even with rounding, the side
 * of an edge changes only once, so the ends of what is within are searched for, starting from where they were in the row before.
 *
 * @param a - the axis along rows; `b` is the one across.
 * @param see - called for each row and run of squares in it, in ascending order; once with an empty run if a row has none. If it
 *   throws, the walk ends.
 * @throws RangeError when squares that far from the origin have no numbers.
 */
export function eachRun(corners: Triangle, a: Axis, b: Axis, spacing: number, see: See): void {
  const [left, right] = linesOf(corners, a, spacing);
  const [low, high] = linesOf(corners, b, spacing);
  if (left > right) return;
  const edges = corners.map((corner, k): Edge => {
    const next = corners[(k + 1) % 3]!;
    return { p: corner[a], q: corner[b], dp: next[a] - corner[a], dq: next[b] - corner[b] };
  });
  const sides = [new Side(edges, 1, left), new Side(edges, -1, left)] as const;
  for (let row = low; row <= high; row++) {
    const q = (row + 0.5) * spacing;
    for (const side of sides) side.search(q, left, right + 1, spacing);
    const [one, other] = sides;
    // Because of rounding, a row may have squares on either side of all edges.
    const [first, second] = one.from <= other.from ? [one, other] : [other, one];
    const from = Math.max(second.from, first.end);
    if (first.from < first.end) see(row, first.from, first.end);
    if (from < second.end) see(row, from, second.end);
    else if (first.from >= first.end) see(row, left, left);
  }
}

/** The first and last of a grid's squares whose middles are between the ends of a triangle on an axis. */
function linesOf(corners: Triangle, axis: Axis, spacing: number): readonly [number, number] {
  // Between the grid's lines: brushes end on those, and points at the edge of a wall would see into the next one.
  const values = corners.map((corner) => corner[axis] / spacing - 0.5);
  const [first, last] = [Math.ceil(Math.min(...values)), Math.floor(Math.max(...values))];
  if (Math.abs(first) < LAST_LINE && Math.abs(last) < LAST_LINE) return [first, last];
  throw new RangeError(`spacing ${spacing} is too small for surfaces this far from the origin`);
}

/** The part of a row that is on one side of all edges. */
class Side {
  /** The first square, and the one after the last, in the row searched last. */
  from: number;
  end: number;
  /** Edges across which this side is entered with rising numbers, and those across which it is left. */
  private readonly _entered: readonly Bound[];
  private readonly _left: readonly Bound[];
  private readonly _sign: 1 | -1;

  constructor(edges: readonly Edge[], sign: 1 | -1, start: number) {
    const bounds = edges.map(
      (edge): Bound => ({ ...edge, isOwn: sign * edge.dq < 0 || (edge.dq === 0 && sign * edge.dp > 0) }),
    );
    this._entered = bounds.filter(({ dq }) => sign * dq <= 0);
    this._left = bounds.filter(({ dq }) => sign * dq > 0);
    this._sign = sign;
    this.from = start;
    this.end = start;
  }

  search(q: number, low: number, beyond: number, spacing: number): void {
    this.from = this._first(low, beyond, this.from, q, spacing, true);
    this.end = this._first(this.from, beyond, this.end, q, spacing, false);
  }

  /**
   * The first square of `low .. beyond - 1` that is past all edges entered, or past one that is left; `beyond` if there is none.
   */
  private _first(
    low: number,
    beyond: number,
    near: number,
    q: number,
    spacing: number,
    enters: boolean,
  ): number {
    let [from, to] = [low, beyond];
    let at = Math.max(from, Math.min(near, to - 1));
    for (let step = 1; from < to; step *= 2) {
      const p = (at + 0.5) * spacing;
      if (this._isWithin(enters ? this._entered : this._left, p, q) === enters) {
        to = at;
        at = Math.max(from + Math.floor((to - from) / 2), to - step);
      } else {
        from = at + 1;
        at = Math.min(from + Math.floor((to - from) / 2), from + step - 1);
      }
    }
    return from;
  }

  private _isWithin(edges: readonly Bound[], p: number, q: number): boolean {
    for (const edge of edges) {
      const turn = this._sign * (edge.dp * (q - edge.q) - edge.dq * (p - edge.p));
      if (turn < 0 || (turn === 0 && !edge.isOwn)) return false;
    }
    return true;
  }
}
