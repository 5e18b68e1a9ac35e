import { checkFinite, checkOptions, checkRadius, failArgument } from '@bspkit/core/format';
import { entityOf } from '../space.ts';
import {
  AIM,
  ALONG,
  ASIDE,
  BUMPS,
  checkLength,
  checkMoveState,
  checkSlideOptions,
  FLOOR,
  HEIGHT,
  HIGHEST,
  type Kit,
  kitOf,
  LEAST_FLOOR,
  LOWEST,
  MOST,
  type MoveState,
  NEAR,
  noteHit,
  REACH,
  SHORT,
  type ShapeTracer,
  type SlideOptions,
  STEEP,
  STEP_HEIGHT,
  type StepOptions,
  TIME,
} from './body.ts';

/** Of AIM, what is upward. */
export const RISE: number = AIM + 2;

// Places in a kit's array of doubles: velocities as they are, and were at the beginning; planes, up to eight.
const NOW = 0;
const FIRST = 3;
const TRIED = 6;
const PLANES = 9;
const MOST_PLANES = 8;
/** How far it has gone since the last plane. */
const AWAY: number = PLANES + 3 * MOST_PLANES;
/** The square of how far, in Quake units, is still the same place: as near as tracers keep to what they hit. */
const SAME_PLACE: number = 0.25 * 0.25;

/** One object for all calls. */
const NO_OPTIONS: StepOptions = {};
const SLIDE_OPTIONS = ['bumps', 'floor'] satisfies (keyof SlideOptions)[];
const STEP_OPTIONS = [...SLIDE_OPTIONS, 'stepHeight'] satisfies (keyof StepOptions)[];

/** What goes into a plane is taken away a little more than once, so that rounding does not lead into it again. */
const OVERCLIP = 1.001;

/** Planes as alike as this are one; where rounding leads into it again, so much of the speed is added away from it. */
const SAME_PLANE = 0.9999;
const NUDGE = 0.001;

/**
 * Moves a state by its velocity for `dt` seconds, and along what it hits, and turns the velocity too. In place, without
 * allocation, the same bits everywhere. Gravity is up to the caller.
 *
 * @param dt - in seconds. Below 0 it moves backwards.
 * @returns whether anything was hit.
 * @throws TypeError and RangeError naming the argument that is wrong.
 */
export function slide(
  tracer: ShapeTracer,
  state: MoveState,
  dt: number,
  options: SlideOptions = NO_OPTIONS,
): boolean {
  const kit = kitOf(tracer);
  checkMoveState(state);
  checkOptions(options, SLIDE_OPTIONS);
  checkSlideOptions(options);
  kit.n[HEIGHT] = 0;
  beginMove(kit, state, dt);
  kit.isBusy = true;
  const hit = slideBody(kit, state, options.bumps ?? BUMPS);
  const isFree = endFree(kit, state);
  kit.isBusy = false;
  return !isFree || hit;
}

/**
 * A {@link slide} that climbs steps: if it hits a wall, it is tried again from `stepHeight` higher and set down, and that
 * result is used if it ends on a floor and leads farther.
 *
 * @returns whether anything was hit on the way that was used.
 * @throws TypeError and RangeError naming the argument that is wrong.
 */
export function step(
  tracer: ShapeTracer,
  state: MoveState,
  dt: number,
  options: StepOptions = NO_OPTIONS,
): boolean {
  const kit = kitOf(tracer);
  const { n } = kit;
  checkMoveState(state);
  checkOptions(options, STEP_OPTIONS);
  checkSlideOptions(options);
  const { stepHeight = STEP_HEIGHT, floor = LEAST_FLOOR, bumps = BUMPS } = options;
  if (typeof stepHeight !== 'number') checkRadius(stepHeight, 'stepHeight');
  n[HEIGHT] = stepHeight;
  n[FLOOR] = floor;
  if (!(n[HEIGHT]! >= 0 && n[HEIGHT]! < MOST)) checkRadius(stepHeight, 'stepHeight');
  beginMove(kit, state, dt);
  kit.isBusy = true;
  const hit = stepBody(kit, state, bumps);
  const isFree = endFree(kit, state);
  kit.isBusy = false;
  return !isFree || hit;
}

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
 * Looks for ground as far down as REACH. What is too steep to stand on may touch a body above the floor at its foot, and
 * what is beside that, too: so it looks on down along them, as a slide would.
 */
