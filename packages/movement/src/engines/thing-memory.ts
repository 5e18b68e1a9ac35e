import { checkEnd, put, take } from '../vectors.ts';
import type { Ways } from './chase.ts';
import { ANGLES, ANGULAR, IDEAL_YAW, ORIGIN, type ServerWork, VELOCITY, YAW_SPEED } from './server-slide.ts';

// Things and monsters while they move, as far as both games have them alike.

/** What is moved. */
interface ThingState {
  readonly origin: Float32Array;
  readonly velocity: Float32Array;
  readonly angles: Float32Array;
  readonly angularVelocity: Float32Array;
  idealYaw: number;
  readonly yawSpeed: number;
  ground: number;
  partialGround: number;
  waterType: number;
  waterLevel: number;
}

/** A thing while it moves. */
export interface AnyThingWork {
  readonly server: ServerWork;
  readonly ways: Ways;
  partialGround: number;
  waterType: number;
  waterLevel: number;
  splashed: boolean;
  landed: boolean;
}

/** Begins with a thing as its state says. */
export function loadThing(work: AnyThingWork, state: ThingState): void {
  const { server } = work;
  const { floats: v } = server;
  put(v, ORIGIN, state.origin);
  put(v, VELOCITY, state.velocity);
  put(v, ANGLES, state.angles);
  put(v, ANGULAR, state.angularVelocity);
  v[IDEAL_YAW] = state.idealYaw;
  v[YAW_SPEED] = state.yawSpeed;
  server.ground = state.ground;
  server.numTouched = 0;
  work.partialGround = state.partialGround;
  work.waterType = state.waterType;
  work.waterLevel = state.waterLevel;
  work.splashed = false;
  work.landed = false;
}

/**
 * Writes back what has become of it, with its ideal yaw if it has chased something. Throws before anything is written where the
 * result is beyond float32, or a number is read-only.
 */
export function storeThing(work: AnyThingWork, state: ThingState, hasChased: boolean): void {
  const { floats: v, ground } = work.server;
  checkEnd(v, ORIGIN, VELOCITY);
  checkEnd(v, ANGLES, ANGULAR, 'angles', 'angularVelocity');
  // Single numbers are written as they are first, of which read-only ones throw.
  const { partialGround, ground: before, waterType, waterLevel } = state;
  state.partialGround = partialGround;
  state.ground = before;
  state.waterType = waterType;
  state.waterLevel = waterLevel;
  if (hasChased) state.idealYaw = v[IDEAL_YAW]!;
  state.partialGround = work.partialGround;
  state.ground = ground;
  state.waterType = work.waterType;
  state.waterLevel = work.waterLevel;
  take(v, ORIGIN, state.origin);
  take(v, VELOCITY, state.velocity);
  take(v, ANGLES, state.angles);
  take(v, ANGULAR, state.angularVelocity);
}
