import { aim, look, place } from './aim.ts';
import type { Kit } from './body.ts';

/** How far a place must be free to move in each direction: as far as tracers keep from what they hit. */
export const TINY: number = 1 / 32;

/** The 26 ways out of solid: up first, then level ones, then all others; those along an axis before those in between. */
const WAYS: readonly number[] = /* @__PURE__ */ (() => {
  const ways: number[][] = [];
  for (const z of [1, 0, -1]) for (const x of [0, 1, -1]) for (const y of [0, 1, -1]) ways.push([x, y, z]);
  const size = (way: readonly number[]): number => Math.sqrt(way.reduce((sum, x) => sum + x * x, 0));
  const axial = ways.filter((way) => size(way) === 1);
  const slanted = ways.filter((way) => size(way) > 1);
  return [...axial, ...slanted].flatMap((way) => way.map((x) => x / size(way)));
})();

/** Whether a body would fit somewhere. If not, the kit's `trace` says in what it is. */
export function fits(kit: Kit, at: Float32Array): boolean {
  const { trace } = kit;
  look(kit, at, at, trace);
  return !(trace.startSolid || trace.allSolid);
}

/**
 * Whether a body would fit somewhere and could move from there: by some engines' rules, it fits where it exactly touches a plane,
 * and yet a move towards that plane starts in solid.
 */
export function isFree(kit: Kit, at: Float32Array): boolean {
  if (!fits(kit, at)) return false;
  const { trace, end } = kit;
  for (let way = 0; way < 6; way++) {
    place(end, at);
    end[way >> 1]! += (way & 1) === 0 ? TINY : -TINY;
    look(kit, at, end, trace);
    if (trace.startSolid || trace.allSolid) return false;
  }
  return true;
}

/** Writes the place this far on a way to `at`. */
export function aside(from: Float32Array, way: number, far: number, at: Float32Array): void {
  for (let k = 0; k < 3; k++) at[k] = from[k]! + WAYS[way + k]! * far;
}

/** The first way on which there is a free place this far away, which is written to `at`; or -1. */
export function freeWay(kit: Kit, from: Float32Array, far: number, at: Float32Array): number {
  for (let way = 0; way < WAYS.length; way += 3) {
    aside(from, way, far, at);
    if (isFree(kit, at)) return way;
  }
  return -1;
}

/**
 * Writes to `at` where a body is clear of what it only touches: where it is, or 1/32 beside that. Returns whether there is such a
 * place, or it is really in solid.
 */
export function roomBeside(kit: Kit, position: Float32Array, at: Float32Array): boolean {
  place(at, position);
  return fits(kit, at) || freeWay(kit, position, TINY, at) >= 0;
}

/**
 * Puts a body that exactly touches something 1/32 away from it, if that is solid for position tests or for moves towards it: those
 * engines do not stop moves that end there, so it may come there at any time. One that is really in solid stays, as a move out of
 * that starts in solid, unless it has just come from the open, and so is hardly in it. Returns whether there is such a place.
 */
export function loosen(kit: Kit, position: Float32Array, isFromOpen: boolean): boolean {
  const { probe, trace } = kit;
  if (freeWay(kit, position, TINY, probe) < 0) return false;
  look(kit, position, probe, trace);
  if (trace.startSolid && !isFromOpen) return false;
  place(position, probe);
  return true;
}

/**
 * Traces by AIM from a position. Where that begins in solid, the body is put beside what it only touches first: by some engines'
 * rules it fits where it is hardly in solid, and yet every move from there begins in that. The answer is in the kit's `trace`.
 *
 * @param isFromOpen - whether it has just come from the open: then it may be in something by next to nothing, too.
 * @returns whether it did not begin in solid.
 */
export function lookOn(kit: Kit, position: Float32Array, isFromOpen: boolean): boolean {
  const { trace, end } = kit;
  aim(kit, position);
  look(kit, position, end, trace);
  if (!trace.startSolid) return true;
  loosen(kit, position, isFromOpen || fits(kit, position));
  aim(kit, position);
  look(kit, position, end, trace);
  return false;
}

/** {@link lookOn} that leaves the body where it is. */
export function lookFree(kit: Kit, position: Float32Array, isFromOpen: boolean): void {
  const { from } = kit;
  place(from, position);
  lookOn(kit, from, isFromOpen);
}
