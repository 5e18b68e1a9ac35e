import {
  B_END,
  B_EXTENTS,
  B_HEAD,
  B_MAXS,
  B_MINS,
  B_START,
  type BoxSettings,
  BRUSH_WORDS,
  boundMove,
  checkReach,
  clearAnswer,
  copySettings,
  P_BACK_ROWS,
  P_ORIGIN,
  P_ROWS,
  type Placement,
  R_ALL_SOLID,
  R_BRUSH,
  R_CONTENTS,
  R_DIST,
  R_NORMAL,
  R_SIDE,
  R_START_SOLID,
  S_POINT,
  S_STILL,
  SIDE_PLANE,
  SIDE_TEXTURE,
  SIDE_WORDS,
  traceHead,
  turn,
} from '@bspkit/brushes';
import type { Trace } from '@bspkit/core';
import { held } from '@bspkit/core/format';
import { openHot } from '../wasm/kernel.ts';
import { B_GIVEN_END, B_GIVEN_START, B_STOP, BLOCKED, MET, S_INSIDE_OUT } from './block.ts';
import type { Target, WorldMemory } from './memory.ts';

const f = Math.fround;

/** Takes a box's corners as they are: the engine does not centre it. */
export function prepareShape({ box, boxState }: BoxSettings, mins: Float32Array, maxs: Float32Array): void {
  let isPoint = 1;
  boxState[S_INSIDE_OUT] = 0;
  for (let k = 0; k < 3; k++) {
    box[B_MINS + k] = mins[k]!;
    box[B_MAXS + k] = maxs[k]!;
    // Of a box that lies beside what moves, the far side.
    box[B_EXTENTS + k] = Math.max(-mins[k]!, maxs[k]!);
    if (mins[k] !== 0 || maxs[k] !== 0) isPoint = 0;
    if (mins[k]! > maxs[k]!) boxState[S_INSIDE_OUT] = 1;
  }
  boxState[S_POINT] = isPoint;
}

/**
 * Puts a tracer's settings into the block. It may have moved afterwards: the first of all traces makes the WebAssembly
 * kernel ready, which has it in its own memory.
 */
export function useSettings(memory: WorldMemory, settings: BoxSettings): void {
  if (memory.hot === undefined) openHot(memory);
  memory.settings = settings;
  copySettings(memory, settings);
}

/** Whether all numbers of the move in `B_GIVEN_…` are finite: what is less itself is 0. */
export function isGivenFinite({ box }: WorldMemory): boolean {
  const ax = box[B_GIVEN_START]!;
  const ay = box[B_GIVEN_START + 1]!;
  const az = box[B_GIVEN_START + 2]!;
  const bx = box[B_GIVEN_END]!;
  const by = box[B_GIVEN_END + 1]!;
  const bz = box[B_GIVEN_END + 2]!;
  return ax - ax + (ay - ay) + (az - az) + (bx - bx) + (by - by) + (bz - bz) === 0;
}

/**
 * Traces the move in `B_GIVEN_…` without WebAssembly; against a model, that in `B_START` and `B_END`, in its frame. The
 * answer stays in the block. Returns bits of what came out.
 */
export function traceGiven(memory: WorldMemory, { root, moves }: Target): number {
  const { box, boxState } = memory;
  if (!moves) {
    for (let k = 0; k < 3; k++) {
      box[B_START + k] = box[B_GIVEN_START + k]!;
      box[B_END + k] = box[B_GIVEN_END + k]!;
    }
  }
  const isStill =
    box[B_START] === box[B_END] && box[B_START + 1] === box[B_END + 1] && box[B_START + 2] === box[B_END + 2];
  boxState[S_STILL] = isStill ? 1 : 0;
  checkReach(memory);
  clearAnswer(memory);
  boundMove(memory);
  traceHead(memory, root);
  const fraction = box[B_HEAD]!;
  for (let k = 0; k < 3; k++) {
    const start = box[B_GIVEN_START + k]!;
    const end = box[B_GIVEN_END + k]!;
    // Against a model the engine computes the end of every move, which may be off by rounding.
    if (!moves && isStill) box[B_STOP + k] = start;
    else if (!moves && fraction === 1) box[B_STOP + k] = end;
    else box[B_STOP + k] = start + f(fraction * f(end - start));
  }
  return fraction < 1 || boxState[B_HEAD + R_START_SOLID] !== 0 ? MET | BLOCKED : MET;
}

