import type { BspWorld, Trace, Tracer, Vec3 } from '@bspkit/core';
import {
  checkCallback,
  checkFilled,
  checkFinite,
  checkKind,
  checkOptions,
  checkPoint,
  checkTracer,
  checkWhole,
  failArgument,
} from '@bspkit/core/format';
import { checkPoints } from './check.ts';
import { startsOf } from './starts.ts';

/** Normals of floors that one can stand on point up at least this much, in all games. */
export const MIN_FLOOR = 0.7;

/** Into how many parts the height of a cell is divided where a move down says nothing about what is below a ceiling. */
const PARTS = 8;
/** The most moves in a cell: far out, float32 knows no parts of it. */
const MOST_MOVES: number = 2 * PARTS;

/**
 * Whether a shape comes to stand on a floor in a cell, from its lower end up to below its top: dropped from the top or, if a ceiling
 * is in the cell, from below that.
 */
export function standIn(shape: Tracer, step: number): (middle: Vec3) => boolean {
  const trace = shape.createTrace();
  const [start, end] = [new Float32Array(3), new Float32Array(3)];
  return (middle) => {
    // A little lower: who stands where two cells meet is in the upper one, in spite of rounding.
    const lowest = middle[2]! - step / 2 - 1 / 128;
    // A little farther: some games do not stop a move that ends just where it touches a floor.
    end.set([middle[0]!, middle[1]!, lowest - 1 / 32]);
    start.set(middle);
    let from = lowest + step;
    for (let moves = 0; moves < MOST_MOVES && from >= lowest; moves++) {
      start[2] = from;
      checkFilled(shape.trace(start, end, trace), trace);
      const height = trace.endPos[2]!;
      if (!trace.startSolid) {
        // One that is stopped at once stands as high as the top or higher: in the cell above.
        const stands = trace.fraction > 0 && trace.fraction < 1 && height >= lowest;
        return stands && trace.normal[2]! >= MIN_FLOOR;
      }
      // In a ceiling. The move may go on to what is below that: there may be room on it. From a little higher, as games that are
      // stopped at once do not look for what else they are in.
      const above = height + 1 / 64;
      from = !trace.allSolid && above < from ? above : from - step / PARTS;
    }
    return false;
  };
}

/** Options of {@link walkableCells} and {@link walkableWays}. */
export interface WalkOptions {
  /** Distance between cells, in Quake units, 1 or more: 32 by default. */
  readonly step?: number | undefined;
  /**
   * How far along x and y the cells are from multiples of `step`, in Quake units: 0 by default. Half the side of a game's own
   * cells puts them into the middles of those.
   */
  readonly offset?: number | undefined;
  /** How high a stair may be, in Quake units: 18 by default. */
  readonly climb?: number | undefined;
  /** How far down a walk may drop, in Quake units: 256 by default. */
  readonly fall?: number | undefined;
  /** Where walks begin, three numbers each, by {@link beginAt}; by default {@link startsOf} the map. */
  readonly starts?: ArrayLike<number> | undefined;
  /** The most cells, 1 to 2^24: 2^20 by default. */
  readonly most?: number | undefined;
  /** Called now and then with the number of cells found so far. */
  readonly onProgress?: ((cells: number) => void) | undefined;
}

const WALK_OPTIONS: readonly string[] = [
  'step',
  'offset',
  'climb',
  'fall',
  'starts',
  'most',
  'onProgress',
] satisfies (keyof WalkOptions)[];

/** How much higher than a start players may begin, in Quake units: games lift them by up to 10, and nudge them. */
const LIFTS: readonly number[] = [0, 9, 18];

/**
 * Where a player begins whose start is at `origin`: there, or if that is in solid, on whatever is in the way up to 18 units
 * above. Many starts touch the floor: games lift players, and nudge them out of it.
 *
 * @param shape - the player: a body of the format, as in its catalog, or a tracer of a scene.
 * @returns a new point; `undefined` if the shape does not fit.
 * @throws RangeError and TypeError for invalid arguments.
 */
export function beginAt(shape: Tracer, origin: Vec3): Float32Array | undefined {
  checkTracer(shape, 'shape');
  checkPoint(origin, 'origin');
  const trace = shape.createTrace();
  const [x, y, z] = [origin[0]!, origin[1]!, origin[2]!];
  for (const lift of LIFTS) {
    // With a move: for one without length, some games count touching a wall as being in it. To below the start: where a move
    // ends just where it touches a floor, some games do not stop it, and the next move down begins in that floor.
    checkFilled(shape.trace([x, y, z + lift], [x, y, z - 1], trace), trace);
    if (!trace.startSolid) return lift === 0 ? Float32Array.of(x, y, z) : Float32Array.from(trace.endPos);
  }
  return undefined;
}

/** Where the floor and the eyes of a shape are that stands, in Quake units; the parameters of bakes have the same names. */
export interface Stance {
  /** How far below the traced point the floor is. */
  readonly floor: number;
  /** About how far above it the eyes are: three quarters of the way to the top. */
  readonly eye: number;
}

