import type { Vec3 } from '@bspkit/core';
import {
  checkFinite,
  checkOptions,
  checkPoint,
  checkRadius,
  cos,
  failArgument,
  printAsString,
  showVec,
} from '@bspkit/core/format';
import { entityOf } from '../space.ts';
import { aimUp, place, RISE } from './aim.ts';
import {
  AIM,
  ALONG,
  BUMPS,
  checkLength,
  createKit,
  createMoveState,
  FLOOR,
  HEIGHT,
  type Kit,
  MOST,
  type MoveState,
  NEAR,
  REACH,
  SHORT,
  type ShapeTracer,
  STEEP,
  STEP_HEIGHT,
  TIME,
} from './body.ts';
import { goesOnBelow, isEdge } from './edges.ts';
import { aside, fits, freeWay, isFree, lookFree, loosen } from './free.ts';
import { findGround } from './ground.ts';
import { GROUND } from './planes.ts';
import { endFree, slideBody, stepBody } from './slide.ts';

/** How a character moves. */
export interface ControllerOptions {
  /** Where it starts, in Quake units; 0 0 0 by default. */
  readonly position?: Vec3 | undefined;
  /** How high steps may be, in Quake units; 18 by default. */
  readonly stepHeight?: number | undefined;
  /** The steepest floor that it can walk on, in degrees, 0 (level) to 90; 45 by default. */
  readonly slopeLimit?: number | undefined;
  /**
   * How far down it follows the ground that it walks on, as on stairs and ramps, in Quake units; 18 by default, 0 for
   * not at all.
   */
  readonly snapToGround?: number | undefined;
  /** For {@link Controller.walk}, in Quake units per second squared; 800 by default. */
  readonly gravity?: number | undefined;
}

const OPTIONS: readonly string[] = [
  'position',
  'stepHeight',
  'slopeLimit',
  'snapToGround',
  'gravity',
] satisfies (keyof ControllerOptions)[];

/**
 * The longest part of a move on the ground, as a share of the step height: on stairs of 45 degrees, it leads over one edge, or
 * over several that together are lower than a step.
 */
const LONGEST = 1 / 2;
/** A move that would need more parts is made at once. */
const MOST_PARTS = 8;

/** A jump that misses more than this share of a short move has met a ceiling. */
const MOST_MISSING = 63 / 64;

/** A character that falls by less than this share of the possible distance is held by its surroundings. */
const LEAST_FALL = 1 / 64;

/** Moves of this length are turned well by all engines' traces. */
const LONG_ENOUGH = 1;

const isAt = (place: Float32Array, other: Float32Array): boolean =>
  place[0] === other[0] && place[1] === other[1] && place[2] === other[2];

const ORIGIN: Vec3 = [0, 0, 0];

/** How far to look for a way out of solid, unit by unit: as wide as maps can be. */
const FARTHEST = 65_536;

interface Kept {
  readonly position: Float32Array;
  readonly groundNormal: Float32Array;
  groundEntity: number;
  stuck: boolean;
  readonly touched: Int32Array;
  numTouched: number;
}

/**
 * Moves a character through the world or scene of its tracer. Made by {@link createController}. If the tracer throws, the error comes
 * through, and the character is as it was before the move.
 */
export class Controller {
  /** Normal of the floor that it stands on, straight up on the edge of a step; zero when it stands on nothing. Read only. */
  readonly groundNormal: Float32Array = new Float32Array(3);
  /** How fast it rises (above 0) or falls, in Quake units per second, for {@link Controller.walk}. Set it to jump. */
  verticalSpeed = 0;
  private _groundEntity = -1;
  private readonly _kit: Kit;
  private readonly _state: MoveState = createMoveState();
  private readonly _delta: Float32Array = new Float32Array(3);
  private readonly _try: Float32Array = new Float32Array(3);
  private readonly _normal: Float32Array = new Float32Array(3);
  /** What is there to see of it as a move began. */
  private readonly _kept: Kept = {
    position: new Float32Array(3),
    groundNormal: new Float32Array(3),
    groundEntity: -1,
    stuck: false,
    touched: new Int32Array(16),
    numTouched: 0,
  };
  private readonly _height: number;
  private readonly _floor: number;
  private readonly _snap: number;
  private readonly _gravity: number;
  private _isMoving = false;

