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
  const heights = Math.floor((high - low) / unit) + 1;
  const heightAt = (z: number): number => Math.floor((z - low) / unit);
  const storeys = bestCuts(heightsOf(positions, heights, heightAt), columnsOf(positions, step), unit);
  return collect(positions, (z) => storeys[heightAt(z)]!)!;
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
  const count = positions.length / 3;
  const found = new Map<number, Storey>();
  // The place of each point's storey among those found.
  const storeys = new Uint16Array(count);
  for (let k = 0; k < count; k++) {
    const z = positions[3 * k + 2]!;
    const number = storeyOf(z);
    let storey = found.get(number);
    if (!storey) {
      if (found.size === MOST_LEVELS || !Number.isFinite(number)) return undefined;
      storey = { number, place: found.size, low: z, high: z, count: 0 };
      found.set(number, storey);
    }
    storeys[k] = storey.place;
    storey.count++;
    storey.low = Math.min(storey.low, z);
    storey.high = Math.max(storey.high, z);
  }
  const all = [...found.values()];
  const points = all.map((storey) => new Uint32Array(storey.count));
  const ends = new Int32Array(all.length);
  for (let k = 0; k < count; k++) {
    const place = storeys[k]!;
    points[place]![ends[place]!++] = k;
  }
  return all
    .sort((one, other) => one.number - other.number)
    .map(({ low, high, place }) => ({ low, high, points: points[place]! }));
}

/** A storey while its points are counted. */
interface Storey {
  readonly number: number;
  readonly place: number;
  low: number;
  high: number;
  count: number;
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
  const points = positions.length / 3;
  const of = new Int32Array(points);
  const [xs, ys] = [new Float64Array(points), new Float64Array(points)];
  // Each column's number plus one, where its hash says or at the next free place. Maps would take several times as long.
  let size = 16;
  while (size < 2 * points) size *= 2;
  const table = new Int32Array(size);
  const placeOf = (x: number, y: number): number => {
    let place = hash(x, y) & (size - 1);
    for (let number = table[place]!; number !== 0; number = table[place]!) {
      if (xs[number - 1] === x && ys[number - 1] === y) break;
      place = (place + 1) & (size - 1);
    }
    return place;
  };
  // Counted from the points at the edges: those of a grid are then in the middles of columns, where rounding does not matter.
  let [west, south] = [Infinity, Infinity];
  for (let k = 0; k < points; k++) {
    west = Math.min(west, positions[3 * k]!);
    south = Math.min(south, positions[3 * k + 1]!);
  }
  let count = 0;
  for (let k = 0; k < points; k++) {
    const x = Math.round((positions[3 * k]! - west) / step);
    const y = Math.round((positions[3 * k + 1]! - south) / step);
    const place = placeOf(x, y);
    if (table[place] === 0) {
      xs[count] = x;
      ys[count] = y;
      table[place] = ++count;
    }
    of[k] = table[place]! - 1;
  }
  const neighbours = new Int32Array(2 * count);
  for (let k = 0; k < count; k++) {
    neighbours[2 * k] = table[placeOf(xs[k]! + 1, ys[k]!)]! - 1;
    neighbours[2 * k + 1] = table[placeOf(xs[k]!, ys[k]! + 1)]! - 1;
  }
  return { of, count, neighbours };
}

/** Mixes all bits of two whole numbers, which may be larger than 32 bits hold. */
function hash(x: number, y: number): number {
  let mixed = Math.imul(x | 0, 0x9e3779b1) ^ Math.imul(Math.floor(x / 2 ** 32) | 0, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) + (y | 0);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x297a2d39) ^ Math.imul(Math.floor(y / 2 ** 32) | 0, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x9e3779b1);
  return mixed ^ (mixed >>> 16);
}

/** Points by their heights. */
interface Heights {
  readonly count: number;
  /** The points' numbers, the lowest first. */
  readonly points: Uint32Array;
  /** Where those of each height begin, and where the last ones end. */
  readonly first: Int32Array;
}

function heightsOf(positions: ArrayLike<number>, count: number, heightAt: (z: number) => number): Heights {
  const first = new Int32Array(count + 1);
  const points = new Uint32Array(positions.length / 3);
  for (let k = 0; k < points.length; k++) first[heightAt(positions[3 * k + 2]!) + 1]!++;
  for (let height = 0; height < count; height++) first[height + 1]! += first[height]!;
  const ends = first.slice();
  for (let k = 0; k < points.length; k++) points[ends[heightAt(positions[3 * k + 2]!)]!++] = k;
  return { count, points, first };
}