export function findGround(kit: Kit, state: MoveState): boolean {
  const { trace, test } = kit;
  const isBelow = findFloor(kit, state.position);
  const found = isBelow && trace.normal[2]! < kit.n[FLOOR]! ? test : trace;
  state.entity = entityOf(found);
  for (let k = 0; k < 3; k++) state.normal[k] = found.normal[k]!;
  return isBelow;
}

/** Whether there is a floor at most REACH below: what `trace` hit, or `test` at the foot of that. */
function findFloor(kit: Kit, position: Float32Array): boolean {
  const { tracer, trace, test, probe, v, n } = kit;
  const floor = n[FLOOR]!;
  aimUp(n);
  n[RISE] = -n[REACH]!;
  aim(kit, position);
  tracer.trace(position, kit.end, trace);
  let left = n[REACH]!;
  for (let bump = 0, count = 0, hit = trace; bump < BUMPS; bump++, hit = test) {
    const { normal, fraction } = hit;
    if (hit.allSolid || fraction === 1) return false;
    if (normal[2]! >= floor) return true;
    if (hit.startSolid) return false;
    left -= left * fraction;
    for (let k = 0; k < 3; k++) v[PLANES + 3 * count + k] = normal[k]!;
    if (isKnown(v, count)) nudge(v, PLANES + 3 * count);
    else {
      stop(v);
      v[NOW + 2] = -left;
      turn(v, ++count);
    }
    for (let k = 0; k < 3; k++) n[AIM + k] = v[NOW + k]!;
    place(probe, hit.endPos);
    aim(kit, probe);
    tracer.trace(probe, kit.end, test);
  }
  return false;
}

/** How much higher than a step may be a floor still counts: rounding. */
export const ROUNDING: number = 1 / 64;

/**
 * Whether what the latest trace hit is the edge of a step: too steep to stand on, where a round body meets it, but with a
 * floor close behind, no higher than a step above where the move began. Looks from where that trace ended: up, as far ahead,
 * and down again.
 */
export function isEdge(kit: Kit): boolean {
  const { trace, probe, begin, n } = kit;
  const height = n[HEIGHT]!;
  if (trace.startSolid || trace.fraction === 1 || !(trace.normal[2]! > 0) || height === 0) return false;
  place(probe, trace.endPos);
  aimUp(n);
  n[RISE] = height;
  if (!probeOn(kit)) return false;
  n[AIM] = -height;
  // A step does not lead back up to where it began.
  n[LOWEST] = begin[2]! - ROUNDING;
  n[HIGHEST] = begin[2]! + height + ROUNDING;
  return hasFloorAside(kit);
}

/**
 * Whether stairs go on below the edge that the latest trace hit: REACH below it at most is a floor. Else it is the edge of
 * a ledge, off which one falls. Looks as far ahead as the steepest stairs take to go down by half of that: far enough to be
 * clear of the edge.
 */
export function goesOnBelow(kit: Kit): boolean {
  const { trace, probe, n } = kit;
  const floor = n[FLOOR]!;
  const reach = n[REACH]!;
  place(probe, trace.endPos);
  n[AIM] = reach * Math.min(1, (0.5 * floor) / Math.sqrt(1 - floor * floor));
  n[LOWEST] = probe[2]! - reach;
  n[HIGHEST] = probe[2]!;
  return hasFloorAside(kit);
}

/** Floors whose normal has this z or more are level. */
const LEVEL = 0.999;
/** By how much more level ground is from place to place on an edge. */
const TURN = 1e-4;

/**
 * Whether what a round body was set down on, from level ground, is part of an edge that is higher than a step: it may meet an
 * edge where that is as level as a floor, below its top. Looks on as long as the ground gets more level, and then expects it
 * to go on as round as it was.
 */
function isTooHigh(kit: Kit): boolean {
  const { tracer, trace, test, probe, from, n } = kit;
  const height = n[HEIGHT]!;
  const most = from[2]! + height + ROUNDING;
  let z = trace.endPos[2]!;
  let level = trace.normal[2]!;
  let radius = 0.5 - 0.5;
  if (level >= LEVEL) return false;
  aimUp(n);
  n[RISE] = -NEAR;
  aim(kit, from);
  tracer.trace(from, kit.end, test);
  if (test.startSolid || test.fraction === 1 || test.normal[2]! < LEVEL) return false;
  place(probe, trace.endPos);
  n[RISE] = height;
  if (!probeOn(kit)) return false;
  n[AIM] = -height;
  n[LOWEST] = from[2]! - ROUNDING;
  if (!goAside(kit)) return false;
  for (let at = 0; at < PLACES; at++) {
    lookDown(kit);
    const turn = test.normal[2]! - level;
    if (test.startSolid || test.fraction === 1 || turn < TURN) return false;
    radius = (test.endPos[2]! - z) / turn;
    z = test.endPos[2]!;
    level = test.normal[2]!;
    if (z > most) return true;
  }
  return radius * Math.sqrt(1 - level * level) < height && z + radius * (1 - level) > most;
}

