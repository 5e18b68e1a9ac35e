import { orderAlong } from './order.ts';

/** Numbers in {@link Plan.cells} for anything but a point: outside the map, solid, open but without a value. */
export const OUTSIDE = -1;
export const SOLID = -2;
export const OPEN = -3;

/** A storey as a grid seen from above, north at the top. */
export interface Plan {
  readonly columns: number;
  readonly rows: number;
  /** The number of the point that each square shows, or one of the numbers below 0; row by row from the north. */
  readonly cells: Int32Array;
}

/** Where a plan is: its north-west corner and the side of its squares, in Quake units. */
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
const CUT = 32;
/** How thick walls are drawn at most, in Quake units; gaps of up to this many square units between them are filled. */
const WALL_DEPTH = 24;
const PILLAR = 256 * 256;
/** This far below a floor is what it is made of, or what the next step of a stair is made of, in Quake units. */
const INTO_FLOOR = 4;
const BELOW_STEP = 20;
/** The most squares that points are drawn as: if the points' own squares overlap more, nothing can be made out. */
const MOST_PAINTED = 2 ** 30;
/** Points whose heights differ by less are side by side, not above each other, in Quake units. */
const STEP_UP = 18;

/**
 * Draws the plan of a storey: every square shows the nearest of its points, the upper one if they are above each other; from
 * there the map is surveyed outward, at the height of the nearest point, as far as it is open. Where nobody can stand because a
 * wall is too near, the floor has the value of the nearest point.
 * @param points - numbers of the storey's points; `positions` and `step` as in a layer.
 * @param reach - how far from a point's own square that goes, in Quake units.
 * @param solidAt - asked for the walls; without it, everything without a value is left blank.
 * @throws RangeError for a `step` so much larger than the distance between points that they cover each other.
 */
