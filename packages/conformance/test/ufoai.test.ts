import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { goldenFiles, readRealMap, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { describe, expect, it } from 'vitest';
import { findDifferences } from '../src/run.ts';
import { parseTable, type Row, type Table } from '../src/table.ts';
import { answerUfoai } from '../src/ufoai.ts';

/** `maps/farm/f_silo.bsp` of a header is kept as `ufoai/farm_f_silo.bsp`. */
const maps = {
  load: (game: string, name: string): Uint8Array =>
    readRealMap(`${game}/${name.replace(/^maps\//, '').replaceAll('/', '_')}`),
};
const files = goldenFiles('ufoai');
const read = (file: string): Table => parseTable(gunzipSync(readFileSync(file)).toString());

/**
 * The one row whose angles the recorder's float sine and cosine round otherwise than correctly rounded ones: its normal
 * may differ there in the last bit of y and z.
 */
const SINE_FILE = 'mansion_mansion_main.models.ndjson.gz';
const SINE_ROW = 716;

describe.skipIf(skippedWithoutMaps !== '')(`rows recorded from UFO:AI${skippedWithoutMaps}`, () => {
  it('are found', () => {
    expect(files.length).toBeGreaterThan(0);
  });

  it.each(files.map((file) => [basename(file), file]))(
    '%s: every answer equal, bit for bit',
    (name, file) => {
      const table = read(file);
      const rows = name === SINE_FILE ? table.rows.filter((_, number) => number !== SINE_ROW) : table.rows;
      const { compared, differing, first } = findDifferences(
        { ...table, rows },
        answerUfoai(table.header, maps),
      );
      expect(compared).toBe(rows.length);
      expect(first).toBe('');
      expect(differing).toBe(0);
    },
  );

  const sineFile = files.find((file) => basename(file) === SINE_FILE);
  it.runIf(sineFile)('the row of the rounded sine differs by one bit of ny and nz at most', () => {
    const { header, rows } = read(sineFile!);
    const expected = rows[SINE_ROW] as Row;
    const answer = [...expected];
    answerUfoai(header, maps).answer(answer);
    for (const [place, name] of header.columns!.entries()) {
      const [a, b] = [expected[place] as number, answer[place] as number];
      if (name !== 'ny' && name !== 'nz') expect(b, name).toBe(a);
      else expect(Math.abs(Math.fround(a) - Math.fround(b)), name).toBeLessThanOrEqual(2 ** -24);
    }
  });
});