/** In how many places it is looked beside an edge. */
const PLACES = 8;

/**
 * Goes aside from the probe, and looks down to LOWEST from place to place on this way. Returns whether it meets a floor before
 * anything above HIGHEST: of stairs whose treads are shorter than a round body, it would later meet the next.
 */
function hasFloorAside(kit: Kit): boolean {
  const { test, n } = kit;
  if (!goAside(kit)) return false;
  for (let at = 0; at < PLACES; at++) {
    lookDown(kit);
    if (test.startSolid || test.endPos[2]! > n[HIGHEST]!) return false;
    if (test.fraction < 1 && test.normal[2]! >= n[FLOOR]!) return true;
  }
  return false;
}

/**
 * Finds out how far it can go from the probe, by AIM's first number along what the latest trace hit faces, on the level. Sets
 * ASIDE to one of PLACES parts of that. Returns whether that leads anywhere, and down from there is LOWEST.
 */
function goAside(kit: Kit): boolean {
  const { trace, probe, n } = kit;
  const { normal } = trace;
  const level = Math.sqrt(normal[0]! * normal[0]! + normal[1]! * normal[1]!);
  if (level === 0 || !(n[LOWEST]! < probe[2]!)) return false;
  const far = n[AIM]!;
  n[AIM] = (far * normal[0]!) / level;
  n[AIM + 1] = (far * normal[1]!) / level;
  n[RISE] = 0;
  const x = probe[0]!;
  const y = probe[1]!;
  if (!probeOn(kit)) return false;
  n[ASIDE] = (probe[0]! - x) / PLACES;
  n[ASIDE + 1] = (probe[1]! - y) / PLACES;
  probe[0] = x;
  probe[1] = y;
  return true;
}

/** Moves the probe by ASIDE, and traces down from there to LOWEST. */
function lookDown(kit: Kit): void {
  const { tracer, test, probe, n } = kit;
  probe[0] = probe[0]! + n[ASIDE]!;
  probe[1] = probe[1]! + n[ASIDE + 1]!;
  aimUp(n);
  n[RISE] = n[LOWEST]! - probe[2]!;
  aim(kit, probe);
  tracer.trace(probe, kit.end, test);
}

/** Moves the probe by AIM, as far as that goes. Returns whether it goes at all. */
function probeOn(kit: Kit): boolean {
  const { tracer, test, probe } = kit;
  aim(kit, probe);
  tracer.trace(probe, kit.end, test);
  if (test.startSolid || test.allSolid) return false;
  place(probe, test.endPos);
  return true;
}

/** Forgets what was touched before, and remembers where the move begins. */
function beginMove(kit: Kit, state: MoveState, dt: number): void {
  const { n } = kit;
  if (typeof dt !== 'number') checkFinite(dt, 'dt');
  n[TIME] = dt;
  n[STEEP] = 0;
  n[ALONG] = 0;
  if (!(n[TIME]! < MOST && n[TIME]! > -MOST)) checkFinite(dt, 'dt');
  checkLength(kit, state, 'state.velocity times dt');
  kit.numTouched = 0;
  state.entity = -1;
  for (let k = 0; k < 3; k++) state.normal[k] = 0;
  place(kit.begin, state.position);
}

/**
 * Makes sure that a move has not ended in solid: engines' traces, which keep a distance, let who comes within it past an
 * edge that they would just graze. It is taken back then, unless it began in solid. Returns whether it was not.
 */
export function endFree(kit: Kit, state: MoveState): boolean {
  const { tracer, test, begin } = kit;
  const { position } = state;
  tracer.trace(position, position, test);
  if (!(test.startSolid || test.allSolid)) return true;
  tracer.trace(begin, begin, test);
  if (test.startSolid || test.allSolid) return true;
  place(position, begin);
  for (let k = 0; k < 3; k++) state.velocity[k] = 0;
  state.stuck = false;
  return false;
}

/** Who falls by less than this share of what it could is held by what is around it. */
const LEAST_FALL = 1 / 64;

/**
 * Whether nothing lets a state fall by RISE, which is below 0: between walls and what is too steep to stand on, say. It
 * stays where it is.
 */
