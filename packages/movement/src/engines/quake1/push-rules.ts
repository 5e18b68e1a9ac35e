import type { Trace } from '@bspkit/core';
import { failArgument } from '@bspkit/core/format';
import { MovedBox } from '../../space.ts';
import type { PushRules, PushRun } from '../pusher.ts';
import { createBox, longer, type PusherScene } from '../pusher-parts.ts';
import { checkQuakeState, type QuakeState, quakeStateFields } from './server-state.ts';
import { hitOf } from './thing-memory.ts';
import {
  checkThingState,
  QuakeMoveType,
  type QuakeThingState,
  quakeThingStateFields,
} from './thing-state.ts';

// What a push does. Written from what the server of single-player Quake is known to do (sv_phys.c), and compared with rows recorded
// from QuakeSpasm's.

const f = Math.fround;

/** What can be pushed: players and things. */
export type Pushed = QuakeState | QuakeThingState;

/** A thing's state has 31 numbers, a player's 20. Both begin with the origin. */
export const STATE_SIZE = 31;

const POINT = { mins: [0, 0, 0], maxs: [0, 0, 0] } as const;

const isPlayer = (state: Pushed): state is QuakeState => state.kind === 'quake';

/** How players and things are pushed. */
export class QuakePushRules implements PushRules<Pushed> {
  readonly resizes = true;
  /** What was pushed and what that hit, in turn. */
  touched: Int32Array = new Int32Array(0);
  numTouched = 0;
  /** Whether something is in solid, pusher included. */
  private readonly _tester: MovedBox;
  /** What is pushed, by what stops it: all but the pusher, of that only models, or with larger monsters. */
  private readonly _usual: MovedBox;
  private readonly _bodiless: MovedBox;
  private readonly _missile: MovedBox;
  private readonly _trace: Trace;
  private readonly _end: Float32Array = new Float32Array(3);
  private readonly _ignored = { body: -1, also: -1 };
  private readonly _linked = createBox();
  /** The box of the pusher at the end of its move. */
  private readonly _low: Float32Array = new Float32Array(3);
  private readonly _high: Float32Array = new Float32Array(3);

  constructor(scene: PusherScene) {
    this._tester = new MovedBox(scene, POINT);
    this._usual = new MovedBox(scene, POINT);
    this._bodiless = new MovedBox(scene, POINT, undefined, { move: 'no-monsters' });
    this._missile = new MovedBox(scene, POINT, undefined, { move: 'missile' });
    this._trace = this._usual.createTrace();
  }

  check(state: Pushed): void {
    if (state?.kind === 'quake') checkQuakeState(state);
    else if (state?.kind === 'quake-thing') checkThingState(state);
    else failArgument('state', 'one made by createQuakeState or createQuakeThingState', state, false);
  }

  fieldsOf(state: Pushed): typeof quakeStateFields | typeof quakeThingStateFields {
    return isPlayer(state) ? quakeStateFields : quakeThingStateFields;
  }

  checkReach({ parts: { deltas }, states, count }: PushRun<Pushed>): void {
    for (let at = 0; at < count; at++) {
      const { origin } = states[at]!;
      for (let k = 0; k < 3; k++) {
        const end = f(origin[k]! + deltas[k]!);
        if (end - end !== 0) throw new RangeError('delta must not lead beyond the range of float32');
      }
    }
  }

