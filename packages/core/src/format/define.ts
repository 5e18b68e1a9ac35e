import { checkArrayOf } from '../arrays.ts';
import {
  checkCallback,
  checkChoice,
  checkFlag,
  checkFormatOf,
  checkKind,
  checkList,
  checkNumber,
  checkObject,
  checkOptions,
  checkPoint,
  checkRadius,
  checkText,
  checkTrace,
  checkWhole,
  failArgument,
} from '../check.ts';
import type { BspWorld } from '../worlds.ts';
import type {
  AssemblyOptions,
  BspFile,
  BspFormat,
  CreateOptions,
  FormatIdentity,
  FormatReader,
  ReachOptions,
} from './format.ts';
import { defineRows } from './rows.ts';
import type { TracerCatalog, TracerKind, TracerOption, TracerPreset } from './tracers.ts';

const CREATE_OPTIONS: readonly (keyof CreateOptions)[] = ['shared', 'offsets', 'kernel'];
const ASSEMBLY_OPTIONS: readonly (keyof AssemblyOptions)[] = ['assembly', 'seed', 'extend'];
const REACH_OPTIONS: readonly (keyof ReachOptions)[] = ['limit', 'crouched'];

/** A format's reader that names the argument when it rejects anything but a list of the format's files, or unknown options. */
export function defineReader<F extends BspFile, W extends BspWorld>(
  id: string,
  reader: FormatReader<F, W>,
): FormatReader<F, W> {
  return {
    ...reader,
    createWorld(files, options = {}) {
      checkList(files, 'files');
      for (const file of files) checkFormatOf(file, id, 'readBsp');
      checkOptions(options, CREATE_OPTIONS);
      checkFlag(options.shared, 'shared');
      if (options.offsets !== undefined) {
        checkList(options.offsets, 'offsets');
        for (const [k, offset] of options.offsets.entries()) checkPoint(offset, `offsets[${k}]`);
      }
      return reader.createWorld(files, options);
    },
  };
}

/** The file of a world that is a single map. Throws `RangeError` for any other number of files, and for offsets. */
export function onlyFile<F extends BspFile>(
  [file, ...others]: readonly F[],
  { offsets }: CreateOptions,
  { name }: FormatIdentity,
): F {
  if (!file || others.length > 0) {
    throw new RangeError(`a ${name} world is one map, got ${file ? others.length + 1 : 'no'} files`);
  }
  if (offsets) {
    throw new RangeError(`offsets are for worlds made of several maps; a ${name} world is a single map`);
  }
  return file;
}

/** The functions that all descriptors have. */
const FUNCTIONS = [
  'read',
  'createWorld',
  'open',
  'info',
  'polygons',
  'surfaceAt',
  'traceFields',
  'explain',
  'point',
] as const satisfies (keyof BspFormat)[];

const ROLES: readonly TracerPreset<unknown>['role'][] = ['point', 'body', 'ball'];
const OPTION_TYPES: readonly TracerOption['type'][] = ['on', 'off', 'number', 'count', 'points', 'text'];
const OPTION_GROUPS: readonly TracerOption['group'][] = ['shape', 'filter', 'place'];

/** How many numbers make up the size of a kind of tracer. */
const SIZES: Readonly<Record<string, readonly number[]>> = {
  number: [1],
  box: [6],
  capsule: [2, 6],
  radii: [3],
};

/** Throws `TypeError` or `RangeError` for a catalog that names what it does not have, or lacks what users of all formats need. */
function checkCatalog<W>(tracers: TracerCatalog<W>): void {
  checkObject(tracers, 'format.tracers');
  const { kinds, options, presets, player } = tracers;
  /** Checks a list of what has names, and each of it by `check`; returns the names. */
  const namesIn = <T extends { readonly name: string }>(
    list: readonly T[],
    name: string,
    check: (entry: T, at: string) => void,
  ): string[] => {
    const place = `format.tracers.${name}`;
    checkList(list, place);
    return list.map((entry, k) => {
      checkObject(entry, `${place}[${k}]`);
      checkText(entry.name, `${place}[${k}].name`);
      if (list.findIndex((other) => other?.name === entry.name) < k)
        throw new RangeError(`${place} has two entries with the name '${entry.name}'`);
      check(entry, `${place}[${k}]`);
      return entry.name;
    });
  };
  const optionNames = namesIn(options, 'options', ({ help, label, type, group }, at) => {
    checkText(help, `${at}.help`);
    if (label !== undefined) checkText(label, `${at}.label`);
    checkChoice(type, `${at}.type`, OPTION_TYPES);
    checkChoice(group, `${at}.group`, OPTION_GROUPS);
  });
  const kindNames = namesIn(kinds, 'kinds', ({ help, create, size, options: taken }, at) => {
    checkText(help, `${at}.help`);
    checkCallback(create, `${at}.create`);
    if (size !== undefined) checkChoice(size, `${at}.size`, Object.keys(SIZES));
    checkList(taken, `${at}.options`);
    for (const [i, option] of taken.entries()) checkChoice(option, `${at}.options[${i}]`, optionNames);
  });
  // What has no size is the ray or the like that tools begin with.
  if (!kinds[0] || kinds[0].size !== undefined)
    throw new RangeError('format.tracers.kinds must begin with a kind that has no size, such as a ray');
  const presetNames = namesIn(presets, 'presets', ({ kind, role }, at) => {
    checkChoice(kind, `${at}.kind`, kindNames);
    checkChoice(role, `${at}.role`, ROLES);
  });
  checkChoice(player, 'format.tracers.player', presetNames);
}