export function isHeld(kit: Kit, state: MoveState): boolean {
  const { low, lowSpeed, n, numTouched } = kit;
  const { position, velocity } = state;
  place(low, position);
  place(lowSpeed, velocity);
  n[TIME] = 1;
  n[STEEP] = 0;
  velocity[0] = 0;
  velocity[1] = 0;
  velocity[2] = n[RISE]!;
  slideBody(kit, state, BUMPS);
  const isIt = low[2]! - position[2]! < -n[RISE]! * LEAST_FALL;
  place(position, low);
  place(velocity, lowSpeed);
  kit.numTouched = numTouched;
  return isIt;
}

/** Sets where the next trace ends, by AIM from a place. */
export function aim({ end, n }: Kit, from: Float32Array): void {
  end[0] = from[0]! + n[AIM]!;
  end[1] = from[1]! + n[AIM + 1]!;
  end[2] = from[2]! + n[AIM + 2]!;
}

/** Sets AIM straight up or down; how far, whoever calls writes to RISE: passed on, the number may be boxed. */
export function aimUp(n: Float64Array): void {
  n[AIM] = 0;
  n[AIM + 1] = 0;
}

function place(to: Float32Array, from: ArrayLike<number>): void {
  to[0] = from[0]!;
  to[1] = from[1]!;
  to[2] = from[2]!;
}

/** Moves for TIME and along what is hit. Returns whether anything was. */
function slideBody(kit: Kit, state: MoveState, bumps: number): boolean {
  const { tracer, trace, v, n } = kit;
  const { position, velocity } = state;
  for (let k = 0; k < 3; k++) {
    v[NOW + k] = velocity[k]!;
    v[FIRST + k] = velocity[k]!;
  }
  let left = n[TIME]!;
  let count = 0;
  let hit = false;
  state.stuck = false;
  for (let bump = 0; bump < bumps; bump++) {
    if (v[NOW] === 0 && v[NOW + 1] === 0 && v[NOW + 2] === 0) break;
    for (let k = 0; k < 3; k++) n[AIM + k] = v[NOW + k]! * left;
    aim(kit, position);
    tracer.trace(position, kit.end, trace);
    // What stays in solid has gone nowhere, whatever the fraction says.
    if (trace.allSolid || (trace.startSolid && trace.fraction === 0)) {
      noteHit(kit, state);
      state.stuck = true;
      hit = true;
      stop(v);
      break;
    }
    if (trace.fraction > 0) place(position, trace.endPos);
    if (trace.fraction === 1) break;
    hit = true;
    noteHit(kit, state);
    left -= left * trace.fraction;
    // Planes of places left behind count no more. Between two that lean towards each other it goes to and fro by next to
    // nothing, and would get nowhere if it forgot one at the other.
    for (let k = 0; k < 3; k++) v[AWAY + k] = n[AIM + k]! * trace.fraction;
    if (v[AWAY]! * v[AWAY]! + v[AWAY + 1]! * v[AWAY + 1]! + v[AWAY + 2]! * v[AWAY + 2]! > SAME_PLACE)
      count = 0;
    if (count === MOST_PLANES) {
      stop(v);
      break;
    }
    for (let k = 0; k < 3; k++) v[PLANES + 3 * count + k] = trace.normal[k]!;
    if (trace.normal[2]! > 0 && trace.normal[2]! < n[STEEP]!) makeWall(v, PLANES + 3 * count);
    if (isKnown(v, count)) {
      nudge(v, PLANES + 3 * count);
      continue;
    }
    count++;
    turn(v, count);
    // Never back, which would jitter in corners.
    if (v[NOW]! * v[FIRST]! + v[NOW + 1]! * v[FIRST + 1]! + v[NOW + 2]! * v[FIRST + 2]! <= 0) {
      stop(v);
      break;
    }
  }
  for (let k = 0; k < 3; k++) velocity[k] = v[NOW + k]!;
  return hit;
}

/** Whether the plane behind `count` others is one of them. */
function isKnown(v: Float64Array, count: number): boolean {
  const a = PLANES + 3 * count;
  for (let b = PLANES; b < a; b += 3) {
    if (v[a]! * v[b]! + v[a + 1]! * v[b + 1]! + v[a + 2]! * v[b + 2]! > SAME_PLANE) return true;
  }
  return false;
}

/** Leads the velocity away from a plane by very little. */
function nudge(v: Float64Array, plane: number): void {
  const size = NUDGE * Math.sqrt(v[NOW]! * v[NOW]! + v[NOW + 1]! * v[NOW + 1]! + v[NOW + 2]! * v[NOW + 2]!);
  for (let k = 0; k < 3; k++) v[NOW + k] = v[NOW + k]! + size * v[plane + k]!;
}

