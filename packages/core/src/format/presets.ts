import type { BspWorld } from '../worlds.ts';
import type { BspFormat, TracerPreset } from './format.ts';

/** The presets of a format's catalog that suit a world: all of them, or those for one role. */
export function suitedPresets(
  { tracers }: BspFormat,
  world: BspWorld,
  role?: TracerPreset<BspWorld>['role'],
): TracerPreset<BspWorld>[] {
  return tracers.presets.filter(
    (preset) => (role === undefined || preset.role === role) && (preset.suits?.(world) ?? true),
  );
}
