import { lengthOf } from '@bspkit/geometry';
import { CompileError } from '../../error.ts';
import type { Patch } from '../../models.ts';

/** How far a curve may be from its chord before it is divided, in Quake units; a little more, for rounding. */
const SUBDIVIDE_DISTANCE = 16.001;
/** Two grid points nearer than this on every axis are one. */
const POINT_EPSILON = 0.1;
/** Rows or columns of a grid. */
const MOST_ROWS = 129;
/**
 * Facets of a patch. A cell makes one or two, or none where it is collapsed to a line, but each is counted as one here: a
 * patch of more cells that makes no more facets than that is refused too. Such patches are rare.
 */
const MOST_FACETS = 1024;
/** Cells of all grids; no reader of ours takes more. */
const MOST_CELLS = 10_000;

type Point = readonly [number, number, number];

/**
 * Refuses patches that the engine and our reader cannot hold, as far as that shows in the grids they are divided into, and
 * with them the few of {@link MOST_FACETS} that they could. What planes facets need is known only when these are made.
 */
export function checkCells(patches: readonly Patch[]): void {
  let total = 0;
  for (const patch of patches) {
    const fail = (problem: string): never => {
      throw new CompileError('limit', patch.place, `${problem}: bend it less, or make it smaller`);
    };
    const cells = countCells(patch) ?? fail(`the patch needs more than ${MOST_ROWS} rows or columns`);
    if (cells > MOST_FACETS) fail(`the patch needs ${cells} cells, where Quake 3 may have ${MOST_FACETS}`);
    total += cells;
    if (total > MOST_CELLS) {
      fail(`up to this patch, all of them need ${total} cells, where Quake 3 may have ${MOST_CELLS}`);
    }
  }
}

/** Cells of the grid that a patch is divided into; `undefined` for one with too many rows or columns. */
function countCells({
  width,
  height,
  points,
}: Pick<Patch, 'width' | 'height' | 'points'>): number | undefined {
  const control = Array.from({ length: width }, (_, i) =>
    Array.from({ length: height }, (_, j): Point => {
      const [x, y, z] = points[j * width + i]!;
      return [Math.fround(x), Math.fround(y), Math.fround(z)];
    }),
  );
  const columns = divide(control);
  const rows = columns && divide(columns[0]!.map((_, j) => columns.map((column) => column[j]!)));
  return rows && (rows.length - 1) * (rows[0]!.length - 1);
}

/** Divides the curves that run across lines of points until they are flat, and drops lines that are like the one before. */
function divide(control: readonly Point[][]): Point[][] | undefined {
  const lines = [...control];
  for (let i = 0; i < lines.length - 2; ) {
    const [a, b, c] = [lines[i]!, lines[i + 1]!, lines[i + 2]!];
    if (a.every((point, j) => isFlat(point, b[j]!, c[j]!))) {
      lines.splice(i + 1, 1);
      i++;
      continue;
    }
    const before = middles(a, b);
    const after = middles(b, c);
    lines.splice(i + 1, 1, before, middles(before, after), after);
    if (lines.length > MOST_ROWS) return undefined;
  }
  const kept = [lines[0]!];
  for (const line of lines) if (!isSame(kept.at(-1)!, line)) kept.push(line);
  return kept;
}

const middles = (a: readonly Point[], b: readonly Point[]): Point[] =>
  a.map(([x, y, z], j) => [(x + b[j]![0]) / 2, (y + b[j]![1]) / 2, (z + b[j]![2]) / 2]);

/** Whether the curve a, b, c is so near its chord that b can go. */
function isFlat(a: Point, b: Point, c: Point): boolean {
  const off = (k: 0 | 1 | 2): number => (2 * b[k] - a[k] - c[k]) / 4;
  return lengthOf(off(0), off(1), off(2)) < SUBDIVIDE_DISTANCE;
}

const isSame = (a: readonly Point[], b: readonly Point[]): boolean =>
  a.every((point, j) => point.every((x, k) => Math.abs(x - b[j]![k]!) <= POINT_EPSILON));