/** The share of the way from the traced point to the top of a shape at which its eyes are. */
const EYE_SHARE = 0.75;

/**
 * How a shape stands: for a box from -24 to 32, the floor is 24 below its origin, and the eyes are 24 above it. A point lies on the
 * floor.
 *
 * @param shape - the player: a body of the format, as in its catalog.
 * @throws TypeError for anything but a tracer.
 */
export function stanceOf(shape: Tracer): Stance {
  checkTracer(shape, 'shape');
  const { shape: own } = shape;
  const [below, above] =
    'maxs' in own
      ? [-own.mins[2]!, own.maxs[2]!]
      : 'radius' in own
        ? [own.radius, own.radius]
        : 'radii' in own
          ? [own.radii[2]!, own.radii[2]!]
          : [0, 0];
  return { floor: below, eye: Math.round(EYE_SHARE * above) };
}

/**
 * Where a shape can walk: from the starts, it goes straight to the neighbours of each column of a grid, up stairs and down drops,
 * as far as it gets. Places that no such way leads to are left out, as behind a narrow passage between two rows of columns: a
 * smaller step finds them. A cell is where the traced point is when the shape stands: three numbers each, in the order of x, y, z.
 *
 * @param shape - what walks: a body of the format, as in its catalog.
 * @throws RangeError and TypeError for invalid arguments; RangeError when there are more than `most` cells.
 */
export function walkableCells(world: BspWorld, shape: Tracer, options: WalkOptions = {}): Float32Array {
  return walkableWays(world, shape, options).cells;
}

/** Cells, and the ways from each to those around it: what a search for the shortest way needs. */
export interface WalkableWays {
  /** The cells, as those of {@link walkableCells}. */
  readonly cells: Float32Array;
  /** Where the ways of each cell begin in `ends`, and after those of all cells, how many ways there are. */
  readonly firsts: Int32Array;
  /** The cell that each way ends in, by its number, in ascending order for each cell. */
  readonly ends: Int32Array;
}

/**
 * The cells of {@link walkableCells}, and which of them the shape gets to straight from each: up to eight, those of the columns
 * around. A way down a drop leads in one direction. The ways of cell `n` end in the cells `ends[firsts[n]]` to
 * `ends[firsts[n + 1] - 1]`.
 *
 * @param shape - what walks: a body of the format, as in its catalog.
 * @throws RangeError and TypeError for invalid arguments; RangeError when there are more than `most` cells.
 */
export function walkableWays(world: BspWorld, shape: Tracer, options: WalkOptions = {}): WalkableWays {
  checkKind(typeof world?.entities === 'function', world, 'world', 'a world, as openBsp opens it');
  checkTracer(shape, 'shape');
  checkOptions(options, WALK_OPTIONS);
  const { step = 32, offset = 0, climb = 18, fall = 256, most = 2 ** 20 } = options;
  checkFinite(offset, 'offset');
  for (const [name, value] of Object.entries({ step, climb, fall })) {
    checkFinite(value, name);
    if (value < 0 || (name === 'step' && value < 1))
      failArgument(name, name === 'step' ? '1 or more' : '0 or more', value);
  }
  checkWhole(most, 'most', 1, 2 ** 24);
  const { starts = startsOf(world), onProgress = () => {} } = options;
  checkPoints(starts, 'starts');
  checkCallback(onProgress, 'onProgress');
  const walk = new Walk(shape, step, offset, climb, fall, most, onProgress);
  for (let at = 0; at + 2 < starts.length; at += 3)
    walk.begin([starts[at]!, starts[at + 1]!, starts[at + 2]!]);
  return walk.ways();
}

/** Heights in one column that are closer than this belong to one floor. */
const SAME_FLOOR = 4;

/** Ways this long are not halved, as a share of the height of a stair: they lead over one edge of steep stairs. */
const LONGEST = 1 / 2;

/** Cells found between two reports. */
const REPORT_EVERY = 4096;

/** Columns around a column: the four beside it, and the four at its corners. */
const AROUND: readonly (readonly [number, number])[] = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
];

class Walk {
  private readonly _shape: Tracer;
  private readonly _step: number;
  private readonly _offset: number;
  private readonly _climb: number;
  private readonly _fall: number;
  private readonly _most: number;
  private readonly _trace: Trace;
  private readonly _from: Float32Array = new Float32Array(3);
  private readonly _to: Float32Array = new Float32Array(3);
  private readonly _onProgress: (cells: number) => void;
  /** The cells of each column, in the order in which they were found, by the column's numbers along x, then y. */
  private readonly _columns: Map<number, Map<number, number[]>> = new Map();
  /** Cells in the order in which they were found: column and height. */
  private readonly _found: (readonly [number, number, number])[] = [];
  /** Where the ways from each cell end, likewise. */
  private readonly _ends: number[] = [];
  /** Where the ways of each cell begin there. */
  private readonly _firsts: number[] = [];

