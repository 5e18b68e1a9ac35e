import type { Vec3 } from '@bspkit/core';
import { ContentsProbe, MovedBox, type PlayerSpace } from '../../space.ts';
import { copy } from '../../vectors.ts';
import { Ways } from '../chase.ts';
import { createServerWork, ORIGIN, OWN } from '../server-slide.ts';
import type { AnyThingWork } from '../thing-memory.ts';
import { CONTENTS_SOLID, MASK_MONSTERSOLID, MASK_SOLID } from './constants.ts';
import type { Quake2ThingState } from './thing-state.ts';

// A thing or a monster while it moves.

/** Places in the server's floats. */
/** Where a push, a fall or a step began. */
export const OLD_ORIGIN: number = OWN;
/** Where it took part in the world last. */
export const LINKED: number = OWN + 3;
/** A speed, and the factor that friction leaves of it. */
export const SPEED: number = OWN + 6;
/** How high a monster is above its goal. */
export const ABOVE: number = OWN + 7;

/** More than there are bumps in a slide, and bodies that are gone when they are touched in one move. */
const MOST_TOUCHED = 16;

/** A thing while it moves. */
export interface ThingWork extends AnyThingWork {
  readonly contents: ContentsProbe;
  readonly isSolid: (point: Vec3) => boolean;
  readonly box: MovedBox;
  /** A point, to feel for floors. */
  readonly feeler: MovedBox;
  /** The point at ORIGIN. */
  readonly origin: Float32Array;
  /** Whether it fights what is at GOAL_HEIGHT, and whether that is a player. */
  fights: boolean;
  isPlayer: boolean;
}

/** Room for one thing at a time. */
export function createThingWork(
  { trace, contents: source }: PlayerSpace,
  breaks: ((entity: number) => boolean) | undefined,
): ThingWork {
  const none = { mins: [0, 0, 0], maxs: [0, 0, 0] } as const;
  const box = new MovedBox(trace, none, MASK_SOLID);
  const contents = new ContentsProbe(source);
  const server = createServerWork(box, MOST_TOUCHED, breaks);
  return {
    server,
    contents,
    isSolid: (point) => contents.contents(point) === CONTENTS_SOLID,
    box,
    feeler: new MovedBox(trace, none, MASK_MONSTERSOLID),
    origin: server.floats.subarray(ORIGIN, ORIGIN + 3),
    ways: new Ways(true),
    partialGround: 0,
    waterType: 0,
    waterLevel: 0,
    splashed: false,
    landed: false,
    fights: false,
    isPlayer: false,
  };
}

/** Makes the box that of the state, and traces that from now on. */
export function useBox(
  { server, box }: ThingWork,
  { mins, maxs, entity }: Quake2ThingState,
  mask: number,
): void {
  box.resize(mins, maxs);
  box.ignore = entity;
  box.mask = mask;
  server.box = box;
}

/** Has it take part in the world where it is. */
export function link({ server }: ThingWork): void {
  copy(server.floats, ORIGIN, LINKED);
}
