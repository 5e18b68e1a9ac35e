import type { Trace, Vec3 } from '@bspkit/core';
import { checkBounds, checkMask, checkWhole, failArgument } from '@bspkit/core/format';
import { MovedBox } from '../../space.ts';
import { createTurns, partsOfTurn, turnAxes } from '../../turns.ts';
import { put, take } from '../../vectors.ts';
import type { PushRules, PushRun } from '../pusher.ts';
import { createBox, createPlace, longer, type PusherScene } from '../pusher-parts.ts';
import { CONTENTS_SOLID } from './constants.ts';
import { Lifted } from './lifted.ts';
import { checkState, type Quake3State, quake3StateFields } from './state.ts';
import {
  checkThingState,
  type Quake3ThingState,
  Quake3ThingType,
  quake3ThingStateFields,
} from './thing-state.ts';

// What a push does. Written from what the game is known to do (g_mover.c), and compared with rows recorded from ioquake3's.

const f = Math.fround;

/** What can be pushed: players and things. */
export type Pushed = Quake3State | Quake3ThingState;

/** A player's state has 41 numbers, a thing's 27. */
export const STATE_SIZE = 41;

/** Bits of parts: see {@link Quake3PusherPart}. */
const [BOBS, STOPS] = [1, 2] as const;

// Places in the array of floats.
const TURN = 0;
const FORWARD = 3;
const LEFT = 6;
const UP = 9;
/** From the pusher to what it pushes, and how far its turn takes that. */
const FROM = 12;
const BY = 15;
/** How far a part that turns reaches. */
const RADIUS = 18;
const FLOATS = 19;

const FIRST_ROOM = 16;

const isPlayer = (state: Pushed): state is Quake3State => state.kind === 'quake3';

/** What a pusher shifts: where a player is, and where the path of a thing begins. */
const placeOf = (state: Pushed): Float32Array => (isPlayer(state) ? state.origin : state.base);

/** How players and things are pushed. */
export class Quake3PushRules implements PushRules<Pushed> {
  /** What a part that bobs could not move out of its way. */
  readonly crushed: Pushed[] = [];
  readonly lifted: Lifted = new Lifted();
  private readonly _box: MovedBox;
  private readonly _trace: Trace;
  private readonly _turns = createTurns();
  private readonly _floats: Float32Array = new Float32Array(FLOATS);
  private readonly _linked = createBox();
  /** The box of the whole move, and that at its end. */
  private readonly _area = createBox();
  private readonly _end = createBox();
  private readonly _pose = createPlace();
  private _found: Int32Array = new Int32Array(FIRST_ROOM);
  /** Numbers of the notes about what goes back if the push is blocked. */
  private _pushed: Int32Array = new Int32Array(FIRST_ROOM);
  private _numPushed = 0;
  private _liftedBefore = 0;

  constructor(scene: PusherScene) {
    this._box = new MovedBox(scene, { mins: [0, 0, 0], maxs: [0, 0, 0] }, CONTENTS_SOLID);
    this._trace = this._box.createTrace();
  }

  check(state: Pushed): void {
    if (state?.kind === 'quake3-thing') {
      checkThingState(state);
      return;
    }
    if (state?.kind !== 'quake3')
      failArgument('state', 'one made by createQuake3State or createQuake3ThingState', state, false);
    checkState(state);
    checkBounds(state.mins, state.maxs);
    checkMask(state.mask, 'state.mask');
    checkWhole(state.entity, 'state.entity', -1, 0x7fffffff);
    checkWhole(state.ground, 'state.ground', -1, 0x7fffffff);
    checkWhole(state.commandTime, 'state.commandTime', -0x80000000, 0x7fffffff);
  }

  fieldsOf(state: Pushed): typeof quake3StateFields | typeof quake3ThingStateFields {
    return isPlayer(state) ? quake3StateFields : quake3ThingStateFields;
  }

  push(run: PushRun<Pushed>): Pushed | undefined {
    const { parts, scene } = run;
    const { lifted } = this;
    this._clearCrushed();
    lifted.update();
    this._liftedBefore = lifted.count;
    this._numPushed = 0;
    for (let part = 0; part < parts.count; part++) {
      const obstacle = this._move(run, part);
      if (obstacle === undefined) continue;
      this._putBack(run);
      for (let back = 0; back < parts.count; back++) parts.putBack(scene, back);
      return obstacle;
    }
    return undefined;
  }