export function surveyPlan(
  frame: PlanFrame,
  points: Uint32Array,
  positions: ArrayLike<number>,
  step: number,
  reach: number,
  solidAt: SolidAt | undefined,
): Plan {
  const { columns, rows } = frame;
  const cells = new Int32Array(columns * rows).fill(OUTSIDE);
  paint(frame, cells, points, positions, step);
  if (solidAt) {
    const isSolid: SquareSolid = (at, height) => {
      const column = at % columns;
      const row = (at - column) / columns;
      return solidAt(frame.left + (column + 0.5) * frame.unit, frame.top - (row + 0.5) * frame.unit, height);
    };
    extend(frame, cells, positions, reach, solidAt, isSolid);
    survey(frame, cells, positions, isSolid);
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
  const order = orderAlong(2, positions, points);
  const half = step / 2;
  // The range of squares whose middles are in the point's own square; at least the one that contains the point.
  const span = (low: number, high: number, own: number, most: number): readonly [number, number] => [
    Math.max(0, Math.min(Math.ceil(low / unit - 0.5), Math.floor(own / unit))),
    Math.min(Math.max(Math.ceil(high / unit - 0.5) - 1, Math.floor(own / unit)), most - 1),
  ];
  const across = (x: number): readonly [number, number] =>
    span(x - half - left, x + half - left, x - left, columns);
  const down = (y: number): readonly [number, number] => span(top - y - half, top - y + half, top - y, rows);
  let painted = 0;
  for (const k of order) {
    const [first, last] = across(positions[3 * k]!);
    const [north, south] = down(positions[3 * k + 1]!);
    painted += (last - first + 1) * (south - north + 1);
  }
  if (painted > MOST_PAINTED) {
    throw new RangeError(`step ${step} is too large for ${order.length} points this close together`);
  }
  for (const k of order) {
    const [x, y, z] = [positions[3 * k]!, positions[3 * k + 1]!, positions[3 * k + 2]!];
    const [first, last] = across(x);
    const [north, south] = down(y);
    for (let row = north; row <= south; row++) {
      for (let column = first; column <= last; column++) {
        const at = row * columns + column;
        const other = cells[at]!;
        if (other >= 0 && z - positions[3 * other + 2]! < STEP_UP) {
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

/** Whether the middle of a plan's square is solid at a height. */
type SquareSolid = (at: number, height: number) => boolean;

/**
 * Takes squares from points where walls reach into them; then gives these, and those without a point, the value of an adjacent
 * floor that continues there.
 */
function extend(
  { unit, columns, rows }: PlanFrame,
  cells: Int32Array,
  positions: ArrayLike<number>,
  reach: number,
  solidAt: SolidAt,
  isSolid: SquareSolid,
): void {
  const cut = (point: number): number => positions[3 * point + 2]! + CUT;
  for (let at = 0; at < cells.length; at++) {
    const point = cells[at]!;
    // If the ceiling above the point itself is just as low, it keeps everything.
    if (point < 0 || !isSolid(at, cut(point))) continue;
    if (!solidAt(positions[3 * point]!, positions[3 * point + 1]!, cut(point))) cells[at] = OUTSIDE;
  }
  const most = Math.ceil(reach / unit);
  const queue = new Int32Array(cells.length);
  const away = new Uint16Array(cells.length);
  let end = 0;
  for (let at = 0; at < cells.length; at++) if (cells[at]! >= 0) queue[end++] = at;
  for (let k = 0; k < end; k++) {
    const at = queue[k]!;
    if (away[at]! >= most) continue;
    const point = cells[at]!;
    const floor = positions[3 * point + 2]!;
    for (let way = 0; way < SIDES; way++) {
      const next = beside(at, way, columns, rows);
      if (next < 0 || cells[next] !== OUTSIDE || isSolid(next, floor + CUT)) continue;
      if (!isSolid(next, floor - INTO_FLOOR) && !isSolid(next, floor - BELOW_STEP)) continue;
      cells[next] = point;
      away[next] = away[at]! + 1;
      queue[end++] = next;
    }
  }
}

/** Goes from the squares that have points to everything around them, as far as it is open and a little into walls. */
function survey(
  { unit, columns, rows }: PlanFrame,
  cells: Int32Array,
  positions: ArrayLike<number>,
  isSolid: SquareSolid,
): void {
  const thick = Math.max(2, Math.round(WALL_DEPTH / unit));
  // Squares in the order in which they were reached, at which height, and how far into a wall that was.
  const queue = new Int32Array(cells.length);
  const heights = new Float64Array(cells.length);
  const depths = new Uint16Array(cells.length);
  let end = 0;
  for (let at = 0; at < cells.length; at++) {
    const point = cells[at]!;
    if (point < 0) continue;
    heights[at] = positions[3 * point + 2]! + CUT;
    queue[end++] = at;
  }
  for (let k = 0; k < end; k++) {
    const at = queue[k]!;
    const isWall = cells[at] === SOLID;
    if (isWall && depths[at]! >= thick) continue;
    for (let way = 0; way < WAYS; way++) {
      const next = beside(at, way, columns, rows);
      if (next < 0 || cells[next] !== OUTSIDE) continue;
      const goesOn = isSolid(next, heights[at]!);
      // Behind a wall there is another room, which is shown if it has values; and nothing is entered around a corner.
      if (!goesOn && (isWall || way >= SIDES)) continue;
      cells[next] = goesOn ? SOLID : OPEN;
      depths[next] = goesOn ? depths[at]! + 1 : 0;
      heights[next] = heights[at]!;
      queue[end++] = next;
    }
  }
}

/** Fills small areas enclosed by walls: pillars, but not the solid between rooms, which is left blank. */
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
      for (let way = 0; way < SIDES; way++) {
        const next = beside(at, way, columns, rows);
        if (next < 0 || cells[next]! >= 0 || cells[next] === OPEN) isEnclosed = false;
        if (next < 0 || seen[next] === 1 || cells[next] !== OUTSIDE) continue;
        seen[next] = 1;
        queue[end++] = next;
      }
    }
    if (!isEnclosed || end * unit * unit > PILLAR) continue;
    for (let k = 0; k < end; k++) cells[queue[k]!] = SOLID;
  }
}

/** The ways to the squares around one: to those that share a side with it, then to those at its corners. */
const WAYS = 8;
const SIDES = 4;
const EAST = Int8Array.of(-1, 1, 0, 0, -1, 1, -1, 1);
const SOUTH = Int8Array.of(0, 0, -1, 1, -1, -1, 1, 1);

/** The square beside one; -1 for none. */
function beside(at: number, way: number, columns: number, rows: number): number {
  const column = (at % columns) + EAST[way]!;
  const row = Math.floor(at / columns) + SOUTH[way]!;
  return column >= 0 && column < columns && row >= 0 && row < rows ? row * columns + column : -1;
}
