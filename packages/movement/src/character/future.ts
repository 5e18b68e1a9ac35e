import type { Vec3 } from '@bspkit/core';
import {
  checkFinite,
  checkFlag,
  checkObject,
  checkOptions,
  checkPoint,
  checkRadius,
  failArgument,
} from '@bspkit/core/format';
import { isVector } from '../checks.ts';
import { MOST } from './body.ts';

// The future position of the document "Physics in BSP-Trees: Collision Detection" (2003), in its six steps and its words. There,
// Y is up; here, Z. Two things are as they must have been meant, unless `asPrinted` is set: friction acts against the movement
// and never turns it round, where the document subtracts it whatever the direction; and a frame begins without acceleration,
// which would otherwise grow for ever.

/** An object that moves; its mass is 1. Made by {@link createMovingObject}. */
export interface MovingObject {
  /** In Quake units. */
  readonly position: Float32Array;
  /** In Quake units per second. */
  readonly movement: Float32Array;
  /** Of the last frame, in Quake units per second squared. */
  readonly acceleration: Float32Array;
  /** How far the object travels in the last frame, in Quake units; `newPosition` is where it would end up. */
  readonly distance: Float32Array;
  readonly newPosition: Float32Array;
}

/** An object at rest at 0 0 0. */
export function createMovingObject(): MovingObject {
  const vector = (): Float32Array => new Float32Array(3);
  return {
    position: vector(),
    movement: vector(),
    acceleration: vector(),
    distance: vector(),
    newPosition: vector(),
  };
}

/** The forces on an object during a frame. */
export interface ObjectForces {
  /** Direction in which the user pushes, by x and y, of any length. None by default. */
  readonly direction?: Vec3 | undefined;
  /** How strongly the user pushes, in Quake units per second squared; 0 by default. */
  readonly force?: number | undefined;
  /** How strongly friction brakes it, in Quake units per second squared; 0 by default. */
  readonly friction?: number | undefined;
  /** Downwards, in Quake units per second squared; 800 by default. */
  readonly gravity?: number | undefined;
  /** Limit of the speed in x and y, in Quake units per second; none by default. */
  readonly maxSpeed?: number | undefined;
  /**
   * Steps 1 and 2 in the document's words: the acceleration in x and y is that of the last frame, and friction is
   * subtracted from both, whatever the direction of movement. By default friction acts against the movement, and a frame
   * begins without acceleration.
   */
  readonly asPrinted?: boolean | undefined;
}

const f = Math.fround;

const FORCES = ['direction', 'force', 'friction', 'gravity', 'maxSpeed', 'asPrinted'];
const NOWHERE: Vec3 = [0, 0, 0];
const VECTORS = ['position', 'movement', 'acceleration', 'distance', 'newPosition'] as const;

/**
 * Computes where an object will end up if it passes all collision checks, without allocation: writes its acceleration,
 * movement, distance and new position, and leaves its position to the caller, who asks a tracer.
 *
 * @param frameTime - in seconds, 0 or more.
 * @returns the new position, which is the object's own.
 * @throws TypeError and RangeError naming the argument that is wrong, and RangeError naming the part of the new position
 *   that float32 cannot hold. Nothing changes when it throws.
 */
export function futurePosition(object: MovingObject, forces: ObjectForces, frameTime: number): Float32Array {
  checkForces(object, forces, frameTime);
  const { position, movement, acceleration, distance, newPosition } = object;
  const { direction = NOWHERE, force = 0, friction = 0, gravity = 800, maxSpeed = Infinity } = forces;
  const { asPrinted = false } = forces;
  // 1. Deduct the speed reduction caused by friction: as meant, at most what stops the object in this frame.
  const speed = Math.sqrt(movement[0]! * movement[0]! + movement[1]! * movement[1]!);
  const slowing = speed > 0 ? Math.min(friction, speed / Math.max(frameTime, 1e-9)) / speed : 0;
  let x = asPrinted ? acceleration[0]! - friction : -movement[0]! * slowing;
  let y = asPrinted ? acceleration[1]! - friction : -movement[1]! * slowing;
  // 2. Add the force input from the user.
  const size = Math.sqrt(direction[0]! * direction[0]! + direction[1]! * direction[1]!);
  if (size > 0) {
    x += (force * direction[0]!) / size;
    y += (force * direction[1]!) / size;
  }
  // 3. Set gravity.
  const ax = f(x);
  const ay = f(y);
  const az = f(-gravity);
  // 4. Add the acceleration to the movement, and limit its speed.
  let mx = f(movement[0]! + ax * frameTime);
  let my = f(movement[1]! + ay * frameTime);
  const mz = f(movement[2]! + az * frameTime);
  const moved = Math.sqrt(mx * mx + my * my);
  if (moved > maxSpeed) {
    mx = f((mx * maxSpeed) / moved);
    my = f((my * maxSpeed) / moved);
  }
  // 5. The distance that the object travels this frame.
  const dx = f(mx * frameTime);
  const dy = f(my * frameTime);
  const dz = f(mz * frameTime);
  // 6. The desired new position.
  const px = f(position[0]! + dx);
  const py = f(position[1]! + dy);
  const pz = f(position[2]! + dz);
  // Whatever has overflowed float32 on the way has made the position overflow too.
  if (px - px + (py - py) + (pz - pz) !== 0) checkPoint([px, py, pz], 'object.newPosition');
  acceleration[0] = ax;
  acceleration[1] = ay;
  acceleration[2] = az;
  movement[0] = mx;
  movement[1] = my;
  movement[2] = mz;
  distance[0] = dx;
  distance[1] = dy;
  distance[2] = dz;
  newPosition[0] = px;
  newPosition[1] = py;
  newPosition[2] = pz;
  return newPosition;
}

function checkForces(object: MovingObject, forces: ObjectForces, frameTime: number): void {
  checkObject(object, 'object');
  for (const name of VECTORS) {
    // The name is only put together where it is needed.
    if (!isVector(object[name]))
      failArgument(`object.${name}`, 'a Float32Array of 3 numbers', object[name], false);
  }
  checkPoint(object.position, 'object.position');
  checkPoint(object.movement, 'object.movement');
  checkOptions(forces, FORCES, 'forces');
  const { direction, force = 0, friction = 0, gravity = 0, maxSpeed = 0, asPrinted } = forces;
  checkFlag(asPrinted, 'asPrinted');
  if (asPrinted) checkPoint(object.acceleration, 'object.acceleration');
  if (direction !== undefined) checkPoint(direction, 'direction');
  // Only numbers that may be wrong are passed on, as passing them may box them.
  if (typeof force !== 'number' || !(force < MOST && force > -MOST)) checkFinite(force, 'force');
  if (typeof gravity !== 'number' || !(gravity < MOST && gravity > -MOST)) checkFinite(gravity, 'gravity');
  if (typeof friction !== 'number' || !(friction >= 0 && friction < MOST)) checkRadius(friction, 'friction');
  if (typeof maxSpeed !== 'number' || !(maxSpeed >= 0)) checkRadius(maxSpeed, 'maxSpeed');
  if (typeof frameTime !== 'number' || !(frameTime >= 0 && frameTime < MOST)) {
    checkRadius(frameTime, 'frameTime');
  }
}
