import {
  type BspFormat,
  type BspFormatEntry,
  checkCallback,
  checkObject,
  defineFormat,
} from '@bspkit/core/format';
import { caught, demand, demandSame, demandThrows, isOf, NONE, said, show } from './demand.ts';
import type { FormatSample, It } from './sample.ts';

/** Functions that a format may have. */
const FUNCTIONS = [
  'brushes',
  'mesh',
  'brushPolygons',
  'lightmaps',
  'createLightSampler',
  'embeddedTextures',
  'boxEntity',
  'explainMove',
  'sphere',
  'sight',
] as const satisfies (keyof BspFormat)[];

/** Groups of functions that a format may have. */
const GROUPS = {
  assemblies: ['plan'],
  routing: ['stored', 'compute', 'work', 'join', 'difference', 'cells'],
} as const satisfies Partial<Record<keyof BspFormat, readonly string[]>>;

/**
 * Whether the format has all of its parts, each of its kind.
 * @returns whether it can be asked for more. Catalogs with mistakes can, formats without parts cannot.
 */
export function checkParts(it: It, format: BspFormat): boolean {
  const error = caught(() => {
    defineFormat(format);
    for (const words of ['contents', 'surfaceFlags'] as const)
      checkObject(format[words].table, `format.${words}.table`);
    for (const name of FUNCTIONS)
      if (format[name] !== undefined) checkCallback(format[name], `format.${name}`);
    for (const [group, names] of Object.entries(GROUPS)) {
      const given = format[group as keyof typeof GROUPS] as object | undefined;
      if (given === undefined) continue;
      checkObject(given, `format.${group}`);
      for (const name of names) checkCallback((given as never)[name], `format.${group}.${name}`);
    }
  });
  it('has the parts of a format', () => {
    demand(error === NONE, () => `what load() returns lacks a part, or has a wrong one: ${said(error)}`);
  });
  return error === NONE || isOf(error, RangeError);
}

/** What the format is called, and how it recognises its files. */
export function checkIdentity(
  it: It,
  entry: BspFormatEntry,
  format: BspFormat,
  samples: readonly FormatSample[],
  foreign: readonly Uint8Array[],
): void {
  it('has the same name in both halves', async () => {
    for (const half of [entry, format]) {
      demand(
        typeof half.id === 'string' && /^[a-z][a-z0-9]*$/.test(half.id),
        `id is ${show(half.id)}; it must be of a-z and 0-9, a letter first`,
      );
      const { name, versions } = half;
      demand(typeof name === 'string', () => `name is ${show(name)}; it must be a text`);
      demand(name !== '', 'name is empty');
      demand(
        Array.isArray(versions) && versions.every((version) => typeof version === 'string'),
        () => `versions is ${show(versions)}; it must be a list of texts`,
      );
      demand(versions.length > 0, 'versions is empty');
      demand(
        typeof half.detect === 'function',
        () => `detect is ${show(half.detect)}; it must be a function`,
      );
    }
    for (const field of ['id', 'name', 'versions'] as const) {
      demandSame(
        format[field],
        entry[field],
        `${field} of what load() returns differs from that of the entry`,
      );
    }
    demand((await entry.load()) === format, 'load() returns another object each time');
    const reader = await entry.loadReader();
    for (const name of ['read', 'createWorld', 'open'] as const) {
      demand(
        reader?.[name] === format[name],
        `${name} of loadReader() is not the same function as that of load()`,
      );
    }
  });

  it('detects its files by 64 bytes, and rejects others', () => {
    for (const { detect, versions } of [entry, format]) {
      for (const { name, bytes } of samples) {
        const found = detect(bytes);
        demand(
          found !== undefined && versions.includes(found),
          `detect(bytes) of ${name} is ${show(found)}; it must be one of versions, ${show(versions)}`,
        );
        const moved = new Uint8Array(bytes.length + 3);
        moved.set(bytes, 3);
        const views = {
          'the first 64 bytes': bytes.subarray(0, 64),
          'a Buffer': Buffer.from(bytes),
          'a view that begins at byte 3 of its buffer': moved.subarray(3),
        };
        for (const [view, given] of Object.entries(views)) {
          demandSame(detect(given), found, `detect differs for ${view} of ${name}`);
        }
        for (let length = 0; length < 64; length++) {
          const call = `detect of the first ${length} bytes of ${name}`;
          let short: string | undefined;
          const error = caught(() => {
            short = detect(Uint8Array.from(bytes.subarray(0, length)));
          });
          demand(error === NONE, () => `${call}: ${said(error)}; it must return a version, or undefined`);
          demand(
            short === undefined || versions.includes(short),
            () => `${call} is ${show(short)}; it must be one of versions, ${show(versions)}, or undefined`,
          );
        }
      }
      for (const bytes of foreign) {
        demandSame(detect(bytes), undefined, () => `detect recognises a foreign file, ${startOf(bytes)}`);
      }
    }
  });
}

