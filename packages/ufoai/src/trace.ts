import { createTrace, type Trace } from '@bspkit/core';
import { R_BRUSH, R_CONTENTS, R_MODEL, R_SIDE, R_TILE, type WorldMemory } from './kernel.ts';
import { SECTIONS, TILE_BRUSHES, TILE_SIDES, TILE_TEXTURES } from './layout.ts';

// Answers are made by Object.assign, not by spreading: V8 gives spread copies several layouts, and tracers that meet too
// many of those box the numbers that they store.

/** The answer of a box or point trace. Numbers of brush, side, plane, texture and leaf are those in the tile's file. */
export interface BoxTrace extends Trace {
  /** Tile that was hit, by its place in the assembly; -1 for none. */
  tile: number;
  /** Leaf in which the hit, or the start in solid, was found; -1 for none. */
  leaf: number;
}

/** A fresh answer for box tracers: fraction 1, nothing hit. */
export function createBoxTrace(): BoxTrace {
  return Object.assign(createTrace(), { tile: -1, leaf: -1 });
}

/** The answer of a line trace. The trees of lines know planes, not brushes, so only inline models give the rest. */
export interface LineTrace extends Trace {
  /** The engine's word on whether the line is blocked: a hit within 0.001 of the end on every axis does not count. */
  blocked: boolean;
  /** Tile that was hit, by its place in the assembly; -1 for none. */
  tile: number;
  /** Model in the tile whose tree was hit: a set of levels (0 to 255) or a clip (256 to 258); -1 for none. */
  level: number;
}

/** A fresh answer for line tracers: fraction 1, nothing hit. */
export function createLineTrace(): LineTrace {
  return Object.assign(createTrace(), { blocked: false, tile: -1, level: -1 });
}

/** Tells what a record of a box's answer hit, apart from leaf, flags and place. */
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
  out.brush = brush === 0 ? -1 : ints[brush + 9]! - ints[tile + TILE_BRUSHES]!;
  out.side = side === 0 ? -1 : (side - places.sides.first) / SECTIONS.sides - ints[tile + TILE_SIDES]!;
  out.plane = side === 0 ? -1 : ints[side + 4]!;
  out.texture = side === 0 ? -1 : Math.max(-1, ints[side + 5]!);
  out.surfaceFlags = out.texture < 0 ? 0 : ints[ints[tile + TILE_TEXTURES]! + out.texture]!;
}