  /** @internal */
  constructor(tracer: ShapeTracer, options: ControllerOptions) {
    checkOptions(options, OPTIONS);
    const {
      position = ORIGIN,
      stepHeight = STEP_HEIGHT,
      slopeLimit = 45,
      snapToGround = STEP_HEIGHT,
      gravity = 800,
    } = options;
    this._kit = createKit(tracer);
    checkRadius(stepHeight, 'stepHeight');
    checkRadius(snapToGround, 'snapToGround');
    checkFinite(gravity, 'gravity');
    checkFinite(slopeLimit, 'slopeLimit');
    if (slopeLimit < 0 || slopeLimit > 90) failArgument('slopeLimit', 'from 0 to 90 degrees', slopeLimit);
    this._height = stepHeight;
    // Rounding to float32 must not make a floor of exactly the limit too steep.
    this._floor = Math.max(cos((slopeLimit * Math.PI) / 180) - 1e-6, 1e-6);
    // A little farther: some traces end 1/32 above a floor, but only meet one that they lead to. And there is rounding.
    this._snap = snapToGround && snapToGround + 3 / 64;
    this._gravity = gravity;
    this.teleport(position);
    printAsString(this);
  }

  /** Where it is, in Quake units. Read only: {@link Controller.teleport} puts it elsewhere. */
  get position(): Float32Array {
    return this._state.position;
  }

  /** Whether it stands on a floor. */
  get grounded(): boolean {
    return this._groundEntity >= 0;
  }

  /** What it stands on: 0 for the world, the number of a scene's body; -1 for nothing. */
  get groundEntity(): number {
    return this._groundEntity;
  }

  /**
   * What the last move touched: 0 for the world, or numbers of a scene's bodies. Only the first `numTouched` are
   * valid.
   */
  get touched(): Int32Array {
    return this._kit.touched;
  }

  get numTouched(): number {
    return this._kit.numTouched;
  }

  /** Whether the last move found it in solid, so that it could not move: see {@link Controller.unstick}. */
  get stuck(): boolean {
    return this._state.stuck;
  }

  /**
   * Puts it at a position, and looks for ground there. Its vertical speed is 0 then.
   *
   * @param stood - whether it stood there, so that it may stand on the edge of a step; false by default: it comes from above. To
   *   continue from a state that was saved, pass what `grounded` was, and then set `verticalSpeed`.
   * @throws RangeError for a position that is not finite; TypeError for anything but true or false.
   */
  teleport(position: Vec3, stood = false): void {
    checkPoint(position, 'position');
    if (typeof stood !== 'boolean') failArgument('stood', 'true or false', stood, false);
    this._put(position, stood);
    this.verticalSpeed = 0;
    this._state.stuck = false;
    this._kit.numTouched = 0;
  }

  /**
   * Moves by `delta` as far as possible: along walls, up steps, and on the ground along slopes. Allocates nothing; the
   * same bits everywhere. `position`, `grounded` and `touched` have the result.
   *
   * @param delta - in Quake units.
   * @throws RangeError if it is not finite, or leads beyond the range of float32; nothing has moved then.
   */
  move(delta: Vec3): void {
    checkPoint(delta, 'delta');
    this._change(this._moveBy, delta);
  }

  private _moveBy(delta: Vec3): void {
    for (let k = 0; k < 3; k++) this._delta[k] = delta[k]!;
    this._move('delta');
  }

  /** Calls one of its methods. If that throws, as tracers may, all is as it was. Not with a closure, which would be allocated. */
  private _change<A extends unknown[], R>(method: (...given: A) => R, ...given: A): R;
  private _change<R>(method: (...given: unknown[]) => R, a: unknown, b?: unknown, c?: unknown): R {
    if (this._isMoving) throw new Error('a character cannot be used within its own move');
    this._isMoving = true;
    const { _kit: kit, _state: state, _kept: kept, groundNormal } = this;
    place(kept.position, state.position);
    place(kept.groundNormal, groundNormal);
    kept.groundEntity = this._groundEntity;
    kept.stuck = state.stuck;
    kept.numTouched = kit.numTouched;
    kept.touched.set(kit.touched);
    try {
      return method.call(this, a, b, c);
    } catch (error) {
      place(state.position, kept.position);
      place(groundNormal, kept.groundNormal);
      this._groundEntity = kept.groundEntity;
      state.stuck = kept.stuck;
      kit.numTouched = kept.numTouched;
      kit.touched.set(kept.touched);
      throw error;
    } finally {
      this._isMoving = false;
    }
  }

