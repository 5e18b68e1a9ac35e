import type { TracerPreset } from '@bspkit/core/format';

/** What a preset's name stands for, where that differs: `ray, epsilon 0.03125`; empty where the name says it. */
export function presetText({
  name,
  kind,
  size = [],
  options = {},
}: Pick<TracerPreset<never>, 'name' | 'kind' | 'size' | 'options'>): string {
  const shape = kind === name && size.length === 0 ? '' : [kind === name ? 'size' : kind, ...size].join(' ');
  const set = Object.entries(options).map(([option, value]) =>
    typeof value === 'boolean' ? (value ? option : `no ${option}`) : `${option} ${String(value)}`,
  );
  return [...(shape ? [shape] : []), ...set].join(', ');
}

/** A preset, and what comes before its name where tracers of several maps are listed. */
export interface TitledPreset extends Pick<TracerPreset<never>, 'name' | 'kind' | 'size' | 'options'> {
  readonly title?: string;
}

/**
 * The names among those of presets that do not say all, each once, with what they stand for; empty where all say it. A name that
 * stands for different things in different games is told with its title.
 */
export function presetNotes(presets: readonly TitledPreset[]): string {
  const texts = new Map(presets.map(({ name }) => [name, new Set<string>()]));
  for (const preset of presets) texts.get(preset.name)!.add(presetText(preset));
  const notes = presets.flatMap((preset) => {
    const { name, title = '' } = preset;
    const text = presetText(preset);
    return text ? [`${texts.get(name)!.size > 1 ? title : ''}${name} (${text})`] : [];
  });
  return [...new Set(notes)].join(', ');
}
