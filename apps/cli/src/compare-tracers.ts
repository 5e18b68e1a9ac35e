import { ACTOR_STANDING } from '@bspkit/ufoai';
import { UsageError } from './errors.ts';
import type { FormatName } from './format-names.ts';
import type { TracerOptions } from './tracer-options.ts';

/** A way to trace through maps of a format, with a name of its own. */
export interface NamedTracer {
  readonly name: string;
  readonly options: TracerOptions;
  /** What moves a point: compared unless told otherwise. */
  readonly isRay: boolean;
  /** What a game moves, each shape once: measured unless told otherwise. */
  readonly isShape: boolean;
  /** Whether there is a literal algorithm whose steps can be counted. */
  readonly explains: boolean;
}

/** The players of Quake and Quake 3, and an actor of UFO:AI, around the traced point. */
const PLAYER = [-15, -15, -24, 15, 15, 32];
const ACTOR = [...ACTOR_STANDING.mins, ...ACTOR_STANDING.maxs];

const named = (
  name: string,
  options: Partial<TracerOptions>,
  rest: Partial<NamedTracer> = {},
): NamedTracer => ({
  name,
  options: { curves: true, ...options },
  isRay: false,
  isShape: false,
  explains: true,
  ...rest,
});

const ray = { isRay: true };
const shape = { isShape: true };
const both = { ...ray, ...shape };

const TRACERS: Readonly<Record<FormatName, readonly NamedTracer[]>> = {
  quake1: [
    named('hull0', { hull: 0 }, both),
    named('precise', { precise: true }, both),
    named('hull1', { hull: 1 }, shape),
    named('hull2', { hull: 2 }, shape),
    named('hull3', { hull: 3 }, shape),
  ],
  quake3: [
    named('ray', {}, both),
    named('tutorial', { epsilon: 1 / 32 }, ray),
    named('flat', { curves: false }, ray),
    named('box', { box: PLAYER }, shape),
    named('capsule', { capsule: PLAYER }, shape),
    named('sphere', { sphere: 16 }, shape),
    named('exact', { sphere: 16, exact: true }, { explains: false }),
  ],
  ufoai: [
    named('line', {}, both),
    named('point', { box: [0, 0, 0, 0, 0, 0] }, ray),
    named('engine', { engine: true }, ray),
    named('box', { box: ACTOR }, shape),
  ],
};

/** What walks where a player's moves are asked for. */
export const PLAYERS: Readonly<Record<FormatName, string>> = { quake1: 'hull1', quake3: 'box', ufoai: 'box' };

/** A tracer of a format by its name. */
export const tracerNamed = (format: FormatName, name: string): NamedTracer =>
  TRACERS[format].find((tracer) => tracer.name === name)!;

/** All names, for the help. */
export function tracerList(): string {
  return Object.entries(TRACERS)
    .map(([format, tracers]) => `${format}: ${tracers.map(({ name }) => name).join(', ')}`)
    .join('; ');
}

/**
 * The tracers that a user asked for, of those that a format has: rays, shapes, all, or a list of names in its order.
 * Throws `UsageError` for a name that no format has.
 */
export function chosenTracers(format: FormatName, choice: string): readonly NamedTracer[] {
  const tracers = TRACERS[format];
  if (choice === 'all') return tracers;
  if (choice === 'rays') return tracers.filter(({ isRay }) => isRay);
  if (choice === 'shapes') return tracers.filter(({ isShape }) => isShape);
  const names = choice.split(',').map((name) => name.trim());
  const known = new Set(Object.values(TRACERS).flatMap((list) => list.map(({ name }) => name)));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new UsageError(`--tracers has '${unknown}', but there are rays, shapes, all, or ${tracerList()}`);
  }
  return names.flatMap((name) => tracers.find((tracer) => tracer.name === name) ?? []);
}
