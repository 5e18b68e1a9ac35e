import type { Trace, Vec3 } from '@bspkit/core';
import {
  checkArrayOf,
  checkFinite,
  checkObject,
  checkPoint,
  checkTracer,
  checkWhole,
  failArgument,
} from '@bspkit/core/format';
import { isVector } from '../checks.ts';
import { entityOf } from '../space.ts';

// Moves that are not those of any particular game: any shape that a tracer has, through anything that can be traced. The
// arithmetic is double precision, positions and velocities are float32, and every position was the end of a trace, so nobody is
// put into walls.

/** What slides and steps move. Made by {@link createMoveState}; vectors are float32. */
export interface MoveState {
  /** In Quake units. */
  readonly position: Float32Array;
  /** In Quake units per second. */
  readonly velocity: Float32Array;
  /** Normal of what was hit last; zero when nothing was. */
  readonly normal: Float32Array;
  /** What was hit last: 0 for the world, the number of a scene's body; -1 for nothing. */
  entity: number;
  /** Whether it is in solid and cannot move. */
  stuck: boolean;
}

/** A state at rest at 0 0 0. */
export function createMoveState(): MoveState {
  return {
    position: new Float32Array(3),
    velocity: new Float32Array(3),
    normal: new Float32Array(3),
    entity: -1,
    stuck: false,
  };
}

/**
 * Any tracer: of a world, a scene, or a collider of your own. Its `trace` must fill `out` and return it, as those of
 * `defineTracer` do; otherwise moves throw a `TypeError`.
 */
export interface ShapeTracer {
  createTrace(): Trace;
  trace(start: Vec3, end: Vec3, out?: Trace): Trace;
}

/** Options of {@link slide}. */
export interface SlideOptions {
  /** How many times a slide may turn along what it hits; 5 by default. */
  readonly bumps?: number | undefined;
}

/** Options of {@link step}. */
export interface StepOptions extends SlideOptions {
  /** How high steps may be, in Quake units; 18 by default. */
  readonly stepHeight?: number | undefined;
  /** Floors, on which a step may end, are planes whose normal has this z or more; 0.7 by default, which is 45.6 degrees. */
  readonly floor?: number | undefined;
}

export const LEAST_FLOOR = 0.7;

/** How near the ground must be to count as stood on: farther than tracers keep from it. */
export const NEAR = 0.25;

/** Near the greatest float32: times, forces and distances below this need no closer look. */
export const MOST = 3.4e38;
export const STEP_HEIGHT = 18;
export const BUMPS = 5;

/** Places in {@link Kit.n}: numbers of the move. Through an array, as numbers that go through calls may be boxed. */
export const TIME = 0;
export const HEIGHT = 1;
export const FLOOR = 2;
/** Slopes less level than this stop a move like walls; 0 for none. */
export const STEEP = 3;
/** How far down to look for ground. */
export const REACH = 4;
/** How far the next trace goes. */
export const AIM = 5;
/** Whether the velocity's upward part follows the ground that is walked on, 1, or is that of a jump, 0. */
export const ALONG = 8;
/** Between which heights a floor is looked for beside an edge. */
export const LOWEST = 9;
export const HIGHEST = 10;
/**
 * Whether shorter moves may lead farther than the latest one, 1: it led onto ground too steep to stand on, or hit something more.
 */
export const SHORT = 11;
/** How far apart the places are that are probed beside an edge: x and y. */
export const ASIDE = 12;
/** Whether the latest slide began where it exactly touched something, 1. */
export const TOUCHES = 14;

/** Intermediate results of moves, kept with their tracer. */
export interface Kit {
  readonly tracer: ShapeTracer;
  readonly trace: Trace;
  /** For tests of places, so that they don't overwrite `trace`. */
  readonly test: Trace;
  readonly n: Float64Array;
  /** Where the whole move began. */
  readonly begin: Float32Array;
  readonly end: Float32Array;
  /** Where a floor is being looked for behind an edge. */
  readonly probe: Float32Array;
  readonly from: Float32Array;
  readonly speed: Float32Array;
  readonly low: Float32Array;
  readonly lowSpeed: Float32Array;
  readonly lowNormal: Float32Array;
  /** Velocities and planes of a slide. */
  readonly v: Float64Array;
  /** What was touched: distinct entities, `numTouched` of them. */
  readonly touched: Int32Array;
  numTouched: number;
  /** A move is using it, or was when a trace threw. */
  isBusy: boolean;
}

const kits = new WeakMap<ShapeTracer, Kit>();

export function createKit(tracer: ShapeTracer): Kit {
  checkTracer(tracer, 'tracer');
  const point = (): Float32Array => new Float32Array(3);
  return {
    tracer,
    trace: tracer.createTrace(),
    test: tracer.createTrace(),
    n: new Float64Array(15),
    begin: point(),
    end: point(),
    probe: point(),
    from: point(),
    speed: point(),
    low: point(),
    lowSpeed: point(),
    lowNormal: point(),
    v: new Float64Array(48),
    touched: new Int32Array(16),
    numTouched: 0,
    isBusy: false,
  };
}

/** The kit of a tracer, made when it is first used, and again for a move within a trace of another move. */
export function kitOf(tracer: ShapeTracer): Kit {
  let kit = kits.get(tracer);
  if (!kit || kit.isBusy) {
    kit = createKit(tracer);
    kits.set(tracer, kit);
  }
  return kit;
}

export function checkMoveState(state: MoveState): void {
  checkObject(state, 'state');
  const { position, velocity, normal } = state;
  checkArrayOf(position, Float32Array, 'state.position');
  checkArrayOf(velocity, Float32Array, 'state.velocity');
  if (!isVector(normal)) failArgument('state.normal', 'a Float32Array of 3 numbers', normal, false);
  checkPoint(position, 'state.position');
  checkPoint(velocity, 'state.velocity');
}

export function checkBumps(bumps: number): void {
  checkWhole(bumps, 'bumps', 1, 16);
}

export function checkFloor(floor: number): void {
  checkFinite(floor, 'floor');
  if (floor < 0 || floor > 1) failArgument('floor', 'from 0 to 1', floor);
}

/**
 * Throws `RangeError` where a move by the velocity for TIME may lead beyond float32, however it is turned. `name` is the argument
 * that makes it so long.
 */
export function checkLength({ n }: Kit, { position, velocity }: MoveState, name: string): void {
  // After turning along planes, one part may be as long as the whole was; rounding makes it a little longer.
  const length = Math.abs(velocity[0]!) + Math.abs(velocity[1]!) + Math.abs(velocity[2]!);
  const far =
    Math.max(Math.abs(position[0]!), Math.abs(position[1]!), Math.abs(position[2]!)) +
    1.01 * length * Math.abs(n[TIME]!);
  if (far + n[HEIGHT]! < MOST) return;
  // Controllers' positions are the caller's to write into.
  checkPoint(position, 'position');
  throw new RangeError(`${name} must not lead beyond the range of float32`);
}

/** Notes what the latest trace hit. */
export function noteHit(kit: Kit, state: MoveState): void {
  const { trace, touched } = kit;
  state.entity = entityOf(trace);
  for (let k = 0; k < 3; k++) state.normal[k] = trace.normal[k]!;
  if (state.entity < 0 || kit.numTouched === touched.length) return;
  for (let k = 0; k < kit.numTouched; k++) if (touched[k] === state.entity) return;
  touched[kit.numTouched++] = state.entity;
}
