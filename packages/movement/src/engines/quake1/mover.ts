import type { Vec3 } from '@bspkit/core';
import {
  checkFinite,
  checkFlag,
  checkOptions,
  checkWhole,
  failArgument,
  printAsString,
} from '@bspkit/core/format';
import { put } from '../../vectors.ts';
import { loadCommand, type QuakeWorldCommand } from './command.ts';
import {
  ACCELERATE,
  ANGLES,
  createWork,
  ENT_GRAVITY,
  FRICTION,
  GRAVITY,
  MAX_SPEED,
  MSEC,
  NUM_TOUCHED,
  SPECTATOR,
  SPECTATOR_MAX_SPEED,
  STOP_SPEED,
  WATER_ACCELERATE,
  WATER_FRICTION,
  type Work,
} from './memory.ts';
import { runCommand, turnView } from './moves.ts';
import {
  checkHullSpace,
  type HullContents,
  HullProbe,
  type HullSource,
  type HullSpace,
  type PlayerObstacle,
} from './space.ts';
import { loadState, type QuakeWorldState, storeState } from './state.ts';

/** Variables of a server (`sv_gravity` and so on), as float32. Those left out stay as they are. */
export interface QuakeWorldVariables {
  /** In units per second squared: 800 by default. */
  readonly gravity?: number | undefined;
  /** The speed below which friction no longer decreases, in units per second: 100. */
  readonly stopSpeed?: number | undefined;
  /** Highest speed of players, in units per second: 320. */
  readonly maxSpeed?: number | undefined;
  /** Highest speed of spectators, in units per second: 500. */
  readonly spectatorMaxSpeed?: number | undefined;
  /** How quickly players accelerate, on the ground, in the air and as spectators, per second: 10. */
  readonly accelerate?: number | undefined;
  /** How quickly swimmers accelerate, per second: 10. */
  readonly waterAccelerate?: number | undefined;
  /** How quickly friction with the ground slows them down, per second: 4. */
  readonly friction?: number | undefined;
  /** How quickly liquids slow them down, per second and level of the liquid (1 feet, 2 waist, 3 eyes): 4. */
  readonly waterFriction?: number | undefined;
  /** Factor for the player's own gravity: 1. */
  readonly entGravity?: number | undefined;
}

/** How players move. */
export interface QuakeWorldMoverOptions extends QuakeWorldVariables {
  /**
   * Whether commands of more than 50 ms are halved until none is longer, as server and client do; true by default. Halving
   * loses an odd millisecond.
   */
  readonly splits?: boolean | undefined;
  /**
   * Whether the player moves in the direction of the state's angles from before the command; false by default, because
   * server and client turn the player first.
   */
  readonly carryAngles?: boolean | undefined;
  /**
   * For Half-Life maps: the hull by the game's own number, 0 standing, 1 crouched, 2 a point, 3 large, traced by the rules of its
   * players. Everything else is QuakeWorld's. If left out, the player has Quake's hull 1.
   */
  readonly useHull?: number | undefined;
}

/** Places of the variables, and their values by default. */
const VARIABLES: Readonly<Record<keyof QuakeWorldVariables, readonly [place: number, value: number]>> = {
  gravity: [GRAVITY, 800],
  stopSpeed: [STOP_SPEED, 100],
  maxSpeed: [MAX_SPEED, 320],
  spectatorMaxSpeed: [SPECTATOR_MAX_SPEED, 500],
  accelerate: [ACCELERATE, 10],
  waterAccelerate: [WATER_ACCELERATE, 10],
  friction: [FRICTION, 4],
  waterFriction: [WATER_FRICTION, 4],
  entGravity: [ENT_GRAVITY, 1],
};
const NAMES = Object.keys(VARIABLES) as (keyof QuakeWorldVariables)[];
const SETTINGS = [...NAMES, 'splits', 'carryAngles'];

/** Hulls of Half-Life's maps, by the numbers that its players use for them. */
const HALF_LIFE_HULLS: readonly number[] = [1, 3, 0, 2];

/** Longer commands are split. */
const LONGEST = 50;

/** Moves QuakeWorld players. Made by {@link createQuakeWorldMover}; one mover serves any number of players in turn. */
export class QuakeWorldMover {
  /**
   * What the last command touched, in order of contact, with repetitions: 0 for the world, or numbers of obstacles or
   * bodies. Only the first `numTouched` are valid.
   */
  readonly touched: Int32Array;
  private readonly _work: Work;
  private _splits = true;
  private _carries = false;
  private _isMoving = false;

