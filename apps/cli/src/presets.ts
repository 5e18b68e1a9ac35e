import type { CompareEntry } from '@bspkit/compare';
import type { Tracer } from '@bspkit/core';
import { type BspFormat, explainerOf, suitedPresets, tracerOf } from '@bspkit/core/format';
import { UsageError, withUserInput } from './errors.ts';
import type { OpenMap } from './open-map.ts';

/** A tracer that is worth comparing, under a name. */
export type Preset = BspFormat['tracers']['presets'][number];

/** The presets of all formats, for the help. */
export function presetList(formats: readonly BspFormat[]): string {
  return formats
    .map(({ id, tracers }) => `${id}: ${tracers.presets.map(({ name }) => name).join(', ')}`)
    .join('; ');
}

/**
 * The presets that a user asked for, of those that suit a map: rays, shapes, all, or a list of names in its order.
 * @throws UsageError for a name that no format has.
 */
export function chosenPresets(
  { format, world }: OpenMap,
  choice: string,
  formats: readonly BspFormat[],
): readonly Preset[] {
  const { tracers } = format;
  // Only these are asked: one may make much to find out whether it suits.
  const suited = (isWanted: (preset: Preset) => boolean): Preset[] =>
    suitedPresets({ ...format, tracers: { ...tracers, presets: tracers.presets.filter(isWanted) } }, world);
  if (choice === 'all') return suitedPresets(format, world);
  if (choice === 'rays') return suitedPresets(format, world, 'point');
  if (choice === 'shapes') return suited(({ measured }) => measured);
  const names = choice.split(',').map((name) => name.trim());
  const known = new Set(formats.flatMap(({ tracers }) => tracers.presets.map(({ name }) => name)));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    const there = presetList(formats);
    throw new UsageError(`--tracers has '${unknown}', but there are rays, shapes, all, or ${there}`);
  }
  return names.flatMap((name) => suited((preset) => preset.name === name));
}

/** The tracer of a preset. `size` takes the place of the preset's own. */
export function presetTracer(
  { format, world }: OpenMap,
  preset: Preset,
  size: readonly number[] | undefined = preset.size,
): Tracer {
  return withUserInput(() => tracerOf(format, world, { ...preset, size }));
}

/** A preset, ready to be compared and timed. */
export function presetEntry(
  map: OpenMap,
  preset: Preset,
  name: string,
  size?: readonly number[],
): CompareEntry {
  const tracer = presetTracer(map, preset, size);
  return { name, tracer, explain: explainerOf(map.format, map.world, preset, tracer) };
}
