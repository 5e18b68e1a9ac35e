import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROW_KINDS } from '@bspkit/bake/rows';
import type { Row, RowObject } from '@bspkit/core/format';
import { ENGINE_DATA, engineFiles } from '@bspkit/fixtures/engine';
import { findRealData } from '@bspkit/fixtures/real';
import { mapLoader, rowFiles } from '@bspkit/fixtures/recorded';
import { openTable, parseHeader, parseTable, type RowLine, sameCell } from '@bspkit/rows';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { batchFiles } from './batch-files.ts';

const { folder, write, answer } = batchFiles();

const real = findRealData();

/** Rows recorded from the engines, on our own maps; with BSPKIT_ALL_ROWS also on real ones, if there are any. */
const recorded = [
  { data: ENGINE_DATA, files: engineFiles() },
  ...(process.env.BSPKIT_ALL_ROWS && real ? [{ data: real, files: rowFiles(real) }] : []),
].flatMap(({ data, files }) => files.map((file) => ({ ...file, data })));

describe('rows recorded from the engines', async () => {
  const loaded = await Promise.all(FORMATS.map((format) => format.load()));
  const answered = recorded.filter(({ game, readHeader }) => {
    const format = loaded.find(({ id }) => id === game);
    return format && parseHeader(readHeader()).kind in { ...format.rows, ...ROW_KINDS[game] };
  });
  /** A file of each kind of each game. */
  const oneOfEach = [...new Map(answered.map((file) => [`${file.game} ${file.kind}`, file])).values()];

  it('are of many kinds', () => expect(oneOfEach.length).toBeGreaterThan(10));

  it.each((process.env.BSPKIT_ALL_ROWS ? answered : oneOfEach).map((file) => [file.name, file] as const))(
    '%s',
    async (_, file) => {
      const { header, lines: all } = parseTable(file.read());
      // The formats' tests cover the rest.
      const lines = process.env.BSPKIT_ALL_ROWS ? all : all.slice(0, 300);
      const load = mapLoader(file.data);
      const table = openTable(header, { formats: loaded, load, kinds: ROW_KINDS });
      const { columns = [] } = header;
      const places = table.results.map((name) => columns.indexOf(name)).filter((place) => place >= 0);
      const empty = (line: RowLine): RowLine => {
        if (table.isGiven(line)) return line;
        if (Array.isArray(line)) return line.map((cell, place) => (places.includes(place) ? null : cell));
        return Object.fromEntries(Object.entries(line).filter(([name]) => !table.results.includes(name)));
      };
      // What lies beside the rows, and not among the maps, is a file of its own for the command.
      const isBeside = 'table' in header;
      if (isBeside)
        writeFileSync(join(folder, `${header.map}.bsp`), load(file.game, header.map!, header.sha256));
      const maps = isBeside ? folder : file.data.maps;
      const actual = await answer(write(header, lines.map(empty)), '--maps', maps);
      expect(actual.header).toEqual(header);
      expect(actual.lines).toHaveLength(lines.length);
      const differing = lines.filter((line, k) => {
        const other = actual.lines[k]!;
        if (Array.isArray(line)) return places.some((place) => !sameCell(line[place], (other as Row)[place]));
        return table.results.some((name) => !sameCell(line[name], (other as RowObject)[name]));
      });
      // The recorder's sine rounds the angles of one row differently, which may change the last bit of a normal.
      const allowed = file.name.endsWith('mansion_mansion_main.models') ? 1 : 0;
      if (differing.length > allowed) expect(differing[0]).toBe('equal');
    },
  );
});
