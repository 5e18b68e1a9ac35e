import { aim, aimUp, look, place, RISE } from './aim.ts';
import { AIM, ASIDE, FLOOR, HEIGHT, HIGHEST, type Kit, LOWEST, NEAR, REACH } from './body.ts';

/** How much higher than a step may be a floor still counts: rounding. */
export const ROUNDING: number = 1 / 64;

/**
 * Whether what the latest trace hit is the edge of a step: too steep to stand on, where a round body meets it, but with a
 * floor close behind, no higher than a step above where the move began. Looks from where that trace ended: up, as far ahead,
 * and down again.
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
  // A step does not lead back up to where it began.
  n[LOWEST] = begin[2]! - ROUNDING;
  n[HIGHEST] = begin[2]! + height + ROUNDING;
  return hasFloorAside(kit);
}

/**
 * Whether stairs go on below the edge that the latest trace hit: REACH below it at most is a floor. Else it is the edge of
 * a ledge, off which one falls. Looks as far ahead as the steepest stairs take to go down by half of that: far enough to be
 * clear of the edge.
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
/** By how much more level ground is from place to place on an edge. */
const TURN = 1e-4;

/**
 * Whether what a round body was set down on, from level ground, is part of an edge that is higher than a step: it may meet an
 * edge where that is as level as a floor, below its top. Looks on as long as the ground gets more level, and then expects it
 * to go on as round as it was.
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
  return radius * Math.sqrt(1 - level * level) < height && z + radius * (1 - level) > most;
}

/** In how many places it is looked beside an edge. */
const PLACES = 8;

/**
 * Goes aside from the probe, and looks down to LOWEST from place to place on this way. Returns whether it meets a floor before
 * anything above HIGHEST: of stairs whose treads are shorter than a round body, it would later meet the next.
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
 * Finds out how far it can go from the probe, by AIM's first number along what the latest trace hit faces, on the level. Sets
 * ASIDE to one of PLACES parts of that. Returns whether that leads anywhere, and down from there is LOWEST.
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

/** Moves the probe by AIM, as far as that goes. Returns whether it goes at all. */
function probeOn(kit: Kit): boolean {
  const { test, probe } = kit;
  aim(kit, probe);
  look(kit, probe, kit.end, test);
  if (test.startSolid || test.allSolid) return false;
  place(probe, test.endPos);
  return true;
}
