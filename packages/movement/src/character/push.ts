import type { Vec3 } from '@bspkit/core';
import { checkCallback, checkList, checkObject, checkPoint } from '@bspkit/core/format';
import { Controller } from './controller.ts';

/** The parts of a scene that {@link pushBody} needs. */
export interface PushScene {
  body(body: number): { readonly origin: Vec3 };
  move(body: number, changes: { readonly origin: Vec3 }): void;
}

/**
 * Moves a body of a scene, such as a door or a lift, by `delta`, with the characters that stand on it, and pushes those
 * in its way. A character that cannot get out of its way blocks it; then nothing has moved at all. One that was stuck in
 * something else already blocks nothing, and stays where it is.
 *
 * @param delta - in Quake units.
 * @param characters - all characters that it may touch, whose tracers must see the body. One that is listed twice is
 *   moved once.
 * @param onMove - called with each character that was moved, or moved back: move the character's own body there.
 * @returns who blocks it, or `undefined` when it has moved.
 * @throws TypeError and RangeError naming the argument that is wrong, before anything has moved.
 */
export function pushBody(
  scene: PushScene,
  body: number,
  delta: Vec3,
  characters: readonly Controller[],
  onMove?: (character: Controller) => void,
): Controller | undefined {
  checkObject(scene, 'scene');
  checkCallback(scene.move, 'scene.move');
  checkCallback(scene.body, 'scene.body');
  checkPoint(delta, 'delta');
  checkList(characters, 'characters');
  for (const [k, character] of characters.entries()) {
    if (!(character instanceof Controller)) {
      throw new TypeError(`characters[${k}] must be a controller made by createController`);
    }
  }
  if (onMove !== undefined) checkCallback(onMove, 'onMove');
  const before = Array.from(scene.body(body).origin);
  const met: {
    readonly character: Controller;
    readonly from: Float32Array;
    readonly stood: boolean;
    readonly isMoved: boolean;
  }[] = [];
  const shifted = (place: ArrayLike<number>): number[] => Array.from(place, (x, k) => x + delta[k]!);
  for (const place of [before, ...characters.map(({ position }) => position)]) {
    if (shifted(place).every((x) => Number.isFinite(Math.fround(x)))) continue;
    throw new RangeError('delta must not lead beyond the range of float32');
  }
  scene.move(body, { origin: shifted(before) });
  for (const character of new Set(characters)) {
    const { grounded: stood } = character;
    const rides = stood && character.groundEntity === body;
    const from = Float32Array.from(character.position);
    const isFree = character._shift(from, stood);
    const isMoved = (!isFree || rides) && character._shift(shifted(from), stood);
    if (isFree || isMoved) {
      met.push({ character, from, stood, isMoved });
      if (isMoved) onMove?.(character);
    } else {
      scene.move(body, { origin: before });
      if (character._isStuckBeside(body)) {
        scene.move(body, { origin: shifted(before) });
        continue;
      }
      // Last first, as they may stand on each other.
      for (const { character: other, from: place, stood, isMoved: wasMoved } of met.reverse()) {
        other._putBack(place, stood);
        if (wasMoved) onMove?.(other);
      }
      return character;
    }
  }
  return undefined;
}
