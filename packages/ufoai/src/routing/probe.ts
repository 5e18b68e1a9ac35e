import type { Shape, Vec3 } from '@bspkit/core';
import { BIG_TORSO_HALF_WIDTH, FEET_HALF_WIDTH, TORSO_HALF_WIDTH } from '../cells.ts';
import {
  CELL_SIZE,
  CONTENTS_PASSABLE,
  CONTENTS_WATER,
  MASK_ALL,
  MASK_IMPASSABLE,
  WORLD_CELLS,
} from '../constants.ts';
import type { Body } from '../kernel/body.ts';
import type { BoxTarget } from '../kernel/box-trace.ts';
import type { UfoaiTrace } from '../trace.ts';
import { UfoaiTracer, worldTarget } from '../tracer.ts';
import type { UfoaiWorld } from '../world.ts';

// The box traces that the table is made from. Everything else is whole numbers.

const f = Math.fround;

/** Half widths of what is moved, for actors of one cell and of two by two. */
export const HALF_WIDTHS: readonly [number, number] = [TORSO_HALF_WIDTH, BIG_TORSO_HALF_WIDTH];

/** Coordinates of boxes are clamped to this in x and y. */
const REACH = 4096;

/** Middle of an actor's cells along x or y, in Quake units. */
export const middleOf = (cell: number, size: number): number =>
  (cell - WORLD_CELLS / 2) * CELL_SIZE + (CELL_SIZE / 2) * size;

/** Asks a world where bodies can pass. The answers are in its fields. */
export class Probe {
  /** For the last move: how much of it was free, and where it ended. */
  fraction = 0;
  readonly end: Float32Array = new Float32Array(3);
  private readonly _passing: UfoaiTracer;
  /** For actors that do not move, in the world alone: `_passing` asks the models. */
  private readonly _standing: UfoaiTracer;
  private readonly _sizing: UfoaiTracer;
  /** Whether there are models, where they stand. */
  private readonly _bodiesStand: boolean;
  private readonly _trace: UfoaiTrace;
  private readonly _start: Float32Array = new Float32Array(3);
  private readonly _to: Float32Array = new Float32Array(3);
  private readonly _mins: Float32Array = new Float32Array(3);
  private readonly _maxs: Float32Array = new Float32Array(3);
  private readonly _settings: { readonly mins: Vec3; readonly maxs: Vec3 };
  /** The body that `_passing` has, which often makes many moves in a row; NaN for any other. */
  private _half = Number.NaN;
  private _low = Number.NaN;
  private _high = Number.NaN;

  /**
   * @param where - which tile, or which bodies in addition to the world.
   * @param asGame - whether it answers as all traces of the running game do, with or without bodies: a move only meets brushes of
   *   the levels whose heights it touches, so it misses what has other levels, such as walls of raised tiles, whose brushes keep
   *   their original ones; and bodies are looked for, and met, where the engine has them. If not, bodies are where they stand.
   */
  constructor(
    world: UfoaiWorld,
    where: { readonly tile?: number; readonly bodies?: readonly Body[] },
    asGame = false,
  ) {
    const zero: Vec3 = [0, 0, 0];
    const { _memory: memory } = world;
    const shape: Shape = { kind: 'box', mins: zero, maxs: zero };
    const { bodies = asGame ? [] : undefined, tile } = where;
    const filter = { mask: MASK_IMPASSABLE, reject: CONTENTS_PASSABLE | CONTENTS_WATER };
    this._bodiesStand = bodies !== undefined && !asGame;
    const near = worldTarget(memory, { tile, compat: 'engine' });
    // Tiles have no cells below 0, so they would be out of the way of what is there; a tile that is asked alone is not.
    const trees: BoxTarget = this._bodiesStand ? { ...near, everywhere: true } : near;
    const target: BoxTarget = { ...trees, bodies, engine: !this._bodiesStand };
    this._passing = new UfoaiTracer(memory, target, shape, filter);
    this._standing = this._bodiesStand ? new UfoaiTracer(memory, trees, shape, filter) : this._passing;
    this._sizing = new UfoaiTracer(memory, target, shape, { mask: MASK_ALL, reject: 0 });
    this._trace = this._passing.createTrace();
    this._settings = { mins: this._mins, maxs: this._maxs };
  }

  /** Moves a body whose corners are `half` to each side and at heights `low` and `high` around the moved point. */
  move(
    half: number,
    low: number,
    high: number,
    x0: number,
    y0: number,
    z0: number,
    x1: number,
    y1: number,
    z1: number,
  ): void {
    const { _mins: mins, _maxs: maxs, _start: start, _to: to } = this;
    // Bodies that are turned have the box turned around the point that moves: so that is its middle.
    const middle = this._bodiesStand ? (low + high) / 2 : 0;
    if (half !== this._half || low !== this._low || high !== this._high) {
      this._half = half;
      this._low = low;
      this._high = high;
      mins[0] = -half;
      mins[1] = -half;
      mins[2] = low - middle;
      maxs[0] = half;
      maxs[1] = half;
      maxs[2] = high - middle;
      this._passing.set(this._settings);
    }
    start[0] = x0;
    start[1] = y0;
    start[2] = z0 + middle;
    to[0] = x1;
    to[1] = y1;
    to[2] = z1 + middle;
    this._ask(this._passing);
    this.end[2]! -= middle;
  }

  /** Whether a body around a point meets anything. */
  meets(half: number, low: number, high: number, x: number, y: number, z: number): boolean {
    const { _mins: mins, _maxs: maxs } = this;
    mins[0] = clamp(f(f(x) - half));
    mins[1] = clamp(f(f(y) - half));
    mins[2] = f(z) + low;
    maxs[0] = clamp(f(f(x) + half));
    maxs[1] = clamp(f(f(y) + half));
    maxs[2] = f(z) + high;
    this._half = Number.NaN;
    this._standing.set(this._settings);
    this._stand();
    this._ask(this._standing);
    if (this.fraction < 1 || !this._bodiesStand) return this.fraction < 1;
    this.move(half, low, high, x, y, z, x, y, z);
    return this._trace.model > 0;
  }

  /** Whether anything at all, whatever it is, is in a box of the world. */
  holdsAnything(mins: Vec3, maxs: Vec3): boolean {
    for (let k = 0; k < 3; k++) {
      this._mins[k] = k < 2 ? clamp(mins[k]!) : mins[k]!;
      this._maxs[k] = k < 2 ? clamp(maxs[k]!) : maxs[k]!;
    }
    this._sizing.set(this._settings);
    this._stand();
    this._ask(this._sizing);
    return this.fraction < 1;
  }

  /** The box is in world coordinates already, so it is tested at the origin. */
  private _stand(): void {
    this._start.fill(0);
    this._to.fill(0);
  }

  private _ask(tracer: UfoaiTracer): void {
    tracer.trace(this._start, this._to, this._trace);
    this.fraction = this._trace.fraction;
    this.end.set(this._trace.endPos);
  }
}

const clamp = (value: number): number => Math.min(Math.max(value, -REACH), REACH);

export { FEET_HALF_WIDTH };
