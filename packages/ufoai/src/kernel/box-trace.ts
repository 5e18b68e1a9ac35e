import type { Trace } from '@bspkit/core';
import {
  BRUSH_NUMBER,
  SECTIONS,
  SIDE_WORDS,
  TILE_BRUSHES,
  TILE_LEAFS,
  TILE_SIDES,
  TILE_TEXTURES,
} from '../layout.ts';
import type { UfoaiTrace } from '../trace.ts';
import { levelsOfSweep, traceBodies } from './bodies.ts';
import { type Body, copyStop, traceBody } from './body.ts';
import {
  B_CENTER,
  B_GIVEN_END,
  B_GIVEN_START,
  B_HEAD,
  B_TILE,
  B_WORLD,
  R_ALL_SOLID,
  R_BRUSH,
  R_CONTENTS,
  R_LEAF,
  R_MODEL,
  R_SIDE,
  R_START_SOLID,
  R_TILE,
  S_ANY_ALL_SOLID,
  S_ANY_START_SOLID,
  S_HEAD,
  S_TILE,
  S_WORLD,
  S_WORLD_STILL,
  type WorldMemory,
} from './memory.ts';
import {
  enterWorld,
  type LevelSelection,
  NOTHING,
  rememberSolid,
  selectLevels,
  traceOneHead,
  traceTile,
  traceTiles,
} from './tiles.ts';

const f = Math.fround;

/** What boxes are traced against. */
export interface BoxTarget {
  /** -1: all tiles. */
  readonly tile: number;
  /** Number among all tiles' box heads; -1: all of them. */
  readonly head: number;
  /** Traced after the world. */
  readonly bodies: readonly Body[] | undefined;
  /** Only this body, and nothing else. */
  readonly body: Body | undefined;
  /** How the shift of the body's tile comes in: a `SHIFT_…` of `body.ts`. */
  readonly shiftRule: number;
  /** Whether the game's oddities count. */
  readonly engine: boolean;
}

/** Traces the prepared box along the move as given. */
export function traceBox(
  memory: WorldMemory,
  target: BoxTarget,
  levels: LevelSelection,
  out: UfoaiTrace,
): void {
  const { boxState } = memory;
  const { body, bodies, head, tile, engine } = target;
  boxState[S_ANY_START_SOLID] = 0;
  boxState[S_ANY_ALL_SOLID] = 0;
  if (body) {
    traceBody(memory, body, target.shiftRule, !engine);
    rememberSolid(boxState);
    answer(memory, B_HEAD, S_HEAD, engine, out);
    return;
  }
  // In the game a trace with entities takes its levels from its heights, whatever the caller asked for.
  if (bodies && engine) selectLevels(memory, levelsOfSweep(memory.box, levels.mask), levels);
  enterWorld(memory);
  if (bodies) {
    traceTiles(memory, levels, tile);
    traceBodies(memory, bodies, engine);
  } else if (head >= 0) {
    traceOneHead(memory, head);
    rememberSolid(boxState);
    boxState[S_HEAD + R_TILE] = tile;
    answer(memory, B_HEAD, S_HEAD, engine, out);
    return;
  } else if (tile >= 0) {
    traceTile(memory, tile, levels);
    boxState[S_TILE + R_TILE] = tile;
    answer(memory, B_TILE, S_TILE, engine, out);
    return;
  } else traceTiles(memory, levels);
  answer(memory, B_WORLD, S_WORLD, engine, out);
}

/** Turns a record into an answer. */
function answer(memory: WorldMemory, record: number, state: number, engine: boolean, out: UfoaiTrace): void {
  const { box, boxState, ints, places } = memory;
  describeHit(memory, record, state, out);
  out.fraction = box[record] === NOTHING && !engine ? 1 : box[record]!;
  if (boxState[state + R_MODEL] !== 0) copyStop(box, record, out.endPos, 0);
  else stopInWorld(memory, record, engine, out);
  out.startSolid = boxState[engine ? state + R_START_SOLID : S_ANY_START_SOLID] !== 0;
  out.allSolid = boxState[engine ? state + R_ALL_SOLID : S_ANY_ALL_SOLID] !== 0;
  const tile = boxState[state + R_TILE]!;
  const leaf = boxState[state + R_LEAF]!;
  out.tile = engine || boxState[state + R_BRUSH] !== 0 || leaf >= 0 ? tile : -1;
  out.leaf = leaf < 0 ? -1 : leaf - ints[places.tiles.first + SECTIONS.tiles * tile + TILE_LEAFS]!;
}

/** The engine moves the middle of the box, so that even the end of a free move may come back changed by rounding. */
function stopInWorld({ box, boxState }: WorldMemory, record: number, engine: boolean, out: Trace): void {
  const fraction = box[record]!;
  for (let k = 0; k < 3; k++) {
    if (fraction === NOTHING) {
      out.endPos[k] = engine ? 0 : box[B_GIVEN_END + k]!;
    } else if (boxState[S_WORLD_STILL] !== 0) {
      out.endPos[k] = box[B_GIVEN_START + k]!;
    } else {
      const center = box[B_CENTER + k]!;
      const start = f(box[B_GIVEN_START + k]! + center);
      const end = f(box[B_GIVEN_END + k]! + center);
      out.endPos[k] = (fraction >= 1 ? end : f(start + f(fraction * f(end - start)))) - center;
    }
  }
}

/** Writes what a record's answer hit, apart from leaf, flags and place. */
export function describeHit(
  { ints, places, box, boxState }: WorldMemory,
  record: number,
  state: number,
  out: Trace,
): void {
  for (let k = 0; k < 3; k++) out.normal[k] = box[record + 1 + k]!;
  out.dist = box[record + 4]!;
  out.contents = boxState[state + R_CONTENTS]!;
  out.patch = -1;
  const brush = boxState[state + R_BRUSH]!;
  const side = boxState[state + R_SIDE]!;
  const tile = places.tiles.first + SECTIONS.tiles * Math.max(0, boxState[state + R_TILE]!);
  out.model = brush === 0 ? -1 : boxState[state + R_MODEL]!;
  out.brush = brush === 0 ? -1 : ints[brush + BRUSH_NUMBER]! - ints[tile + TILE_BRUSHES]!;
  out.side = side === 0 ? -1 : (side - places.sides.first) / SIDE_WORDS - ints[tile + TILE_SIDES]!;
  out.plane = side === 0 ? -1 : ints[side + 4]!;
  out.texture = side === 0 ? -1 : Math.max(-1, ints[side + 5]!);
  out.surfaceFlags = out.texture < 0 ? 0 : ints[ints[tile + TILE_TEXTURES]! + out.texture]!;
}
