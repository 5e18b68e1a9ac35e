import { createTrace, type Trace } from '@bspkit/core';

// Answers are made by Object.assign, not by spreading: V8 gives spread copies several layouts, and tracers that meet too
// many of those box the numbers that they store.

/** The answer of a box or ray. Numbers of brush, side, plane, texture and leaf are those in the tile's file. */
export interface UfoaiTrace extends Trace {
  /** Tile that was hit, by its place in the assembly; -1 for none. */
  tile: number;
  /** Leaf in which the hit, or the start in solid, was found; -1 for none. */
  leaf: number;
}

/** A fresh answer for boxes and rays: fraction 1, nothing hit. */
export function createBoxTrace(): UfoaiTrace {
  return Object.assign(createTrace(), { tile: -1, leaf: -1 });
}

/** The answer of a line. The trees of lines know planes, not brushes, so only inline models give the rest. */
export interface UfoaiLineTrace extends Trace {
  /** The engine's word on whether the line is blocked: a hit within 0.001 of the end on every axis does not count. */
  blocked: boolean;
  /** Tile that was hit, by its place in the assembly; -1 for none. */
  tile: number;
  /** Model in the tile whose tree was hit: a set of levels (0 to 255) or a clip (256 to 258); -1 for none. */
  level: number;
}

/** A fresh answer for lines: fraction 1, nothing hit. */
export function createLineTrace(): UfoaiLineTrace {
  return Object.assign(createTrace(), { blocked: false, tile: -1, level: -1 });
}
