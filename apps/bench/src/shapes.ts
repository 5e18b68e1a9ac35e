import type { BspWorld, Shape, Tracer } from '@bspkit/core';
import {
  type BspFormat,
  playerPreset,
  suitedPresets,
  type TracerPreset,
  type TracerValues,
  tracerKind,
  tracerOf,
} from '@bspkit/core/format';

/** One of the shapes that are measured in a world: a preset of its format's catalog. */
export interface MeasuredShape {
  readonly preset: TracerPreset<BspWorld>;
  /** What its tracers move. */
  readonly shape: Shape;
}

/** The shapes that a format has measured, in a world that has them all. */
export function measuredShapes(format: BspFormat, world: BspWorld): MeasuredShape[] {
  return suitedPresets(format, world)
    .filter((preset) => preset.measured)
    .map((preset) => ({ preset, shape: presetTracer(format, world, preset).shape }));
}

/** A tracer of a preset, plus those of some options that its kind takes. */
export function presetTracer(
  format: BspFormat,
  world: BspWorld,
  preset: TracerPreset<BspWorld>,
  more: TracerValues = {},
): Tracer {
  const known = tracerKind(format, preset.kind).options;
  const taken = Object.entries(more).filter(([name]) => known.includes(name));
  return tracerOf(format, world, { ...preset, options: { ...preset.options, ...Object.fromEntries(taken) } });
}

/** The tracer that finds places with room for a shape: the player's, or the shape's own if that reaches beyond the player. */
export function roomTracer(
  format: BspFormat,
  world: BspWorld,
  { preset, shape }: MeasuredShape,
  player: Tracer,
): Tracer {
  return isWithin(shape, player.shape) ? player : presetTracer(format, world, preset);
}

/** Whether a shape reaches nowhere beyond another; rays and spheres don't. */
function isWithin(shape: Shape, other: Shape): boolean {
  if (!('mins' in shape && 'mins' in other)) return true;
  return [0, 1, 2].every((k) => shape.mins[k]! >= other.mins[k]! && shape.maxs[k]! <= other.maxs[k]!);
}

/** The tracer with which a player's moves are walked, plus some options. */
export function playerTracer(format: BspFormat, world: BspWorld, more?: TracerValues): Tracer {
  const preset = playerPreset(format);
  if (!(preset.suits?.(world) ?? true))
    throw new RangeError(`the world has no '${preset.name}' to find room with`);
  return presetTracer(format, world, preset, more);
}
