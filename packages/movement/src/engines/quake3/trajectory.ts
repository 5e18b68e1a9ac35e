import type { Vec3 } from '@bspkit/core';
import { checkObject, checkPoint, checkRoomOf, sinCos } from '@bspkit/core/format';
import { checkOneOf } from '../../checks.ts';
import { addScaled, BY, checkEnd, copy, put, take } from '../../vectors.ts';
import { checkThingState, checkTime, Quake3Path, type Quake3ThingState } from './thing-state.ts';

// Where the paths of things and movers lead. Written from what the game is known to do (bg_misc.c).

const f = Math.fround;

// Places in the array of floats, after those that the functions for vectors use.
export const ORIGIN: number = BY + 1;
export const BASE: number = ORIGIN + 3;
export const DELTA: number = BASE + 3;
export const NORMAL: number = DELTA + 3;
/** Where the path leads, or how fast it is there. */
export const FOUND: number = NORMAL + 3;
const FLOATS: number = FOUND + 3;

/** What things fall by, in units per second squared; those of the game know no other. */
const GRAVITY = 800;

/** How a mover moves or turns. States of things have this, too. */
export interface Quake3Trajectory {
  /** One of {@link Quake3Path}. */
  readonly path: number;
  /** When it begins, in whole milliseconds. */
  readonly pathTime: number;
  /** How long a path of the kind `linearStop` is, or how long it takes to swing to and fro, for `sine`: in milliseconds. */
  readonly pathDuration: number;
  /** Where it begins: in Quake units, or angles in degrees. For `sine`, the middle. */
  readonly base: Vec3;
  /** Velocity at its beginning, per second; for `sine`, how far it swings. */
  readonly delta: Vec3;
}

/** A path as it is worked on. */
export interface Path {
  readonly floats: Float32Array;
  path: number;
  time: number;
  duration: number;
  ground: number;
}

export const createPath = (): Path => ({
  floats: new Float32Array(FLOATS),
  path: 0,
  time: 0,
  duration: 0,
  ground: -1,
});

function loadPath(work: Path, { path, pathTime, pathDuration, base, delta }: Quake3Trajectory): void {
  const { floats: v } = work;
  put(v, BASE, base);
  put(v, DELTA, delta);
  work.path = path;
  work.time = pathTime;
  work.duration = pathDuration;
}

export function loadThing(work: Path, state: Quake3ThingState): void {
  loadPath(work, state);
  put(work.floats, ORIGIN, state.origin);
  work.ground = state.ground;
}

/** Leaves where the path is at a time, in milliseconds. It does not swing. */
export function findPlace({ floats: v, path, time: begin, duration }: Path, time: number): void {
  copy(v, BASE, FOUND);
  if (path <= Quake3Path.interpolate) return;
  let passed = time - begin;
  if (path === Quake3Path.linearStop) passed = Math.max(0, Math.min(passed, duration)) | 0;
  // A product of doubles.
  v[BY] = passed * 0.001;
  addScaled(v, BASE, DELTA, FOUND);
  const seconds = v[BY]!;
  if (path === Quake3Path.gravity) v[FOUND + 2] = v[FOUND + 2]! - 0.5 * GRAVITY * seconds * seconds;
}

/** Leaves how fast the path is at a time. */
export function findVelocity({ floats: v, path, time: begin, duration }: Path, time: number): void {
  const isStill =
    path <= Quake3Path.interpolate || (path === Quake3Path.linearStop && time > begin + duration);
  for (let k = 0; k < 3; k++) v[FOUND + k] = isStill ? 0 : v[DELTA + k]!;
  if (path === Quake3Path.gravity) v[FOUND + 2] = v[FOUND + 2]! - f(GRAVITY * f((time - begin) * 0.001));
}

let waves: Float64Array | undefined;

/** The same as {@link findPlace}, or where what swings is: apart, as it needs a sine, which things do not. */
function findMover(work: Path, time: number): void {
  if (work.path !== Quake3Path.sine) {
    findPlace(work, time);
    return;
  }
  const { floats: v, time: begin, duration } = work;
  waves ??= new Float64Array(2);
  waves[0] = f(f(time - begin) / f(duration)) * Math.PI * 2;
  sinCos(waves);
  v[BY] = waves[0]!;
  addScaled(v, BASE, DELTA, FOUND);
}

/**
 * Where the path of a thing is at a time, as the game's clients draw it between moves: nothing is traced.
 *
 * @param time - in milliseconds, whole.
 * @param out - gets the position, in Quake units.
 * @returns `out`.
 * @throws as {@link Quake3ThingMover.move}.
 */
export function quake3ThingPosition(state: Quake3ThingState, time: number, out: Float32Array): Float32Array {
  checkThingState(state);
  return findOn(findPlace, 'position', state, time, out);
}

/**
 * How fast the path of a thing is at a time.
 *
 * @param time - in milliseconds, whole.
 * @param out - gets the velocity, in Quake units per second.
 * @returns `out`.
 * @throws as {@link Quake3ThingMover.move}.
 */
export function quake3ThingVelocity(state: Quake3ThingState, time: number, out: Float32Array): Float32Array {
  checkThingState(state);
  return findOn(findVelocity, 'velocity', state, time, out);
}

/**
 * Where a mover is at a time, or how it is turned, by its path: bit for bit as the game has it (`BG_EvaluateTrajectory`). What a
 * mover is to move by in a frame, for {@link Quake3Pusher.push}, is this less where its body is.
 *
 * @param time - in milliseconds, whole.
 * @param out - gets the position in Quake units, or the angles in degrees.
 * @returns `out`.
 * @throws TypeError and RangeError naming what is wrong, such as a `sine` that takes no time, or a position that float32 cannot hold.
 */
export function quake3PathPosition(
  trajectory: Quake3Trajectory,
  time: number,
  out: Float32Array,
): Float32Array {
  checkObject(trajectory, 'trajectory');
  const { path, pathTime, pathDuration, base, delta } = trajectory;
  checkTime(pathTime, 'trajectory.pathTime');
  checkTime(pathDuration, 'trajectory.pathDuration');
  checkOneOf(path, 'trajectory.path', Quake3Path, 'Quake3Path');
  if (path === Quake3Path.sine && pathDuration === 0)
    throw new RangeError('trajectory.pathDuration must not be 0 for a path that swings');
  checkPoint(base, 'trajectory.base');
  checkPoint(delta, 'trajectory.delta');
  return findOn(findMover, 'position', trajectory, time, out);
}

let scratch: Path | undefined;

function findOn(
  find: (work: Path, time: number) => void,
  what: string,
  trajectory: Quake3Trajectory,
  time: number,
  out: Float32Array,
): Float32Array {
  checkTime(time, 'time');
  checkRoomOf(out, Float32Array, 3, 'out');
  scratch ??= createPath();
  loadPath(scratch, trajectory);
  find(scratch, time);
  checkEnd(scratch.floats, FOUND, FOUND, what, what);
  take(scratch.floats, FOUND, out);
  return out;
}
