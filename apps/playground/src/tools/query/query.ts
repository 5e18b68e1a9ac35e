import type { BspWorld, Tracer, Vec3 } from '@bspkit/core';
import {
  type BspFormat,
  float32Cell,
  playerPreset,
  type TracerKind,
  type TracerOption,
  type TracerValues,
  tracerOf,
} from '@bspkit/core/format';

/** What is moved, and what it is told: a kind of the format's catalog with size and options. */
export interface Mover {
  /** Name of the kind. */
  readonly kind: string;
  /** As the kind takes it; empty for one that has none, or for the kind's own. */
  readonly size: readonly number[];
  readonly options: TracerValues;
}

/** One move. */
export interface Query extends Mover {
  readonly start: readonly number[];
  readonly end: readonly number[];
}

type Kind = TracerKind<BspWorld>;

/** A kind of the format's tracers by its name. */
export const kindOf = ({ tracers }: BspFormat, name: string): Kind | undefined =>
  tracers.kinds.find((kind) => kind.name === name);

/** The options that a kind takes, in the catalog's order. */
export const optionsOf = ({ tracers }: BspFormat, kind: Kind): TracerOption[] =>
  tracers.options.filter(({ name }) => kind.options.includes(name));

/** Sizes for kinds that no preset shows, by what their size is. */
const SIZES: Readonly<Record<NonNullable<Kind['size']>, readonly number[]>> = {
  number: [16],
  box: [-16, -16, -24, 16, 16, 32],
  capsule: [16, 56],
  radii: [16, 16, 28],
};

/** The size that a kind has at first: that of the format's own preset, where there is one. */
export function firstSize(format: BspFormat, kind: Kind): readonly number[] {
  if (!kind.size) return [];
  const preset = format.tracers.presets.find((known) => known.kind === kind.name && known.size);
  // Without a size some kinds take the player's.
  const own = format.tracers.presets.some((known) => known.kind === kind.name && !known.size);
  return preset?.size ?? (own ? [] : SIZES[kind.size]);
}

/** The tracer of a mover. Throws `RangeError` or `TypeError`, in words for people, for an invalid one. */
export function createTracer(format: BspFormat, world: BspWorld, { kind, size, options }: Mover): Tracer {
  const found = kindOf(format, kind);
  if (!found) throw new RangeError(`${format.name} maps have no ${kind}`);
  return found.create(world, size, options);
}

/**
 * Where the middle of an ellipsoid is, relative to the traced point: one that has the player's size is where the player's box is.
 */
export function middleOf(format: BspFormat, world: BspWorld, { kind, size }: Mover): readonly number[] {
  if (size.length > 0 || kindOf(format, kind)?.size !== 'radii') return [0, 0, 0];
  const { shape } = tracerOf(format, world, playerPreset(format));
  return 'mins' in shape ? [0, 1, 2].map((k) => (shape.mins[k]! + shape.maxs[k]!) / 2) : [0, 0, 0];
}

/** A coordinate as queries hold it: an eighth of a unit, so that what is shown is what is traced. */
export const roundPoint = (point: Vec3): number[] => [0, 1, 2].map((k) => Math.round(8 * point[k]!) / 8 + 0);

/** Numbers as text, in links and in fields: digits that read back as the same float32s. */
export const writeNumbers = (numbers: ArrayLike<number>, between: ',' | ' '): string =>
  Array.from(numbers, float32Cell).join(between);

/** A query as text for a link: `box:-15,-15,-24,15,15,32;mask=solid;0,0,32;0,512,32`. */
export function writeQuery({ kind, size, options, start, end }: Query): string {
  const mover = size.length > 0 ? `${kind}:${writeNumbers(size, ',')}` : kind;
  const told = Object.entries(options).map(([name, value]) => {
    const text = Array.isArray(value) ? writeNumbers(value, ',') : String(value);
    return `${name}=${text.replace(/[;%]/g, encodeURIComponent)}`;
  });
  return [mover, ...told, writeNumbers(start, ','), writeNumbers(end, ',')].join(';');
}

/** A query from a link; `undefined` for one that this format cannot have been asked. */
export function readQuery(text: string, format: BspFormat): Query | undefined {
  const [mover = '', ...rest] = text.split(';');
  const end = readNumbers(rest.pop());
  const start = readNumbers(rest.pop());
  const [name = '', sizes] = mover.split(':');
  const kind = kindOf(format, name);
  const size = sizes === undefined ? [] : readNumbers(sizes);
  if (!kind || !size || start?.length !== 3 || end?.length !== 3) return undefined;
  const options: Record<string, TracerValues[string]> = {};
  for (const part of rest) {
    const at = part.indexOf('=');
    const option = optionsOf(format, kind).find((known) => known.name === part.slice(0, at));
    if (!option) return undefined;
    const value = readValue(option, decode(part.slice(at + 1)));
    if (value === undefined) return undefined;
    options[option.name] = value;
  }
  return { kind: kind.name, size, options, start, end };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Numbers parted by commas or spaces; `undefined` where any is none, or not finite as a float32. */
export function readNumbers(text: string | undefined): number[] | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  // What a comma at an end parts off is no number, though it would count as 0.
  const numbers = text
    .trim()
    .split(/[\s,]+/)
    .map((part) => (part === '' ? Number.NaN : Number(part)));
  return numbers.every((number) => Number.isFinite(Math.fround(number))) ? numbers : undefined;
}

/** The value of an option from text, as a form or a link holds it; `undefined` for one that it cannot have. */
export function readValue({ type }: TracerOption, text: string): TracerValues[string] {
  const numbers = type === 'text' ? undefined : readNumbers(text);
  switch (type) {
    case 'on':
      return text === 'true' ? true : undefined;
    case 'off':
      return text === 'false' ? false : undefined;
    case 'text':
      return text.trim() === '' ? undefined : text.trim();
    case 'points':
      return numbers && numbers.length % 3 === 0 ? numbers : undefined;
    case 'number':
      return numbers?.length === 1 ? numbers[0] : undefined;
    case 'count':
      return numbers?.length === 1 && Number.isInteger(numbers[0]) && numbers[0]! >= 0
        ? numbers[0]
        : undefined;
  }
}
