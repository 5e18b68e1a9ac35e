import { checkFinite, checkOptions, checkRadius } from '@bspkit/core/format';
import { aim, aimUp, look, place, RISE } from './aim.ts';
import {
  AIM,
  ALONG,
  BUMPS,
  checkBumps,
  checkFloor,
  checkLength,
  checkMoveState,
  FLOOR,
  HEIGHT,
  type Kit,
  kitOf,
  LEAST_FLOOR,
  MOST,
  type MoveState,
  noteHit,
  SHORT,
  type ShapeTracer,
  type SlideOptions,
  STEEP,
  STEP_HEIGHT,
  type StepOptions,
  TIME,
  TOUCHES,
} from './body.ts';
import { isEdge, isTooHigh, ROUNDING } from './edges.ts';
import { fits, lookOn, loosen, TINY } from './free.ts';
import {
  AWAY,
  FIRST,
  isKnown,
  keepAbove,
  MOST_PLANES,
  makeWall,
  NOW,
  nudge,
  PLANES,
  stop,
  turn,
} from './planes.ts';

/**
 * The square of the distance, in Quake units, within which it counts as still in the same place: as near as tracers keep to what
 * they hit.
 */
const SAME_PLACE: number = 0.25 * 0.25;

/** One object for all calls. */
const NO_OPTIONS: StepOptions = {};
const SLIDE_OPTIONS = ['bumps'] satisfies (keyof SlideOptions)[];
const STEP_OPTIONS = [...SLIDE_OPTIONS, 'stepHeight', 'floor'] satisfies (keyof StepOptions)[];

/**
 * Moves a state by its velocity for `dt` seconds and along what it hits, turning the velocity too. In place, without allocation,
 * the same bits everywhere. Gravity is up to the caller.
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
  const { bumps = BUMPS } = options;
  checkBumps(bumps);
  kit.n[HEIGHT] = 0;
  beginMove(kit, state, dt);
  kit.isBusy = true;
  const hit = slideBody(kit, state, bumps);
  const isFree = endFree(kit, state);
  kit.isBusy = false;
  return !isFree || hit;
}

/**
 * A {@link slide} that climbs steps: if it hits a wall, it is tried again from `stepHeight` higher and set down, and that result
 * is used if it ends on a floor and leads farther.
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
  const { stepHeight = STEP_HEIGHT, floor = LEAST_FLOOR, bumps = BUMPS } = options;
  checkBumps(bumps);
  checkFloor(floor);
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

/** Clears what was touched before, and remembers where the move begins. */
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
 * Makes sure that a move has not ended in solid: engines' traces keep a distance, and may let a body that is within it pass an
 * edge that it would just graze, or a wall that it comes nearer by next to nothing. It is then put beside that, or if there is no
 * room, the move is undone; otherwise it could neither fall nor go on as long as it pushes against a wall. One that began in solid
 * may end there. Returns whether it was kept.
 */
export function endFree(kit: Kit, state: MoveState): boolean {
  const { begin } = kit;
  const { position } = state;
  if (fits(kit, position)) return true;
  const isFromOpen = fits(kit, begin);
  // One that is stuck has just been tried to be put beside what it is in, which takes dozens of traces.
  if ((!state.stuck && loosen(kit, position, isFromOpen)) || !isFromOpen) return true;
  place(position, begin);
  for (let k = 0; k < 3; k++) state.velocity[k] = 0;
  state.stuck = false;
  return false;
}

/** Moves for TIME, and along what is hit. Returns whether anything was hit. */
export function slideBody(kit: Kit, state: MoveState, bumps: number): boolean {
  const { trace, v, n } = kit;
  const { position, velocity } = state;
  // Backwards, it is the opposite velocity that planes must turn.
  const sign = n[TIME]! < 0 ? -1 : 1;
  for (let k = 0; k < 3; k++) {
    v[NOW + k] = sign * velocity[k]!;
    v[FIRST + k] = v[NOW + k]!;
  }
  n[TOUCHES] = 0;
  let left = sign * n[TIME]!;
  let count = 0;
  let hit = false;
  let isFromOpen = false;
  state.stuck = false;
  for (let bump = 0; bump < bumps; bump++) {
    if (v[NOW] === 0 && v[NOW + 1] === 0 && v[NOW + 2] === 0) break;
    for (let k = 0; k < 3; k++) n[AIM + k] = v[NOW + k]! * left;
    if (lookOn(kit, position, isFromOpen)) isFromOpen = true;
    else if (bump === 0) n[TOUCHES] = 1;
    // A move that stays in solid has gone nowhere, whatever the fraction says.
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
    // Planes of places left behind no longer count. Between two planes that lean towards each other, a body goes back and forth
    // by next to nothing, and would get nowhere if it forgot the one at the other.
    for (let k = 0; k < 3; k++) v[AWAY + k] = n[AIM + k]! * trace.fraction;
    if (v[AWAY]! * v[AWAY]! + v[AWAY + 1]! * v[AWAY + 1]! + v[AWAY + 2]! * v[AWAY + 2]! > SAME_PLACE)
      count = 0;
    if (count === MOST_PLANES) {
      stop(v);
      break;
    }
    for (let k = 0; k < 3; k++) v[PLANES + 3 * count + k] = trace.normal[k]!;
    const isWall = trace.normal[2]! > 0 && trace.normal[2]! < n[STEEP]!;
    if (isWall) makeWall(v, PLANES + 3 * count);
    if (isKnown(v, count)) {
      nudge(v, PLANES + 3 * count, count);
      continue;
    }
    count++;
    turn(v, count);
    if (isWall && n[ALONG] !== 0) keepAbove(v);
    // Never backwards, which would jitter in corners.
    if (v[NOW]! * v[FIRST]! + v[NOW + 1]! * v[FIRST + 1]! + v[NOW + 2]! * v[FIRST + 2]! <= 0) {
      stop(v);
      break;
    }
  }
  for (let k = 0; k < 3; k++) velocity[k] = sign * v[NOW + k]!;
  return hit;
}

