import { checkPoints, checkPositive } from '../check.ts';

/** A storey of a map: some of its points, few or none of which are below others. */
export interface Level {
  /** Heights of the lowest and the highest of its points. */
  readonly low: number;
  readonly high: number;
  /** Its points by their numbers, ascending. */
  readonly points: Uint32Array;
}

/** Heights that differ by less belong to the same storey, in Quake units: half of what a player can step up. */
const FINEST = 8;
/** The most heights that are distinguished; more would only cost time. */
const MOST_HEIGHTS = 256;
/** The most storeys of a given height. */
const MOST_LEVELS = 10_000;
/** How far a player steps up or down, in Quake units: neighbouring points within this belong together. */
const STEP_UP = 24;
/** The cost of one more storey, as a part of the map's columns, and that of a point below another one. */
const [STOREY_COST, HIDDEN_COST] = [0.05, 3];

/**
 * Splits points into storeys by height, the lowest first: with as few points below others as possible, in as few storeys, cut
 * where few neighbours are torn apart. The best of all cuts, found by dynamic programming over the heights.
 * @param positions - three numbers per point: the heights are those of the floors.
 * @param step - width of the column that a point takes up, in Quake units.
 * @param height - storeys of this height, from 0 up, instead of those that are found.
 * @throws RangeError and TypeError for invalid arguments; RangeError for a `height` that makes more than 10,000 storeys.
 */
export function splitLevels(positions: ArrayLike<number>, step: number, height?: number): Level[] {
  checkPoints(positions, 'positions');
  checkPositive(step, 'step');
  if (height !== undefined) return levelsOf(positions, height, 'height');
  const count = positions.length / 3;
  if (count === 0) return [];
  let [low, high] = [Infinity, -Infinity];
  for (let k = 0; k < count; k++) {
    low = Math.min(low, positions[3 * k + 2]!);
    high = Math.max(high, positions[3 * k + 2]!);
  }
  let unit = FINEST;
  while ((high - low) / unit >= MOST_HEIGHTS) unit *= 2;
  const bins = new Int32Array(count);
  for (let k = 0; k < count; k++) bins[k] = Math.floor((positions[3 * k + 2]! - low) / unit);
  const storeys = bestCuts(bins, columnsOf(positions, step), Math.floor((high - low) / unit) + 1, unit);
  return collect(positions, (z) => storeys[Math.floor((z - low) / unit)]!)!;
}

/**
 * Storeys of a given height, from 0 up, that have points.
 * @param name - what the height is called in errors.
 */
export function levelsOf(positions: ArrayLike<number>, height: number, name: string): Level[] {
  checkPositive(height, name);
  const levels = collect(positions, (z) => Math.floor(z / height));
  if (levels) return levels;
  throw new RangeError(`${name} must be larger: ${height} makes more than ${MOST_LEVELS} levels`);
}

/**
 * The storeys that have points, the lowest first: their numbers may be far apart. `undefined` if there are more than allowed, or
 * so many that they have no numbers.
 */
function collect(positions: ArrayLike<number>, storeyOf: (z: number) => number): Level[] | undefined {
  const members = new Map<number, number[]>();
  for (let k = 0; 3 * k < positions.length; k++) {
    const storey = storeyOf(positions[3 * k + 2]!);
    const points = members.get(storey);
    if (points) points.push(k);
    else if (members.size === MOST_LEVELS || !Number.isFinite(storey)) return undefined;
    else members.set(storey, [k]);
  }
  return [...members]
    .sort(([one], [other]) => one - other)
    .map(([, points]) => ({
      low: points.reduce((least, k) => Math.min(least, positions[3 * k + 2]!), Infinity),
      high: points.reduce((most, k) => Math.max(most, positions[3 * k + 2]!), -Infinity),
      points: Uint32Array.from(points),
    }));
}

/** Columns seen from above, by number, and which ones are adjacent. */
interface Columns {
  /** The column of each point. */
  readonly of: Int32Array;
  readonly count: number;
  /** The columns to the east and north of each column, -1 for none. */
  readonly neighbours: Int32Array;
}

function columnsOf(positions: ArrayLike<number>, step: number): Columns {
  // By x, then by y: a single map has room for no more than 2^24 columns.
  const numbers = new Map<number, Map<number, number>>();
  const of = new Int32Array(positions.length / 3);
  let count = 0;
  for (let k = 0; k < of.length; k++) {
    const x = Math.floor(positions[3 * k]! / step);
    const y = Math.floor(positions[3 * k + 1]! / step);
    let row = numbers.get(x);
    if (!row) {
      row = new Map();
      numbers.set(x, row);
    }
    let number = row.get(y);
    if (number === undefined) {
      number = count++;
      row.set(y, number);
    }
    of[k] = number;
  }
  const neighbours = new Int32Array(2 * count);
  for (const [x, row] of numbers) {
    const east = numbers.get(x + 1);
    for (const [y, k] of row) {
      neighbours[2 * k] = east?.get(y) ?? -1;
      neighbours[2 * k + 1] = row.get(y + 1) ?? -1;
    }
  }
  return { of, count, neighbours };
}

/** The storey of each height, from 0. */
function bestCuts(bins: Int32Array, columns: Columns, heights: number, unit: number): Int32Array {
  const byHeight = Array.from({ length: heights }, (): number[] => []);
  for (const [k, bin] of bins.entries()) byHeight[bin]!.push(columns.of[k]!);
  const torn = tornBy(byHeight, columns, Math.ceil(STEP_UP / unit));
  // The least cost for all heights below, and where the last storey begins.
  const costs = new Float64Array(heights + 1).fill(Infinity);
  const begins = new Int32Array(heights + 1);
  costs[0] = 0;
  const seen = new Int32Array(columns.count).fill(-1);
  for (let from = 0; from < heights; from++) {
    // A storey that begins where nobody stands is as good as one that begins above, and one below goes on up to there for nothing.
    if (byHeight[from]!.length === 0) continue;
    let hidden = 0;
    const before = costs[from]! + torn[from]! + STOREY_COST * columns.count;
    for (let to = from + 1; to <= heights; to++) {
      for (const column of byHeight[to - 1]!) {
        if (seen[column] === from) hidden++;
        else seen[column] = from;
      }
      const cost = before + HIDDEN_COST * hidden;
      if (cost < costs[to]!) {
        costs[to] = cost;
        begins[to] = from;
      }
    }
  }
  const storeys = new Int32Array(heights);
  const starts: number[] = [];
  for (let to = heights; to > 0; to = begins[to]!) starts.unshift(begins[to]!);
  for (const [number, start] of starts.entries()) storeys.fill(number, start);
  return storeys;
}

/** How many pairs of neighbours, where one can step from one to the other, a cut below each height tears apart. */
function tornBy(byHeight: readonly (readonly number[])[], columns: Columns, reach: number): Float64Array {
  const heightsOf = Array.from({ length: columns.count }, (): number[] => []);
  for (const [height, members] of byHeight.entries()) {
    for (const column of members) if (heightsOf[column]!.at(-1) !== height) heightsOf[column]!.push(height);
  }
  const torn = new Float64Array(byHeight.length + 1);
  for (const [column, heights] of heightsOf.entries()) {
    for (const neighbour of columns.neighbours.subarray(2 * column, 2 * column + 2)) {
      if (neighbour < 0) continue;
      for (const a of heights) {
        for (const b of heightsOf[neighbour]!) {
          if (a === b || Math.abs(a - b) > reach) continue;
          for (let cut = Math.min(a, b) + 1; cut <= Math.max(a, b); cut++) torn[cut]!++;
        }
      }
    }
  }
  return torn;
}
