import { B_HEAD, type BoxSettings, R_START_SOLID, S_ANY } from '@bspkit/brushes';
import { MASK_VISIBILITY } from '../constants.ts';
import type { UfoaiLineTrace } from '../trace.ts';
import { hotLines, placeHotLine } from '../wasm/kernel.ts';
import { B_GIVEN_END, B_GIVEN_START, B_LIMIT, R_MODEL, R_TILE } from './block.ts';
import {
  type Body,
  copyStop,
  lineMisses,
  SHIFT_ENGINE,
  SHIFT_NONE,
  SHIFT_OWN_FRAME,
  traceBody,
} from './body.ts';
import { setFilter } from './box.ts';
import { describeHit } from './box-trace.ts';
import { walkTrees } from './line.ts';
import { A_CROSSING, A_HEAD, L_END, L_HIT, L_START, type WorldMemory } from './memory.ts';
import { describePlace } from './place.ts';
import { useSettings } from './settings.ts';

const f = Math.fround;

/** The greatest float32 below 1. */
const BELOW_ONE = 1 - 2 ** -24;

/** What lines are traced against. */
export interface LineTarget {
  /** Selections of trees: for the test, and for the place of impact. */
  blockedHeads: number;
  hitHeads: number;
  /** Settings of a point, with which bodies are traced. */
  readonly point: BoxSettings;
  /** Traced after the world. */
  readonly bodies: readonly Body[];
  /** Whether the game's oddities with bodies count. */
  readonly engineBodies: boolean;
  /** Which of their boxes bodies are looked for in. */
  readonly reach: 'reach' | 'engineReach' | 'cube';
}

/** Whether any body blocks the line in `memory.line`. */
export function testBodies(memory: WorldMemory, target: LineTarget): boolean {
  const { bodies, engineBodies, reach } = target;
  for (let k = 0; k < bodies.length; k++) {
    if (lineMisses(bodies[k]![reach], memory.line)) continue;
    aimAtBody(memory, target.point, L_END, MASK_VISIBILITY);
    traceBody(memory, bodies[k]!, engineBodies ? SHIFT_ENGINE : SHIFT_OWN_FRAME, true);
    if (startsInBody(memory) || memory.box[B_HEAD]! < 1) return true;
  }
  return false;
}

/** Finds where the line in `memory.line` is stopped. */
export function traceLine(memory: WorldMemory, target: LineTarget, out: UfoaiLineTrace): void {
  describeWorldHit(memory, findPlace(memory, target.hitHeads), out);
  if (target.bodies.length === 0) return;
  if (target.engineBodies) traceBodiesAsEngine(memory, target, out);
  else traceBodies(memory, target, out);
}

/** Finds where trees stop the line, with whichever kernel runs. */
function findPlace(memory: WorldMemory, selection: number): boolean {
  const hot = hotLines(memory);
  if (hot) {
    const answer = placeHotLine(memory, hot, selection);
    if (answer >= 0) return answer === 1;
  }
  return walkTrees(memory, selection, true);
}

/** The answer of the world's trees. */
function describeWorldHit(memory: WorldMemory, blocked: boolean, out: UfoaiLineTrace): void {
  const { line, lineAnswer } = memory;
  describePlace(memory, line, L_HIT, lineAnswer[A_HEAD]!, lineAnswer[A_CROSSING]!, blocked, out);
  measureFraction(line, out);
  if (!blocked) out.fraction = 1;
}

/** How much of the line is before the place of impact: below 1, since the engine says that it was stopped. */
function measureFraction(line: Float64Array, out: UfoaiLineTrace): void {
  let whole = 0;
  let made = 0;
  for (let k = 0; k < 3; k++) {
    const way = line[L_END + k]! - line[L_START + k]!;
    const done = line[L_HIT + k]! - line[L_START + k]!;
    whole += way * way;
    made += done * done;
  }
  out.fraction = whole > 0 ? Math.min(f(Math.sqrt(made / whole)), BELOW_ONE) : 0;
}

/** Bodies in order, each up to the nearest hit so far. */
function traceBodies(memory: WorldMemory, target: LineTarget, out: UfoaiLineTrace): void {
  const { bodies, reach } = target;
  for (let k = 0; k < bodies.length; k++) {
    if (lineMisses(bodies[k]![reach], memory.line)) continue;
    aimAtBody(memory, target.point, L_HIT, MASK_VISIBILITY);
    traceBody(memory, bodies[k]!, SHIFT_OWN_FRAME, true);
    const startSolid = startsInBody(memory);
    if (startSolid || memory.box[B_HEAD]! < 1) describeBodyHit(memory, startSolid, out);
    if (startSolid) return;
  }
}

/**
 * As the engine does it: any contents, no shift, and fractions of ever shorter lines compared as if they were of the same line.
 * The first body that the line comes near always counts as a hit, since its fraction of 1 is below the 2 that it is compared
 * with.
 */
function traceBodiesAsEngine(memory: WorldMemory, target: LineTarget, out: UfoaiLineTrace): void {
  const { bodies, reach } = target;
  let last = 2;
  for (let k = 0; k < bodies.length; k++) {
    if (lineMisses(bodies[k]![reach], memory.line)) continue;
    aimAtBody(memory, target.point, L_HIT, -1);
    memory.box[B_LIMIT] = last;
    traceBody(memory, bodies[k]!, SHIFT_NONE, false);
    const startSolid = startsInBody(memory);
    const fraction = memory.box[B_HEAD]!;
    if (startSolid || fraction < last) describeBodyHit(memory, startSolid, out);
    if (startSolid) return;
    if (fraction < last) last = fraction;
  }
}

/** Prepares to trace a point from the line's start to its end, or to the hit so far. */
function aimAtBody(memory: WorldMemory, point: BoxSettings, target: number, mask: number): void {
  useSettings(memory, point);
  const { line, box, boxState } = memory;
  boxState[S_ANY] = 0;
  setFilter(boxState, mask, 0);
  box[B_LIMIT] = 1;
  for (let k = 0; k < 3; k++) {
    box[B_GIVEN_START + k] = line[L_START + k]!;
    box[B_GIVEN_END + k] = line[target + k]!;
  }
}

function startsInBody({ boxState }: WorldMemory): boolean {
  return boxState[B_HEAD + R_START_SOLID] !== 0;
}

/** Writes the answer of a body: the nearest hit so far. */
function describeBodyHit(memory: WorldMemory, startSolid: boolean, out: UfoaiLineTrace): void {
  const { line, box, boxState } = memory;
  describeHit(memory, B_HEAD, out);
  copyStop(box, B_HEAD, line, L_HIT);
  for (let k = 0; k < 3; k++) {
    if (startSolid) line[L_HIT + k] = line[L_START + k]!;
    out.endPos[k] = line[L_HIT + k]!;
  }
  out.blocked = true;
  out.startSolid = startSolid;
  out.model = boxState[B_HEAD + R_MODEL]!;
  out.tile = boxState[B_HEAD + R_TILE]!;
  out.level = -1;
  measureFraction(line, out);
}
