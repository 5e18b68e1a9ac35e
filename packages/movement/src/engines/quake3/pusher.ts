import { printAsString } from '@bspkit/core/format';
import { PushRun } from '../pusher.ts';
import { checkPusherScene, PART, type PusherPart, type PusherScene } from '../pusher-parts.ts';
import { type Pushed, Quake3PushRules, STATE_SIZE } from './push-rules.ts';
import type { Quake3State } from './state.ts';
import type { Quake3ThingState } from './thing-state.ts';

/** A body that pushes, and how it is to move. */
export interface Quake3PusherPart extends PusherPart {
  /**
   * Whether it swings, by a path or a turn of the kind `sine`: nothing blocks it, and what cannot get out of its way is crushed.
   * False by default.
   */
  readonly bobs?: boolean | undefined;
  /** Whether it stops at whatever is in its way, in place of pushing it (`EF_MOVER_STOP`): it only carries. False by default. */
  readonly stops?: boolean | undefined;
}

/** In the order of their bits. */
const MARKS: readonly string[] = ['bobs', 'stops'] satisfies (keyof Quake3PusherPart)[];

/**
 * Moves doors, lifts and trains with what rides on them, and pushes what is in their way, as the game of Quake 3 does. Made by
 * {@link createQuake3Pusher}; one pusher serves any number of them in turn.
 */
export class Quake3Pusher {
  /** The states that the last push moved, in order; none where it was blocked. */
  readonly moved: readonly (Quake3State | Quake3ThingState)[];
  /**
   * The states that a part which bobs could not move out of its way, in order, whether or not the push was blocked by another part:
   * the game does damage of 99,999 to them. They stay where they are, but a player's view may have turned.
   */
  readonly crushed: readonly (Quake3State | Quake3ThingState)[];
  private readonly _rules: Quake3PushRules;
  private readonly _run: PushRun<Pushed>;

  /** @internal */
  constructor(scene: PusherScene) {
    this._rules = new Quake3PushRules(scene);
    this._run = new PushRun(scene, this._rules, STATE_SIZE, PART, MARKS);
    this.moved = this._run.moved;
    this.crushed = this._rules.crushed;
    printAsString(this);
  }

  /**
   * Moves and turns bodies of the scene, one after the other, each with what is near it in the order of the engine's areas: what
   * stands on it, and then what it would be in. Bodies of what is moved are linked where that is then, without allocation.
   *
   * What cannot be moved, because it would be in something else, stays where it is if it is free there; otherwise it blocks, and
   * the whole team is back where it was. All that was pushed is then where it was too, but as in the game,
   * - the bodies of what could be moved, and the `origin` of things, stay there until they are moved again;
   * - what was pushed without standing on a part stands on nothing any more, nor does what could stay where it was, whose view has
   *   turned if it is a player.
   *
   * Push in each frame all teams whose first part has a path that is not `stationary`, in the order of these parts.
   *
   * @param parts - a body, or those of a team. How far each is to move is where its path leads at the end of the frame
   *   ({@link quake3PathPosition}), less where its body is, each component rounded to float32; the same for its angles. Where it was
   *   blocked, the game adds the length of the frame to `pathTime` of all paths of the team, and links its bodies where these lead
   *   then, in the same order: that may differ in the last bits from where they were.
   * @param states - all that may be pushed, with `entity` as the number of the body: players, and things, of which missiles are
   *   left alone. None may be listed twice. A player's box is that of the last command.
   * @returns the state that blocks, or `undefined` when everything has moved.
   * @throws TypeError and RangeError naming what is wrong, before anything has moved; and whatever a collider throws, after all was
   *   put back as it was.
   */
  push(
    parts: Quake3PusherPart | readonly Quake3PusherPart[],
    states: readonly (Quake3State | Quake3ThingState)[],
  ): Quake3State | Quake3ThingState | undefined {
    return this._run.push(parts, states, 'parts');
  }

  /**
   * Call it at the end of each frame of the game. A player whom a part has pushed off what it stands on is not carried by that any more,
   * although its `ground` is what it was, until it moves by itself, or the frame ends.
   */
  endFrame(): void {
    this._rules.lifted.keep(0);
  }

  /** @internal */
  toString(): string {
    return `Quake3Pusher { moved: ${this.moved.length} }`;
  }
}

/**
 * Makes what moves doors, lifts and trains of Quake 3.
 *
 * @param scene - a scene with the rules 'quake3'. Players' bodies are boxes with the contents of a body (0x2000000) where the players
 *   are, items triggers, and what is left of players boxes with the contents of a corpse (0x4000000).
 * @throws TypeError for anything else.
 */
export function createQuake3Pusher(scene: PusherScene): Quake3Pusher {
  checkPusherScene(scene, 'quake3');
  return new Quake3Pusher(scene);
}
