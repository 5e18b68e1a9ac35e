import { ENGINE_DATA } from '@bspkit/fixtures/engine';
import { findRealData, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { mapLoader, type RecordedData, type RowFile, rowFiles } from '@bspkit/fixtures/recorded';
import { type CellCheck, findDifferences, openTable, parseHeader, parseTable, sameCell } from '@bspkit/rows';
import { sceneRows } from '@bspkit/scene/rows';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';

// The proof that answers equal the engines': every row that was recorded, asked again through the descriptors of the
// umbrella's formats. One test per file.

const formats = await Promise.all(FORMATS.map((entry) => entry.load()));

/** A result that may differ, and by how much; all others must be equal, bit for bit. */
interface Allowance {
  /** Of files, by name. */
  readonly files: RegExp;
  readonly columns: readonly string[];
  /** The only row that it is for; all rows otherwise. */
  readonly row?: number;
  readonly allowed: (expected: number, actual: number) => boolean;
  /** To stand in the test's title. */
  readonly words: string;
}

const ALLOWANCES: readonly Allowance[] = [
  {
    // Doubles, which the recorder worked out in another order.
    files: /^quake1\/\w+\.ray$/,
    columns: ['t'],
    allowed: (expected, actual) => Math.abs(expected - actual) <= 1e-12,
    words: 't within 1e-12',
  },
  {
    files: /^quake1\/\w+\.sphere$/,
    columns: ['exactDistance'],
    allowed: (expected, actual) => Math.abs(expected - actual) <= 1e-9 * expected,
    words: 'exactDistance within a relative 1e-9',
  },
  {
    // The recorder's float sine and cosine are not correctly rounded for this row's angles.
    files: /^ufoai\/mansion_mansion_main\.models$/,
    columns: ['ny', 'nz'],
    row: 716,
    allowed: (expected, actual) => Math.abs(Math.fround(expected) - Math.fround(actual)) <= 2 ** -24,
    words: 'ny and nz of row 716 within their last bit',
  },
];

/** What counts as the same in a file: equal bits, and what is allowed there. */
function checkFor(allowances: readonly Allowance[]): CellCheck {
  return (expected, actual, name, number) => {
    const allowance = allowances.find(
      ({ columns, row = number }) => row === number && columns.includes(name),
    );
    if (!allowance || typeof expected !== 'number' || typeof actual !== 'number') {
      return sameCell(expected, actual);
    }
    return allowance.allowed(expected, actual);
  };
}

const kindOf = (file: RowFile): string => parseHeader(file.readHeader()).kind;

/** Who answers a file's rows; nobody for games and kinds that are not there yet. */
function isAnswered(file: RowFile): boolean {
  const kinds = [formats.find(({ id }) => id === file.game)?.rows, sceneRows[file.game]];
  return kinds.some((known) => known && Object.hasOwn(known, kindOf(file)));
}

function testRows(data: RecordedData): void {
  const files = rowFiles(data);
  const answered = files.filter(isAnswered);

  it('are there for every format', () => {
    const games = new Set(answered.map(({ game }) => game));
    expect([...games].sort()).toEqual(formats.map(({ id }) => id).sort());
  });

  for (const file of answered) {
    const allowances = ALLOWANCES.filter(({ files: names }) => names.test(file.name));
    const but = allowances.map(({ words }) => `, ${words}`).join('');
    it(`${file.name}: every result equal, bit for bit${but && `, but ${but.slice(2)}`}`, () => {
      const { header, lines } = parseTable(file.read());
      const table = openTable(header, { formats, kinds: sceneRows, load: mapLoader(data) });
      // Rows that are objects hold their question too, so without names of results nothing would be asked.
      if (!header.columns && lines.length > 0) expect(table.results.length).toBeGreaterThan(0);
      const { compared, differing, first } = findDifferences(table, lines, checkFor(allowances));
      expect(first).toBe('');
      expect(differing).toBe(0);
      expect(compared).toBe(lines.filter((line) => Array.isArray(line) || !header.columns).length);
    });
  }

  const waiting = new Map<string, number>();
  for (const { game, kind } of files.filter((file) => !isAnswered(file))) {
    waiting.set(`${game} ${kind}`, (waiting.get(`${game} ${kind}`) ?? 0) + 1);
  }
  for (const [kind, count] of waiting) {
    it.skip(`${kind}: ${count === 1 ? '1 file' : `${count} files`} (skipped: nobody answers rows of this kind yet)`, () =>
      undefined);
  }
}

describe('rows recorded on our own maps', () => testRows(ENGINE_DATA));

const real = findRealData();
describe.skipIf(!real?.golden)(`rows recorded on real maps${skippedWithoutMaps}`, () => {
  if (real?.golden) testRows(real);
});