  /**
   * Walks with a horizontal velocity for `dt` seconds, and falls by gravity if it has no ground.
   *
   * @param velocity - in Quake units per second; z is ignored. To jump, set `verticalSpeed`.
   * @param dt - in seconds. Below 0 it walks backwards, and gravity acts as in reversed time.
   * @throws RangeError if a number is not finite, or leads beyond the range of float32; nothing has moved then.
   */
  walk(velocity: Vec3, dt: number): void {
    checkPoint(velocity, 'velocity');
    if (typeof dt !== 'number' || !(dt < MOST && dt > -MOST)) checkFinite(dt, 'dt');
    // Set by the caller to jump.
    const { verticalSpeed: speed } = this;
    if (typeof speed !== 'number' || !(speed < MOST && speed > -MOST)) checkFinite(speed, 'verticalSpeed');
    this._change(this._walk, velocity, dt);
  }

  private _walk(velocity: Vec3, dt: number): void {
    const { _delta: delta, groundNormal: floor, position, verticalSpeed: speed } = this;
    const falls = !this.grounded || speed > 0;
    const before = falls ? speed : 0;
    const after = falls ? before - this._gravity * dt : 0;
    delta[0] = velocity[0]! * dt;
    delta[1] = velocity[1]! * dt;
    delta[2] = 0.5 * (before + after) * dt;
    const z = position[2]! + delta[2]!;
    this._move('velocity times dt');
    const missing = z - position[2]!;
    // The first moves of a jump may end so near the ground that it counts as stood on: the jump goes on all the same.
    const leaves =
      after > 0 && dt >= 0 && velocity[0]! * floor[0]! + velocity[1]! * floor[1]! + after * floor[2]! > 0;
    // Anything in the way ends a fall or a jump.
    const isStopped =
      (this.grounded && !leaves) ||
      this.stuck ||
      (after > 0
        ? missing > Math.min(NEAR, Math.abs(delta[2]!) * MOST_MISSING)
        : missing < -NEAR && this._isHeld());
    this.verticalSpeed = isStopped ? 0 : after;
  }

  /**
   * Whether its surroundings keep it from falling: otherwise it would fall ever faster without moving, until it could not even
   * walk away.
   */
  private _isHeld(): boolean {
    const { _kit: kit, _state: state, _delta: delta } = this;
    const { low, n, numTouched } = kit;
    const { position } = state;
    // Not beyond float32: the move itself may have led almost there.
    const most = Math.min(-delta[2]!, position[2]! + 0.99 * MOST);
    if (!(most > NEAR)) return false;
    n[RISE] = -most;
    this._fall();
    const fallen = low[2]! - position[2]!;
    this._goBack(numTouched);
    return fallen < most * LEAST_FALL;
  }

  /** Falls by RISE, which is below 0, and along what it hits. Where it was is in the kit's `low`. */
  private _fall(): void {
    const { _kit: kit, _state: state } = this;
    const { n } = kit;
    place(kit.low, state.position);
    n[TIME] = 1;
    n[STEEP] = 0;
    aimUp(n);
    for (let k = 0; k < 3; k++) state.velocity[k] = n[AIM + k]!;
    slideBody(kit, state, BUMPS);
  }

  /** Takes back a fall, before which it was not stuck, and had touched so much. */
  private _goBack(numTouched: number): void {
    const { _kit: kit, _state: state } = this;
    place(state.position, kit.low);
    state.stuck = false;
    kit.numTouched = numTouched;
  }

  /**
   * Gets out of solid: looks in 26 directions for the nearest free place within `distance`, and moves there. The place
   * may be behind a wall that is thinner than that.
   *
   * @param distance - in Quake units, 0 to 65,536; 32 by default.
   * @returns whether it is free now; if not, nothing has moved. One that was free already stays where it is.
   * @throws RangeError for any other distance.
   */
  unstick(distance = 32): boolean {
    checkRadius(distance, 'distance');
    if (distance > FARTHEST) failArgument('distance', `at most ${FARTHEST}`, distance);
    return this._change(this._unstick, distance);
  }

  private _unstick(distance: number): boolean {
    const { _kit: kit, _state: state, _try: at } = this;
    const { position } = state;
    if (isFree(kit, position)) {
      // It may stand on the edge of a step.
      state.stuck = false;
      this._place(position, this.grounded);
      return true;
    }
    for (
      let far = Math.min(1, distance), last = 0;
      far > last;
      last = far, far = Math.min(far + 1, distance)
    ) {
      const way = freeWay(kit, position, far, at);
      if (way < 0) continue;
      this._comeNearer(way, last, far);
      state.stuck = false;
      this._place(at, false);
      return true;
    }
    return false;
  }

