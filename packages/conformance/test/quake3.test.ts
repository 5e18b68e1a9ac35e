import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { goldenFiles, readRealMap, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { describe, expect, it } from 'vitest';
import { answerQuake3 } from '../src/quake3.ts';
import { findDifferences } from '../src/run.ts';
import { parseTable } from '../src/table.ts';

const maps = { load: (game: string, name: string): Uint8Array => readRealMap(`${game}/${name}.bsp`) };
const files = goldenFiles('quake3');

describe.skipIf(skippedWithoutMaps !== '')(`rows recorded from Quake 3${skippedWithoutMaps}`, () => {
  it('are found', () => {
    expect(files.length).toBeGreaterThan(0);
  });

  it.each(files.map((file) => [basename(file), file]))('%s: every answer equal, bit for bit', (_, file) => {
    const table = parseTable(gunzipSync(readFileSync(file)).toString());
    const { compared, differing, first } = findDifferences(table, answerQuake3(table.header, maps));
    expect(compared).toBe(table.rows.length);
    expect(first).toBe('');
    expect(differing).toBe(0);
  });
});
