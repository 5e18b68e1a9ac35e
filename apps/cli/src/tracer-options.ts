import type { Tracer } from '@bspkit/core';
import type { BspFormat, TracerKind, TracerOption, TracerValues } from '@bspkit/core/format';
import { type Command, Option } from 'commander';
import { parseBox, parseCapsule, parseCount, parseNumber, parsePoint, parsePoints } from './arguments.ts';
import { UsageError, withMapName, withUserInput } from './errors.ts';
import { listed } from './numbers.ts';
import type { OpenMap } from './open-map.ts';

// The options of tracers are those in all formats' catalogs together. Which of them a map takes is only known once the map is
// open.

type Kind = BspFormat['tracers']['kinds'][number];

/** What commander found on the command line, by the names of the options. */
export type Given = Readonly<Record<string, unknown>>;

/** A tracer that was requested. */
export interface MadeTracer {
  readonly kind: Kind;
  /** Its size as requested; empty if it has none. */
  readonly size: readonly number[];
  readonly tracer: Tracer;
}

type Parse = (text: string) => unknown;

const SIZES: Readonly<Record<NonNullable<Kind['size']>, { name: string; parse: Parse }>> = {
  number: { name: '<n>', parse: parseNumber },
  box: { name: '<x,y,z,x,y,z>', parse: parseBox },
  capsule: { name: '<radius,height>', parse: parseCapsule },
  radii: { name: '<rx,ry,rz>', parse: parsePoint },
};

const PARSERS: Readonly<Record<Exclude<TracerOption['type'], 'on' | 'off'>, Parse>> = {
  number: parseNumber,
  // Numbers of models, which maps and answers write as *1.
  count: (text) => parseCount(text.replace(/^\*(?=\d)/, '')),
  points: parsePoints,
  text: String,
};

const GROUPS: Readonly<Record<TracerOption['group'], string>> = {
  shape: 'Shape',
  filter: 'What is in the way, and whose rules count:',
  place: 'A model in place of the world:',
};

/**
 * Adds the options of all formats' tracers to a command.
 *
 * @param isShown - which kinds are shown in the help. Others are accepted too, for an error that says more than that there is
 *   no such option.
 */
export function addTracerOptions(
  command: Command,
  formats: readonly BspFormat[],
  isShown: (item: Pick<TracerOption, 'explains'>) => boolean = () => true,
): Command {
  const shown = formats.flatMap(({ tracers }) => tracers.kinds.filter(isShown));
  const told = new Set(shown.flatMap((kind) => [kind.name, ...kind.options]));
  const kinds = collect(formats, ({ tracers }) => tracers.kinds);
  const options = collect(formats, ({ tracers }) => tracers.options);
  const shape = `Shape (by default ${defaultShapes(formats)}):`;
  /** Adds an option, unless the command has one that would be written alike. */
  const add = (option: Option, { name }: Kind | TracerOption): void => {
    if (!command.options.some(({ long }) => long === option.long)) {
      command.addOption(option);
      return;
    }
    const owners = formats.filter(({ tracers }) =>
      [...tracers.kinds, ...tracers.options].some((item) => item.name === name),
    );
    throw new UsageError(
      `${owners.at(-1)!.name} cannot have ${option.long}: bspkit ${command.name()} has another option with that name`,
    );
  };
  for (const { item, help } of kinds) {
    const others = kinds.filter((other) => other.item !== item).map((other) => other.item.name);
    const { name, size, sizeName } = item;
    const flags = size ? `--${name} ${sizeName ?? SIZES[size].name}` : `--${name}`;
    const option = new Option(flags, help).conflicts(others).helpGroup(shape).hideHelp(!told.has(name));
    add(size ? option.argParser(SIZES[size].parse) : option, item);
  }
  for (const group of ['shape', 'filter', 'place'] as const) {
    for (const { item, help } of options.filter((shared) => shared.item.group === group)) {
      const { name, type, value } = item;
      const flags =
        type === 'on' || type === 'off' ? flagOf(item) : `${flagOf(item)} ${value ?? `<${type}>`}`;
      const option = new Option(flags, help).helpGroup(group === 'shape' ? shape : GROUPS[group]);
      option.hideHelp(!told.has(name) || !isShown(item));
      add(type === 'on' || type === 'off' ? option : option.argParser(PARSERS[type]), item);
    }
  }
  return command;
}

/** What is traced where no shape is given: what most formats have, and for which of them it is another one. */
function defaultShapes(formats: readonly BspFormat[]): string {
  const shapes = new Map<string, string[]>();
  for (const { name, tracers } of formats) {
    const shape = `--${tracers.kinds[0]!.name}`;
    shapes.set(shape, [...(shapes.get(shape) ?? []), name]);
  }
  const [usual, ...others] = [...shapes].sort(([, a], [, b]) => b.length - a.length);
  return listed([usual![0], ...others.map(([shape, names]) => `${shape} for ${listed(names)}`)], 'or');
}

/** Something that several formats have under one name. */
interface Shared<T> {
  readonly item: T;
  /** What it is: each part of the formats' texts once, and in which formats if not in all. */
  readonly help: string;
}