  /** Leaves in `_try` the nearest free place found between two distances on a way, to 1/64 unit. */
  private _comeNearer(way: number, low: number, high: number): void {
    const { _kit: kit, _try: at } = this;
    const { position } = this;
    while (high - low > 1 / 64) {
      const middle = (low + high) / 2;
      aside(position, way, middle, at);
      if (isFree(kit, at)) high = middle;
      else low = middle;
    }
    aside(position, way, high, at);
  }

  /**
   * @internal Puts it somewhere if it fits there, and returns whether it does.
   * @param stood - whether it stood on something before: only then may it stand on the edge of a step.
   * @param isPushed - whether a body takes it there. Both are rounded to float32, so what pushes it may come nearer with each
   *   push, until it is in that by next to nothing: it is put beside that then.
   */
  _shift(position: Vec3, stood: boolean, isPushed = false): boolean {
    return this._change(this._tryPlace, position, stood, isPushed);
  }

  private _tryPlace(position: Vec3, stood: boolean, isPushed: boolean): boolean {
    const { _kit: kit, _try: at } = this;
    place(at, position);
    if (!fits(kit, at) && !(isPushed && loosen(kit, at, true))) return false;
    this._place(at, stood);
    return true;
  }

  /** @internal Puts it somewhere, and looks for ground there; its vertical speed stays. */
  _put(position: Vec3, stood: boolean): void {
    this._change(this._place, position, stood);
  }

  private _place(position: Vec3, stood: boolean): void {
    const { _state: state, _kit: kit } = this;
    for (let k = 0; k < 3; k++) state.position[k] = position[k]!;
    place(kit.begin, state.position);
    this._land(stood);
  }

  /** @internal Answers about where it is: `at` keeps what the latest answer has left there. */
  _ask(answer: (kit: Kit, position: Float32Array, at: Float32Array) => boolean): boolean {
    return this._change(() => answer(this._kit, this.position, this._try));
  }

  /** @param name - the argument that makes the move so long. */
  private _move(name: string): void {
    const {
      _kit: kit,
      _state: state,
      _try: from,
      _normal: normal,
      groundNormal,
      _groundEntity: ground,
    } = this;
    const parts = this._parts();
    place(from, state.position);
    place(normal, groundNormal);
    kit.n[TIME] = 1;
    this._movePart(name, 0);
    // If it ended on no floor, or was stopped, there may be stairs.
    if (parts === 1 || state.stuck || (this.grounded && kit.n[SHORT] === 0)) return;
    place(state.position, from);
    place(groundNormal, normal);
    this._groundEntity = ground;
    for (let part = 0; part < parts && !state.stuck; part++) {
      kit.n[TIME] = 1 / parts;
      this._movePart(name, part);
    }
  }

  /** Into how many parts a move is divided: on the ground, so that stairs rise or fall by no more than a step in any of them. */
  private _parts(): number {
    const { _delta: delta } = this;
    if (!this.grounded || delta[2]! > 0) return 1;
    const length = Math.sqrt(delta[0]! * delta[0]! + delta[1]! * delta[1]!);
    const parts = Math.ceil(length / (LONGEST * this._height));
    return parts <= MOST_PARTS ? Math.max(parts, 1) : 1;
  }

  /** Moves by TIME's share of the whole. The first part, 0, clears what was touched before. */
  private _movePart(name: string, part: number): void {
    const { _kit: kit, _state: state, _delta: delta } = this;
    const wasGrounded = this.grounded && delta[2]! <= 0;
    this._turn(wasGrounded);
    const { n } = kit;
    n[FLOOR] = this._floor;
    n[HEIGHT] = this.grounded ? this._height : 0;
    checkLength(kit, state, name);
    if (part === 0) kit.numTouched = 0;
    // A character on the ground is stopped by slopes that are too steep, and does not slide up on them.
    n[STEEP] = this.grounded ? this._floor : 0;
    n[ALONG] = wasGrounded ? 1 : 0;
    place(kit.begin, state.position);
    stepBody(kit, state, BUMPS);
    let floor = wasGrounded && !state.stuck ? this._snapDown() : -1;
    endFree(kit, state);
    if (wasGrounded && this._creeps()) {
      floor = this._snapDown();
      endFree(kit, state);
    }
    if (state.stuck) return;
    this._land(wasGrounded, floor);
    if (wasGrounded && !this.grounded) this._goDownBeside();
  }