  forget(): void {
    this.lifted.keep(this._liftedBefore);
    this._clearCrushed();
  }

  private _clearCrushed(): void {
    // One by one: an array whose length is set to 0 needs new memory next time.
    while (this.crushed.length > 0) this.crushed.pop();
  }

  /** Moves a part, and all that it carries and pushes. Returns what blocks it. */
  private _move(run: PushRun<Pushed>, part: number): Pushed | undefined {
    const { parts, scene } = run;
    const body = parts.bodies[part]!;
    this._bound(run, part);
    const found = this._find(scene);
    const { _pose: pose } = this;
    scene.pose(body, pose);
    for (let k = 0; k < 3; k++) {
      pose.origin[k] = pose.origin[k]! + parts.deltas[3 * part + k]!;
      pose.angles[k] = pose.angles[k]! + parts.turns[3 * part + k]!;
    }
    scene.move(body, pose);
    this._turn(run, part);
    for (let k = 0; k < found; k++) {
      const state = run.find(this._found[k]!);
      if (state === undefined || !takesPart(state)) continue;
      const rides = this._rides(state, body);
      if (!rides && !this._isInTheWay(scene, state)) continue;
      if (this._push(run, state, part, rides)) continue;
      if ((parts.marks[part]! & BOBS) === 0) return state;
      this.crushed.push(state);
    }
    return undefined;
  }

  /** Leaves the boxes of the whole move, and of its end. */
  private _bound({ parts, scene }: PushRun<Pushed>, part: number): void {
    const { _area: area, _end: end, _floats: v, _linked: linked, _pose: pose } = this;
    const { deltas, turns } = parts;
    const body = parts.bodies[part]!;
    scene.pose(body, pose);
    let isTurned = false;
    for (let k = 0; k < 3; k++) isTurned ||= pose.angles[k] !== 0 || turns[3 * part + k] !== 0;
    if (isTurned) {
      scene.ownBounds(body, linked);
      findRadius(v, linked.mins, linked.maxs);
      const far = v[RADIUS]!;
      for (let k = 0; k < 3; k++) {
        const delta = deltas[3 * part + k]!;
        const middle = f(pose.origin[k]! + delta);
        end.mins[k] = middle - far;
        end.maxs[k] = middle + far;
        area.mins[k] = end.mins[k]! - delta;
        area.maxs[k] = end.maxs[k]! - delta;
      }
      return;
    }
    scene.linkedBounds(body, linked);
    for (let k = 0; k < 3; k++) {
      const delta = deltas[3 * part + k]!;
      const low = linked.mins[k]!;
      const high = linked.maxs[k]!;
      end.mins[k] = low + delta;
      end.maxs[k] = high + delta;
      area.mins[k] = delta > 0 ? low : end.mins[k]!;
      area.maxs[k] = delta > 0 ? end.maxs[k]! : high;
    }
  }

  /** Finds the bodies near the move, in the engine's order. Returns how many. */
  private _find(scene: PusherScene): number {
    for (;;) {
      const count = scene.linked(this._area, -1, this._found);
      if (count <= this._found.length) return count;
      this._found = new Int32Array(2 * count);
    }
  }

  /** Leaves the directions by which the turn of a part takes what is about its origin. */
  private _turn({ parts }: PushRun<Pushed>, part: number): void {
    const { _floats: v, _turns: turns } = this;
    for (let k = 0; k < 3; k++) v[TURN + k] = parts.turns[3 * part + k]!;
    turnAxes(turns, v, TURN, FORWARD, LEFT, UP);
    for (let k = 0; k < 3; k++) v[LEFT + k] = -v[LEFT + k]!;
  }

  private _isInTheWay(scene: PusherScene, state: Pushed): boolean {
    const { _linked: linked, _end: end } = this;
    scene.linkedBounds(state.entity, linked);
    for (let k = 0; k < 3; k++) {
      if (linked.mins[k]! >= end.maxs[k]! || linked.maxs[k]! <= end.mins[k]!) return false;
    }
    return this._isStuck(state);
  }

  private _isStuck(state: Pushed): boolean {
    const { _box: box, _trace: trace } = this;
    const place = placeOf(state);
    box.resize(state.mins, state.maxs);
    box.mask = (isPlayer(state) ? state.mask : state.pushMask) | 0 || CONTENTS_SOLID;
    box.ignore = state.entity;
    box.trace(place, place, trace);
    return trace.startSolid;
  }

