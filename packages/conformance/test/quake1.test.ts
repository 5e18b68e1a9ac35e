import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { goldenFiles, readRealMap, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { describe, expect, it } from 'vitest';
import { answerQuake1 } from '../src/quake1.ts';
import { findDifferences } from '../src/run.ts';
import { parseTable, type Row, type Table } from '../src/table.ts';

const maps = { load: (game: string, name: string): Uint8Array => readRealMap(`${game}/${name}.bsp`) };
const files = goldenFiles('quake1');
const read = (file: string): Table => parseTable(gunzipSync(readFileSync(file)).toString());

/** Columns of doubles, which the recorder worked out another way: equal within a relative bound, not bit for bit. */
const BOUNDS: Readonly<Record<string, number>> = { t: 1e-12, exactDistance: 1e-9 };

describe.skipIf(skippedWithoutMaps !== '')(`rows recorded from Quake${skippedWithoutMaps}`, () => {
  it('are found', () => {
    expect(files.length).toBeGreaterThan(0);
  });

  it.each(files.map((file) => [basename(file), file]))('%s: every answer equal, bit for bit', (_, file) => {
    const table = read(file);
    const answering = answerQuake1(table.header, maps);
    const results = answering.results.filter((name) => !(name in BOUNDS));
    const { compared, differing, first } = findDifferences(table, { ...answering, results });
    expect(compared).toBe(table.rows.length);
    expect(first).toBe('');
    expect(differing).toBe(0);
  });

  const withDoubles = files.filter((file) => /\.(ray|sphere)\./.test(file));
  it.each(withDoubles.map((file) => [basename(file), file]))('%s: doubles within bounds', (_, file) => {
    const { header, rows } = read(file);
    const answering = answerQuake1(header, maps);
    for (const [name, bound] of Object.entries(BOUNDS)) {
      const place = header.columns!.indexOf(name);
      if (place < 0) continue;
      for (const [number, row] of rows.entries()) {
        const expected = (row as Row)[place] as number;
        const answer = [...(row as Row)];
        answering.answer(answer);
        const error = Math.abs((answer[place] as number) - expected);
        const most = name === 't' ? bound : bound * expected;
        expect(error, `row ${number}: ${name} ${expected}, got ${answer[place]}`).toBeLessThanOrEqual(most);
      }
    }
  });
});
