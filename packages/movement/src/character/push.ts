import type { Vec3 } from '@bspkit/core';
import {
  checkCallback,
  checkList,
  checkObject,
  checkOptions,
  checkPoint,
  failArgument,
  setRotation,
} from '@bspkit/core/format';
import { startEntityOf } from '../space.ts';
import { Controller } from './controller.ts';
import { fits, roomBeside } from './free.ts';

/** The parts of a scene that {@link pushBody} needs. */
export interface PushScene {
  body(body: number): { readonly origin: Vec3; readonly angles?: Vec3 | undefined };
  move(body: number, changes: { readonly origin: Vec3; readonly angles?: Vec3 | undefined }): void;
}

/** How a body is to move. What is left out counts as zero. */
export interface BodyMove {
  /** In Quake units. */
  readonly delta?: Vec3 | undefined;
  /** Added to its angles: pitch, yaw and roll in degrees, without whole turns. It turns about its origin. */
  readonly turn?: Vec3 | undefined;
}

const MOVE: readonly string[] = ['delta', 'turn'] satisfies (keyof BodyMove)[];
const WANTED = 'three numbers, or an object with delta or turn';
const ZERO: Vec3 = [0, 0, 0];

/**
 * Moves and turns a body of a scene, such as a door or a lift, with the characters that stand on it, and pushes those in its way.
 * A character that cannot get out of its way blocks it; then nothing has moved at all. A character that was already stuck in
 * something else blocks nothing, and stays where it is.
 *
 * Characters move as the point of the body that is where they are, as in games; their boxes do not turn with it.
 *
 * @param move - how far, in Quake units, or with a turn. Turn by a few degrees at a time: a character that is pushed is put at
 *   its new place, whatever is in between.
 * @param characters - all characters that it may touch, whose tracers must see the body. One that is listed twice is moved once.
 * @param onMove - called with each character that was moved, or moved back: move the character's own body there.
 * @returns the character that blocks it, or `undefined` when it has moved.
 * @throws TypeError and RangeError naming the argument that is wrong, before anything has moved; and whatever `onMove` or a
 *   collider throws, after everything was put back, with `onMove` called again for the characters it had been called with.
 */
export function pushBody(
  scene: PushScene,
  body: number,
  move: Vec3 | BodyMove,
  characters: readonly Controller[],
  onMove?: (character: Controller) => void,
): Controller | undefined {
  checkObject(scene, 'scene');
  checkCallback(scene.move, 'scene.move');
  checkCallback(scene.body, 'scene.body');
  const { delta, turn } = readMove(move);
  checkList(characters, 'characters');
  for (const [k, character] of characters.entries()) {
    if (!(character instanceof Controller)) {
      throw new TypeError(`characters[${k}] must be a controller made by createController`);
    }
  }
  if (onMove !== undefined) checkCallback(onMove, 'onMove');
  const before = poseOf(scene, body, turn);
  const after = movedPose(before, delta, turn);
  /** Where the body takes a point. */
  const taken = turn
    ? turned(before, after)
    : (place: ArrayLike<number>): number[] => Array.from(place, (x, k) => x + delta[k]!);
  for (const numbers of [after.origin, ...characters.map(({ position }) => taken(position))]) {
    checkRange(numbers, turn ? 'move' : 'delta');
  }
  const met: Met[] = [];
  const putBack = (): void => {
    let failure: { readonly error: unknown } | undefined;
    // Whatever one of them throws, the others must be put back all the same.
    const attempt = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        failure ??= { error };
      }
    };
    attempt(() => scene.move(body, before));
    // Last first, as they may stand on each other.
    for (const { character, from, stood, isMoved } of met.reverse()) {
      attempt(() => {
        character._put(from, stood);
        if (isMoved) onMove?.(character);
      });
    }
    if (failure) throw failure.error;
  };
  /** Whether a character is in the body, or touches it. */
  const isIn = (character: Controller): boolean =>
    character._ask((kit, position) => !fits(kit, position) && startEntityOf(kit.trace) === body);
  /** Whether the body has come upon a character that does not fit where it is: not one that was in something else before. */
  const isMet = (character: Controller): boolean => {
    if (isIn(character)) return true;
    scene.move(body, before);
    const hadRoom = character._ask(roomBeside);
    scene.move(body, after);
    return hadRoom && !character._ask((kit, _, at) => fits(kit, at));
  };
  /** Moves everything; returns the character that blocks it. */
  const push = (): Controller | undefined => {
    scene.move(body, after);
    for (const character of new Set(characters)) {
      const { grounded: stood } = character;
      const rides = stood && character.groundEntity === body;
      const one: Met = { character, from: Float32Array.from(character.position), stood, isMoved: false };
      met.push(one);
      const isFree = character._shift(one.from, stood);
      const goes = rides || (!isFree && isMet(character));
      one.isMoved = goes && character._shift(taken(one.from), stood, true);
      if (one.isMoved) onMove?.(character);
      if (isFree || one.isMoved) continue;
      // The character was put back where it was, on what it stood on.
      met.pop();
      if (!goes) continue;
      scene.move(body, before);
      if (character._ask(roomBeside) || isIn(character)) return character;
      scene.move(body, after);
    }
    return undefined;
  };
  let blocker: Controller | undefined;
  try {
    blocker = push();
  } catch (error) {
    try {
      putBack();
    } catch {
      // The first error is the one to report.
    }
    throw error;
  }
  if (blocker) putBack();
  return blocker;
}