/** The storey of each height, from 0. */
function bestCuts(heights: Heights, columns: Columns, unit: number): Int32Array {
  const { count, first } = heights;
  const torn = tornBy(heights, columns, Math.ceil(STEP_UP / unit));
  const hides = hiddenBy(heights, columns);
  // The least cost for all heights below, and where the last storey begins.
  const costs = new Float64Array(count + 1).fill(Infinity);
  const begins = new Int32Array(count + 1);
  costs[0] = 0;
  for (let from = 0; from < count; from++) {
    // A storey that begins where nobody stands is as good as one that begins above, and one below goes on up to there for nothing.
    if (first[from] === first[from + 1]) continue;
    let hidden = 0;
    const before = costs[from]! + torn[from]! + STOREY_COST * columns.count;
    for (let to = from + 1; to <= count; to++) {
      hidden += hides[count * (to - 1) + from]!;
      const cost = before + HIDDEN_COST * hidden;
      if (cost < costs[to]!) {
        costs[to] = cost;
        begins[to] = from;
      }
    }
  }
  const storeys = new Int32Array(count);
  const starts: number[] = [];
  for (let to = count; to > 0; to = begins[to]!) starts.unshift(begins[to]!);
  for (const [number, start] of starts.entries()) storeys.fill(number, start);
  return storeys;
}

/**
 * How many points of each height have another one in their column that is no higher, and no lower than each height: those that
 * such a storey adds to the points above others. By the former, then by the latter.
 */
function hiddenBy({ count, points, first }: Heights, { of, count: numColumns }: Columns): Float64Array {
  const hides = new Float64Array(count * count);
  // The height of the last point in each column so far: the nearest below.
  const below = new Int32Array(numColumns).fill(-1);
  for (let height = 0; height < count; height++) {
    const row = count * height;
    for (let at = first[height]!; at < first[height + 1]!; at++) {
      const column = of[points[at]!]!;
      if (below[column]! >= 0) hides[row + below[column]!]!++;
      below[column] = height;
    }
    for (let from = height - 1; from >= 0; from--) hides[row + from]! += hides[row + from + 1]!;
  }
  return hides;
}

/** How many pairs of neighbours, where one can step from one to the other, a cut below each height tears apart. */
function tornBy({ count, points, first }: Heights, columns: Columns, reach: number): Float64Array {
  // The different heights in each column, the lowest first.
  const ends = new Int32Array(columns.count + 1);
  const list = new Int32Array(points.length);
  const last = new Int32Array(columns.count).fill(-1);
  const eachDifferent = (take: (column: number, height: number) => void): void => {
    last.fill(-1);
    for (let height = 0; height < count; height++) {
      for (let at = first[height]!; at < first[height + 1]!; at++) {
        const column = columns.of[points[at]!]!;
        if (last[column] === height) continue;
        last[column] = height;
        take(column, height);
      }
    }
  };
  eachDifferent((column) => ends[column + 1]!++);
  for (let column = 0; column < columns.count; column++) ends[column + 1]! += ends[column]!;
  const begins = ends.slice();
  eachDifferent((column, height) => {
    list[begins[column]!++] = height;
  });
  const torn = new Float64Array(count + 1);
  for (let column = 0; column < columns.count; column++) {
    for (let way = 0; way < 2; way++) {
      const neighbour = columns.neighbours[2 * column + way]!;
      if (neighbour < 0) continue;
      // Both lists ascend: what is too low for one height is too low for those above it.
      let start = ends[neighbour]!;
      for (let i = ends[column]!; i < ends[column + 1]!; i++) {
        const a = list[i]!;
        while (start < ends[neighbour + 1]! && list[start]! < a - reach) start++;
        for (let j = start; j < ends[neighbour + 1]! && list[j]! <= a + reach; j++) {
          const b = list[j]!;
          if (a === b) continue;
          for (let cut = Math.min(a, b) + 1; cut <= Math.max(a, b); cut++) torn[cut]!++;
        }
      }
    }
  }
  return torn;
}
