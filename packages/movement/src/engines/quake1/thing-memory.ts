import type { Trace, Vec3 } from '@bspkit/core';
import { MovedBox } from '../../space.ts';
import { Ways } from '../chase.ts';
import { createServerWork, ORIGIN, OWN, pushBy, type ServerWork, touch } from '../server-slide.ts';
import type { AnyThingWork } from '../thing-memory.ts';
import type { QuakeThingSpace } from './space.ts';
import type { QuakeThingState } from './thing-state.ts';

// A thing or a monster while it moves.

/** Places in the server's floats. */
/** Where a step began. */
export const OLD_ORIGIN: number = OWN;

/** Of four bumps in a slide. */
const MOST_TOUCHED = 4;

export const CONTENTS_EMPTY = -1;
const CONTENTS_SOLID = -2;
export const CONTENTS_WATER = -3;
/** Six currents. */
const CONTENTS_CURRENT_0 = -9;
const CONTENTS_CURRENT_DOWN = -14;

/** A thing while it moves. */
export interface ThingWork extends AnyThingWork {
  readonly contents: QuakeThingSpace['contents'];
  readonly isSolid: (point: Vec3) => boolean;
  /** Boxes by what stops them: everything, only models, and everything with larger monsters. */
  readonly usual: MovedBox;
  readonly bodiless: MovedBox;
  readonly missile: MovedBox;
  /** A point, to feel for floors. */
  readonly feeler: MovedBox;
  /** The point at ORIGIN. */
  readonly origin: Float32Array;
  /** Whether GOAL_HEIGHT is that of an enemy. */
  fights: boolean;
}

/** Room for one thing at a time. */
export function createThingWork({ trace, contents }: QuakeThingSpace): ThingWork {
  const none = { mins: [0, 0, 0], maxs: [0, 0, 0] } as const;
  const usual = new MovedBox(trace, none);
  // Other scenes would refuse an option that nobody has given.
  const { rules } = trace as { readonly rules?: unknown };
  if (usual.ignores && typeof rules === 'string' && rules !== 'quake1' && rules !== 'halflife')
    throw new TypeError(`space.trace must be a scene with the rules 'quake1', got '${rules}'`);
  // Without bodies, all moves are of one kind.
  const only = (move: string): object => (usual.ignores ? { move } : {});
  const server = createServerWork(usual, MOST_TOUCHED);
  return {
    server,
    contents,
    isSolid: (point) => contentsAt(contents, point) === CONTENTS_SOLID,
    usual,
    bodiless: new MovedBox(trace, none, undefined, only('no-monsters')),
    missile: new MovedBox(trace, none, undefined, only('missile')),
    feeler: new MovedBox(trace, none, undefined, only('no-monsters')),
    origin: server.floats.subarray(ORIGIN, ORIGIN + 3),
    ways: new Ways(false),
    partialGround: 0,
    waterType: 0,
    waterLevel: 0,
    splashed: false,
    landed: false,
    fights: false,
  };
}

/** Makes a box that of the state, and traces that from now on. */
export function useBox({ server }: ThingWork, box: MovedBox, { mins, maxs, entity }: QuakeThingState): void {
  box.resize(mins, maxs);
  box.ignore = entity;
  server.box = box;
}

/** Contents of the world at a point; currents are water. */
export function contentsAt(source: QuakeThingSpace['contents'], point: Vec3): number {
  const contents = source.hullContents(0, point);
  return contents <= CONTENTS_CURRENT_0 && contents >= CONTENTS_CURRENT_DOWN ? CONTENTS_WATER : contents;
}

/**
 * What a trace hit or started in: 0 for the world, a body's number, -1 for nothing. A move that stays in solid has hit that, though
 * its fraction is 1.
 */
export function hitOf({ entity, fraction, startSolid }: Trace & { readonly entity?: number }): number {
  return fraction === 1 && !startSolid ? -1 : (entity ?? 0);
}

/** Pushes a player or a thing by PUSH, and notes what that hit, which is returned: -1 for nothing. */
export function touchBy(server: ServerWork): number {
  pushBy(server);
  const hit = hitOf(server.trace);
  if (hit >= 0) touch(server, hit);
  return hit;
}
