import { dot, type V3 } from './math.ts';

// Like `math.ts`, this runs once, before any JavaScript engine has compiled it: so it uses loops, and makes few arrays.

const f = Math.fround;

/** How far a curve may be from its chord before it is divided, in Quake units. */
const SUBDIVIDE_DISTANCE = 16;
/** Two grid points closer than this on every axis are the same. */
const POINT_EPSILON = 0.1;
/** Greatest number of rows or columns. */
const MAX_GRID_SIZE = 129;

/** Points of a patch: `columns[i][j]`. */
export interface PatchGrid {
  readonly columns: V3[][];
  /** Whether the first and the last column are the same. */
  readonly wrapWidth: boolean;
  /** Whether the first and the last row are the same. */
  readonly wrapHeight: boolean;
}

/**
 * Divides a patch of quadratic curves into a grid of points that is nowhere farther than 16 units from the curve.
 * The result is transposed against its source, as in the engine. `fail` is called, with what there is too much of, for
 * one that would pass 129 rows or columns.
 */
export function subdividePatch(control: V3[][], fail: (what: string) => never): PatchGrid {
  const first = divide(control, fail);
  const turned = first[0]!.map((_, j) => first.map((column) => column[j]!));
  return { columns: divide(turned, fail), wrapWidth: wraps(turned), wrapHeight: wraps(control) };
}

/** Divides the curves that run across columns, and drops columns that are the same as the previous one. */
function divide(control: V3[][], fail: (what: string) => never): V3[][] {
  const columns = [...control];
  for (let i = 0; i < columns.length - 2; ) {
    const [a, b, c] = [columns[i]!, columns[i + 1]!, columns[i + 2]!];
    if (areFlat(a, b, c)) {
      columns.splice(i + 1, 1);
      i++;
      continue;
    }
    const before = middles(a, b);
    const after = middles(b, c);
    columns.splice(i + 1, 1, before, middles(before, after), after);
    if (columns.length > MAX_GRID_SIZE) fail(`${MAX_GRID_SIZE} rows or columns`);
  }
  const kept = [columns[0]!];
  for (const column of columns) if (!isSame(kept[kept.length - 1]!, column)) kept.push(column);
  return kept;
}

const wraps = (columns: V3[][]): boolean => isSame(columns[0]!, columns[columns.length - 1]!);

function isSame(a: V3[], b: V3[]): boolean {
  for (let j = 0; j < a.length; j++) {
    const from = a[j]!;
    const to = b[j]!;
    for (let k = 0; k < 3; k++) if (!(Math.abs(f(from[k]! - to[k]!)) <= POINT_EPSILON)) return false;
  }
  return true;
}

const middle = (a: V3, b: V3, k: 0 | 1 | 2): number => f(f(a[k] + b[k]) * 0.5);

function middles(a: V3[], b: V3[]): V3[] {
  const points: V3[] = [];
  for (let j = 0; j < a.length; j++) {
    const from = a[j]!;
    const to = b[j]!;
    points.push([middle(from, to, 0), middle(from, to, 1), middle(from, to, 2)]);
  }
  return points;
}

/** The way from a curve's middle to that of its chord. */
const gap: V3 = [0, 0, 0];

/** Whether the curves a, b, c are so close to their chords that b can be dropped. The sum of the two halves is not rounded. */
function areFlat(a: V3[], b: V3[], c: V3[]): boolean {
  for (let j = 0; j < a.length; j++) {
    const from = a[j]!;
    const over = b[j]!;
    const to = c[j]!;
    for (let k = 0; k < 3; k++) {
      const first = f(from[k]! + over[k]!);
      const second = f(over[k]! + to[k]!);
      gap[k] = f(f(0.5 * (0.5 * first + 0.5 * second)) - f(f(from[k]! + to[k]!) * 0.5));
    }
    if (f(Math.sqrt(dot(gap, gap))) >= SUBDIVIDE_DISTANCE) return false;
  }
  return true;
}
