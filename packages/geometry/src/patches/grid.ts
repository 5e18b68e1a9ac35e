import { add, dot, scaled, subtract, type V3 } from './math.ts';

const f = Math.fround;

/** How far a curve may be from its chord before it is divided, in Quake units. */
const SUBDIVIDE_DISTANCE = 16;
/** Two grid points nearer than this on every axis are one. */
const POINT_EPSILON = 0.1;
/** Greatest number of rows or columns. */
const MAX_GRID_SIZE = 129;

/** Points of a patch: `columns[i][j]`. */
export interface PatchGrid {
  readonly columns: V3[][];
  /** The first and the last column are one. */
  readonly wrapWidth: boolean;
  /** The first and the last row are one. */
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

/** Divides the curves that run across columns, and drops columns that come to the same as the one before. */
function divide(control: V3[][], fail: (what: string) => never): V3[][] {
  const columns = [...control];
  for (let i = 0; i < columns.length - 2; ) {
    const [a, b, c] = [columns[i]!, columns[i + 1]!, columns[i + 2]!];
    if (a.every((point, j) => isFlat(point, b[j]!, c[j]!))) {
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
  return a.every((point, j) => subtract(point, b[j]!).every((gap) => Math.abs(gap) <= POINT_EPSILON));
}

const middle = (a: V3, b: V3): V3 => scaled(add(a, b), 0.5);

const middles = (a: V3[], b: V3[]): V3[] => a.map((point, j) => middle(point, b[j]!));

/** Whether the curve a, b, c is so near its chord that b can go. The sum of the two halves is not rounded. */
function isFlat(a: V3, b: V3, c: V3): boolean {
  const first = add(a, b);
  const second = add(b, c);
  const curve: V3 = [0, 0, 0];
  for (let k = 0; k < 3; k++) curve[k] = f(0.5 * (0.5 * first[k]! + 0.5 * second[k]!));
  const delta = subtract(curve, middle(a, c));
  return !(f(Math.sqrt(dot(delta, delta))) >= SUBDIVIDE_DISTANCE);
}
