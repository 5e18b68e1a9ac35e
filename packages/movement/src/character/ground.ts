import { checkFinite, checkRadius, failArgument } from '@bspkit/core/format';
import { entityOf } from '../space.ts';
import { aim, aimUp, look, place, RISE } from './aim.ts';
import {
  AIM,
  BUMPS,
  checkMoveState,
  FLOOR,
  type Kit,
  kitOf,
  LEAST_FLOOR,
  MOST,
  type MoveState,
  REACH,
  type ShapeTracer,
} from './body.ts';
import { lookFree } from './free.ts';
import { isKnown, NOW, nudge, PLANES, stop, turn } from './planes.ts';

/**
 * Looks for a floor at most `distance` below, straight down or at the foot of what is too steep there, and writes what it
 * finds to `state.normal` and `state.entity`. Nothing moves.
 *
 * @param distance - in Quake units, 0 or more; 0.25 by default.
 * @param floor - the least z of a normal that can be stood on, 0 to 1; 0.7 by default, which is 45.6 degrees.
 * @returns whether it can be stood on.
 * @throws RangeError for a number out of range, or a position that is not finite; TypeError for anything but a tracer and
 *   such a state.
 */
export function ground(
  tracer: ShapeTracer,
  state: MoveState,
  distance = 0.25,
  floor: number = LEAST_FLOOR,
): boolean {
  const kit = kitOf(tracer);
  const { n } = kit;
  checkMoveState(state);
  if (typeof distance !== 'number') checkRadius(distance, 'distance');
  if (typeof floor !== 'number') checkFinite(floor, 'floor');
  n[REACH] = distance;
  n[FLOOR] = floor;
  if (!(n[REACH]! >= 0 && n[REACH]! < MOST)) checkRadius(distance, 'distance');
  if (!(n[FLOOR]! >= 0 && n[FLOOR]! <= 1)) failArgument('floor', 'from 0 to 1', floor);
  kit.isBusy = true;
  const isBelow = findGround(kit, state);
  kit.isBusy = false;
  return isBelow;
}

/**
 * Looks for ground as far down as REACH. A body may touch a slope that is too steep to stand on, and another one beside it, while
 * it is still above the floor at their foot: so the search goes on down along them, as a slide would.
 */
export function findGround(kit: Kit, state: MoveState): boolean {
  const { trace, test } = kit;
  const isBelow = findFloor(kit, state.position);
  const found = isBelow && trace.normal[2]! < kit.n[FLOOR]! ? test : trace;
  state.entity = entityOf(found);
  for (let k = 0; k < 3; k++) state.normal[k] = found.normal[k]!;
  return isBelow;
}

/** Whether there is a floor at most REACH below: hit by `trace`, or by `test` at the foot of what `trace` hit. */
function findFloor(kit: Kit, position: Float32Array): boolean {
  const { trace, test, probe, v, n } = kit;
  const floor = n[FLOOR]!;
  aimUp(n);
  n[RISE] = -n[REACH]!;
  lookFree(kit, position, false);
  let left = n[REACH]!;
  for (let bump = 0, count = 0, hit = trace; bump < BUMPS; bump++, hit = test) {
    const { normal, fraction } = hit;
    if (hit.allSolid || fraction === 1) return false;
    if (normal[2]! >= floor) return true;
    if (hit.startSolid) return false;
    left -= left * fraction;
    for (let k = 0; k < 3; k++) v[PLANES + 3 * count + k] = normal[k]!;
    if (isKnown(v, count)) nudge(v, PLANES + 3 * count, count);
    else {
      stop(v);
      v[NOW + 2] = -left;
      turn(v, ++count);
    }
    for (let k = 0; k < 3; k++) n[AIM + k] = v[NOW + k]!;
    place(probe, hit.endPos);
    aim(kit, probe);
    look(kit, probe, kit.end, test);
  }
  return false;
}
