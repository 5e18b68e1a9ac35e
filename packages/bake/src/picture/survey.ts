/** Numbers in {@link Plan.cells} for what is no point: beyond the map, in something solid, open but without a value. */
export const [OUTSIDE, SOLID, OPEN] = [-1, -2, -3] as const;

/** A storey as a grid seen from above, north at the top. */
export interface Plan {
  readonly columns: number;
  readonly rows: number;
  /** The point that each square shows, by its number, or one of the numbers below 0; row by row from the north. */
  readonly cells: Int32Array;
}

/** Where a plan lies: its north-west corner and the side of its squares, in Quake units. */
export interface PlanFrame {
  readonly left: number;
  readonly top: number;
  readonly unit: number;
  readonly columns: number;
  readonly rows: number;
}

/** Whether a place is in something solid. */
export type SolidAt = (x: number, y: number, z: number) => boolean;

/** How high above floors a plan is cut, in Quake units: above steps, below windows. */
export const CUT = 32;
/** How thick walls are drawn at most, in Quake units; what is left between them is filled up to this many square units. */
const WALL_DEPTH = 24;
const PILLAR = 256 * 256;
/** Points whose heights differ by less are beside each other, not above, in Quake units. */
const STEP_UP = 18;

/**
 * Draws the plan of a storey: every square shows the nearest of its points, the upper one where they lie above each
 * other; from there the map is surveyed outward, at the height of the nearest point, as far as it is open.
 * @param points - numbers of the storey's points; `positions` and `step` as a layer has them.
 * @param solidAt - asked for the walls; without it, all that has no value is left blank.
 */
export function surveyPlan(
  frame: PlanFrame,
  points: Uint32Array,
  positions: ArrayLike<number>,
  step: number,
  solidAt: SolidAt | undefined,
): Plan {
  const { columns, rows } = frame;
  const cells = new Int32Array(columns * rows).fill(OUTSIDE);
  paint(frame, cells, points, positions, step);
  if (solidAt) {
    survey(frame, cells, positions, solidAt);
    fill(frame, cells);
  }
  return { columns, rows, cells };
}

function paint(
  { left, top, unit, columns, rows }: PlanFrame,
  cells: Int32Array,
  points: Uint32Array,
  positions: ArrayLike<number>,
  step: number,
): void {
  // Lower ones first, so that the upper ones cover them.
  const height = (k: number): number => positions[3 * k + 2]!;
  const order = Array.from(points).sort((a, b) => height(a) - height(b) || a - b);
  const half = step / 2;
  for (const k of order) {
    const [x, y, z] = [positions[3 * k]!, positions[3 * k + 1]!, positions[3 * k + 2]!];
    // Squares whose middle is in the point's own square; at least the one that holds the point.
    const first = Math.max(
      0,
      Math.min(Math.ceil((x - half - left) / unit - 0.5), Math.floor((x - left) / unit)),
    );
    const last = Math.max(Math.ceil((x + half - left) / unit - 0.5) - 1, Math.floor((x - left) / unit));
    const north = Math.max(
      0,
      Math.min(Math.ceil((top - y - half) / unit - 0.5), Math.floor((top - y) / unit)),
    );
    const south = Math.max(Math.ceil((top - y + half) / unit - 0.5) - 1, Math.floor((top - y) / unit));
    for (let row = north; row <= Math.min(south, rows - 1); row++) {
      for (let column = first; column <= Math.min(last, columns - 1); column++) {
        const at = row * columns + column;
        const other = cells[at]!;
        if (other >= 0 && z - height(other) < STEP_UP) {
          const [cx, cy] = [left + (column + 0.5) * unit, top - (row + 0.5) * unit];
          const away = (x - cx) * (x - cx) + (y - cy) * (y - cy);
          const [ox, oy] = [positions[3 * other]! - cx, positions[3 * other + 1]! - cy];
          if (away >= ox * ox + oy * oy) continue;
        }
        cells[at] = k;
      }
    }
  }
}

function survey(
  { left, top, unit, columns, rows }: PlanFrame,
  cells: Int32Array,
  positions: ArrayLike<number>,
  solidAt: SolidAt,
): void {
  const thick = Math.max(2, Math.round(WALL_DEPTH / unit));
  // Squares in the order in which they were come to, the height at which, and how far into a wall that was.
  const queue = new Int32Array(cells.length);
  const heights = new Float64Array(cells.length);
  const depths = new Uint16Array(cells.length);
  let end = 0;
  const solid = (at: number): boolean =>
    solidAt(
      left + ((at % columns) + 0.5) * unit,
      top - (Math.floor(at / columns) + 0.5) * unit,
      heights[at]!,
    );
  for (let at = 0; at < cells.length; at++) {
    const point = cells[at]!;
    if (point < 0) continue;
    heights[at] = positions[3 * point + 2]! + CUT;
    queue[end++] = at;
  }
  // A point's square reaches into the walls beside it; but where the point itself is below the ceiling that close, all is its.
  const seeded = end;
  for (let k = 0; k < seeded; k++) {
    const at = queue[k]!;
    const point = cells[at]!;
    if (!solid(at) || solidAt(positions[3 * point]!, positions[3 * point + 1]!, heights[at]!)) continue;
    cells[at] = SOLID;
    depths[at] = 1;
  }
  for (let k = 0; k < end; k++) {
    const at = queue[k]!;
    const isSolid = cells[at] === SOLID;
    if (isSolid && depths[at]! >= thick) continue;
    for (const next of neighbours(at, at % columns, columns, rows)) {
      if (next < 0 || cells[next] !== OUTSIDE) continue;
      heights[next] = heights[at]!;
      const isWall = solid(next);
      // What lies behind a wall is another room, which is there if it has values.
      if (isSolid && !isWall) continue;
      cells[next] = isWall ? SOLID : OPEN;
      depths[next] = isWall ? depths[at]! + 1 : 0;
      queue[end++] = next;
    }
  }
}

/** Fills what is enclosed by walls and small: pillars, not the solid between rooms, which looks like nothing at all. */
function fill({ unit, columns, rows }: PlanFrame, cells: Int32Array): void {
  const seen = new Uint8Array(cells.length);
  const queue = new Int32Array(cells.length);
  for (let start = 0; start < cells.length; start++) {
    if (cells[start] !== OUTSIDE || seen[start] === 1) continue;
    let end = 1;
    let isEnclosed = true;
    queue[0] = start;
    seen[start] = 1;
    for (let k = 0; k < end; k++) {
      const at = queue[k]!;
      const column = at % columns;
      const row = Math.floor(at / columns);
      if (column === 0 || row === 0 || column === columns - 1 || row === rows - 1) isEnclosed = false;
      for (const next of neighbours(at, column, columns, rows)) {
        if (next < 0 || seen[next] === 1) continue;
        if (cells[next] !== OUTSIDE) {
          if (cells[next] !== SOLID) isEnclosed = false;
          continue;
        }
        seen[next] = 1;
        queue[end++] = next;
      }
    }
    if (!isEnclosed || end * unit * unit > PILLAR) continue;
    for (let k = 0; k < end; k++) cells[queue[k]!] = SOLID;
  }
}

/** The squares west, east, north and south of one; -1 for none. */
const neighbours = (at: number, column: number, columns: number, rows: number): readonly number[] => [
  column > 0 ? at - 1 : -1,
  column + 1 < columns ? at + 1 : -1,
  at - columns >= 0 ? at - columns : -1,
  at + columns < columns * rows ? at + columns : -1,
];
