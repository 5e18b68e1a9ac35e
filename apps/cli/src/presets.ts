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

/** A preset, and the map that it is for. */
export interface ChosenPreset {
  readonly map: OpenMap;
  readonly preset: Preset;
}

/**
 * The presets that a user asked for, out of those that suit the maps: map by map, by names and groups, each preset once, in the
 * order of the list.
 * @throws UsageError for a name that none of the maps has.
 */
export function chosenPresets(maps: readonly OpenMap[], choice: string): readonly ChosenPreset[] {
  const names = choice.split(',').map((name) => name.trim());
  const found = maps.map((map) => names.map((name) => presetsNamed(map, name)));
  const unknown = names.find((_, k) => found.every((lists) => lists[k]!.length === 0));
  if (unknown !== undefined) {
    const there = maps.map(presetsThere).join('; ');
    const groups = listed([...GROUPS.keys()]);
    throw new UsageError(`--tracers has '${unknown}', but ${there}; ${groups} stand for several`);
  }
  return maps.flatMap((map, k) => [...new Set(found[k]!.flat())].map((preset) => ({ map, preset })));
}

/** The presets with a name, or of a group, that suit a map. */
function presetsNamed({ format, world }: OpenMap, name: string): readonly Preset[] {
  const { tracers } = format;
  const presets = tracers.presets.filter(GROUPS.get(name) ?? ((preset) => preset.name === name));
  // Only these are asked: a preset may have to make a lot to find out whether it suits.
  return suitedPresets({ ...format, tracers: { ...tracers, presets } }, world);
}

/** The presets that suit a map, for errors. */
const presetsThere = ({ name, format, world }: OpenMap): string =>
  `${name} (${format.id}) has ${listed(suitedPresets(format, world).map((preset) => preset.name))}`;

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
