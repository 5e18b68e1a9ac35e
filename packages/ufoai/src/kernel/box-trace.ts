import {
  B_HEAD,
  BRUSH_NUMBER,
  R_ALL_SOLID,
  R_BRUSH,
  R_CONTENTS,
  R_DIST,
  R_LEAF,
  R_NORMAL,
  R_SIDE,
  R_START_SOLID,
  SIDE_PLANE,
  SIDE_TEXTURE,
  SIDE_WORDS,
} from '@bspkit/brushes';
import type { Trace } from '@bspkit/core';
import { TILE_BRUSHES, TILE_LEAFS, TILE_SIDES, TILE_TEXTURES, TILE_WORDS } from '../layout.ts';
import { selectBoxHeads } from '../selection.ts';
import type { UfoaiTrace } from '../trace.ts';
import {
  B_GIVEN_END,
  B_STOP,
  R_MODEL,
  R_TILE,
  S_ANY_ALL_SOLID,
  S_ANY_START_SOLID,
  S_LEVELS,
  S_SELECTION,
} from './block.ts';
import { levelsOfSweep, traceBodies } from './bodies.ts';
import { type Body, copyStop, traceBody } from './body.ts';
import type { WorldMemory } from './memory.ts';
import { enterWorld, NOTHING, rememberSolid, stopInWorld, traceOneHead, traceWorld } from './tiles.ts';

/** What boxes are traced against. */
export interface BoxTarget {
  /** -1: all tiles. */
  readonly tile: number;
  /** Whether tiles are asked wherever the move is. The game leaves out those that it does not come near, but not one alone. */
  readonly everywhere: boolean;
  /** Number among all tiles' box heads; -1: all of them. */
  readonly head: number;
  /** Traced after the world. */
  readonly bodies: readonly Body[] | undefined;
  /** Only this body, and nothing else. */
  readonly body: Body | undefined;
  /** How the shift of the body's tile is applied: a `SHIFT_…` of `body.ts`. */
  readonly shiftRule: number;
  /** Whether the game's oddities count. */
  readonly engine: boolean;
}

/** Traces the prepared box along the move as given. */
export function traceBox(memory: WorldMemory, target: BoxTarget, out: UfoaiTrace): void {
  const { box, boxState } = memory;
  const { body, bodies, head, tile, everywhere, engine } = target;
  let record = B_HEAD;
  if (body || head >= 0) {
    boxState[S_ANY_START_SOLID] = 0;
    boxState[S_ANY_ALL_SOLID] = 0;
    if (body) traceBody(memory, body, target.shiftRule, !engine);
    else {
      enterWorld(memory);
      traceOneHead(memory, head);
      stopInWorld(memory, B_HEAD);
      boxState[B_HEAD + R_TILE] = tile;
    }
    rememberSolid(boxState);
  } else {
    // In the game, a trace with entities takes its levels from its heights, whatever the caller requested.
    if (bodies && engine) {
      boxState[S_SELECTION] = selectBoxHeads(levelsOfSweep(box, boxState[S_LEVELS]!));
    }
    record = traceWorld(memory, tile, everywhere);
    if (bodies) traceBodies(memory, bodies, record, engine);
  }
  answer(memory, record, engine, out);
}

/** Turns a record into an answer. */
function answer(memory: WorldMemory, record: number, engine: boolean, out: UfoaiTrace): void {
  const { box, boxState, ints, places } = memory;
  describeHit(memory, record, out);
  const { endPos } = out;
  out.fraction = box[record]!;
  if (boxState[record + R_MODEL] !== 0) copyStop(box, record, endPos, 0);
  else if (box[record] !== NOTHING) {
    endPos[0] = box[B_STOP]!;
    endPos[1] = box[B_STOP + 1]!;
    endPos[2] = box[B_STOP + 2]!;
  } else {
    if (!engine) out.fraction = 1;
    endPos[0] = engine ? 0 : box[B_GIVEN_END]!;
    endPos[1] = engine ? 0 : box[B_GIVEN_END + 1]!;
    endPos[2] = engine ? 0 : box[B_GIVEN_END + 2]!;
  }
  out.startSolid = boxState[engine ? record + R_START_SOLID : S_ANY_START_SOLID] !== 0;
  out.allSolid = boxState[engine ? record + R_ALL_SOLID : S_ANY_ALL_SOLID] !== 0;
  const tile = boxState[record + R_TILE]!;
  const leaf = boxState[record + R_LEAF]!;
  out.tile = engine || boxState[record + R_BRUSH] !== 0 || leaf >= 0 ? tile : -1;
  out.leaf = leaf < 0 ? -1 : leaf - ints[places.tiles.first + TILE_WORDS * tile + TILE_LEAFS]!;
}

/** Writes what a record's answer hit, except leaf, flags and place. */
export function describeHit({ ints, places, box, boxState }: WorldMemory, record: number, out: Trace): void {
  const { normal } = out;
  const brush = boxState[record + R_BRUSH]!;
  out.patch = -1;
  if (brush === 0 && boxState[record + R_MODEL] === 0) {
    normal[0] = 0;
    normal[1] = 0;
    normal[2] = 0;
    out.dist = 0;
    out.contents = 0;
    out.model = -1;
    out.brush = -1;
    out.side = -1;
    out.plane = -1;
    out.texture = -1;
    out.surfaceFlags = 0;
    return;
  }
  normal[0] = box[record + R_NORMAL]!;
  normal[1] = box[record + R_NORMAL + 1]!;
  normal[2] = box[record + R_NORMAL + 2]!;
  out.dist = box[record + R_DIST]!;
  out.contents = boxState[record + R_CONTENTS]!;
  const side = boxState[record + R_SIDE]!;
  const tile = places.tiles.first + TILE_WORDS * Math.max(0, boxState[record + R_TILE]!);
  out.model = brush === 0 ? -1 : boxState[record + R_MODEL]!;
  out.brush = brush === 0 ? -1 : ints[brush + BRUSH_NUMBER]! - ints[tile + TILE_BRUSHES]!;
  out.side = side === 0 ? -1 : (side - places.sides.first) / SIDE_WORDS - ints[tile + TILE_SIDES]!;
  out.plane = side === 0 ? -1 : ints[side + SIDE_PLANE]!;
  out.texture = side === 0 ? -1 : Math.max(-1, ints[side + SIDE_TEXTURE]!);
  out.surfaceFlags = out.texture < 0 ? 0 : ints[ints[tile + TILE_TEXTURES]! + out.texture]!;
}
