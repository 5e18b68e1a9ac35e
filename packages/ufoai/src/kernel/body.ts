import {
  B_END,
  B_HEAD,
  B_START,
  createPlacement,
  isZero,
  P_BACK_ROWS,
  P_ORIGIN,
  P_ROWS,
  type Placement,
  R_BRUSH,
  R_NORMAL,
  setAngles,
  setOrigin,
  turn,
  turnBack,
} from '@bspkit/brushes';
import type { Vec3 } from '@bspkit/core';
import { POSE_ANGLES, POSE_ORIGIN, takePose } from '@bspkit/core/format';
import {
  MODEL_KEEPS_SHIFT,
  MODEL_MINS,
  MODEL_ORIGIN,
  MODEL_OWN_FRAME,
  MODEL_ROOT,
  MODEL_TILE,
  MODEL_WORDS,
  TILE_SHIFT,
  TILE_WORDS,
} from '../layout.ts';
import { B_GIVEN_END, B_GIVEN_START, B_LIMIT, R_MODEL, R_TILE } from './block.ts';
import { EQUAL_EPSILON, prepareMove, traceTree } from './box.ts';
import { clearRecord, type WorldMemory } from './memory.ts';

const f = Math.fround;

/** The engine clamps models to this in x and y when it checks whether a move comes near them. */
export const WORLD_EDGE = 4096;

/** An inline model with a pose, as tracers know it. */
export interface Body {
  /** k of `*k`, counted through all tiles. */
  readonly number: number;
  readonly tile: number;
  /** Place of its record in the world's buffer. */
  readonly place: number;
  /** Whether it was built around its own origin. */
  readonly ownFrame: boolean;
  /** As given: in Quake units, and pitch, yaw and roll in degrees. Changed by {@link moveBody} only. */
  readonly origin: Float32Array;
  readonly angles: Float32Array;
  readonly placement: Placement;
  /** Bounds in its own frame: mins xyz, maxs xyz. */
  readonly bounds: Float32Array;
  /** The same as the engine has them: of some, it keeps the tile's shift in them. */
  readonly engineBounds: Float32Array;
  /** How far its bounds reach from its origin; one number. */
  readonly radius: Float64Array;
  /** Where it may be met: mins xyz, maxs xyz. */
  readonly reach: Float32Array;
  /** Where the engine looks for it: only within the world, and not everywhere that a turned body sticks out of its bounds. */
  readonly engineReach: Float32Array;
  /** Where the server of release 2.5 looks for it: for a turned one, in a cube around the middle of its bounds. */
  readonly cube: Float32Array;
}

/** A new body for an inline model, where the model's entity is. */
export function createBody({ ints, floats, places }: WorldMemory, number: number): Body {
  const place = places.models.first + MODEL_WORDS * (number - 1);
  const tile = ints[place + MODEL_TILE]!;
  const engineBounds = floats.slice(place + MODEL_MINS, place + MODEL_MINS + 6);
  const bounds = engineBounds.slice();
  if (ints[place + MODEL_KEEPS_SHIFT] !== 0) {
    const shift = places.tiles.first + TILE_WORDS * tile + TILE_SHIFT;
    for (let k = 0; k < 6; k++) bounds[k]! -= floats[shift + (k % 3)]!;
  }
  const body: Body = {
    number,
    tile,
    place,
    ownFrame: ints[place + MODEL_OWN_FRAME] !== 0,
    origin: floats.slice(place + MODEL_ORIGIN, place + MODEL_ORIGIN + 3),
    angles: new Float32Array(3),
    placement: createPlacement(),
    bounds,
    engineBounds,
    radius: new Float64Array(1),
    reach: new Float32Array(6),
    engineReach: new Float32Array(6),
    cube: new Float32Array(6),
  };
  measureCorner(body.bounds, 0, 3, body.radius);
  setOrigin(body.placement, body.origin);
  setAngles(body.placement, body.angles, EQUAL_EPSILON);
  boundBody(body);
  return body;
}

/** Moves and turns a body; what is left out stays as it is. Allocates nothing. */
export function moveBody(body: Body, origin: Vec3 | undefined, angles: Vec3 | undefined): void {
  // All are read before any is written: users may give the body's own arrays, the one for the other.
  takePose(origin ?? body.origin, angles ?? body.angles);
  body.origin.set(POSE_ORIGIN);
  body.angles.set(POSE_ANGLES);
  if (origin) setOrigin(body.placement, body.origin);
  if (angles) setAngles(body.placement, body.angles, EQUAL_EPSILON);
  boundBody(body);
}

function boundBody(body: Body): void {
  const { bounds, engineBounds, origin, placement, radius, reach, engineReach, cube } = body;
  let side = 0;
  for (let k = 0; k < 6; k++) {
    reach[k] = bounds[k]! + origin[k % 3]!;
    engineReach[k] = engineBounds[k]! + origin[k % 3]!;
  }
  keepInWorld(engineReach);
  cube.set(engineReach);
  if (!placement.rotated) return;
  for (let k = 0; k < 3; k++) side = Math.max(side, f(engineReach[3 + k]! - engineReach[k]!));
  for (let k = 0; k < 3; k++) {
    const middle = f(f(cube[k]! + cube[3 + k]!) * 0.5);
    cube[k] = middle - f(side * 0.5);
    cube[3 + k] = middle + f(side * 0.5);
    reach[k] = origin[k]! - radius[0]!;
    reach[3 + k] = origin[k]! + radius[0]!;
    engineReach[k]! -= f(side * 0.5);
    engineReach[3 + k]! += f(side * 0.5);
  }
  keepInWorld(engineReach);
}