  /** @internal */
  constructor(space: HullSpace, options: QuakeWorldMoverOptions) {
    const { useHull } = options;
    if (useHull !== undefined) checkWhole(useHull, 'useHull', 0, 3);
    const isQuake = useHull === undefined;
    const hull = isQuake ? 1 : HALF_LIFE_HULLS[useHull]!;
    const last = space.contents.hulls.length - 1;
    if (!isQuake && hull > last)
      failArgument('useHull', `a hull of the map, which has 0 to ${last} but not ${hull}`, useHull);
    this._work = createWork(new HullProbe(space, hull, isQuake ? 'quakeworld' : 'halflife-player'));
    this.touched = this._work.touched;
    for (const name of NAMES) this._work.floats[VARIABLES[name][0]] = VARIABLES[name][1];
    this._apply(options);
    printAsString(this);
  }

  /** How many contacts the last command had. */
  get numTouched(): number {
    return this._work.ints[NUM_TOUCHED]!;
  }

  /**
   * Changes variables and settings in place. If it throws, nothing has changed.
   * @throws RangeError for a variable that is not finite; TypeError for anything but a variable or setting.
   */
  set(settings: Omit<QuakeWorldMoverOptions, 'useHull'>): this {
    checkOptions(settings, SETTINGS, 'settings');
    this._apply(settings);
    return this;
  }

  private _apply(settings: QuakeWorldMoverOptions): void {
    // Each is read once, as there may be getters.
    const { splits = this._splits, carryAngles = this._carries } = settings;
    const given = NAMES.map((name) => [name, settings[name]] as const);
    for (const [name, value] of given) if (value !== undefined) checkFinite(value, name);
    checkFlag(splits, 'splits');
    checkFlag(carryAngles, 'carryAngles');
    for (const [name, value] of given) if (value !== undefined) this._work.floats[VARIABLES[name][0]] = value;
    this._splits = splits;
    this._carries = carryAngles;
  }

  /**
   * Adds an obstacle for players: an inline model or a box entity of the same format. Their order is that of the engine's
   * entities: of equally near ones, the first is hit.
   *
   * @returns its number, from 1.
   * @throws TypeError for an obstacle without tracers of hulls or boxes, RangeError for an origin that is not finite.
   */
  add(obstacle: PlayerObstacle, origin: Vec3): number {
    return this._work.probe.add(obstacle, origin);
  }

  /** Moves an obstacle. Throws `RangeError` if there is none with this number, or the origin is not finite. */
  place(obstacle: number, origin: Vec3): void {
    this._work.probe.place(obstacle, origin);
  }

  /** Removes all obstacles. */
  clear(): void {
    this._work.probe.clear();
  }

  /**
   * Moves a player by a command, in place and without allocation, as server and client do: bit for bit.
   *
   * @throws TypeError for a state that {@link createQuakeWorldState} has not made; RangeError naming the part of the
   *   state or the command that is wrong, or when the player leaves what float32 can hold. The state does not change when
   *   it throws.
   */
  move(state: QuakeWorldState, command: QuakeWorldCommand): void {
    const work = this._work;
    if (this._isMoving) throw new Error('a mover cannot be used within its own move');
    this._isMoving = true;
    try {
      loadState(work, state);
      loadCommand(work, command);
      work.ints[NUM_TOUCHED] = 0;
      this._run(command.angles);
    } finally {
      this._isMoving = false;
    }
    storeState(work, state);
  }

  /** Runs a command of any length, in halves if it is too long. */
  private _run(angles: Vec3): void {
    const work = this._work;
    const { floats, ints } = work;
    let count = 1;
    if (this._splits) {
      for (; ints[MSEC]! > LONGEST; count *= 2) ints[MSEC] = ints[MSEC]! >> 1;
    }
    for (; count > 0; count--) {
      if (!this._carries) put(floats, ANGLES, angles);
      turnView(work);
      if (work.ints[SPECTATOR] === 0) put(floats, ANGLES, angles);
      runCommand(work);
    }
  }

  /** @internal */
  toString(): string {
    return `QuakeWorldMover { touched: ${this.numTouched} }`;
  }
}

/**
 * Makes a mover of QuakeWorld players. Traces and contents come from a world with hulls, or from `{ trace, contents }`, such as a
 * scene and its world.
 *
 * @throws TypeError if there are no hulls or no contents, and for unknown options; RangeError for options out of range, and for
 *   a hull that the map does not have.
 */
export function createQuakeWorldMover(
  space: (HullSource & HullContents) | HullSpace,
  options: QuakeWorldMoverOptions = {},
): QuakeWorldMover {
  checkOptions(options, [...SETTINGS, 'useHull']);
  return new QuakeWorldMover(checkHullSpace(space), options);
}