/** Names of bits. */
export function checkWords(it: It, format: BspFormat): void {
  it('names contents and surface flags both ways', () => {
    for (const list of ['contents', 'surfaceFlags'] as const) {
      const words = format[list];
      const named = Object.entries(words.table);
      demand(named.length > 0, `${list}.table is empty`);
      for (const [name, bits] of named) {
        for (const word of [name, name.toUpperCase()]) {
          demandSame(words.bits(word), bits | 0, `${list}.bits('${word}')`);
        }
        const names = words.names(bits);
        const together = names.reduce((sum, word) => sum | words.bits(word), 0);
        demandSame(together, bits | 0, `bits of ${list}.names(${bits}), which are ${show(names)}`);
      }
      const run = (): unknown => words.bits('nothing-of-the-kind');
      demandThrows(run, RangeError, `${list}.bits('nothing-of-the-kind')`);
    }
  });
}

/** What can be traced, and which rows are answered. */
export function checkCatalog(it: It, { contents, tracers, rows }: BspFormat): void {
  it('has a catalog without loose ends', () => {
    const { kinds, options, presets, player, playerMask } = tracers;
    for (const [list, entries] of Object.entries({ kinds, options, presets })) {
      const names = entries.map(({ name }) => name);
      const twice = names.filter((name, k) => names.indexOf(name) < k);
      demandSame(twice, [], `names that tracers.${list} has twice`);
      const wrong = names.filter((name) => !/^[a-z][A-Za-z0-9-]*$/.test(name));
      demandSame(wrong, [], `names in tracers.${list} that cannot be options of a command`);
    }
    demand(kinds.length > 0, 'tracers.kinds is empty');
    const known = options.map(({ name }) => name);
    for (const { name, help } of [...kinds, ...options])
      demand(help !== '', `the help of '${name}' is empty`);
    for (const { name, options: taken, size, sizeName } of kinds) {
      const strange = taken.filter((option) => !known.includes(option));
      demandSame(strange, [], `options of kind '${name}' that tracers.options does not have`);
      demand(
        (sizeName !== undefined) === (size !== undefined),
        `kind '${name}' must have both size and sizeName, or neither`,
      );
    }
    const taken = kinds.flatMap((kind) => kind.options);
    const unused = known.filter((name) => !taken.includes(name));
    demandSame(unused, [], 'options that no kind takes');
    for (const { name, type, value } of options) {
      const isFlag = type === 'on' || type === 'off';
      demand(
        isFlag || /^<.+>$/.test(value ?? ''),
        `value of option '${name}' is ${show(value)}; it must be a word in angle brackets, such as <mask>`,
      );
    }
    for (const preset of presets) {
      const kind = kinds.find(({ name }) => name === preset.kind);
      demand(kind !== undefined, `preset '${preset.name}' is of kind '${preset.kind}', which does not exist`);
      const strange = Object.keys(preset.options ?? {}).filter((name) => !kind.options.includes(name));
      demandSame(strange, [], `options of preset '${preset.name}' that its kind does not take`);
    }
    const role = presets.find(({ name }) => name === player)?.role;
    demandSame(role, 'body', `role of the preset '${player}', which tracers.player names`);
    demand(
      playerMask === undefined || contents.bits(playerMask) !== 0,
      `tracers.playerMask, '${playerMask}', has no bits`,
    );
    demand(
      presets.some(({ measured }) => measured),
      'none of tracers.presets is measured',
    );
  });

  it('answers rows of some kinds, each column of which is part of the question or of the answer', () => {
    demand(Object.keys(rows).length > 0, 'rows is empty');
    for (const [kind, { question, optional = [], results }] of Object.entries(rows)) {
      const columns = [...question, ...optional.flat(), ...results];
      const twice = columns.filter((column, k) => columns.indexOf(column) < k);
      demandSame(twice, [], `columns that rows of kind '${kind}' have twice`);
    }
  });
}

/** A file by its length and first bytes. */
export const startOf = (bytes: Uint8Array): string =>
  `${bytes.length} bytes that begin with ${show(String.fromCharCode(...bytes.subarray(0, 16)))}`;
