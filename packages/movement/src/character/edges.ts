import { aim, aimUp, look, place, RISE } from './aim.ts';
import { AIM, ASIDE, FLOOR, HEIGHT, HIGHEST, type Kit, LOWEST, NEAR, REACH } from './body.ts';

/** By how much a floor may be higher than a step and still count: rounding. */
export const ROUNDING: number = 1 / 64;

/**
 * Whether what the latest trace hit is the edge of a step: too steep to stand on where a round body touches it, but with a floor
 * close behind, at most a step higher than where the move began. Looks from where that trace ended: up, forward by the same
 * distance, and down again.
 */
export function isEdge(kit: Kit): boolean {
  const { trace, probe, begin, n } = kit;
  const height = n[HEIGHT]!;
  if (trace.startSolid || trace.fraction === 1 || !(trace.normal[2]! > 0) || height === 0) return false;
  place(probe, trace.endPos);
  aimUp(n);
  n[RISE] = height;
  if (!probeOn(kit)) return false;
  n[AIM] = -height;
  // A step does not lead back down to where it began.
  n[LOWEST] = begin[2]! - ROUNDING;
  n[HIGHEST] = begin[2]! + height + ROUNDING;
  return hasFloorAside(kit);
}

/**
 * Whether stairs go on below the edge that the latest trace hit: whether there is a floor at most REACH below it. If not, it is
 * the edge of a ledge, and a body falls off. Looks as far ahead as the steepest stairs take to go down by half of REACH: far
 * enough to be clear of the edge.
 */
export function goesOnBelow(kit: Kit): boolean {
  const { trace, probe, n } = kit;
  const floor = n[FLOOR]!;
  const reach = n[REACH]!;
  place(probe, trace.endPos);
  n[AIM] = reach * Math.min(1, (0.5 * floor) / Math.sqrt(1 - floor * floor));
  n[LOWEST] = probe[2]! - reach;
  n[HIGHEST] = probe[2]!;
  return hasFloorAside(kit);
}

/** Floors whose normal has this z or more are level. */
const LEVEL = 0.999;
/** Ground at an edge gets more level from place to place by at least this. */
const TURN = 1e-4;

/**
 * Whether what a round body was set down on, from level ground, is part of an edge that is higher than a step: below the top of
 * the edge, the body may touch it where it is as level as a floor. Looks further as long as the ground gets more level, and then
 * assumes that it stays as round as it was.
 */
export function isTooHigh(kit: Kit): boolean {
  const { trace, test, probe, from, n } = kit;
  const height = n[HEIGHT]!;
  const most = from[2]! + height + ROUNDING;
  let z = trace.endPos[2]!;
  let level = trace.normal[2]!;
  let radius = 0.5 - 0.5;
  if (level >= LEVEL) return false;
  aimUp(n);
  n[RISE] = -NEAR;
  aim(kit, from);
  look(kit, from, kit.end, test);
  if (test.startSolid || test.fraction === 1 || test.normal[2]! < LEVEL) return false;
  place(probe, trace.endPos);
  n[RISE] = height;
  if (!probeOn(kit)) return false;
  n[AIM] = -height;
  n[LOWEST] = from[2]! - ROUNDING;
  if (!goAside(kit)) return false;
  for (let at = 0; at < PLACES; at++) {
    lookDown(kit);
    const turn = test.normal[2]! - level;
    if (test.startSolid || test.fraction === 1 || turn < TURN) return false;
    radius = (test.endPos[2]! - z) / turn;
    z = test.endPos[2]!;
    level = test.normal[2]!;
    if (z > most) return true;
  }
  return z + radius * (1 - level) > most;
}

/** How many places are probed beside an edge. */
const PLACES = 8;

/**
 * Moves the probe aside, and looks down to LOWEST from each place on the way. Returns whether it meets a floor before anything
 * above HIGHEST: on stairs whose treads are shorter than a round body, it would then meet the next step.
 */
function hasFloorAside(kit: Kit): boolean {
  const { test, n } = kit;
  if (!goAside(kit)) return false;
  for (let at = 0; at < PLACES; at++) {
    lookDown(kit);
    if (test.startSolid || test.endPos[2]! > n[HIGHEST]!) return false;
    if (test.fraction < 1 && test.normal[2]! >= n[FLOOR]!) return true;
  }
  return false;
}

/**
 * Finds out how far the probe can go, on the level, in the direction that the surface of the latest hit faces, or against it if
 * negative: AIM's first number at most. Sets ASIDE to that distance divided by PLACES. Returns whether it leads anywhere, and
 * LOWEST is below the probe.
 */
function goAside(kit: Kit): boolean {
  const { trace, probe, n } = kit;
  const { normal } = trace;
  const level = Math.sqrt(normal[0]! * normal[0]! + normal[1]! * normal[1]!);
  if (level === 0 || !(n[LOWEST]! < probe[2]!)) return false;
  const far = n[AIM]!;
  n[AIM] = (far * normal[0]!) / level;
  n[AIM + 1] = (far * normal[1]!) / level;
  n[RISE] = 0;
  const x = probe[0]!;
  const y = probe[1]!;
  if (!probeOn(kit)) return false;
  n[ASIDE] = (probe[0]! - x) / PLACES;
  n[ASIDE + 1] = (probe[1]! - y) / PLACES;
  probe[0] = x;
  probe[1] = y;
  return true;
}

/** Moves the probe by ASIDE, and traces down from there to LOWEST. */
function lookDown(kit: Kit): void {
  const { test, probe, n } = kit;
  probe[0] = probe[0]! + n[ASIDE]!;
  probe[1] = probe[1]! + n[ASIDE + 1]!;
  aimUp(n);
  n[RISE] = n[LOWEST]! - probe[2]!;
  aim(kit, probe);
  look(kit, probe, kit.end, test);
}

/** Moves the probe by AIM, as far as possible. Returns false if the probe is in solid. */
function probeOn(kit: Kit): boolean {
  const { test, probe } = kit;
  aim(kit, probe);
  look(kit, probe, kit.end, test);
  if (test.startSolid || test.allSolid) return false;
  place(probe, test.endPos);
  return true;
}