  push(run: PushRun<Pushed>): Pushed | undefined {
    const { parts, scene } = run;
    const { deltas } = parts;
    this.numTouched = 0;
    if (deltas[0] === 0 && deltas[1] === 0 && deltas[2] === 0) return undefined;
    const pusher = parts.bodies[0]!;
    const { _linked: linked, _low: low, _high: high, _end: end } = this;
    scene.linkedBounds(pusher, linked);
    for (let k = 0; k < 3; k++) {
      low[k] = linked.mins[k]! + deltas[k]!;
      high[k] = linked.maxs[k]! + deltas[k]!;
      end[k] = parts.origins[k]! + deltas[k]!;
    }
    run.link(pusher, end);
    for (let k = 0; k < run.count; k++) {
      const state = run.states[k]!;
      if (!this._takesPart(run, pusher, state)) continue;
      const note = run.note(state);
      if (!isPlayer(state)) state.onGround = 0;
      this._pushBy(run, pusher, state);
      if (!this._isStuck(state) || state.mins[0] === state.maxs[0]) continue;
      if (!isPlayer(state) && state.solid === 0) {
        crush(run, state);
        continue;
      }
      parts.putBack(scene, 0);
      for (let moved = 0; moved <= note; moved++) this._putBack(run, moved);
      return state;
    }
    return undefined;
  }

  forget(): void {
    this.numTouched = 0;
  }

  /** Whether it rides on the pusher, or is where that comes to. */
  private _takesPart(run: PushRun<Pushed>, pusher: number, state: Pushed): boolean {
    if (
      !isPlayer(state) &&
      (state.moveType === QuakeMoveType.none || state.moveType === QuakeMoveType.noclip)
    ) {
      return false;
    }
    if (state.onGround !== 0 && state.ground === pusher) return true;
    const { _low: low, _high: high, _linked: linked } = this;
    run.scene.linkedBounds(state.entity, linked);
    for (let k = 0; k < 3; k++) if (linked.mins[k]! >= high[k]! || linked.maxs[k]! <= low[k]!) return false;
    return this._isStuck(state);
  }

  private _isStuck({ origin, mins, maxs, entity }: Pushed): boolean {
    const { _tester: tester, _trace: trace } = this;
    tester.resize(mins, maxs);
    tester.ignore = entity;
    tester.trace(origin, origin, trace);
    return trace.startSolid;
  }

  /** Moves it as far as it can go, whether or not the pusher is there. */
  private _pushBy(run: PushRun<Pushed>, pusher: number, state: Pushed): void {
    const { _trace: trace, _end: end, _ignored: ignored } = this;
    const { deltas } = run.parts;
    const { origin, mins, maxs, entity } = state;
    const box = this._boxOf(state);
    box.resize(mins, maxs);
    // Its object is the same one each time.
    ignored.body = entity;
    ignored.also = pusher;
    box.ignore = -1;
    box.ignore = ignored;
    for (let k = 0; k < 3; k++) end[k] = origin[k]! + deltas[k]!;
    box.trace(origin, end, trace);
    origin.set(trace.endPos);
    run.link(entity, origin);
    const hit = hitOf(trace);
    if (hit >= 0) this._touch(entity, hit, run.count);
  }

  private _boxOf(state: Pushed): MovedBox {
    if (isPlayer(state)) return this._usual;
    if (state.moveType === QuakeMoveType.missile) return this._missile;
    return state.solid === 0 ? this._bodiless : this._usual;
  }

  private _touch(one: number, other: number, most: number): void {
    if (this.touched.length < 2 * most) this.touched = longer(this.touched, 4 * most);
    this.touched[2 * this.numTouched] = one;
    this.touched[2 * this.numTouched + 1] = other;
    this.numTouched++;
  }

  /** Puts what was moved back to where it was: the flags that it has lost stay lost, and corpses as flat as they are. */
  private _putBack(run: PushRun<Pushed>, note: number): void {
    const state = run.noted[note]!;
    for (let k = 0; k < 3; k++) state.origin[k] = run.numbers[run.size * note + k]!;
    run.link(state.entity, state.origin);
  }
}

/** A corpse that cannot get out of the way becomes a point. It is linked with that only where it is linked next. */
function crush(run: PushRun<Pushed>, state: QuakeThingState): void {
  const { mins, maxs, origin, entity } = state;
  mins[0] = 0;
  mins[1] = 0;
  maxs.set(mins);
  run.resize(entity, origin, state);
}
