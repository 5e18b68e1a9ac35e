import { ENGINE_DATA } from '@bspkit/fixtures/engine';
import { findRealData, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { mapLoader, type RecordedData, type RowFile, rowFiles } from '@bspkit/fixtures/recorded';
import { movementRows } from '@bspkit/movement/rows';
import { joinKinds, openTable, parseHeader, parseTable } from '@bspkit/rows';
import { createScene } from '@bspkit/scene';
import { sceneRows } from '@bspkit/scene/rows';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { allowancesFor } from './allowances.ts';
import { expectRows } from './expect-rows.ts';
import { keepMap, keepWorld } from './kept.ts';

// The proof that answers equal the engines': every recorded row, asked again through the descriptors of the umbrella's formats.
// One test per file; of players' rows a sample, or all with BSPKIT_ALL_ROWS=1.

const formats = (await Promise.all(FORMATS.map((entry) => entry.load()))).map(keepWorld);

/** Kinds that packages other than the formats answer. */
const playerRows = movementRows(createScene);
const kinds = joinKinds(sceneRows, playerRows);

const kindOf = (file: RowFile): string => parseHeader(file.readHeader()).kind;

/** Whether anything answers a file's rows. */
function isAnswered(file: RowFile): boolean {
  const answered = [formats.find(({ id }) => id === file.game)?.rows, kinds[file.game]];
  return answered.some((known) => known && Object.hasOwn(known, kindOf(file)));
}

/** Files of players have ten thousand rows each, so only this many files per kind are asked, and this many lines of each. */
const PLAYER_FILES = 2;
const PLAYER_LINES = 2_000;

/** Lines of files whose rows take long: hashes of whole tables. */
const LONG_LINES: Readonly<Record<string, number>> = { paths: 4, farpaths: 4 };

const isSampled = (file: RowFile): boolean =>
  !process.env.BSPKIT_ALL_ROWS && Object.hasOwn(playerRows[file.game] ?? {}, kindOf(file));

/** All files, except those of players beyond the limit. */
function sampleFiles(files: readonly RowFile[]): RowFile[] {
  const counts = new Map<string, number>();
  return files.filter((file) => {
    const name = `${file.game} ${file.kind}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return !isSampled(file) || counts.get(name)! <= PLAYER_FILES;
  });
}

/** A file's text, or its beginning if all of it would take long: players' rows depend on those before. */
function sampleText(file: RowFile): string {
  const text = file.read();
  const long = process.env.BSPKIT_ALL_ROWS ? undefined : LONG_LINES[kindOf(file)];
  if (!isSampled(file) && long === undefined) return text;
  let end = 0;
  for (let line = 0; line <= (long ?? PLAYER_LINES) && end >= 0; line++) end = text.indexOf('\n', end + 1);
  return end < 0 ? text : text.slice(0, end);
}

function testRows(data: RecordedData): void {
  const files = rowFiles(data);
  const load = keepMap(mapLoader(data));
  const answered = sampleFiles(files.filter(isAnswered));

  it('are answered for every game and kind that has rows', () => {
    const games = new Set(answered.map(({ game }) => game));
    expect(games.size).toBeGreaterThan(2);
    expect([...games].sort()).toEqual([...new Set(files.map(({ game }) => game))].sort());
    for (const game of games) expect(formats.map(({ id }) => id)).toContain(game);
    const unanswered = files.filter((file) => !isAnswered(file));
    expect(unanswered.map(({ name }) => name)).toEqual([]);
  });

  for (const file of answered) {
    const { words, check } = allowancesFor(file);
    it(`${file.name}: every result equal, bit for bit${words}`, () => {
      const { header, lines } = parseTable(sampleText(file));
      const table = openTable(header, { formats, kinds, load });
      // Rows that are objects contain their question too, so without names of results nothing would be asked.
      if (!header.columns && lines.length > 0) expect(table.results.length).toBeGreaterThan(0);
      expectRows(table, lines, check);
    });
  }
}

describe.each(FORMATS.filter(({ id }) => rowFiles(ENGINE_DATA, id).length === 0))('$id', ({ name }) => {
  it.skip(`has no rows (skipped: none were recorded from the engine of ${name} yet)`, () => {});
});

describe('rows recorded on our own maps', () => testRows(ENGINE_DATA));

const real = findRealData();
describe.skipIf(!real?.golden)(`rows recorded on real maps${skippedWithoutMaps}`, () => {
  if (real?.golden) testRows(real);
});