/** Kinds or options of all formats by name, in the order in which they come. */
function collect<T extends Kind | TracerOption>(
  formats: readonly BspFormat[],
  list: (format: BspFormat) => readonly T[],
): Shared<T>[] {
  const byName = new Map<string, { item: T; parts: Map<string, Set<string>> }>();
  for (const format of formats) {
    for (const item of list(format)) {
      const shared = byName.get(item.name) ?? { item, parts: new Map<string, Set<string>>() };
      if (takes(item) !== takes(shared.item)) {
        throw new UsageError(
          `${format.name} has --${item.name} as ${takes(item)}, others as ${takes(shared.item)}`,
        );
      }
      byName.set(item.name, shared);
      for (const part of item.help.split('; ')) {
        shared.parts.set(part, (shared.parts.get(part) ?? new Set()).add(format.name));
      }
    }
  }
  return [...byName.values()].map(({ item, parts }) => {
    const owners = new Set([...parts.values()].flatMap((names) => [...names]));
    const texts = [...parts].map(([text, names], k) => {
      // Said once, after the last part in a row that is about the same formats.
      const next = [...parts.values()][k + 1];
      const isSaid =
        names.size === formats.length || (next?.size === names.size && names.size === owners.size);
      return isSaid ? text : `${text} (${[...names].join(', ')})`;
    });
    return { item, help: texts.join('; ') };
  });
}

/** What an option takes, which decides how it is parsed. */
const takes = (item: Kind | TracerOption): string => ('type' in item ? item.type : (item.size ?? 'nothing'));

/** An option as users write it. */
const flagOf = ({ name, type }: TracerOption): string => (type === 'off' ? `--no-${name}` : `--${name}`);

/** A shape as a user requested it: with those of its options that make another shape of it. */
export function shapeFlags({ format }: OpenMap, { name, options }: Kind, given: Given): string {
  const more = format.tracers.options.filter(
    (option) => option.group === 'shape' && options.includes(option.name) && isGiven(option, given),
  );
  return [`--${name}`, ...more.map(flagOf)].join(' ');
}

/** Whether a user gave an option; for a switch of type `off` that was not used, commander has `true`. */
const isGiven = ({ name, type }: TracerOption, given: Given): boolean =>
  type === 'off' ? given[name] === false : given[name] !== undefined;

/**
 * The tracer that a user requested.
 * @throws UsageError for options that the map's format or the shape does not take, and for invalid values.
 */
export function createTracer(map: OpenMap, given: Given, formats: readonly BspFormat[]): MadeTracer {
  const { kinds, options } = map.format.tracers;
  const kind = givenKind(map, given, formats);
  const foreign = formats
    .flatMap(({ tracers }) => tracers.options)
    .find((option) => isGiven(option, given) && !options.some(({ name }) => name === option.name));
  if (foreign) throw new UsageError(doesNotApply(map, flagOf(foreign)));
  const values: Record<string, TracerValues[string]> = {};
  for (const option of options) {
    if (!isGiven(option, given)) continue;
    if (!kind.options.includes(option.name)) {
      const takers = kinds.filter((other) => other.options.includes(option.name));
      const belongs = listed(
        takers.map(({ name }) => `--${name}`),
        'or',
      );
      throw new UsageError(`${flagOf(option)} does not apply to --${kind.name}: it belongs to ${belongs}`);
    }
    values[option.name] = given[option.name] as TracerValues[string];
  }
  const size = sizeOf(kind, given[kind.name]);
  const make = (more: TracerValues): Tracer =>
    withMapName(map.name, () => withUserInput(() => kind.create(map.world, size, more)));
  try {
    return { kind, size, tracer: make(values) };
  } catch (error) {
    throw withFlag(error, [
      // A part of the size, such as `mins` or a height.
      { name: kind.name, alone: () => make({}) },
      ...Object.keys(values).map((name) => ({ name, alone: () => make({ [name]: values[name] }) })),
    ]);
  }
}

/** What may be wrong about a tracer: an argument's name, and what makes the tracer with nothing else that can be. */
interface Suspect {
  readonly name: string;
  readonly alone: () => unknown;
}

/** Adds the option to an error that names none: the first with which alone there is the same error. */
function withFlag(error: unknown, suspects: readonly Suspect[]): unknown {
  if (!(error instanceof UsageError)) return error;
  const { message, cause } = error;
  // One is named, or two of which one is: origin and angles.
  const [start = ''] = /^\w+( and \w+)? /.exec(message) ?? [];
  if (suspects.some(({ name }) => start.split(' ').includes(name))) return error;
  const found = suspects.find(({ alone }) => messageOf(alone) === message);
  return found ? new UsageError(`--${found.name}: ${message}`, { cause }) : error;
}

function messageOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return error instanceof UsageError ? error.message : undefined;
  }
}

/** The requested shape, or the format's first one. */
function givenKind(map: OpenMap, given: Given, formats: readonly BspFormat[]): Kind {
  const { kinds } = map.format.tracers;
  const names = new Set(formats.flatMap(({ tracers }) => tracers.kinds.map(({ name }) => name)));
  const name = [...names].find((known) => given[known] !== undefined);
  const kind = name === undefined ? kinds[0] : kinds.find((known) => known.name === name);
  if (kind) return kind;
  const there = listed(kinds.map((known) => `--${known.name}`));
  throw new UsageError(`${doesNotApply(map, `--${name}`)}; its shapes are ${there}`);
}

const doesNotApply = ({ name, format }: OpenMap, flag: string): string =>
  `${name} is a ${format.name} map, to which ${flag} does not apply`;

function sizeOf({ size }: TracerKind<unknown>, value: unknown): readonly number[] {
  if (!size || value === undefined) return [];
  return size === 'number' ? [value as number] : (value as readonly number[]);
}
