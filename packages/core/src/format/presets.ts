import { checkChoice } from '../check.ts';
import type { Explanation } from '../explain.ts';
import type { Tracer } from '../tracer.ts';
import type { Vec3 } from '../vec.ts';
import type { BspWorld } from '../worlds.ts';
import type { BspFormat } from './format.ts';
import type { TracerKind, TracerPreset } from './tracers.ts';

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

/** The preset that has the player's shape. It need not suit a world. */
export const playerPreset = ({ tracers }: BspFormat): TracerPreset<BspWorld> =>
  tracers.presets.find(({ name }) => name === tracers.player)!;

/**
 * What a player moves as: the {@link playerPreset} where it suits a world, else the first body that does, stopped by what
 * stops players; `undefined` where none does.
 */
export function bodyPreset(format: BspFormat, world: BspWorld): TracerPreset<BspWorld> | undefined {
  const { presets, player, playerMask: mask } = format.tracers;
  // One after the other: for some presets, `suits` is only known once everything that they need has been made.
  const isBody = ({ role, suits }: TracerPreset<BspWorld>): boolean =>
    role === 'body' && (suits?.(world) ?? true);
  const body = presets.find((preset) => preset.name === player && isBody(preset)) ?? presets.find(isBody);
  return body && mask !== undefined ? { ...body, options: { mask, ...body.options } } : body;
}

/** A kind of tracer by its name. Throws `RangeError` for one that the format does not have. */
export function tracerKind({ tracers: { kinds } }: BspFormat, name: string): TracerKind<BspWorld> {
  checkChoice(
    name,
    'kind',
    kinds.map((kind) => kind.name),
  );
  return kinds.find((kind) => kind.name === name)!;
}

/** The tracer of a preset, or of any kind with its size and options. Throws as `create` of that kind does. */
export function tracerOf(
  format: BspFormat,
  world: BspWorld,
  { kind, size = [], options = {} }: Pick<TracerPreset<BspWorld>, 'kind' | 'size' | 'options'>,
): Tracer {
  return tracerKind(format, kind).create(world, size, options);
}

/**
 * The tracer that explains the answers of a preset's tracer; `undefined` where there is no literal algorithm for it, as for some
 * options of a kind.
 */
export function explainerOf(
  format: BspFormat,
  world: BspWorld,
  { kind }: Pick<TracerPreset<BspWorld>, 'kind'>,
  tracer: Tracer,
): ((start: Vec3, end: Vec3) => Explanation) | undefined {
  if (!tracerKind(format, kind).explains) return undefined;
  const { mins } = world.bounds;
  try {
    format.explain(tracer, mins, mins);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
  return (start, end) => format.explain(tracer, start, end);
}
