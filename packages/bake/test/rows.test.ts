import { runInNewContext } from 'node:vm';
import type { BspFormat, RowSource } from '@bspkit/core/format';
import { ENGINE_DATA, engineFiles } from '@bspkit/fixtures/engine';
import { findRealData } from '@bspkit/fixtures/real';
import { mapLoader, rowFiles } from '@bspkit/fixtures/recorded';
import { openTable, parseHeader, parseRow, type RowLine } from '@bspkit/rows';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';
import {
  type BakeChunk,
  type BakeExecutor,
  bake,
  createJob,
  mapInput,
  memoryStore,
  openJob,
} from '../src/index.ts';
import { ROW_KINDS } from '../src/rows.ts';

const real = findRealData();
const loaded = await Promise.all(FORMATS.map((format) => format.load()));

/** Rows recorded from the engines: a file of each kind, on our own maps; with BSPKIT_ALL_ROWS all, on real ones too. */
const files = [
  ...engineFiles().map((file) => ({ ...file, data: ENGINE_DATA })),
  ...(process.env.BSPKIT_ALL_ROWS && real ? rowFiles(real).map((file) => ({ ...file, data: real })) : []),
].filter(({ game, readHeader }) => {
  const format = loaded.find(({ id }) => id === game);
  return format && parseHeader(readHeader()).kind in { ...format.rows, ...ROW_KINDS[game] };
});
const tried = process.env.BSPKIT_ALL_ROWS
  ? files
  : [...new Map(files.map((file) => [`${file.game} ${file.kind}`, file])).values()];
/** Without the line breaks; a map may have nothing to ask a kind of rows about. */
const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);
const MOST_LINES = process.env.BSPKIT_ALL_ROWS ? Infinity : 120;

describe('rows recorded from the engines, cut where they can be', () => {
  it.each(tried.map((file) => [file.name, file] as const))('%s', async (_, file) => {
    const [header, ...lines] = linesOf(file.read()).slice(0, MOST_LINES) as [string, ...string[]];
    const inputs: Record<string, Uint8Array> = {};
    const loadMap = mapLoader(file.data);
    const load: RowSource['load'] = (game, map, hash) => {
      const name = mapInput(map, hash);
      inputs[name] ??= loadMap(game, map, hash);
      return inputs[name];
    };
    const { sequences } = openTable(parseHeader(header), { formats: loaded, load, kinds: ROW_KINDS });
    const job = await createJob({ kind: 'batch', parameters: { header }, inputs, count: 0 });
    const byHash = new Map(Object.entries(inputs).map(([name, bytes]) => [job.inputs[name]!, bytes]));
    const { run } = await openJob(job, { load: (hash) => byHash.get(hash)! });
    const answer = (from: number, to: number, index: number): string => {
      const input = Buffer.from(lines.slice(from, to).join('\n'));
      const chunk: BakeChunk = { index, first: 2 + from, count: to - from, input };
      return Buffer.from(run(chunk)).toString();
    };
    const cuts = [0];
    let before: RowLine | undefined;
    for (const [k, text] of lines.entries()) {
      const line = parseRow(text, 2 + k);
      const begins = !sequences || sequences.begins(line, before);
      if (begins && k >= cuts.at(-1)! + 7) cuts.push(k);
      before = line;
    }
    const parts = cuts.map((from, k) => [from, cuts[k + 1] ?? lines.length] as const);
    const backwards = parts.map((part, k) => [part, k] as const).reverse();
    const answers = new Map(backwards.map(([[from, to], k]) => [k, answer(from, to, k)]));
    const whole = answer(0, lines.length, 0);
    expect(parts.map((__, k) => answers.get(k)).join('')).toBe(whole);
    expect(linesOf(whole)).toHaveLength(lines.length);
  });

  it('of players begin with each of their sequences', () => {
    const file = files.find(({ kind }) => kind === 'pmove')!;
    const loadMap = mapLoader(file.data);
    const header = parseHeader(file.readHeader());
    const { sequences } = openTable(header, { formats: loaded, load: loadMap, kinds: ROW_KINDS });
    const lines = file.read().trimEnd().split('\n').slice(1);
    const rows = lines.map((text, k) => parseRow(text, 2 + k));
    const begun = rows.filter((row, k) => sequences!.begins(row, rows[k - 1]));
    const place = header.columns!.indexOf('seq');
    const numbers = rows.map((row) => (row as number[])[place]);
    expect(begun).toHaveLength(new Set(numbers).size);
  });
});

