import { cellKey } from './lists.ts';

/** Normals closer to each other than this are the same: over 4000 units, that is less than a hundredth of a unit. */
export const NORMAL_EPSILON = 2e-6;
export const DIST_EPSILON = 0.01;
/** Buckets of distances per unit; each is wider than twice {@link NEAR}. */
const BUCKETS = 4;
/** Equal planes are no farther apart than this, whatever the rounding. */
const NEAR = 1.02 * DIST_EPSILON;
/** Buckets of {@link turnOf} likewise. */
const TURNS = 1024;
const NEAR_TURN = 2.2 * NORMAL_EPSILON;
/** A number by which normals differ, as a rule; of equal ones, by less than {@link NEAR_TURN}. */
const turnOf = (nx: number, ny: number, nz: number): number => nx + 0.7320508 * ny + 0.381966 * nz;

/**
 * The planes of a map, each stored once, rounded to float32 as the file will hold them, in opposite pairs: plane
 * `2k + 1` is plane `2k` turned around, and the largest component of an even plane's normal is positive.
 */
export class PlaneSet {
  readonly nx: number[] = [];
  readonly ny: number[] = [];
  readonly nz: number[] = [];
  readonly dist: number[] = [];
  /**
   * The latest plane of each bucket, by distance and normal. PERF: of thousands of brushes around the origin, as in round halls, many
   * planes are equally far from it, and each was compared with all of these.
   */
  private readonly _latest = new Map<number, number>();
  /** For each pair, the plane before it in its bucket, -1 for none. */
  private readonly _before: number[] = [];

  /** How many planes there are, counting both of a pair. */
  get size(): number {
    return this.dist.length;
  }

  /** 0, 1, 2 for a plane along x, y, z; 3, 4, 5 for an oblique one whose largest component is x, y, z. */
  type(plane: number): number {
    const x = Math.abs(this.nx[plane]!);
    const y = Math.abs(this.ny[plane]!);
    const z = Math.abs(this.nz[plane]!);
    if (x === 1) return 0;
    if (y === 1) return 1;
    if (z === 1) return 2;
    return x >= y && x >= z ? 3 : y >= z ? 4 : 5;
  }

  /** Distance of a point from a plane, positive in front of it. */
  distance(plane: number, x: number, y: number, z: number): number {
    return this.nx[plane]! * x + this.ny[plane]! * y + this.nz[plane]! * z - this.dist[plane]!;
  }

  /** The number of the plane with this unit normal and distance. A plane that is equal within a hundredth of a unit is reused. */
  find(nx: number, ny: number, nz: number, dist: number): number {
    const ax = Math.abs(nx);
    const ay = Math.abs(ny);
    const az = Math.abs(nz);
    const largest = ax >= ay && ax >= az ? nx : ay >= az ? ny : nz;
    if (largest < 0) return this._find(-nx, -ny, -nz, -dist) ^ 1;
    return this._find(nx, ny, nz, dist);
  }

  private _find(nx: number, ny: number, nz: number, dist: number): number {
    const turn = turnOf(nx, ny, nz);
    const low = Math.floor(BUCKETS * (dist - NEAR));
    const high = Math.floor(BUCKETS * (dist + NEAR));
    const lowTurn = Math.floor(TURNS * (turn - NEAR_TURN));
    const highTurn = Math.floor(TURNS * (turn + NEAR_TURN));
    // No loops: what is far enough away has no next bucket.
    let first = this._firstOf(cellKey(low, lowTurn), nx, ny, nz, dist, -1);
    if (highTurn !== lowTurn) first = this._firstOf(cellKey(low, highTurn), nx, ny, nz, dist, first);
    if (high !== low) {
      first = this._firstOf(cellKey(high, lowTurn), nx, ny, nz, dist, first);
      if (highTurn !== lowTurn) first = this._firstOf(cellKey(high, highTurn), nx, ny, nz, dist, first);
    }
    if (first >= 0) return first;
    const plane = this.size;
    const small = (a: number, b: number): boolean =>
      Math.abs(a) < NORMAL_EPSILON && Math.abs(b) < NORMAL_EPSILON;
    if (small(ny, nz)) this._append(1, 0, 0, dist);
    else if (small(nx, nz)) this._append(0, 1, 0, dist);
    else if (small(nx, ny)) this._append(0, 0, 1, dist);
    else this._append(nx, ny, nz, dist);
    return plane;
  }

  /**
   * The plane of a bucket that equals another one and takes precedence over the others and over `first`, which is -1 for none.
   */
  private _firstOf(bucket: number, nx: number, ny: number, nz: number, dist: number, first: number): number {
    for (let plane = this._latest.get(bucket) ?? -1; plane >= 0; plane = this._before[plane >> 1]!) {
      if (
        Math.abs(this.dist[plane]! - dist) < DIST_EPSILON &&
        Math.abs(this.nx[plane]! - nx) < NORMAL_EPSILON &&
        Math.abs(this.ny[plane]! - ny) < NORMAL_EPSILON &&
        Math.abs(this.nz[plane]! - nz) < NORMAL_EPSILON &&
        (first < 0 || this._isBefore(plane, first))
      ) {
        first = plane;
      }
    }
    return first;
  }

  /** Whether a plane takes precedence over another if a third equals both: by the whole unit of its distance, then by age. */
  private _isBefore(plane: number, other: number): boolean {
    const [unit, otherUnit] = [Math.floor(this.dist[plane]!), Math.floor(this.dist[other]!)];
    return unit < otherUnit || (unit === otherUnit && plane < other);
  }

  private _append(nx: number, ny: number, nz: number, dist: number): void {
    const whole = Math.round(dist);
    if (Math.abs(dist - whole) < 1e-5) dist = whole;
    const isAxial = [nx, ny, nz].filter((n) => component(n) !== 0).length === 1;
    const x = isAxial ? component(nx) : oblique(nx);
    const y = isAxial ? component(ny) : oblique(ny);
    const z = isAxial ? component(nz) : oblique(nz);
    const d = Math.fround(dist) + 0;
    const key = cellKey(Math.floor(BUCKETS * d), Math.floor(TURNS * turnOf(x, y, z)));
    this._before.push(this._latest.get(key) ?? -1);
    this._latest.set(key, this.size);
    this.nx.push(x, 0 - x);
    this.ny.push(y, 0 - y);
    this.nz.push(z, 0 - z);
    this.dist.push(d, 0 - d);
  }
}

/** The greatest float32 below 1. */
const BELOW_ONE = 1 - 2 ** -24;

/** A component of an oblique normal: engines take a normal with a component of 1 as axial, and ignore its other components. */
const oblique = (x: number): number => Math.max(-BELOW_ONE, Math.min(BELOW_ONE, component(x)));

/** A component as the file will hold it; what rounding left of 0, and -0, become 0. */
const component = (x: number): number => (Math.abs(x) < 1e-12 ? 0 : Math.fround(x));
