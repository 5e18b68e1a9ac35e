import { byAxis, dot, type Move, type Point, point, type Size } from '@bspkit/brushes/reference';
import type { Vec3 } from '@bspkit/core';
import { cos, sin } from '@bspkit/core/format';
import type { Body } from '../kernel/body.ts';
import type { WorldMemory } from '../kernel/memory.ts';
import {
  MODEL_KEEPS_SHIFT,
  MODEL_MAXS,
  MODEL_MINS,
  MODEL_OWN_FRAME,
  TILE_SHIFT,
  TILE_WORDS,
} from '../layout.ts';

// What the engine does to a box and a move before it walks a tree, from what the caller requested: nothing here is taken from
// what the tracers have prepared.

const f = Math.fround;

/** The engine takes numbers closer to each other than this as equal. */
const EQUAL = f(1e-10);
const isZero = (vector: Point): boolean => vector.every((x) => Math.abs(x) < EQUAL);

/** A box, brought around its middle. */
export interface CentredSize extends Size {
  readonly given: { readonly mins: Point; readonly maxs: Point };
  readonly center: Point;
}

export function prepareSize(givenMins: Vec3, givenMaxs: Vec3): CentredSize {
  const given = { mins: point(givenMins), maxs: point(givenMaxs) };
  const center = byAxis((k) => f(given.mins[k]! + given.maxs[k]!) * 0.5);
  const mins = byAxis((k) => given.mins[k]! - center[k]!);
  const maxs = byAxis((k) => given.maxs[k]! - center[k]!);
  const isPoint = isZero(mins) && isZero(maxs);
  return { given, center, mins, maxs, extents: isPoint ? [0, 0, 0] : maxs, isPoint };
}

export function prepareMove({ center }: CentredSize, givenStart: Point, givenEnd: Point): Move {
  const start = byAxis((k) => givenStart[k]! + center[k]!);
  const end = byAxis((k) => givenEnd[k]! + center[k]!);
  return { start, end, still: isZero(byAxis((k) => start[k]! - end[k]!)) };
}

/** Rows of the rotation by pitch, yaw and roll in degrees: forward, right, up. */
function rows(angles: Point): [Point, Point, Point] {
  const [pitch, yaw, roll] = byAxis((k) => angles[k]! * (Math.PI / 180));
  const [sp, cp] = [f(sin(pitch)), f(cos(pitch))];
  const [sy, cy] = [f(sin(yaw)), f(cos(yaw))];
  const [sr, cr] = [f(sin(roll)), f(cos(roll))];
  return [
    [f(cp * cy), f(cp * sy), -sp],
    [f(f(f(-sr * sp) * cy) + f(cr * sy)), f(f(f(-sr * sp) * sy) - f(cr * cy)), f(-sr * cp)],
    [f(f(f(cr * sp) * cy) + f(sr * sy)), f(f(f(cr * sp) * sy) - f(sr * cy)), f(cr * cp)],
  ];
}

/** Parts of a vector along forward, left and up. */
function turn(angles: Point, vector: Point): Point {
  const [forward, right, up] = rows(angles);
  return [dot(vector, forward), -dot(vector, right), dot(vector, up)];
}

/** How a tile's shift is applied in a trace of a model. */
export type Shift = 'none' | 'engine' | 'own frame';

/** Both ends in the frame of a model with a pose. */
export function enterModel(
  { floats, ints, places }: WorldMemory,
  { origin, angles, tile, place }: Body,
  shift: Shift,
  ends: readonly [Point, Point],
): [Point, Point] {
  const tileShift = point(floats, places.tiles.first + TILE_WORDS * tile + TILE_SHIFT);
  const at = point(origin);
  const isShifted =
    shift === 'engine' ? !isZero(at) : shift === 'own frame' && ints[place + MODEL_OWN_FRAME] === 1;
  const enter = (end: Point): Point => {
    let inside = byAxis((k) => end[k]! - at[k]!);
    if (!isZero(point(angles))) inside = turn(point(angles), inside);
    return isShifted ? byAxis((k) => inside[k]! + tileShift[k]!) : inside;
  };
  return [enter(ends[0]), enter(ends[1])];
}