  /** Moves something as the part has moved. Returns whether that was possible, or not necessary. */
  private _push(run: PushRun<Pushed>, state: Pushed, part: number, rides: boolean): boolean {
    const { parts } = run;
    if ((parts.marks[part]! & STOPS) !== 0 && !rides) return false;
    // A state that is read-only throws, before it has changed.
    if (!isPlayer(state)) state.ground = state.ground + 0;
    const note = run.note(state);
    if (this._numPushed === this._pushed.length) this._pushed = longer(this._pushed, 2 * this._numPushed);
    this._pushed[this._numPushed++] = note;
    const place = placeOf(state);
    this._shift(place, parts.deltas, 3 * part);
    if (isPlayer(state)) turnView(state, parts.turns[3 * part + 1]!);
    if (!rides) this._lift(state);
    if (!this._isStuck(state)) {
      if (!isPlayer(state)) state.origin.set(place);
      run.link(state.entity, place);
      return true;
    }
    // What rides may stay behind, as on trapdoors that slide away.
    run.unmove(note);
    putPlaceBack(run, note);
    if (this._isStuck(state)) return false;
    this._lift(state);
    this._numPushed--;
    return true;
  }

  /** Moves a place as the part that moves moves points. */
  private _shift(place: Float32Array, deltas: Float32Array, delta: number): void {
    const { _floats: v, _pose: pose } = this;
    put(v, FROM, place);
    for (let k = 0; k < 3; k++) v[FROM + k] = v[FROM + k]! - pose.origin[k]!;
    for (let k = 0; k < 3; k++) {
      const forward = f(v[FORWARD + k]! * v[FROM]!);
      const left = f(v[LEFT + k]! * v[FROM + 1]!);
      v[BY + k] = f(f(forward + left) + f(v[UP + k]! * v[FROM + 2]!)) - v[FROM + k]!;
    }
    for (let k = 0; k < 3; k++) {
      const end = f(f(place[k]! + deltas[delta + k]!) + v[BY + k]!);
      if (end - end !== 0) throw new RangeError('delta must not lead beyond the range of float32');
      v[FROM + k] = end;
    }
    take(v, FROM, place);
  }

  /** Whether something stands on a body, as far as pushers know. */
  private _rides(state: Pushed, body: number): boolean {
    return state.ground === body && !(isPlayer(state) && this.lifted.has(state));
  }

  /** Nothing carries it any more. */
  private _lift(state: Pushed): void {
    if (isPlayer(state)) this.lifted.add(state);
    else state.ground = -1;
  }

  /** Puts all that was pushed back, last first. Bodies are linked anew where they were linked last. */
  private _putBack(run: PushRun<Pushed>): void {
    const { _pose: pose } = this;
    for (let k = this._numPushed - 1; k >= 0; k--) {
      const note = this._pushed[k]!;
      const state = run.noted[note]!;
      putPlaceBack(run, note);
      if (isPlayer(state)) {
        // By way of a float32, as the game keeps it.
        state.deltaAngles[1] = f(run.numbers[run.size * note + YAW]!);
        run.scene.pose(state.entity, pose);
        run.link(state.entity, pose.origin);
      } else run.link(state.entity, state.origin);
    }
  }
}

/** Places of numbers in what is noted: a player's origin and yaw, the base of a thing. */
const PLAYER_ORIGIN = 4;
const YAW = 14;
const THING_BASE = 5;

function putPlaceBack(run: PushRun<Pushed>, note: number): void {
  const state = run.noted[note]!;
  const at = run.size * note + (isPlayer(state) ? PLAYER_ORIGIN : THING_BASE);
  const place = placeOf(state);
  for (let k = 0; k < 3; k++) place[k] = run.numbers[at + k]!;
}

/** Missiles fly on. */
const takesPart = (state: Pushed): boolean => isPlayer(state) || state.type === Quake3ThingType.item;

/** Turns a player's view with what it stands on. */
function turnView({ deltaAngles }: Quake3State, yaw: number): void {
  deltaAngles[1] = deltaAngles[1]! + (partsOfTurn(yaw) & 65535);
}

/** Leaves how far the farthest corner of a box may be. */
function findRadius(v: Float32Array, mins: Vec3, maxs: Vec3): void {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const far = Math.max(Math.abs(mins[k]!), Math.abs(maxs[k]!));
    sum = f(sum + f(far * far));
  }
  v[RADIUS] = Math.sqrt(sum);
}
