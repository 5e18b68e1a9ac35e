import { checkFinite, checkObject, checkRadius, printAsString } from '@bspkit/core/format';
import { PushRun } from '../pusher.ts';
import { checkPusherScene, type PusherPart, type PusherScene } from '../pusher-parts.ts';
import { type Pushed, QuakePushRules, STATE_SIZE } from './push-rules.ts';
import type { QuakeState } from './server-state.ts';
import type { QuakeThingState } from './thing-state.ts';

const f = Math.fround;

/** A body that pushes, and by how much it is to move: in this game, none of them turns. */
export type QuakePusherPart = Pick<PusherPart, 'body' | 'delta'>;

const PART: readonly string[] = ['body', 'delta'] satisfies (keyof QuakePusherPart)[];

/**
 * Moves doors, lifts and trains with what rides on them, and pushes what is in their way, as the server of single-player Quake does.
 * Made by {@link createQuakePusher}; one pusher serves any number of them in turn.
 */
export class QuakePusher {
  /** The states that the last push moved, in the order of their entities; none where it was blocked. */
  readonly moved: readonly (QuakeState | QuakeThingState)[];
  private readonly _rules: QuakePushRules;
  private readonly _run: PushRun<Pushed>;

  /** @internal */
  constructor(scene: PusherScene) {
    this._rules = new QuakePushRules(scene);
    this._run = new PushRun(scene, this._rules, STATE_SIZE, PART);
    this.moved = this._run.moved;
    printAsString(this);
  }

  /**
   * What the last push made touch each other, in order, whether or not it was blocked: the body that was pushed, then what that hit,
   * 0 for the world or a body's number. Only the first {@link QuakePusher.numTouched} pairs are valid, until the next push. What then
   * happens is up to the game.
   */
  get touched(): Int32Array {
    return this._rules.touched;
  }

  /** How many pairs there are in {@link QuakePusher.touched}. */
  get numTouched(): number {
    return this._rules.numTouched;
  }

  /**
   * Moves a body of the scene, then one after the other all that stand on it, and those that it would be in: these are pushed as far
   * as they can go. Their bodies are linked where they are then.
   *
   * What is still stuck afterwards blocks, and all are put back, but for two kinds: points stay in there, and what is not solid, as
   * corpses are, becomes a point itself, by its state's `mins` and `maxs` and the bounds of its body. Things do not stand on anything
   * any more once they were moved, even if they were put back.
   *
   * @param part - the body, and how far it is to move, in Quake units: the velocity times the time, each component rounded to float32.
   *   Nothing happens for zero.
   * @param states - all that may be pushed, with `entity` as the number of the body: players, who walk, and things, of which those
   *   that do not move or pass through everything are left alone. None may be listed twice. They are moved in the order of `entity`.
   * @returns the state that blocks it, or `undefined` when it has moved.
   * @throws TypeError and RangeError naming what is wrong, before anything has moved; and whatever a collider throws, after all was put
   *   back as it was.
   */
  push(
    part: QuakePusherPart,
    states: readonly (QuakeState | QuakeThingState)[],
  ): QuakeState | QuakeThingState | undefined {
    checkObject(part, 'part');
    return this._run.push(part, states, 'part');
  }

  /** @internal */
  toString(): string {
    return `QuakePusher { moved: ${this.moved.length} }`;
  }
}

/**
 * Makes what moves doors, lifts and trains of single-player Quake.
 *
 * @param scene - a scene with the rules 'quake1'.
 * @throws TypeError for anything else.
 */
export function createQuakePusher(scene: PusherScene): QuakePusher {
  checkPusherScene(scene, 'quake1');
  return new QuakePusher(scene);
}

/**
 * For how long a pusher moves in a frame, in seconds: until it thinks, if that is before the end of the frame. This is what its
 * velocity is multiplied by for {@link QuakePusher.push}. If that moves it, its own time goes on by as much; once that has come to
 * `nextThink`, which was ahead of it before, it thinks.
 *
 * @param localTime - its own time (`ltime`), a float32 in seconds.
 * @param nextThink - when it thinks, by that time, a float32 in seconds.
 * @param frameTime - of the frame, a double in seconds, 0 or more.
 */
export function quakePushTime(localTime: number, nextThink: number, frameTime: number): number {
  checkFinite(localTime, 'localTime');
  checkFinite(nextThink, 'nextThink');
  checkRadius(frameTime, 'frameTime');
  const until = f(nextThink);
  if (until >= f(localTime) + frameTime) return f(frameTime);
  return Math.max(f(until - f(localTime)), 0);
}
