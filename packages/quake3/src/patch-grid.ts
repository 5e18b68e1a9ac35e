import { dot, type V3 } from './patch-math.ts';

const f = Math.fround;

/** How far a curve may be from its chord before it is divided, in Quake units. */
const SUBDIVIDE_DISTANCE = 16;
/** Two grid points nearer than this on every axis are one. */
const POINT_EPSILON = 0.1;
/** Greatest number of rows or columns. */
const MAX_GRID_SIZE = 129;

/** Points of a patch: `columns[i][j]`. */
export interface PatchGrid {
  columns: V3[][];
  /** The first and the last column are one. */
  wrapWidth: boolean;
  /** The first and the last row are one. */
  wrapHeight: boolean;
}

/**
 * Divides a patch of quadratic curves into a grid of points that is nowhere farther than 16 units from the curve.
 * The result is transposed against its source, as in the engine. Null when it would pass 129 rows or columns.
 */
export function subdividePatch(columns: V3[][]): PatchGrid | null {
  const wrapHeight = wraps(columns);
  if (!divideColumns(columns)) return null;
  removeDoubles(columns);
  const grid = { columns: transpose(columns), wrapWidth: false, wrapHeight };
  grid.wrapWidth = wraps(grid.columns);
  if (!divideColumns(grid.columns)) return null;
  removeDoubles(grid.columns);
  return grid;
}

function samePoint(a: V3, b: V3): boolean {
  for (let k = 0; k < 3; k++) {
    const d = f(a[k]! - b[k]!);
    if (d < -POINT_EPSILON || d > POINT_EPSILON) return false;
  }
  return true;
}

function wraps(columns: V3[][]): boolean {
  const last = columns[columns.length - 1]!;
  return columns[0]!.every((point, j) => samePoint(point, last[j]!));
}

const middle = (a: V3, b: V3): V3 => [
  f(0.5 * f(a[0] + b[0])),
  f(0.5 * f(a[1] + b[1])),
  f(0.5 * f(a[2] + b[2])),
];

/** Whether the curve a, b, c is so near its chord that b can go. The sum of the two halves is not rounded. */
function isFlat(a: V3, b: V3, c: V3): boolean {
  const delta: V3 = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    const chord = f(0.5 * f(a[k]! + c[k]!));
    const curve = f(0.5 * (0.5 * f(a[k]! + b[k]!) + 0.5 * f(b[k]! + c[k]!)));
    delta[k] = f(curve - chord);
  }
  return !(f(Math.sqrt(dot(delta, delta))) >= SUBDIVIDE_DISTANCE);
}

function divideColumns(columns: V3[][]): boolean {
  for (let i = 0; i < columns.length - 2; ) {
    const [a, b, c] = [columns[i]!, columns[i + 1]!, columns[i + 2]!];
    if (a.every((point, j) => isFlat(point, b[j]!, c[j]!))) {
      columns.splice(i + 1, 1);
      i++;
      continue;
    }
    const before = a.map((point, j) => middle(point, b[j]!));
    const after = b.map((point, j) => middle(point, c[j]!));
    columns.splice(
      i + 1,
      1,
      before,
      before.map((point, j) => middle(point, after[j]!)),
      after,
    );
    if (columns.length > MAX_GRID_SIZE) return false;
  }
  return true;
}

function removeDoubles(columns: V3[][]): void {
  for (let i = 0; i < columns.length - 1; ) {
    const next = columns[i + 1]!;
    if (columns[i]!.every((point, j) => samePoint(point, next[j]!))) columns.splice(i + 1, 1);
    else i++;
  }
}

function transpose(columns: V3[][]): V3[][] {
  return columns[0]!.map((_, j) => columns.map((column) => column[j]!));
}