/** Brings the ends into the frame of a target that stands somewhere. */
export function enterTarget({ box }: WorldMemory, { turns }: Target, { floats, rotated }: Placement): void {
  for (let k = 0; k < 3; k++) {
    box[B_START + k] = box[B_GIVEN_START + k]! - floats[P_ORIGIN + k]!;
    box[B_END + k] = box[B_GIVEN_END + k]! - floats[P_ORIGIN + k]!;
  }
  if (!(turns && rotated)) return;
  turn(floats, P_ROWS, box, B_START);
  turn(floats, P_ROWS, box, B_END);
}

/** Writes the answer to a move that meets nothing: every field of it. */
export function writeMiss({ box }: WorldMemory, out: Trace): void {
  const { endPos, normal } = out;
  out.fraction = 1;
  endPos[0] = box[B_GIVEN_END]!;
  endPos[1] = box[B_GIVEN_END + 1]!;
  endPos[2] = box[B_GIVEN_END + 2]!;
  normal[0] = 0;
  normal[1] = 0;
  normal[2] = 0;
  out.dist = 0;
  out.startSolid = false;
  out.allSolid = false;
  out.contents = 0;
  out.model = -1;
  out.brush = -1;
  out.side = -1;
  out.plane = -1;
  out.texture = -1;
  out.surfaceFlags = 0;
  out.patch = -1;
}

/** Writes the latest answer: every field of it. */
export function writeAnswer(memory: WorldMemory, target: Target, placement: Placement, out: Trace): void {
  const { ints, places, box, boxState } = held(memory);
  const { endPos, normal } = out;
  const fraction = box[B_HEAD]!;
  // The engine turns normals back by the negated angles, which undoes one angle only.
  if (target.turns && placement.rotated && fraction !== 1) {
    turn(placement.floats, P_BACK_ROWS, box, B_HEAD + R_NORMAL);
  }
  out.fraction = fraction;
  endPos[0] = box[B_STOP]!;
  endPos[1] = box[B_STOP + 1]!;
  endPos[2] = box[B_STOP + 2]!;
  normal[0] = box[B_HEAD + R_NORMAL]!;
  normal[1] = box[B_HEAD + R_NORMAL + 1]!;
  normal[2] = box[B_HEAD + R_NORMAL + 2]!;
  out.dist = box[B_HEAD + R_DIST]!;
  out.startSolid = boxState[B_HEAD + R_START_SOLID] !== 0;
  out.allSolid = boxState[B_HEAD + R_ALL_SOLID] !== 0;
  out.contents = boxState[B_HEAD + R_CONTENTS]!;
  const brush = boxState[B_HEAD + R_BRUSH]!;
  const side = boxState[B_HEAD + R_SIDE]!;
  const inFile = side !== 0 && target.inFile;
  out.model = brush === 0 ? -1 : target.number;
  // Worked out, where to look it up would be to wait for memory.
  out.brush = brush === 0 ? -1 : ((brush - places.brushes.first) / BRUSH_WORDS) | 0;
  out.side = side === 0 ? -1 : ((side - places.sides.first) / SIDE_WORDS) | 0;
  out.plane = inFile ? ints[side + SIDE_PLANE]! : -1;
  out.texture = inFile ? Math.max(-1, ints[side + SIDE_TEXTURE]!) : -1;
  out.surfaceFlags = out.texture < 0 ? 0 : ints[places.textures.first + out.texture]!;
  out.patch = -1;
}
