import type { Trace } from '@bspkit/core';
import { checkBounds, failArgument } from '@bspkit/core/format';
import { MovedBox } from '../../space.ts';
import { createTurns, type Turns } from '../../turns.ts';
import type { PushRules, PushRun } from '../pusher.ts';
import {
  type Box,
  createBox,
  createPlace,
  longer,
  type PusherParts,
  type PusherScene,
} from '../pusher-parts.ts';
import { CONTENTS_DEADMONSTER, CONTENTS_MONSTER, MASK_SOLID, Quake2Type } from './constants.ts';
import {
  ANGLES,
  FLOATS,
  FORWARD,
  LED,
  MOVE,
  RIGHT,
  roundMove,
  turnAll,
  turnWay,
  UP,
  WAY,
} from './push-turns.ts';
import { checkQuake2State, type Quake2State, quake2StateFields } from './state.ts';
import {
  checkThingState,
  Quake2MoveType,
  type Quake2ThingState,
  quake2ThingStateFields,
} from './thing-state.ts';

// What a push does. Written from what the game is known to do (SV_Push in g_phys.c), and compared with rows recorded from Yamagi
// Quake II's own game, which differs from the first version of it: the box that a turned pusher comes to is that around its own box,
// not a cube, corpses are stopped by nothing but the map and models, and players' views do not turn.

const f = Math.fround;

/** What can be pushed: players and things. */
export type Pushed = Quake2State | Quake2ThingState;

/** A thing's state has 34 numbers, a player's 29. */
export const STATE_SIZE = 34;
/** The place of `snapInitial` among a player's. */
const SNAP_INITIAL = 15;

/** Whole eighths of a unit have 16 bits. */
const LEAST_PLACE = -0x8000;
const MOST_PLACE = 0x7fff;
/** The box of a player who has not moved yet. */
const STANDING = { mins: new Float32Array([-16, -16, -24]), maxs: new Float32Array([16, 16, 32]) };
const POINT = { mins: [0, 0, 0], maxs: [0, 0, 0] } as const;
const FIRST_ROOM = 16;

const isPlayer = (state: Pushed): state is Quake2State => state.kind === 'quake2';

/** How players, things and monsters are pushed. */
export class Quake2PushRules implements PushRules<Pushed> {
  /** Bodies that the last push has linked, in order. */
  linked: Int32Array = new Int32Array(FIRST_ROOM);
  numLinked = 0;
  private readonly _scene: PusherScene;
  private readonly _box: MovedBox;
  private readonly _trace: Trace;
  private readonly _floats: Float32Array = new Float32Array(FLOATS);
  private readonly _turns: Turns = createTurns();
  /** Some body's box, and that to which the pusher comes. */
  private readonly _sizes: Box = createBox();
  private readonly _area: Box = createBox();
  private readonly _corner: Float32Array = new Float32Array(3);
  private readonly _pose = createPlace();
  /** Where the pusher comes to. */
  private readonly _place = createPlace();
  /** Where the one that is pushed is, and where it comes to. */
  private readonly _from: Float32Array = new Float32Array(3);
  private readonly _to: Float32Array = new Float32Array(3);
  /** By note: where it was. */
  private _origins: Float32Array = new Float32Array(0);
  /** By part: how many had been noted before it. */
  private _begins: Int32Array = new Int32Array(1);
  private _near: Int32Array = new Int32Array(FIRST_ROOM);

  constructor(scene: PusherScene) {
    this._scene = scene;
    this._box = new MovedBox(scene, POINT, MASK_SOLID);
    this._trace = this._box.createTrace();
  }

  check(state: Pushed): void {
    if (state?.kind === 'quake2') {
      checkQuake2State(state);
      // To the mover, they are results.
      checkBounds(state.mins, state.maxs);
    } else if (state?.kind === 'quake2-thing') checkThingState(state);
    else failArgument('state', 'one made by createQuake2State or createQuake2ThingState', state, false);
  }

  fieldsOf(state: Pushed): typeof quake2StateFields | typeof quake2ThingStateFields {
    return isPlayer(state) ? quake2StateFields : quake2ThingStateFields;
  }

  /** Eighths of a distance must be float32, too. */
  checkReach({ parts: { deltas, count } }: PushRun<Pushed>): void {
    for (let at = 0; at < 3 * count; at++) {
      const scaled = f(8 * deltas[at]!);
      if (scaled - scaled !== 0) throw new RangeError('delta must not lead beyond the range of float32');
    }
  }

  push(run: PushRun<Pushed>): Pushed | undefined {
    const { parts } = run;
    this.numLinked = 0;
    if (this._begins.length < parts.count) this._begins = longer(this._begins, 2 * parts.count);
    for (let part = 0; part < parts.count; part++) {
      this._begins[part] = run.notes;
      if (isStill(parts, part)) continue;
      const blocker = this._pushBy(run, part);
      if (!blocker) continue;
      this._putBack(run, part);
      return blocker;
    }
    return undefined;
  }