/**
 * A normal out of a turned model's frame. The engine turns it by the negated angles, which only undoes a single angle; `exact`
 * undoes all of them.
 */
export function leaveModel({ angles }: Body, normal: Point, exact: boolean): Point {
  const given = point(angles);
  if (isZero(given)) return normal;
  if (!exact)
    return turn(
      byAxis((k) => -given[k]!),
      normal,
    );
  const [forward, right, up] = rows(given);
  return byAxis((k) => dot([forward[k]!, right[k]!, up[k]!], [normal[0], -normal[1], normal[2]]));
}

/** Distance of the farthest corner of a box from 0, 0, 0. */
export function farthestCorner(mins: Point, maxs: Point): number {
  const [x, y, z] = byAxis((k) => Math.max(Math.abs(mins[k]!), Math.abs(maxs[k]!)));
  return Math.sqrt(x * x + y * y + z * z);
}

export const isTurned = ({ angles }: Body): boolean => !isZero(point(angles));

/** Where a model may be met: its bounds where it is or, if it is turned, as far around its origin as they reach. */
export function reachOf({ ints, floats, places }: WorldMemory, body: Body): { mins: Point; maxs: Point } {
  const at = point(body.origin);
  const shift = point(floats, places.tiles.first + TILE_WORDS * body.tile + TILE_SHIFT);
  const kept = ints[body.place + MODEL_KEEPS_SHIFT] === 1;
  const own = (word: number): Point => byAxis((k) => floats[body.place + word + k]! - (kept ? shift[k]! : 0));
  const [low, high] = [own(MODEL_MINS), own(MODEL_MAXS)];
  const radius = farthestCorner(low, high);
  return {
    mins: byAxis((k) => at[k]! + (isTurned(body) ? -radius : low[k]!)),
    maxs: byAxis((k) => at[k]! + (isTurned(body) ? radius : high[k]!)),
  };
}

/** Where the engine looks for a model: its bounds where it is, wider when it is turned, within the world in x and y. */
export function engineReachOf(memory: WorldMemory, body: Body): { mins: Point; maxs: Point } {
  const { mins, maxs } = boundsInWorld(memory, body);
  if (!isTurned(body)) return { mins, maxs };
  const more = halfSide(mins, maxs);
  return {
    mins: byAxis((k) => inWorld(f(mins[k]! - more), k)),
    maxs: byAxis((k) => inWorld(f(maxs[k]! + more), k)),
  };
}

/** Where the server of release 2.5 looks for a model: in a cube around the middle of its bounds, when it is turned. */
export function cubeOf(memory: WorldMemory, body: Body): { mins: Point; maxs: Point } {
  const { mins, maxs } = boundsInWorld(memory, body);
  if (!isTurned(body)) return { mins, maxs };
  const half = halfSide(mins, maxs);
  const middle = byAxis((k) => f(f(mins[k]! + maxs[k]!) * 0.5));
  return { mins: byAxis((k) => f(middle[k]! - half)), maxs: byAxis((k) => f(middle[k]! + half)) };
}

const inWorld = (x: number, k: number): number => (k === 2 ? x : Math.max(-4096, Math.min(4096, x)));

const halfSide = (mins: Point, maxs: Point): number =>
  f(Math.max(...[0, 1, 2].map((k) => f(maxs[k]! - mins[k]!))) * 0.5);

function boundsInWorld({ floats }: WorldMemory, { origin, place }: Body): { mins: Point; maxs: Point } {
  const at = point(origin);
  const low = point(floats, place + MODEL_MINS);
  const high = point(floats, place + MODEL_MAXS);
  return {
    mins: byAxis((k) => inWorld(f(low[k]! + at[k]!), k)),
    maxs: byAxis((k) => inWorld(f(high[k]! + at[k]!), k)),
  };
}