  constructor(
    shape: Tracer,
    step: number,
    offset: number,
    climb: number,
    fall: number,
    most: number,
    onProgress: (cells: number) => void,
  ) {
    this._shape = shape;
    this._step = step;
    this._offset = offset;
    this._climb = climb;
    this._fall = fall;
    this._most = most;
    this._onProgress = onProgress;
    this._trace = shape.createTrace();
  }

  /**
   * Begins at a point: goes to the middle of its column, and from there on. Where a wall or an edge is in between, as happens where
   * columns are wide, it goes to those around.
   */
  begin(start: Vec3): void {
    const begin = beginAt(this._shape, start);
    if (!begin) return;
    const next = this._found.length;
    const [x, y] = [begin[0]!, begin[1]!];
    const column = (along: number): number => Math.round((along - this._offset) / this._step);
    const [i, j] = [column(x), column(y)];
    if (this._go(x, y, begin[2]!, i, j) < 0) {
      for (const [di, dj] of AROUND) this._go(x, y, begin[2]!, i + di, j + dj);
    }
    for (let at = next; at < this._found.length; at++) {
      const [i, j, height] = this._found[at]!;
      this._firsts.push(this._ends.length);
      for (const [di, dj] of AROUND) {
        const end = this._go(this._middle(i), this._middle(j), height, i + di, j + dj);
        if (end >= 0) this._ends.push(end);
      }
    }
  }

  /** All cells and ways, the cells by column and height. */
  ways(): WalkableWays {
    const { _found: found } = this;
    const order = Int32Array.from(found.keys()).sort((a, b) => {
      const [one, other] = [found[a]!, found[b]!];
      return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
    });
    const numbers = new Int32Array(order.length);
    for (const [number, k] of order.entries()) numbers[k] = number;
    const cells = new Float32Array(3 * order.length);
    const firsts = new Int32Array(order.length + 1);
    const ends = new Int32Array(this._ends.length);
    let at = 0;
    for (const [number, k] of order.entries()) {
      const [i, j, height] = found[k]!;
      cells.set([this._middle(i), this._middle(j), height], 3 * number);
      const own = this._ends.slice(this._firsts[k], this._firsts[k + 1]).map((end) => numbers[end]!);
      ends.set(
        own.sort((a, b) => a - b),
        at,
      );
      at += own.length;
      firsts[number + 1] = at;
    }
    return { cells, firsts, ends };
  }

  /** Where a column is along x or y. */
  private _middle(column: number): number {
    return column * this._step + this._offset;
  }

  /** Goes straight to the middle of a column, and notes the cell there. Returns the cell, or -1 if it does not get there. */
  private _go(x: number, y: number, z: number, i: number, j: number): number {
    const height = this._cross(x, y, z, this._middle(i), this._middle(j));
    return height === undefined ? -1 : this._note(i, j, height);
  }

  /**
   * Goes across from up by the height of a stair, or else as it stands, which takes it through low doorways, and down to a floor. If
   * neither leads there, it goes one half of the way after the other, as stairs and slopes rise and fall by less in each. Returns the
   * height where it gets to.
   */
  private _cross(x: number, y: number, z: number, u: number, v: number): number | undefined {
    const { _climb: climb } = this;
    const height = this._crossFrom(climb, x, y, z, u, v) ?? this._crossFrom(0, x, y, z, u, v);
    if (height !== undefined || climb === 0) return height;
    const [p, q] = [(x + u) / 2, (y + v) / 2];
    if (Math.max(Math.abs(u - x), Math.abs(v - y)) <= Math.max(LONGEST * climb, 1)) return undefined;
    const half = this._cross(x, y, z, p, q);
    return half === undefined ? undefined : this._cross(p, q, half, u, v);
  }

  private _crossFrom(up: number, x: number, y: number, z: number, u: number, v: number): number | undefined {
    const { _from: from, _to: to, _trace: trace, _shape: shape } = this;
    from.set([x, y, z]);
    to.set([x, y, z + up]);
    checkFilled(shape.trace(from, to, trace), trace);
    if (trace.startSolid) return undefined;
    const top = trace.endPos[2]!;
    from.set([x, y, top]);
    to.set([u, v, top]);
    if (shape.blocked(from, to)) return undefined;
    from.set(to);
    to[2] = z - this._fall;
    checkFilled(shape.trace(from, to, trace), trace);
    const stands = !trace.startSolid && trace.fraction < 1 && trace.normal[2]! >= MIN_FLOOR;
    return stands ? trace.endPos[2]! : undefined;
  }

  private _note(i: number, j: number, height: number): number {
    const { _found: found } = this;
    const row = this._columns.get(i) ?? new Map<number, number[]>();
    const cells = row.get(j) ?? [];
    const known = cells.find((cell) => Math.abs(found[cell]![2] - height) < SAME_FLOOR);
    if (known !== undefined) return known;
    if (found.length >= this._most) {
      throw new RangeError(`there are more than ${this._most} cells: use a larger step`);
    }
    const cell = found.length;
    cells.push(cell);
    row.set(j, cells);
    this._columns.set(i, row);
    found.push([i, j, height]);
    if (found.length % REPORT_EVERY === 0) this._onProgress(found.length);
    return cell;
  }
}