  forget(): void {
    this.numLinked = 0;
  }

  /** Moves one part, and all that is to move with it. */
  private _pushBy(run: PushRun<Pushed>, part: number): Pushed | undefined {
    const { parts } = run;
    const { _floats: v, _place: place, _scene: scene } = this;
    const pusher = parts.bodies[part]!;
    scene.pose(pusher, place);
    for (let k = 0; k < 3; k++) v[MOVE + k] = parts.deltas[3 * part + k]!;
    roundMove(v);
    for (let k = 0; k < 3; k++) {
      place.origin[k] = place.origin[k]! + v[MOVE + k]!;
      place.angles[k] = place.angles[k]! + parts.turns[3 * part + k]!;
    }
    scene.move(pusher, place);
    this._note(pusher);
    this._measure(pusher);
    // What it moves is seen from it, and so turns the other way.
    for (let k = 0; k < 3; k++) v[ANGLES + k] = 0 - parts.turns[3 * part + k]!;
    turnAll(this._turns, v);
    const stops = parts.marks[part] !== 0;
    for (let k = 0; k < run.count; k++) {
      const state = run.states[k]!;
      const rides = state.ground === pusher;
      if (!this._takesPart(state, rides)) continue;
      if (stops && !rides) return state;
      if (!this._carry(run, state, rides)) return state;
    }
    return undefined;
  }

  /** Writes the box around a body's turned one, where it has come to. */
  private _measure(pusher: number): void {
    const { _floats: v, _sizes: sizes, _area: area, _place: place, _corner: corner } = this;
    this._scene.ownBounds(pusher, sizes);
    for (let k = 0; k < 3; k++) v[ANGLES + k] = place.angles[k]!;
    turnAll(this._turns, v);
    for (let at = 0; at < 8; at++) {
      const x = (at & 1) !== 0 ? sizes.maxs[0]! : sizes.mins[0]!;
      const y = (at & 2) !== 0 ? sizes.maxs[1]! : sizes.mins[1]!;
      const z = (at & 4) !== 0 ? sizes.maxs[2]! : sizes.mins[2]!;
      for (let k = 0; k < 3; k++) {
        corner[k] = place.origin[k]! + f(v[FORWARD + k]! * x);
        corner[k] = corner[k]! + f(v[RIGHT + k]! * -y);
        corner[k] = corner[k]! + f(v[UP + k]! * z);
        if (at === 0 || corner[k]! < area.mins[k]!) area.mins[k] = corner[k]!;
        if (at === 0 || corner[k]! > area.maxs[k]!) area.maxs[k] = corner[k]!;
      }
    }
  }

  /** Whether it rides on the pusher, or is where that has come to. Leaves where it is in `_from`. */
  private _takesPart(state: Pushed, rides: boolean): boolean {
    if (isPlayer(state) ? state.type === Quake2Type.spectator : isLeftAlone(state)) return false;
    const { _area: area, _sizes: box } = this;
    if (!rides) {
      this._scene.linkedBounds(state.entity, box);
      for (let k = 0; k < 3; k++)
        if (box.mins[k]! >= area.maxs[k]! || box.maxs[k]! <= area.mins[k]!) return false;
    }
    this._locate(state);
    // What is not solid has no part in the world.
    return (rides || this._isStuck(state, this._from)) && this._isLinked(state.entity, -1);
  }

  /** Writes where it is to `_from`. */
  private _locate(state: Pushed): void {
    const { _from: from, _pose: pose } = this;
    const { origin } = state;
    if (!isPlayer(state)) {
      from.set(origin);
      return;
    }
    // Once pushed, a player is not on whole eighths until the next command, and only the body knows that.
    this._scene.pose(state.entity, pose);
    const isHere = isAt(pose.origin, state.origin);
    for (let k = 0; k < 3; k++) from[k] = isHere ? pose.origin[k]! : origin[k]! / 8;
  }

  /** Moves what rides or is in the way. Returns whether it could. */
  private _carry(run: PushRun<Pushed>, state: Pushed, rides: boolean): boolean {
    const { _floats: v, _place: place, _from: from, _to: to } = this;
    const note = run.note(state);
    if (this._origins.length < 3 * run.notes) this._origins = longer(this._origins, 6 * run.notes);
    for (let k = 0; k < 3; k++) {
      this._origins[3 * note + k] = from[k]!;
      to[k] = from[k]! + v[MOVE + k]!;
      v[WAY + k] = to[k]! - place.origin[k]!;
    }
    turnWay(v);
    for (let k = 0; k < 3; k++) to[k] = to[k]! + v[LED + k]!;
    if (!rides) state.ground = -1;
    if (!this._isStuck(state, to)) {
      this._put(run, state, to);
      return true;
    }
    // It may stay where it was, though not quite if it was turned: the engine takes back the move alone, and does not link it.
    for (let k = 0; k < 3; k++) to[k] = to[k]! - v[MOVE + k]!;
    if (this._isStuck(state, to)) return false;
    run.unmove(note);
    if (from[0] !== to[0] || from[1] !== to[1] || from[2] !== to[2]) {
      putAt(state, to);
      run.shift(state.entity, to);
    }
    return true;
  }

