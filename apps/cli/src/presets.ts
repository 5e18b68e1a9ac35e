import type { CompareEntry } from '@bspkit/compare';
import type { Tracer } from '@bspkit/core';
import {
  type BspFormat,
  bodyPreset,
  explainerOf,
  playerPreset,
  suitedPresets,
  tracerOf,
} from '@bspkit/core/format';
import { UsageError, withMapName, withUserInput } from './errors.ts';
import { listed } from './numbers.ts';
import type { OpenMap } from './open-map.ts';

/** A tracer that is worth comparing, with a name. */
export type Preset = BspFormat['tracers']['presets'][number];

/** The presets of all formats, for the help. */
export function presetList(formats: readonly BspFormat[]): string {
  return formats
    .map(({ id, tracers }) => `${id}: ${tracers.presets.map(({ name }) => name).join(', ')}`)
    .join('; ');
}

/** What the help says about the names of tracers. */
export const TRACERS_HELP = `--tracers takes rays (all that move a point), shapes (one for each usual shape),
all, or names of single tracers, with commas between them. What the names mean:
https://github.com/bspkit/bspkit/tree/main/apps/cli#comparisons-and-speed`;

/** Names of groups of presets. */
const GROUPS: ReadonlyMap<string, (preset: Preset) => boolean> = new Map([
  ['rays', ({ role }: Preset) => role === 'point'],
  ['shapes', ({ measured }: Preset) => measured === true],
  ['all', () => true],
]);

/**
 * The presets that a user asked for, out of those that suit a map: by names and groups, each preset once, in the order of the
 * list.
 * @throws UsageError for a name that no format has.
 */
export function chosenPresets(
  { format, world }: OpenMap,
  choice: string,
  formats: readonly BspFormat[],
): readonly Preset[] {
  const { tracers } = format;
  // Only these are asked: a preset may have to make a lot to find out whether it suits.
  const suited = (isWanted: (preset: Preset) => boolean): Preset[] =>
    suitedPresets({ ...format, tracers: { ...tracers, presets: tracers.presets.filter(isWanted) } }, world);
  const names = choice.split(',').map((name) => name.trim());
  const known = new Set(formats.flatMap(({ tracers }) => tracers.presets.map(({ name }) => name)));
  const unknown = names.find((name) => !GROUPS.has(name) && !known.has(name));
  if (unknown !== undefined) {
    const there = presetList(formats);
    throw new UsageError(`--tracers has '${unknown}', but there are rays, shapes, all, or ${there}`);
  }
  const groupOf = (name: string): ((preset: Preset) => boolean) =>
    GROUPS.get(name) ?? ((preset) => preset.name === name);
  return [...new Set(names.flatMap((name) => suited(groupOf(name))))];
}

/** The presets that suit a map, for errors about a choice that has none of them. */
export const presetsThere = ({ name, format, world }: OpenMap): string =>
  `${name} has ${listed(suitedPresets(format, world).map((preset) => preset.name))}`;

/** The tracer of a preset. `size` replaces the preset's own. */
export function presetTracer(
  { name, format, world }: OpenMap,
  preset: Preset,
  size: readonly number[] | undefined = preset.size,
): Tracer {
  return withMapName(name, () => withUserInput(() => tracerOf(format, world, { ...preset, size })));
}

/** What walks in a map: the body of a player that suits it. Throws like {@link presetTracer}. */
export const walkerOf = (map: OpenMap): Tracer =>
  presetTracer(map, bodyPreset(map.format, map.world) ?? playerPreset(map.format));

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
