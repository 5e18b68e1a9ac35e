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

/** The names among those of presets that do not say all, each once, with what they stand for; empty where all say it. */
export function presetNotes(presets: readonly Parameters<typeof presetText>[0][]): string {
  const notes = presets.flatMap((preset) => {
    const text = presetText(preset);
    return text ? [`${preset.name} (${text})`] : [];
  });
  return [...new Set(notes)].join(', ');
}
