import { B_HEAD, B_HIGH, B_LOW } from '@bspkit/brushes';
import { LEVEL_COUNT, LEVEL_HEIGHT, WITH_ACTORCLIP } from '../constants.ts';
import { B_GIVEN_END, B_GIVEN_MAXS, B_GIVEN_MINS, B_GIVEN_START, B_LIMIT } from './block.ts';
import { type Body, measureCorner, SHIFT_ENGINE, SHIFT_OWN_FRAME, traceBody } from './body.ts';
import { copyRecord, type WorldMemory } from './memory.ts';
import { rememberSolid } from './tiles.ts';

/** Writes the box around the whole move of the shape as given to `B_LOW` and `B_HIGH`. */
function boundGiven(box: Float32Array): void {
  for (let k = 0; k < 3; k++) {
    const start = box[B_GIVEN_START + k]!;
    const end = box[B_GIVEN_END + k]!;
    box[B_LOW + k] = Math.min(start + box[B_GIVEN_MINS + k]!, end + box[B_GIVEN_MINS + k]!);
    box[B_HIGH + k] = Math.max(start + box[B_GIVEN_MAXS + k]!, end + box[B_GIVEN_MAXS + k]!);
  }
}

/** The levels that a move's heights touch; the engine's traces with entities take these and keep only the clip bit. */
export function levelsOfSweep(box: Float32Array, mask: number): number {
  boundGiven(box);
  let levels = mask & WITH_ACTORCLIP;
  for (let k = 0; k < LEVEL_COUNT; k++) {
    if (box[B_HIGH + 2]! >= LEVEL_HEIGHT * k && box[B_LOW + 2]! <= LEVEL_HEIGHT * (k + 1)) levels |= 1 << k;
  }
  return levels;
}

/** How far the latest shape that was turned reaches from the traced point. */
const shapeRadius = /* @__PURE__ */ new Float64Array(1);

/** The same for a shape that may be turned in any way around the traced point. */
function boundTurned(box: Float32Array): void {
  measureCorner(box, B_GIVEN_MINS, B_GIVEN_MAXS, shapeRadius);
  const radius = shapeRadius[0]!;
  for (let k = 0; k < 3; k++) {
    const start = box[B_GIVEN_START + k]!;
    const end = box[B_GIVEN_END + k]!;
    box[B_LOW + k] = Math.min(start, end) - radius;
    box[B_HIGH + k] = Math.max(start, end) + radius;
  }
}

/**
 * Whether a move comes near a body's reach; touching counts. In the frame of a turned body the shape is turned too, which the
 * engine ignores here.
 */
function comesNear(box: Float32Array, { reach, engineReach, placement }: Body, engine: boolean): boolean {
  if (placement.rotated && !engine) boundTurned(box);
  else boundGiven(box);
  const near = engine ? engineReach : reach;
  for (let k = 0; k < 3; k++) {
    if (box[B_HIGH + k]! < near[k]! || box[B_LOW + k]! > near[3 + k]!) return false;
  }
  return true;
}

/** Continues from the record at `best` through bodies, in order: the nearest hit stays; of equally near ones, the first. */
export function traceBodies(
  memory: WorldMemory,
  bodies: readonly Body[],
  best: number,
  engine: boolean,
): void {
  const { box, boxState } = memory;
  for (let k = 0; k < bodies.length && box[best] !== 0; k++) {
    const body = bodies[k]!;
    if (!comesNear(box, body, engine)) continue;
    // Where nothing was traced yet, the engine takes a body that was missed as the answer.
    const limit = engine ? box[best]! : Math.min(box[best]!, 1);
    box[B_LIMIT] = limit;
    traceBody(memory, body, engine ? SHIFT_ENGINE : SHIFT_OWN_FRAME, !engine);
    rememberSolid(boxState);
    if (box[B_HEAD]! < limit) copyRecord(memory, B_HEAD, best);
  }
}
