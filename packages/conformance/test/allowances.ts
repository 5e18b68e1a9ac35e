import type { RowFile } from '@bspkit/fixtures/recorded';
import { type CellCheck, sameCell } from '@bspkit/rows';

/** A result that may differ, and by how much; all others must match bit for bit. */
interface Allowance {
  /** Of files, by name. */
  readonly files: RegExp;
  readonly columns: readonly string[];
  /** The only row that it applies to; otherwise all rows. */
  readonly row?: number;
  readonly allowed: (expected: number, actual: number) => boolean;
  /** For the test's title. */
  readonly words: string;
}

const ALLOWANCES: readonly Allowance[] = [
  {
    // Doubles that the recorder computed in another order.
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
    // The recorder's float sine and cosine are not correctly rounded for the angles of this row.
    files: /^ufoai\/mansion_mansion_main\.models$/,
    columns: ['ny', 'nz'],
    row: 716,
    allowed: (expected, actual) => Math.abs(Math.fround(expected) - Math.fround(actual)) <= 2 ** -24,
    words: 'ny and nz of row 716 within their last bit',
  },
];

/** What counts as equal in a file: the same bits, and what is allowed there. */
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

/** What counts as equal in a file, and the words for it in a test's title. */
export function allowancesFor({ name }: RowFile): { readonly words: string; readonly check: CellCheck } {
  const allowances = ALLOWANCES.filter(({ files }) => files.test(name));
  const words = allowances.map(({ words }) => words).join(', ');
  return { words: words && `, but ${words}`, check: checkFor(allowances) };
}