/** Makes a normal level. */
function makeWall(v: Float64Array, at: number): void {
  const size = Math.sqrt(v[at]! * v[at]! + v[at + 1]! * v[at + 1]!);
  v[at] = v[at]! / size;
  v[at + 1] = v[at + 1]! / size;
  v[at + 2] = 0;
}

function stop(v: Float64Array): void {
  v[NOW] = 0;
  v[NOW + 1] = 0;
  v[NOW + 2] = 0;
}

/** Turns the velocity along one of the planes that leads into no other, or along the crease of the last two. */
function turn(v: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const a = PLANES + 3 * i;
    const into = (v[NOW]! * v[a]! + v[NOW + 1]! * v[a + 1]! + v[NOW + 2]! * v[a + 2]!) * OVERCLIP;
    for (let k = 0; k < 3; k++) v[TRIED + k] = v[NOW + k]! - v[a + k]! * into;
    let isGood = true;
    for (let j = 0; j < count && isGood; j++) {
      const b = PLANES + 3 * j;
      isGood = j === i || v[TRIED]! * v[b]! + v[TRIED + 1]! * v[b + 1]! + v[TRIED + 2]! * v[b + 2]! >= 0;
    }
    if (!isGood) continue;
    for (let k = 0; k < 3; k++) v[NOW + k] = v[TRIED + k]!;
    return;
  }
  if (count !== 2) {
    stop(v);
    return;
  }
  const x = v[PLANES + 1]! * v[PLANES + 5]! - v[PLANES + 2]! * v[PLANES + 4]!;
  const y = v[PLANES + 2]! * v[PLANES + 3]! - v[PLANES]! * v[PLANES + 5]!;
  const z = v[PLANES]! * v[PLANES + 4]! - v[PLANES + 1]! * v[PLANES + 3]!;
  const size = x * x + y * y + z * z;
  const along = size > 0 ? (v[NOW]! * x + v[NOW + 1]! * y + v[NOW + 2]! * z) / size : 0;
  v[NOW] = x * along;
  v[NOW + 1] = y * along;
  v[NOW + 2] = z * along;
}

/** {@link slideBody} with steps up to HEIGHT, onto floors as level as FLOOR. */
export function stepBody(kit: Kit, state: MoveState, bumps: number): boolean {
  const { tracer, trace, from, speed, low, lowSpeed, n } = kit;
  const { position, velocity } = state;
  n[SHORT] = 0;
  place(from, position);
  place(speed, velocity);
  if (!slideBody(kit, state, bumps)) return false;
  if (state.stuck || n[HEIGHT] === 0) return true;
  place(low, position);
  place(lowSpeed, velocity);
  // Up, along, and down by as much as it went up.
  aimUp(n);
  n[RISE] = n[HEIGHT]!;
  aim(kit, from);
  tracer.trace(from, kit.end, trace);
  if (trace.allSolid || trace.startSolid) return true;
  place(position, trace.endPos);
  place(velocity, speed);
  const rise = position[2]! - from[2]!;
  const hitMore = slideBody(kit, state, bumps);
  aimUp(n);
  // Who walks up a slope rose along it too, and is set down as low as it began: the next step may be lower than the slope.
  // And a little lower, to meet the floor before a step: who moves by less than tracers keep from walls is not above it yet.
  n[RISE] = (n[ALONG] === 0 ? -rise : Math.min(from[2]! - position[2]!, -rise)) - ROUNDING;
  aim(kit, position);
  tracer.trace(position, kit.end, trace);
  const hitsGround = !trace.startSolid && trace.fraction < 1 && trace.normal[2]! > 0;
  const lands = hitsGround && (trace.normal[2]! >= n[FLOOR]! || isEdge(kit)) && !isTooHigh(kit);
  if (hitsGround && !lands) n[SHORT] = 1;
  const lowX = low[0]! - from[0]!;
  const lowY = low[1]! - from[1]!;
  const highX = position[0]! - from[0]!;
  const highY = position[1]! - from[1]!;
  if (!lands || lowX * lowX + lowY * lowY >= highX * highX + highY * highY) {
    place(position, low);
    place(velocity, lowSpeed);
    return true;
  }
  if (hitMore) n[SHORT] = 1;
  place(position, trace.endPos);
  noteHit(kit, state);
  velocity[2] = lowSpeed[2]!;
  return true;
}
