import type { BspFormat, BspFormatEntry } from '@bspkit/core/format';
import { type ToyFormat, toy } from '@bspkit/testkit/toy';
import { expect, it } from 'vitest';
import { type Changed, failuresOf, finds, kinds, ROOM } from './wrong-toys.ts';

// What the suite says about mistakes in what a descriptor says of its format: each of its messages, and a toy that it is said of.

const version = 'TOYB 1';

/** Parts that TypeScript would not take. */
const wrong = (parts: Readonly<Record<string, unknown>>): Changed => parts as Changed;

finds('has the parts of a format', {
  'lacks a part, or has a wrong one: TypeError: format.tracers must be an object, got undefined': wrong({
    tracers: undefined,
  }),
  'format.tracers.kinds must be an array, got undefined': wrong({
    tracers: { ...toy.tracers, kinds: undefined },
  }),
  'format.tracers.kinds[0].options must be an array, got undefined': kinds(
    () => ({ options: undefined }) as never,
  ),
  "format.tracers.options[0].type must be 'on', 'off'": wrong({
    tracers: { ...toy.tracers, options: toy.tracers.options.map((option) => ({ ...option, type: 'bits' })) },
  }),
  'format.createWorld must be a function, got undefined': wrong({ createWorld: undefined }),
  'format.contents.table must be an object, got undefined': wrong({
    contents: { ...toy.contents, table: undefined },
  }),
  'open of trace must be a function, got undefined': wrong({
    rows: { trace: { ...toy.rows.trace, open: undefined } },
  }),
  'format.mesh must be a function, got null': wrong({ mesh: null }),
  'format.assemblies.plan must be a function, got undefined': wrong({ assemblies: {} }),
});

it('has the parts of a format, without which nothing else is asked', async () => {
  expect(await failuresOf(wrong({ tracers: undefined }))).toHaveLength(1);
});

finds('has the same name in both halves', {
  "id is '3d'; it must be of a-z and 0-9": { id: '3d' },
  'id is null; it must be of a-z and 0-9': { id: null as never },
  'name is undefined; it must be a text': { name: undefined as never },
  'name is empty': { name: '' },
  'versions is undefined; it must be a list of texts': { versions: undefined as never },
  'versions is empty': { versions: [] },
  'detect is undefined; it must be a function': { detect: undefined as never },
});

it.each(
  Object.entries<Partial<BspFormatEntry>>({
    'name of what load() returns differs from that of the entry': { name: 'Other' },
    'load() returns another object each time': { load: async () => ({ ...toy }) as unknown as BspFormat },
    'read of loadReader() is not the same function as that of load()': {
      loadReader: async () => ({ ...toy, read: () => toy.read(ROOM.bytes) }) as unknown as BspFormat,
    },
  }),
)('has the same name in both halves: %s', async (failure, half) => {
  const isAsked = (title: string): boolean => title === 'has the same name in both halves';
  const [text] = await failuresOf({}, [ROOM], {}, isAsked, half);
  expect(text).toContain(failure);
});

finds('detects its files by 64 bytes, and rejects others', {
  'detect differs for the first 64 bytes of room': {
    detect: (bytes) => (bytes.length > 64 ? version : undefined),
  },
  'detect of the first 0 bytes of room: RangeError: Offset is outside the bounds of the DataView; it must return':
    {
      detect(bytes) {
        new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getInt32(0);
        return toy.detect(bytes);
      },
    },
  "detect of the first 5 bytes of room is 'TOYB NaN'; it must be one of versions": {
    detect: (bytes) => (bytes.length === 5 ? 'TOYB NaN' : toy.detect(bytes)),
  },
});

const words = (change: Partial<ToyFormat['contents']>): Changed => ({
  contents: { ...toy.contents, ...change },
});

finds('names contents and surface flags both ways', {
  'contents.table is empty': words({ table: {} }),
  "contents.bits('SOLID')": words({ bits: (word) => toy.contents.bits(word) * Number(word !== 'SOLID') }),
  'bits of contents.names(1), which are []': words({ names: () => [] }),
  "contents.bits('nothing-of-the-kind') throws nothing": words({
    bits: (word) => (word === 'nothing-of-the-kind' ? 0 : toy.contents.bits(word)),
  }),
});

type Catalog = ToyFormat['tracers'];

const catalog = (change: Partial<Catalog>): Changed => ({ tracers: { ...toy.tracers, ...change } });
const options = (change: Partial<Catalog['options'][number]>): Changed =>
  catalog({ options: toy.tracers.options.map((option) => ({ ...option, ...change }) as never) });
const presets = (change: Partial<Catalog['presets'][number]>): Changed =>
  catalog({ presets: toy.tracers.presets.map((preset) => ({ ...preset, ...change })) });

finds('has a catalog without loose ends', {
  "names that tracers.kinds has twice: [ 'ray' ]": kinds(() => ({ name: 'ray' })),
  "names in tracers.kinds that cannot be options of a command: [ 'a ray' ]": catalog({
    kinds: [{ ...toy.tracers.kinds[0]!, name: 'a ray' }],
  }),
  'tracers.kinds is empty': catalog({ kinds: [] }),
  "the help of 'ray' is empty": kinds(() => ({ help: '' })),
  "options of kind 'ray' that tracers.options does not have: [ 'depth' ]": kinds(() => ({
    options: ['depth'],
  })),
  "kind 'box' must have both size and sizeName, or neither": kinds(() => ({ sizeName: undefined })),
  "value of option 'mask' is 'contents'; it must be a word in angle brackets": options({ value: 'contents' }),
  "preset 'ray' is of kind 'line', which does not exist": presets({ kind: 'line' }),
  "options of preset 'ray' that its kind does not take: [ 'depth' ]": presets({
    options: { depth: 1 } as never,
  }),
  "role of the preset 'ray', which tracers.player names: 'point', not 'body'": catalog({ player: 'ray' }),
  "tracers.playerMask, 'none', has no bits": {
    ...catalog({ playerMask: 'none' }),
    ...words({ bits: () => 0 }),
  },
  'none of tracers.presets is measured': presets({ measured: false }),
});

const rows = toy.rows.trace!;

finds('answers rows of some kinds', {
  'rows is empty': { rows: {} },
  "columns that rows of kind 'trace' have twice: [ 'sx' ]": { rows: { trace: { ...rows, results: ['sx'] } } },
});
