import { checkCallback, checkList, checkObject, float32Cell } from '@bspkit/core/format';
import { BakeError } from '../error.ts';
import { type ClearanceResult, FITS, STANDS } from '../kinds/clearance.ts';
import type { ExposureResult } from '../kinds/exposure.ts';
import type { OcclusionResult } from '../kinds/occlusion.ts';
import { countSeen, type SightResult } from '../kinds/sight.ts';
import { type BakeOutcome, checkOutcome, PICTURED_KINDS } from './outcome.ts';

/** A bake's values as a table: a row per point or cell, in their order. */
export interface BakeTable {
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly (number | null)[]>;
}

/**
 * A bake's values with their coordinates, in Quake units.
 *
 * | kind      | columns                                                                                              |
 * | --------- | ---------------------------------------------------------------------------------------------------- |
 * | occlusion | `x y z`, `nx ny nz` where points have normals, `visibility` 0 to 1                                    |
 * | exposure  | `x y z`, `exposure` 0 to 1                                                                            |
 * | clearance | `x y z`, `contents`, `distance`, `floor` (none where nothing is below), `fits` and `stands` 0 or 1    |
 * | sight     | `x y z`, `seen`: how many targets a point sees, `share` of them                                       |
 *
 * @throws BakeError (`kind`) for a bake of another kind.
 */
export function bakeTable(bake: BakeOutcome): BakeTable {
  checkOutcome(bake);
  const { kind, result } = bake;
  if (kind === 'occlusion') return occlusionTable(result as OcclusionResult);
  if (kind === 'exposure') return exposureTable(result as ExposureResult);
  if (kind === 'clearance') return clearanceTable(result as ClearanceResult);
  if (kind === 'sight') return sightTable(result as SightResult);
  throw new BakeError(
    'kind',
    `a bake of kind '${kind}' cannot be written as a table, unlike ${PICTURED_KINDS.join(', ')}`,
  );
}

/**
 * A table as CSV (RFC 4180), in parts: a line of names, then a line per row; missing values are empty.
 * @throws TypeError for anything but a table.
 */
export function csvText(table: BakeTable): Iterable<string> {
  checkTable(table);
  return again(() => csvLines(table));
}

function* csvLines({ columns, rows }: BakeTable): Generator<string> {
  yield `${columns.join(',')}\r\n`;
  for (const row of rows) yield `${row.map((cell) => cell ?? '').join(',')}\r\n`;
}

/** A table as JSON, in parts: `{"columns":[…],"rows":[[…],…]}`, a row per line; missing values are null. */
export function jsonText(table: BakeTable): Iterable<string> {
  checkTable(table);
  return again(() => jsonLines(table));
}

function* jsonLines({ columns, rows }: BakeTable): Generator<string> {
  yield `{"columns":${JSON.stringify(columns)},"rows":[`;
  let before = '\n';
  for (const row of rows) {
    yield `${before}${JSON.stringify(row)}`;
    before = ',\n';
  }
  yield '\n]}\n';
}

function checkTable(table: BakeTable): void {
  checkObject(table, 'table');
  checkList(table.columns, 'table.columns');
  checkCallback(table.rows?.[Symbol.iterator], 'table.rows[Symbol.iterator]');
}

const cells = (values: Float32Array, k: number): number[] => [
  float32Cell(values[3 * k]!),
  float32Cell(values[3 * k + 1]!),
  float32Cell(values[3 * k + 2]!),
];

function occlusionTable({ points, normals, visibility }: OcclusionResult): BakeTable {
  return {
    columns: ['x', 'y', 'z', ...(normals ? ['nx', 'ny', 'nz'] : []), 'visibility'],
    rows: rowsOf(visibility.length, (k) => [
      ...cells(points, k),
      ...(normals ? cells(normals, k) : []),
      float32Cell(visibility[k]!),
    ]),
  };
}

function exposureTable({ points, exposure }: ExposureResult): BakeTable {
  return {
    columns: ['x', 'y', 'z', 'exposure'],
    rows: rowsOf(exposure.length, (k) => [...cells(points, k), float32Cell(exposure[k]!)]),
  };
}

function clearanceTable({ origin, step, size, ...of }: ClearanceResult): BakeTable {
  const [columns, rows] = [size[0]!, size[1]!];
  // It was asked about as float32; as a double, it might be 38.400000000000006.
  const middle = (axis: number, cell: number): number => float32Cell(origin[axis]! + step * cell);
  return {
    columns: ['x', 'y', 'z', 'contents', 'distance', 'floor', 'fits', 'stands'],
    rows: rowsOf(of.distance.length, (k) => [
      middle(0, k % columns),
      middle(1, Math.floor(k / columns) % rows),
      middle(2, Math.floor(k / (columns * rows))),
      of.contents[k]!,
      float32Cell(of.distance[k]!),
      of.floor[k] === -Infinity ? null : float32Cell(of.floor[k]!),
      of.fits[k]! & FITS ? 1 : 0,
      of.fits[k]! & STANDS ? 1 : 0,
    ]),
  };
}

function sightTable(result: SightResult): BakeTable {
  const { points, targets } = result;
  const columns = targets.length / 3;
  return {
    columns: ['x', 'y', 'z', 'seen', 'share'],
    rows: rowsOf(points.length / 3, (k) => {
      const seen = countSeen(result, k);
      return [...cells(points, k), seen, columns > 0 ? float32Cell(Math.fround(seen / columns)) : 0];
    }),
  };
}

const rowsOf = (
  count: number,
  row: (k: number) => readonly (number | null)[],
): Iterable<readonly (number | null)[]> =>
  again(function* () {
    for (let k = 0; k < count; k++) yield row(k);
  });

/** What can be gone through again and again: a generator is empty the second time. */
const again = <T>(begin: () => Iterator<T>): Iterable<T> => ({ [Symbol.iterator]: begin });