/** {@link slideBody} with steps up to HEIGHT, onto floors as level as FLOOR. */
export function stepBody(kit: Kit, state: MoveState, bumps: number): boolean {
  const { trace, from, speed, low, lowSpeed, lowNormal, v, n } = kit;
  const { position, velocity, normal } = state;
  n[SHORT] = 0;
  place(from, position);
  place(speed, velocity);
  const hit = slideBody(kit, state, bumps);
  if (state.stuck || n[HEIGHT] === 0) return hit;
  const touches = n[TOUCHES] !== 0 || isStopped(kit, state);
  if (!hit && !touches) return false;
  place(low, position);
  place(lowSpeed, velocity);
  place(lowNormal, normal);
  const { entity } = state;
  const { numTouched } = kit;
  for (let way = 0; way <= n[ALONG]!; way++) {
    // Up, along, and down by as much as it went up.
    aimUp(n);
    n[RISE] = n[HEIGHT]!;
    lookOn(kit, from, false);
    if (trace.allSolid || trace.startSolid) break;
    place(position, trace.endPos);
    place(velocity, speed);
    const rise = position[2]! - from[2]!;
    const time = n[TIME]!;
    if (touches) lengthen(kit);
    const hitMore = slideBody(kit, state, bumps);
    n[TIME] = time;
    aimUp(n);
    // Walking up a slope has raised the body too, so it is set down as low as it began: the next step may be lower than the slope.
    // And a little lower still, to touch the floor in front of a step: a body that moves by less than tracers keep from walls is
    // not above the step yet.
    n[RISE] = (n[ALONG] === 0 ? -rise : Math.min(from[2]! - position[2]!, -rise)) - ROUNDING;
    aim(kit, position);
    look(kit, position, kit.end, trace);
    const hitsGround = !trace.startSolid && trace.fraction < 1 && trace.normal[2]! > 0;
    const lands = hitsGround && (trace.normal[2]! >= n[FLOOR]! || isEdge(kit)) && !isTooHigh(kit);
    if (hitsGround && !lands) n[SHORT] = 1;
    const lowX = low[0]! - from[0]!;
    const lowY = low[1]! - from[1]!;
    const highX = position[0]! - from[0]!;
    const highY = position[1]! - from[1]!;
    // What a longer way gains on a slope is no step.
    const climbs = (!touches && way === 0) || trace.endPos[2]! > low[2]! + TINY + ROUNDING;
    if (lands && climbs && lowX * lowX + lowY * lowY < highX * highX + highY * highY) {
      if (hitMore) n[SHORT] = 1;
      place(position, trace.endPos);
      noteHit(kit, state);
      velocity[2] = lowSpeed[2]!;
      return true;
    }
    // What it hit higher up, and that it may be stuck there, is not of the way it goes.
    kit.numTouched = numTouched;
    state.stuck = false;
    if (!hitsGround || lands) break;
    // Higher up, there is room for it above a slope that is a wall below: now along that, as there may be a step beside it.
    for (let k = 0; k < 3; k++) {
      v[PLANES + k] = trace.normal[k]!;
      v[NOW + k] = speed[k]!;
    }
    makeWall(v, PLANES);
    turn(v, 1);
    keepAbove(v);
    for (let k = 0; k < 3; k++) speed[k] = v[NOW + k]!;
  }
  place(position, low);
  place(velocity, lowSpeed);
  place(normal, lowNormal);
  state.entity = entity;
  return hit;
}

/** Lets the next slide lead a little farther, by the distance at which what it exactly touches is clearly passed. */
function lengthen({ n, speed }: Kit): void {
  const length = Math.sqrt(speed[0]! * speed[0]! + speed[1]! * speed[1]!);
  if (length > 0) n[TIME] = n[TIME]! + ((n[TIME]! < 0 ? -1 : 1) * TINY) / length;
}

/**
 * Whether a state whose move is about as short as the distance that tracers keep exactly touches what it would go on into: some
 * engines' traces of such moves end there, and none leads on from there. Longer ones stop before it, or have hit it.
 */
function isStopped(kit: Kit, { position, velocity }: MoveState): boolean {
  const { n, trace } = kit;
  const x = velocity[0]!;
  const y = velocity[1]!;
  const length = Math.sqrt(x * x + y * y);
  const way = length * n[TIME]!;
  if (way === 0 || way > 2 * TINY || way < -2 * TINY) return false;
  const sign = way < 0 ? -TINY : TINY;
  n[AIM] = (x * sign) / length;
  n[AIM + 1] = (y * sign) / length;
  n[AIM + 2] = 0;
  aim(kit, position);
  look(kit, position, kit.end, trace);
  return trace.startSolid;
}