  /** Sets the velocity to the whole move: on the ground, in the direction of that, keeping the length as seen from above. */
  private _turn(isGrounded: boolean): void {
    const { _delta: delta, groundNormal } = this;
    const { velocity } = this._state;
    const { v } = this._kit;
    place(velocity, delta);
    // In the air it is 0 0 1.
    for (let k = 0; k < 3; k++) v[GROUND + k] = isGrounded ? groundNormal[k]! : k >> 1;
    if (isGrounded)
      velocity[2] = -(groundNormal[0]! * delta[0]! + groundNormal[1]! * delta[1]!) / groundNormal[2]!;
  }

  /**
   * Where a short move has led nowhere, goes as far on the way of a longer one. Under a ceiling that leans down to the ground, a move
   * that is shorter than tracers keep from planes may pass through one of the two, or be turned from one to the other until it is over.
   * Returns whether it has moved.
   */
  private _creeps(): boolean {
    const { _kit: kit, _state: state, _delta: delta } = this;
    const { begin, n, numTouched } = kit;
    const { position } = state;
    const length = n[TIME]! * Math.sqrt(delta[0]! * delta[0]! + delta[1]! * delta[1]!);
    if (state.stuck || !(length > 0 && length < LONG_ENOUGH) || !isAt(position, begin)) return false;
    n[TIME] = (n[TIME]! * LONG_ENOUGH) / length;
    this._turn(true);
    slideBody(kit, state, BUMPS);
    kit.numTouched = numTouched;
    state.stuck = false;
    for (let k = 0; k < 3; k++) position[k] = begin[k]! + ((position[k]! - begin[k]!) * length) / LONG_ENOUGH;
    return !isAt(position, begin);
  }

  /** Goes down to the ground if that is near enough. Returns what that belongs to, -1 if it is not. */
  private _snapDown(): number {
    const { _kit: kit, _state: state, _snap: snap } = this;
    if (snap === 0) return -1;
    const { trace, n } = kit;
    aimUp(n);
    n[REACH] = snap;
    // Farther after climbing a step: down to where the move began.
    n[RISE] = -n[REACH]! - Math.max(state.position[2]! - kit.begin[2]!, 0);
    lookFree(kit, state.position, true);
    if (trace.startSolid || trace.fraction === 1) return -1;
    if (!(trace.normal[2]! >= this._floor || (isEdge(kit) && goesOnBelow(kit)))) return -1;
    place(state.position, trace.endPos);
    return entityOf(trace);
  }

  /**
   * Goes down to the foot of a slope that is too steep to stand on, where it has gone over the edge of a step beside that: straight
   * below, there is the slope. It does not go down from the top of one.
   */
  private _goDownBeside(): void {
    const { _kit: kit, _state: state, _delta: delta, _snap: snap } = this;
    const { low, n, numTouched } = kit;
    const { position } = state;
    // A slope takes away up to half of it.
    n[RISE] = -2 * snap;
    this._fall();
    const x = position[0]! - low[0]!;
    const y = position[1]! - low[1]!;
    const z = low[2]! - position[2]!;
    // By a way that is steep.
    const isSteep = x * delta[0]! + y * delta[1]! <= 0 && x * x + y * y <= z * z && z <= snap;
    if (isSteep && endFree(kit, state)) this._land(true);
    if (!this.grounded) this._goBack(numTouched);
  }

  /**
   * @param climbs - whether it may also stand on the edge of a step: if it comes from the ground, not from above.
   * @param floor - what it has been set down on, -1 for nothing: a shorter trace may miss a floor that it only touches beside it.
   */
  private _land(climbs: boolean, floor = -1): void {
    const { _kit: kit, _state: state, groundNormal } = this;
    kit.n[REACH] = NEAR;
    kit.n[FLOOR] = this._floor;
    kit.n[HEIGHT] = this._height;
    const isFloor = findGround(kit, state);
    this._groundEntity = isFloor || (climbs && isEdge(kit)) ? state.entity : floor;
    for (let k = 0; k < 3; k++) groundNormal[k] = isFloor ? state.normal[k]! : 0;
    if (this.grounded && !isFloor) groundNormal[2] = 1;
  }

  /** @internal */
  toString(): string {
    return `Controller { at ${showVec(this.position)}, ${this.grounded ? `on ${this._groundEntity}` : 'in the air'} }`;
  }
}

/**
 * Makes a character with a tracer's shape: the tracer may be `world.box(mins, maxs)`, a scene's capsule that ignores its own
 * body, or that of a collider of yours.
 *
 * @throws TypeError for anything but a tracer and for unknown options; RangeError for options out of range.
 */
export function createController(tracer: ShapeTracer, options: ControllerOptions = {}): Controller {
  return new Controller(tracer, options);
}
