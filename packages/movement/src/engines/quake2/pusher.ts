import { printAsString } from '@bspkit/core/format';
import { PushRun } from '../pusher.ts';
import { checkPusherScene, PART, type PusherPart, type PusherScene } from '../pusher-parts.ts';
import { type Pushed, Quake2PushRules, STATE_SIZE } from './push-rules.ts';
import type { Quake2State } from './state.ts';
import type { Quake2ThingState } from './thing-state.ts';

/** A body that pushes, and by how much it is to move and turn. */
export interface Quake2PusherPart extends PusherPart {
  /** Whether it pushes nothing: it carries what stands on it, and stops before all else. False by default. */
  readonly stops?: boolean | undefined;
}

const MARKS: readonly string[] = ['stops' satisfies keyof Quake2PusherPart];

/**
 * Moves doors, lifts and trains with what rides on them, and pushes what is in their way, as the game of Quake 2 does. Made by {@link
 * createQuake2Pusher}; one pusher serves any number of them in turn.
 */
export class Quake2Pusher {
  /** The states that the last push moved, in the order in which they first were; none where it was blocked. */
  readonly moved: readonly (Quake2State | Quake2ThingState)[];
  private readonly _rules: Quake2PushRules;
  private readonly _run: PushRun<Pushed>;

  /** @internal */
  constructor(scene: PusherScene) {
    this._rules = new Quake2PushRules(scene);
    this._run = new PushRun(scene, this._rules, STATE_SIZE, PART, MARKS);
    this.moved = this._run.moved;
    printAsString(this);
  }

  /**
   * Bodies that the last push linked again, in order and with repetitions, whether or not it was blocked. What stands on one of these
   * loses it: call `loseGround` of the mover of things before it is moved again. Only the first {@link Quake2Pusher.numLinked} are
   * valid, until the next push.
   */
  get linked(): Int32Array {
    return this._rules.linked;
  }

  /** How many there are in {@link Quake2Pusher.linked}. */
  get numLinked(): number {
    return this._rules.numLinked;
  }

  /**
   * Moves and turns bodies of the scene, one after the other, each with all that stand on it, and pushes those that it would be in.
   * Their bodies are linked where they are then. Who can neither be moved nor stay where it was blocks the move, and all are put back,
   * those of the other parts too; but what had to get out of the way does not stand on anything any more.
   *
   * Corpses, whose bodies have the contents of dead monsters and not those of monsters, are stopped by nothing but the map and models.
   * Views of players do not turn with a pusher. A player who was turned is not on whole eighths of a unit until the next command: the
   * body is where the player is, and the state has that cut to eighths.
   *
   * @param parts - a body and how far it is to move and turn in this frame, or a list of them: a team, its first one first. `delta` is
   *   the velocity times 0.1 as a float32, in Quake units, and is rounded to eighths of a unit, as in the game; `turn` is the angular
   *   velocity times that, in degrees. A part with neither is left out.
   * @param states - all that may be pushed, with `entity` as the number of the body: players but for spectators, and things, of which
   *   those that do not move or pass through everything are left alone, as are those whose body is not solid at all. What stops them
   *   are the contents of their `mask`, also monsters. They are moved in the order of `entity`; none may be listed twice.
   * @returns the state that blocks it, or `undefined` when everything has moved.
   * @throws TypeError and RangeError naming what is wrong, before anything has moved; RangeError for a player who would be pushed
   *   farther than 4,096 units from 0 0 0, and whatever a collider throws, after all was put back as it was.
   */
  push(
    parts: Quake2PusherPart | readonly Quake2PusherPart[],
    states: readonly (Quake2State | Quake2ThingState)[],
  ): Quake2State | Quake2ThingState | undefined {
    return this._run.push(parts, states, 'parts');
  }

  /** @internal */
  toString(): string {
    return `Quake2Pusher { moved: ${this.moved.length} }`;
  }
}

/**
 * Makes what moves doors, lifts and trains of Quake 2.
 *
 * @param scene - a scene with the rules 'quake2'.
 * @throws TypeError for anything else.
 */
export function createQuake2Pusher(scene: PusherScene): Quake2Pusher {
  checkPusherScene(scene, 'quake2');
  return new Quake2Pusher(scene);
}