  private _put(run: PushRun<Pushed>, state: Pushed, origin: Float32Array): void {
    putAt(state, origin);
    run.link(state.entity, origin);
    this._note(state.entity);
  }

  private _isStuck(state: Pushed, origin: Float32Array): boolean {
    const { _box: box, _trace: trace } = this;
    const { mins, maxs } = isPlayer(state) && hasNoBox(state) ? STANDING : state;
    box.resize(mins, maxs);
    box.ignore = state.entity;
    const mask = state.mask | 0;
    box.mask = mask === 0 || (mask !== MASK_SOLID && this._isCorpse(state)) ? MASK_SOLID : mask;
    box.trace(origin, origin, trace);
    return trace.startSolid;
  }

  private _isCorpse({ entity }: Pushed): boolean {
    return this._isLinked(entity, CONTENTS_DEADMONSTER) && !this._isLinked(entity, CONTENTS_MONSTER);
  }

  /** Whether a body takes part in the world, with some contents. */
  private _isLinked(entity: number, mask: number): boolean {
    const { _scene: scene, _sizes: box } = this;
    scene.linkedBounds(entity, box);
    let count = scene.linked(box, mask, this._near);
    if (count > this._near.length) {
      this._near = new Int32Array(2 * count);
      count = scene.linked(box, mask, this._near);
    }
    for (let k = 0; k < count; k++) if (this._near[k] === entity) return true;
    return false;
  }

  /** Puts all back that moved, up to a part, last first. What they have lost to stand on stays lost. */
  private _putBack(run: PushRun<Pushed>, last: number): void {
    const { parts } = run;
    const { _to: origin } = this;
    let note = run.notes - 1;
    for (let part = last; part >= 0; part--) {
      for (; note >= this._begins[part]!; note--) {
        if (!run.moves(note)) continue;
        const state = run.noted[note]!;
        for (let k = 0; k < 3; k++) origin[k] = this._origins[3 * note + k]!;
        this._put(run, state, origin);
        if (isPlayer(state)) state.snapInitial = run.numbers[run.size * note + SNAP_INITIAL]! | 0;
      }
      if (isStill(parts, part)) continue;
      parts.putBack(run.scene, part);
      this._note(parts.bodies[part]!);
    }
  }

  private _note(body: number): void {
    if (this.numLinked === this.linked.length) this.linked = longer(this.linked, 2 * this.numLinked);
    this.linked[this.numLinked++] = body;
  }
}

const isLeftAlone = ({ moveType }: Quake2ThingState): boolean =>
  moveType === Quake2MoveType.none || moveType === Quake2MoveType.noclip;

/** Whether no command has set a player's box. */
const hasNoBox = ({ mins, maxs, type }: Quake2State): boolean =>
  type !== Quake2Type.freeze &&
  mins[0] === 0 &&
  mins[1] === 0 &&
  mins[2] === 0 &&
  maxs[0] === 0 &&
  maxs[1] === 0 &&
  maxs[2] === 0;

/** Whether a part does not move at all. */
function isStill({ deltas, turns }: PusherParts, part: number): boolean {
  for (let at = 3 * part; at < 3 * part + 3; at++) if (deltas[at] !== 0 || turns[at] !== 0) return false;
  return true;
}

/** Whether a place in units is that of a player in whole eighths. */
const isAt = (place: Float32Array, origin: Int32Array | Float32Array): boolean =>
  Math.trunc(8 * place[0]!) === origin[0] &&
  Math.trunc(8 * place[1]!) === origin[1] &&
  Math.trunc(8 * place[2]!) === origin[2];

/** Writes where it is to a state: of a player, whole eighths. */
function putAt(state: Pushed, place: Float32Array): void {
  const { origin } = state;
  if (!isPlayer(state)) {
    origin.set(place);
    return;
  }
  let moves = false;
  for (let k = 0; k < 3; k++) {
    const at = Math.trunc(8 * place[k]!) + 0;
    if (!(at >= LEAST_PLACE && at <= MOST_PLACE))
      throw new RangeError('a player must not be pushed farther than 4096 units from 0 0 0');
    if (origin[k] !== at) moves = true;
    origin[k] = at;
  }
  // The next command then looks for room.
  if (moves) state.snapInitial = 1;
}
