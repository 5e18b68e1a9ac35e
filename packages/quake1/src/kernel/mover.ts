import { type Clearings, checkTrace, held } from '@bspkit/core/format';
import { CONTENTS_SOLID } from '../constants.ts';
import { PLANE_WORDS } from '../layout.ts';
import { type HullTrace, localEndOf, type Quake1Trace } from '../trace.ts';
import {
  FLAG_ALL_SOLID,
  FLAG_BACK,
  FLAG_START_SOLID,
  PLANE_SHIFT,
  WALK_PLAYER,
  WALK_QUAKE,
} from '../wasm/layout.ts';
import { turnIn, turnOut } from './frame.ts';
import { END, type HullKernel, STOP } from './hull.ts';
import type { TreeView } from './tree.ts';

/** What a tracer moves through a tree, with the transformation of moves into the tree's frame and of answers out of it. */
export interface Mover {
  /** How far the tree has been moved. */
  readonly offset: Float32Array;
  /** How the tree has been turned: see `setRows`. Only used if it is turned. */
  readonly rows: Float32Array;
  isTurned: boolean;
  /** Number of the tree's head. */
  head: number;
  /** Whose walk it is: `WALK_…`. */
  rules: number;
  /** Whether a start in solid sets the fraction to 0. */
  stops: boolean;
  /** The model that is hit; -1 for a box entity, which has no planes either. */
  readonly model: number;
  /** Where it meets nothing, in the tree's frame; `null` for nowhere, `undefined` until that is looked up. */
  clearings: Clearings | null | undefined;
}

export function createMover(model: number): Mover {
  const [offset, rows] = [new Float32Array(3), new Float32Array(9)];
  return {
    offset,
    rows,
    isTurned: false,
    head: 0,
    rules: WALK_QUAKE,
    stops: false,
    model,
    clearings: undefined,
  };
}

/** Passes a move to the kernel, in the frame of the tree. */
export function takeMove(mover: Mover, { points }: HullKernel, start: Float32Array, end: Float32Array): void {
  const fround = Math.fround;
  const { offset } = mover;
  points[0] = fround(start[0]! - offset[0]!);
  points[1] = fround(start[1]! - offset[1]!);
  points[2] = fround(start[2]! - offset[2]!);
  points[END] = fround(end[0]! - offset[0]!);
  points[END + 1] = fround(end[1]! - offset[1]!);
  points[END + 2] = fround(end[2]! - offset[2]!);
  if (mover.isTurned) {
    turnIn(points, 0, mover.rows);
    turnIn(points, END, mover.rows);
  }
}

/** Writes what all answers have. Returns whether the mover is stuck in solid where it starts. */
function answerStart({ stops }: Mover, flags: number, out: HullTrace): boolean {
  const startSolid = (flags & FLAG_START_SOLID) !== 0;
  // Its arrays may have been transferred since the tracer checked it. Asked here, where they are at hand, it costs nothing.
  if (out.endPos[2] === undefined || out.normal[2] === undefined) checkTrace(out, 'out');
  out.startSolid = startSolid;
  out.allSolid = (flags & FLAG_ALL_SOLID) !== 0;
  out.surfaceFlags = 0;
  out.brush = -1;
  out.side = -1;
  out.texture = -1;
  out.patch = -1;
  // All solid implies start solid: a walk that finds nothing else began in solid.
  return stops && startSolid;
}

/** Writes the answer of a move that nothing stopped. */
export function answerMiss(
  mover: Mover,
  { points }: HullKernel,
  flags: number,
  start: Float32Array,
  end: Float32Array,
  out: HullTrace,
): void {
  const stuck = answerStart(mover, flags, out);
  const { endPos, normal } = out;
  const localEnd = localEndOf(out);
  const stays = stuck && mover.rules === WALK_PLAYER;
  const last = stays ? start : end;
  const slot = stays ? 0 : END;
  out.fraction = stuck ? 0 : 1;
  // Both may be in the same memory, so all are read before any is written.
  const x = last[0]!;
  const y = last[1]!;
  const z = last[2]!;
  endPos[0] = x;
  endPos[1] = y;
  endPos[2] = z;
  localEnd[0] = points[slot]!;
  localEnd[1] = points[slot + 1]!;
  localEnd[2] = points[slot + 2]!;
  normal[0] = 0;
  normal[1] = 0;
  normal[2] = 0;
  out.dist = 0;
  out.contents = 0;
  out.model = -1;
  out.plane = -1;
}

/** Writes the answer of a move that was stopped, by a plane of the world that the tree is of. */
export function answerHit(
  mover: Mover,
  { points }: HullKernel,
  tree: TreeView,
  flags: number,
  start: Float32Array,
  end: Float32Array,
  out: HullTrace,
): void {
  const { floats, planes } = held(tree);
  const stuck = answerStart(mover, flags, out);
  const { normal } = out;
  const localEnd = localEndOf(out);
  answerEnd(mover, points, stuck, start, end, out);
  localEnd[0] = points[STOP]!;
  localEnd[1] = points[STOP + 1]!;
  localEnd[2] = points[STOP + 2]!;
  const plane = flags >> PLANE_SHIFT;
  const at = planes + PLANE_WORDS * plane;
  if ((flags & FLAG_BACK) === 0) {
    normal[0] = floats[at]!;
    normal[1] = floats[at + 1]!;
    normal[2] = floats[at + 2]!;
    out.dist = floats[at + 3]!;
  } else {
    // Subtracted from 0, so that a zero stays +0; the distance is negated, so that 0 becomes -0: both as in the engine.
    normal[0] = 0 - floats[at]!;
    normal[1] = 0 - floats[at + 1]!;
    normal[2] = 0 - floats[at + 2]!;
    out.dist = -floats[at + 3]!;
  }
  if (mover.isTurned && out.fraction !== 1) turnOut(normal, mover.rows);
  out.contents = CONTENTS_SOLID;
  out.model = mover.model;
  out.plane = mover.model < 0 ? -1 : plane;
}

/** Writes fraction and end of a hit. */
function answerEnd(
  { rules, offset }: Mover,
  points: HullKernel['points'],
  stuck: boolean,
  start: Float32Array,
  end: Float32Array,
  out: Quake1Trace,
): void {
  const { endPos } = out;
  const reached = points[STOP + 3]!;
  const fraction = stuck ? 0 : reached;
  out.fraction = fraction;
  if (rules !== WALK_QUAKE && fraction !== 1) {
    const fround = Math.fround;
    for (let k = 0; k < 3; k++) {
      const from = start[k]!;
      // Overwrites the start, which is no longer needed.
      points[k] = stuck ? from : from + fround(fraction * fround(end[k]! - from));
    }
    endPos[0] = points[0]!;
    endPos[1] = points[1]!;
    endPos[2] = points[2]!;
    return;
  }
  endPos[0] = points[STOP]!;
  endPos[1] = points[STOP + 1]!;
  endPos[2] = points[STOP + 2]!;
  // The engine moves the end point back to the caller's frame only if the fraction is not 1.
  if (reached === 1) return;
  endPos[0] = points[STOP]! + offset[0]!;
  endPos[1] = points[STOP + 1]! + offset[1]!;
  endPos[2] = points[STOP + 2]! + offset[2]!;
}