describe('rows that are wrong', () => {
  const header = '{"game":"quake3","map":"arena","kind":"points","columns":["x","y","z"]}';

  it('are told with their lines where Node refuses them, in tests with a realm of their own', async () => {
    const quake3 = loaded.find(({ id }) => id === 'quake3') as unknown as BspFormat;
    const answer = () => {
      throw runInNewContext('new RangeError("x is no offset")');
    };
    const points = { ...quake3.rows!.points!, open: () => ({ answer }) };
    const own = { ...quake3, rows: { ...quake3.rows, points } };
    const formats = [{ ...FORMATS.find(({ id }) => id === 'quake3')!, load: async () => own }] as never;
    const map = mapLoader(ENGINE_DATA)('quake3', 'arena');
    const inputs = { [mapInput('arena')]: map };
    const job = await createJob({ kind: 'batch', parameters: { header }, inputs, count: 0 });
    const { run } = await openJob(job, { trusted: true, load: () => map, formats });
    expect(() => run({ index: 0, first: 7, count: 1, input: Buffer.from('[1,2,3]') })).toThrow(
      'line 7: x is no offset',
    );
  });

  it('are told with their lines', async () => {
    const map = mapLoader(ENGINE_DATA)('quake3', 'arena');
    const inputs = { [mapInput('arena')]: map };
    const job = await createJob({ kind: 'batch', parameters: { header }, inputs, count: 0 });
    const { run } = await openJob(job, { trusted: true, load: () => map });
    const answer = (text: string): unknown => run({ index: 0, first: 7, count: 1, input: Buffer.from(text) });
    expect(() => answer('[1,2,3]\n\n[1,2]')).toThrow('line 9: has 2 cells');
    // Blank ones may have white space, as those of Windows.
    expect(Buffer.from(answer('[1,2,3]\r\n\r\n  \n[1,2,3]\r\n') as Uint8Array).toString()).toBe(
      `${Buffer.from(answer('[1,2,3]') as Uint8Array)}`.repeat(2),
    );
    expect(() => answer('[1,2,3]\r\n\r\n[1,2]\r\n')).toThrow('line 9: has 2 cells');
    expect(() => answer('[1,2,3]\n[1,2')).toThrow('line 8 is not JSON');
    expect(() => answer('[1,2,3]\n[1,2]\n[')).toThrow('line 8: has 2 cells');
  });

  it('are told with their lines in a chunk of any length, and a mark before one is not dropped', async () => {
    const map = mapLoader(ENGINE_DATA)('quake3', 'arena');
    const inputs = { [mapInput('arena')]: map };
    const job = await createJob({ kind: 'batch', parameters: { header }, inputs, count: 0 });
    const { run } = await openJob(job, { trusted: true, load: () => map });
    const answer = (lines: readonly string[]): string =>
      Buffer.from(run({ index: 0, first: 2, count: 1, input: Buffer.from(lines.join('\n')) })).toString();
    // Some are blank, and some have characters of several bytes.
    const lines = Array.from({ length: 9000 }, (_, k) => (k % 7 < 2 ? '' : `[${k},${k % 100},-8,"ä€"]`));
    const wide = header.replace('"z"', '"z","note"');
    const wider = await createJob({ kind: 'batch', parameters: { header: wide }, inputs, count: 0 });
    const opened = await openJob(wider, { trusted: true, load: () => map });
    const whole = Buffer.from(
      opened.run({ index: 0, first: 2, count: 1, input: Buffer.from(lines.join('\n')) }),
    ).toString();
    const alone = lines.flatMap((line) => {
      if (line === '') return [];
      return [Buffer.from(opened.run({ index: 0, first: 2, count: 1, input: Buffer.from(line) })).toString()];
    });
    expect(whole).toBe(alone.join(''));
    for (const at of [1, 3100, 3101, 8000, 12_345]) {
      const wrong = Array.from({ length: 20_000 }, (_, k) => (k === at ? '[1,2]' : k % 5 ? '[1,2,3]' : ''));
      expect(() => answer(wrong)).toThrow(`line ${2 + at}: has 2 cells`);
    }
    expect(() => answer(['\ufeff[1,2,3]'])).toThrow('line 2 is not JSON');
    for (const at of [0, 1, 9000, 19_999]) {
      const texts = Array.from({ length: 20_000 }, () => Buffer.from('[1,2,3]\n'));
      texts[at] = Buffer.of(0x5b, 0xff, 0x5d, 0x0a);
      const ends = [Buffer.concat(texts), Buffer.concat(texts).subarray(0, -1)];
      for (const input of ends) {
        expect(() => run({ index: 0, first: 2, count: 1, input })).toThrow(
          new SyntaxError(`line ${2 + at} is not UTF-8`),
        );
      }
    }
  });

  it('are missed where a chunk brings none, as those of a bake', async () => {
    const map = mapLoader(ENGINE_DATA)('quake3', 'arena');
    const job = await createJob({ kind: 'batch', map, parameters: { header }, count: 3 });
    const { run } = await openJob(job, { trusted: true, load: () => map });
    const executor: BakeExecutor = { capacity: 1, run: async (chunk) => run(chunk) };
    await expect(bake(job, { executor, store: memoryStore() })).rejects.toThrow(
      'the chunk has no input: rows are answered by streamChunks, not by bake',
    );
  });

  it('cannot come from a header that is none', async () => {
    const job = await createJob({ kind: 'batch', parameters: { header: '[]' }, count: 0 });
    await expect(openJob(job, { load: () => new Uint8Array() })).rejects.toThrow('line 1 is not a header');
    await expect(createJob({ kind: 'batch', count: 0 })).rejects.toThrow('header must be the first line');
    const absent = await createJob({ kind: 'batch', parameters: { header }, count: 0 });
    await expect(openJob(absent, { load: () => new Uint8Array() })).rejects.toMatchObject({ code: 'absent' });
  });
});