/**
 * A descriptor whose functions reject, naming the argument, what they cannot use before the format's own code sees it: a world or
 * file of another format, an invalid point. What that code checks anyway, such as bytes and tracers, is left to it.
 */
export function defineFormat<F extends BspFile, W extends BspWorld>(
  format: BspFormat<F, W>,
): BspFormat<F, W> {
  checkObject(format, 'format');
  for (const name of FUNCTIONS) checkCallback(format[name], `format.${name}`);
  for (const name of ['contents', 'surfaceFlags'] as const) {
    checkObject(format[name], `format.${name}`, 'names of bits, as createFlagNames makes them');
    checkCallback(format[name].names, `format.${name}.names`);
    checkCallback(format[name].bits, `format.${name}.bits`);
  }
  checkCatalog(format.tracers);
  checkObject(format.rows, 'format.rows');
  const { id, name, brushes, assemblies, routing, sphere, sight } = format;
  const checkWorld = (world: W): void => {
    const { format: given, data } = (world ?? {}) as Partial<W>;
    checkKind(given === id && data !== undefined, world, 'world', `a world of ${name}`);
  };
  const checkFile = (file: F): void => checkFormatOf(file, id, 'readBsp');
  const checkSize = (size: readonly number[], { size: kind }: TracerKind<W>): void => {
    checkList(size, 'size');
    const lengths = kind === undefined ? [0] : SIZES[kind]!;
    if (!lengths.includes(size.length))
      throw new TypeError(`size must be ${lengths.join(' or ')} numbers, got ${size.length || 'none'}`);
    for (const [k, part] of size.entries())
      checkKind(typeof part === 'number', part, `size[${k}]`, 'a number');
  };
  return {
    ...format,
    rows: defineRows(format.rows),
    tracers: {
      ...format.tracers,
      kinds: format.tracers.kinds.map((kind) => ({
        ...kind,
        create(world, size, options) {
          checkWorld(world);
          checkSize(size, kind);
          checkOptions(options, kind.options);
          return kind.create(world, size, options);
        },
      })),
    },
    info(file, world) {
      checkFile(file);
      checkWorld(world);
      return format.info(file, world);
    },
    ...(brushes && {
      brushes(file) {
        checkFile(file);
        return brushes(file);
      },
    }),
    ...(assemblies && {
      assemblies: {
        ending: assemblies.ending,
        plan(text, options = {}) {
          checkText(text, 'text');
          checkOptions(options, ASSEMBLY_OPTIONS);
          return assemblies.plan(text, options);
        },
      },
    }),
    ...(routing && {
      routing: {
        stored(file) {
          checkFile(file);
          return routing.stored(file);
        },
        compute(file, onProgress) {
          checkFile(file);
          if (onProgress !== undefined) checkCallback(onProgress, 'onProgress');
          return routing.compute(file, onProgress);
        },
        ...(routing.assemble && {
          assemble(files, world, onProgress) {
            checkList(files, 'files');
            for (const file of files) checkFile(file);
            checkWorld(world as W);
            if (onProgress !== undefined) checkCallback(onProgress, 'onProgress');
            return routing.assemble!(files, world, onProgress);
          },
        }),
        work(file) {
          checkFile(file);
          return routing.work(file);
        },
        join(parts) {
          checkList(parts, 'parts');
          return routing.join(parts);
        },
        difference(one, other) {
          checkArrayOf(one, Uint8Array, 'one');
          checkArrayOf(other, Uint8Array, 'other');
          return routing.difference(one, other);
        },
        cell: routing.cell,
        sizes: routing.sizes,
        cells(packed, size = routing.sizes[0]!) {
          checkArrayOf(packed, Uint8Array, 'packed');
          if (!routing.sizes.includes(size)) failArgument('size', routing.sizes.join(' or '), size);
          const cells = routing.cells(packed, size);
          return {
            ...cells,
            reach(from, options = {}) {
              checkNumber(from, 'from', cells.ways.length);
              checkOptions(options, REACH_OPTIONS);
              const { limit = cells.mostTime, crouched } = options;
              checkWhole(limit, 'limit', 0, cells.mostTime);
              checkFlag(crouched, 'crouched');
              return cells.reach(from, options);
            },
          };
        },
      },
    }),
    polygons(world) {
      checkWorld(world);
      return format.polygons(world);
    },
    traceFields(trace) {
      return format.traceFields(checkTrace(trace, 'trace'));
    },
    point(world, at) {
      checkWorld(world);
      checkPoint(at, 'at');
      return format.point(world, at);
    },
    ...(sphere && {
      sphere(world, center, radius) {
        checkWorld(world);
        checkPoint(center, 'center');
        checkRadius(radius);
        return sphere(world, center, radius);
      },
    }),
    ...(sight && {
      sight(world, from, to) {
        checkWorld(world);
        checkPoint(from, 'from');
        checkPoint(to, 'to');
        return sight(world, from, to);
      },
    }),
  };
}
