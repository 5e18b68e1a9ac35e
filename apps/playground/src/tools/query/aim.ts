import type { Tracer } from '@bspkit/core';
import type { ToolContext } from '../tool.ts';
import { type Query, roundPoint } from './query.ts';

/** How far a shot goes beyond what is seen there, in Quake units. */
const THROUGH = 64;
/** Length of a shot into the sky, in Quake units. */
const SKY = 2048;
/** Quake units between places where there may be room for the shape. */
const STEP = 2;

/**
 * A shot from the eye through a place of the view, and somewhat beyond what is seen there. What is not shown stops nothing: it
 * begins where the map is shown, and where there is room for the shape.
 */
export function shotAt(
  context: ToolContext,
  tracer: Tracer,
  x: number,
  y: number,
): Pick<Query, 'start' | 'end'> {
  const { start, direction } = context.sightLine(x, y);
  const at = (distance: number): number[] =>
    roundPoint([0, 1, 2].map((k) => start[k]! + distance * direction[k]!));
  const shown = context.shownFrom(x, y);
  const seen = context.pick(x, y)?.distance ?? Math.max(shown, SKY - THROUGH);
  for (let from = shown; from < seen; from += STEP) {
    const place = at(from);
    if (!tracer.blocked(place, place)) return { start: place, end: at(seen + THROUGH) };
  }
  return { start: at(Math.min(shown, seen)), end: at(seen + THROUGH) };
}