/** A character that the body has met. */
interface Met {
  readonly character: Controller;
  readonly from: Float32Array;
  readonly stood: boolean;
  isMoved: boolean;
}

interface BodyPose {
  readonly origin: readonly number[];
  readonly angles?: readonly number[] | undefined;
}

/** Copies what is moved by, which may be the origin of a body, or change in `onMove`. */
function readMove(move: Vec3 | BodyMove): { readonly delta: Vec3; readonly turn: Vec3 | undefined } {
  if (typeof move === 'object' && move !== null && 'length' in move) {
    checkPoint(move, 'delta');
    return { delta: Array.from(move), turn: undefined };
  }
  checkObject(move, 'move', WANTED);
  checkOptions(move, MOVE, 'move');
  const { delta = ZERO, turn } = move;
  if (move.delta === undefined && turn === undefined) failArgument('move', WANTED, move, false);
  checkPoint(delta, 'delta');
  if (turn !== undefined) checkPoint(turn, 'turn');
  return { delta: Array.from(delta), turn: turn && Array.from(turn) };
}

function poseOf(scene: PushScene, body: number, turn: Vec3 | undefined): BodyPose {
  const { origin, angles = ZERO } = scene.body(body);
  return turn ? { origin: Array.from(origin), angles: Array.from(angles) } : { origin: Array.from(origin) };
}

function movedPose({ origin, angles }: BodyPose, delta: Vec3, turn: Vec3 | undefined): BodyPose {
  const moved = origin.map((x, k) => x + delta[k]!);
  // Less than a whole turn: for greater numbers, float32 loses small parts of a degree.
  return turn && angles
    ? { origin: moved, angles: angles.map((x, k) => ((x + turn[k]!) % 360) + 0) }
    : { origin: moved };
}

function checkRange(numbers: readonly number[], name: string): void {
  if (numbers.every((x) => Number.isFinite(Math.fround(x)))) return;
  throw new RangeError(`${name} must not lead beyond the range of float32`);
}

/** Forward, left and up of a pose, one after the other. */
function axesOf({ angles }: BodyPose): Float64Array {
  const axes = new Float64Array(9);
  setRotation(axes, 0, angles ?? ZERO);
  return axes;
}

/** Returns a function from points fixed to a body in one pose to where they are in the other. */
function turned(before: BodyPose, after: BodyPose): (place: ArrayLike<number>) => number[] {
  const from = axesOf(before);
  const to = axesOf(after);
  return (place) => {
    const end = [...after.origin];
    for (let row = 0; row < 9; row += 3) {
      let along = 0;
      for (let k = 0; k < 3; k++) along += from[row + k]! * (place[k]! - before.origin[k]!);
      for (let k = 0; k < 3; k++) end[k]! += along * to[row + k]!;
    }
    return end;
  };
}