/**
 * Writes the distance from 0, 0, 0 to the farthest corner of a box, whose mins and maxs are at two places, to `radius`. As a
 * return value, it would be boxed.
 */
export function measureCorner(box: Float32Array, mins: number, maxs: number, radius: Float64Array): void {
  let square = 0.5 - 0.5;
  for (let k = 0; k < 3; k++) {
    const far = Math.max(Math.abs(box[mins + k]!), Math.abs(box[maxs + k]!));
    square += far * far;
  }
  radius[0] = Math.sqrt(square);
}

function keepInWorld(reach: Float32Array): void {
  for (let k = 0; k < 6; k++) {
    if (k % 3 !== 2) reach[k] = Math.max(-WORLD_EDGE, Math.min(WORLD_EDGE, reach[k]!));
  }
}

/** How a tile's shift is applied in a trace of a model. The tile's planes were moved; the model may be built around 0, 0, 0. */
export const SHIFT_NONE = 0;
/** The engine's rule: it is added if the model's origin is not zero. */
export const SHIFT_ENGINE = 1;
/** What that rule is for: it is added if the model was built around its own origin. */
export const SHIFT_OWN_FRAME = 2;

/** Transforms the ends as given into a body's frame, ready to trace there. */
function enterBody(memory: WorldMemory, body: Body, shiftRule: number): void {
  const { floats, places, box } = memory;
  const { placement } = body;
  const shift = places.tiles.first + TILE_WORDS * body.tile + TILE_SHIFT;
  const shifted =
    shiftRule === SHIFT_ENGINE
      ? !isZero(placement.floats, P_ORIGIN, EQUAL_EPSILON)
      : shiftRule === SHIFT_OWN_FRAME && body.ownFrame;
  for (let k = 0; k < 3; k++) {
    box[B_START + k] = box[B_GIVEN_START + k]! - placement.floats[P_ORIGIN + k]!;
    box[B_END + k] = box[B_GIVEN_END + k]! - placement.floats[P_ORIGIN + k]!;
  }
  if (placement.rotated) {
    turn(placement.floats, P_ROWS, box, B_START);
    turn(placement.floats, P_ROWS, box, B_END);
  }
  if (shifted) {
    for (let k = 0; k < 3; k++) {
      box[B_START + k]! += floats[shift + k]!;
      box[B_END + k]! += floats[shift + k]!;
    }
  }
  prepareMove(memory);
}

/**
 * Traces the box against a body where it is, up to the fraction in `B_LIMIT`: the head's record is the answer.
 * @param exact - leave out what is odd in the engine: it turns the normal back in a way that is right only if a single angle is
 *   not 0, and returns the limit as the fraction of a move that nothing stops.
 */
export function traceBody(memory: WorldMemory, body: Body, shiftRule: number, exact: boolean): void {
  const { ints, places, box, boxState } = memory;
  const { placement } = body;
  enterBody(memory, body, shiftRule);
  clearRecord(memory, B_HEAD);
  box[B_HEAD] = Math.min(box[B_LIMIT]!, 1);
  boxState[B_HEAD + R_TILE] = body.tile;
  boxState[B_HEAD + R_MODEL] = body.number;
  const root = ints[body.place + MODEL_ROOT]!;
  if (root >= 0) traceTree(memory, root, places.boxHeads.count + body.number - 1);
  if (exact && boxState[B_HEAD + R_BRUSH] === 0) box[B_HEAD] = 1;
  if (placement.rotated && box[B_HEAD] !== 1) {
    if (exact) turnBack(placement.floats, P_ROWS, box, B_HEAD + R_NORMAL);
    else turn(placement.floats, P_BACK_ROWS, box, B_HEAD + R_NORMAL);
  }
}

/** Whether a line is strictly beyond one side of a body's reach: one of the boxes that it may be met in. */
export function lineMisses(reach: Float32Array, line: Float64Array): boolean {
  for (let k = 0; k < 3; k++) {
    const a = line[k]!;
    const b = line[3 + k]!;
    if ((a < reach[k]! && b < reach[k]!) || (a > reach[3 + k]! && b > reach[3 + k]!)) return true;
  }
  return false;
}

/** Where a trace stopped, along the move as given: what the engine returns for models, whether they were hit or not. */
export function copyStop(
  box: Float32Array,
  record: number,
  out: Float32Array | Float64Array,
  at: number,
): void {
  const fraction = box[record]!;
  for (let k = 0; k < 3; k++) {
    const start = box[B_GIVEN_START + k]!;
    out[at + k] = f(start + f(fraction * f(box[B_GIVEN_END + k]! - start)));
  }
}
