import { checkCallback, checkList, checkObject, checkText } from '../kinds.ts';
import type { Trace } from '../trace.ts';
import type { Vec3 } from '../vec.ts';
import { isNumberIn } from './checks.ts';
import type { BspFormat } from './format.ts';

// Query rows: questions put to a map and their answers, one JSON array per row, in the order of a header's columns.
// Golden rows, recorded from the engines, are such files; so is what `bspkit batch` reads and writes.

/** A cell of a row: floats are float32, printed so that they read back the same; null where nothing is known. */
export type Cell = number | string | null | readonly Cell[];

/** One question and its answer. */
export type Row = Cell[];

/** A line that is an object: an answer without columns, or what the rows after it are about. */
export type RowObject = Record<string, unknown>;

/** The first line of a file of rows. */
export interface RowHeader {
  /** Format, by the name of its package. */
  readonly game: string;
  readonly map: string;
  readonly kind: string;
  readonly sha256?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  /** Maps of an assembly, for formats that have such; offsets in cells. */
  readonly tiles?: readonly RowTile[] | undefined;
  readonly [key: string]: unknown;
}

/** A map placed in an assembly. */
export interface RowTile {
  readonly map: string;
  readonly sha256?: string | undefined;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Where rows get their maps from. */
export interface RowSource {
  readonly format: BspFormat;
  /** A map's bytes, by the name and hash that a header has. Throws when there is no such map. */
  load(game: string, map: string, sha256?: string): Uint8Array;
}

/** One kind of question. */
export interface RowKind {
  /** Columns of a question that every table has. None for kinds whose rows are objects. */
  readonly question: readonly string[];
  /** Columns of a question that a table may lack, in groups: all of a group or none of it. */
  readonly optional?: readonly (readonly string[])[] | undefined;
  /** Columns that are answers, in the order in which they are appended to a table that lacks them. */
  readonly results: readonly string[];
  /**
   * Columns that make up a question, to which answers are added, each with what turns a cell into the question's form. A question
   * may have answers already, which are ignored.
   */
  readonly asked?: Readonly<Record<string, (cell: Cell) => Cell>> | undefined;
  /** Opens the maps that a header names, and prepares to answer its rows, which have all columns of the results. */
  open(header: RowHeader, source: RowSource): RowAnswering;
}

/** Answers to one kind of question about given maps, row by row. */
export interface RowAnswering {
  /**
   * Computes the answer of a row and writes it into the row's result cells, leaving the question as it is.
   * @throws RangeError for an invalid query.
   */
  answer(row: Row): void;
  /** For kinds whose rows are objects: the same. */
  answerObject?(row: RowObject): void;
  /** For kinds with lines between the rows that say what the next ones are about. They are copied. */
  enter?(line: RowObject): void;
  /**
   * For kinds whose rows follow from each other: whether a row gives where that begins. Such a row is passed to `answer` too, but
   * its result cells are part of what is given, and it is copied.
   */
  isGiven?(row: Row): boolean;
  /** For kinds whose rows follow from each other, or from lines between them: where files of them can be divided. */
  readonly sequences?: RowSequences | undefined;
}

/** Where rows begin that do not depend on those before them. */
export interface RowSequences {
  /**
   * Whether a row, with those after it, needs none of the rows and lines before it. `before` is the row just before it;
   * `undefined` for the first of a file, and after a line between the rows.
   */
  begins(row: Row, before: Row | undefined): boolean;
  /** Forgets all earlier rows and lines, as if the file had just been opened. */
  restart(): void;
}

/** Kinds of questions by name. */
export type RowKinds = Readonly<Record<string, RowKind>>;

/**
 * Kinds whose `open` rejects an invalid header, or a source that maps cannot be loaded from, by name; and columns that lack some
 * of the question's, or of an optional group of which they have others, with a `RangeError` that names all of these. No map has
 * been loaded then.
 */
export function defineRows(kinds: RowKinds): RowKinds {
  const checked = Object.entries(kinds).map(([name, kind]): [string, RowKind] => {
    checkList(kind.question, `question of ${name}`);
    checkList(kind.results, `results of ${name}`);
    checkCallback(kind.open, `open of ${name}`);
    const { question, optional = [] } = kind;
    const open: RowKind['open'] = (header, source) => {
      checkObject(header, 'header');
      checkText(header.map, 'header.map');
      const { columns = [] } = header;
      checkList(columns, 'header.columns');
      for (const [k, column] of columns.entries()) checkText(column, `header.columns[${k}]`);
      checkObject(source, 'source');
      checkCallback(source.load, 'source.load');
      // Part of a group is more likely a mistyped name than meant.
      const begun = optional.filter((group) => group.some((column) => columns.includes(column)));
      const missing = [...question, ...begun.flat()].filter(
        (column) => header.columns && !columns.includes(column),
      );
      if (missing.length > 0) throw new RangeError(`missing columns: ${missing.join(', ')}`);
      return kind.open(header, source);
    };
    return [name, { ...kind, open }];
  });
  return Object.fromEntries(checked);
}

/** Places of columns in a row, by name; -1 for a column that the table does not have. */
export function columnPlaces<K extends string>(
  { columns = [] }: RowHeader,
  names: readonly K[],
): Readonly<Record<K, number>> {
  return Object.fromEntries(names.map((name) => [name, columns.indexOf(name)])) as Record<K, number>;
}

/** Throws `RangeError` for a cell that is not what it should be; its `place` is the cell's. */
export function failCell(row: Row, place: number, what: string): never {
  const cell = row[place];
  // JSON has no infinity, which is what it reads 1e999 as.
  const shown = typeof cell === 'number' ? cell : JSON.stringify(cell);
  const problem = `cell ${place + 1} is not ${what}: ${shown}`;
  throw Object.assign(new RangeError(problem), { place });
}

/**
 * A number as the engine had it: the float32 that the printed digits stand for. Throws `RangeError` if there is no number, which
 * would count as 0 otherwise, and for one that no float32 stands for.
 */
export function floatCell(row: Row, place: number): number {
  const value = Math.fround(doubleCell(row, place));
  return Number.isFinite(value) ? value : failCell(row, place, 'a float32');
}

/** A number as printed. Throws `RangeError` for any other cell. */
export function doubleCell(row: Row, place: number): number {
  const cell = row[place];
  if (typeof cell === 'number') return cell;
  return failCell(row, place, 'a number');
}

/** {@link floatCell} for several cells: a point, a box. */
export function floatCells(row: Row, places: readonly number[]): number[] {
  return places.map((place) => floatCell(row, place));
}

/** {@link floatCells} for columns that a table may lack: 0 for each that it does. */
export function optionalFloats(row: Row, places: readonly number[]): number[] {
  return places.map((place) => (place < 0 ? 0 : floatCell(row, place)));
}

/**
 * A whole number of 32 bits, signed or not. Throws `RangeError` for any other cell.
 * @param most - 0x7fffffff for what becomes a number with a sign, which would be another one if it were greater.
 */
export function intCell(row: Row, place: number, most: number = 0xffffffff): number {
  const cell = row[place];
  const isWhole = typeof cell === 'number' && Number.isInteger(cell);
  if (isWhole && cell >= -0x80000000 && cell <= most) return cell;
  return failCell(row, place, `a whole number${isWhole ? ' of 32 bits' : ''}`);
}

/**
 * A float32 with nine digits, which always read back the same. As a number, so that it prints without a tail of binary digits.
 */
export function float32Cell(value: number): number {
  // Nine digits are exact for whole numbers of eighths below a million, which most are; converting to text and back takes far
  // longer. `toPrecision` drops the sign of zero.
  const eighths = 8 * value;
  if (eighths === Math.round(eighths) && Math.abs(value) < 1e6) return value;
  return Number(value.toPrecision(9));
}

/**
 * The number of a model, of which the map has `count` besides the world. Throws `RangeError` for any other cell.
 * @param least - 0 if the world may be asked about too, 1 if not.
 */
export function modelCell(row: Row, place: number, count: number, least: 0 | 1): number {
  const cell = row[place];
  if (typeof cell === 'number' && Number.isInteger(cell) && cell >= least && cell <= count) return cell;
  const first = least === 0 ? '0 (the world)' : '1';
  const range = count > least ? `, ${first} to ${count}` : count === least ? `, which is ${first} here` : '';
  return failCell(row, place, range ? `the number of a model${range}` : 'a model, as the map has none');
}

/** The number of one of a header's `count` scenes or sequences. Throws `RangeError` for any other cell. */
export function listCell(row: Row, place: number, count: number, what: string): number {
  const cell = row[place] as number;
  if (isNumberIn(cell, count)) return cell;
  const range = count === 1 ? '0' : `0 to ${count - 1}`;
  return failCell(
    row,
    place,
    count > 0 ? `the number of a ${what}, ${range}` : `a ${what}, as the header has none`,
  );
}

/** What rows about leafs ask a world. */
interface LeafWorld {
  leaf(point: Vec3): number;
  cluster(leaf: number): number;
  area(leaf: number): number;
  contents(point: Vec3): number;
}

const POINT = ['x', 'y', 'z'] as const;
const LEAF = ['leaf', 'cluster', 'area', 'contents'] as const;

/** Rows of what is at a point, for worlds whose leafs belong to clusters and areas. `openWorld` opens the one that a header names. */
export const leafRows = (openWorld: (header: RowHeader, source: RowSource) => LeafWorld): RowKind => ({
  question: POINT,
  results: LEAF,
  open(header, source) {
    const at = columnPlaces(header, [...POINT, ...LEAF]);
    const world = openWorld(header, source);
    return {
      answer(row) {
        const point = floatCells(row, [at.x, at.y, at.z]);
        const leaf = world.leaf(point);
        row[at.leaf] = leaf;
        row[at.cluster] = world.cluster(leaf);
        row[at.area] = world.area(leaf);
        row[at.contents] = world.contents(point);
      },
    };
  },
});

/** Columns that traces of all games share: where a move stopped, and what stopped it. */
export const STOP_COLUMNS = ['fraction', 'endx', 'endy', 'endz'] as const;
export const HIT_COLUMNS = ['nx', 'ny', 'nz', 'dist', 'startsolid', 'allsolid'] as const;

type StopPlaces = Readonly<Record<(typeof STOP_COLUMNS)[number], number>>;
type HitPlaces = Readonly<Record<(typeof HIT_COLUMNS)[number], number>>;

/** Writes the cells of {@link STOP_COLUMNS}. */
export function writeStop(row: Row, at: StopPlaces, { fraction, endPos }: Trace): void {
  row[at.fraction] = float32Cell(fraction);
  row[at.endx] = float32Cell(endPos[0]!);
  row[at.endy] = float32Cell(endPos[1]!);
  row[at.endz] = float32Cell(endPos[2]!);
}

/** Writes the cells of {@link HIT_COLUMNS}. */
export function writeHit(row: Row, at: HitPlaces, { normal, dist, startSolid, allSolid }: Trace): void {
  row[at.nx] = float32Cell(normal[0]!);
  row[at.ny] = float32Cell(normal[1]!);
  row[at.nz] = float32Cell(normal[2]!);
  row[at.dist] = float32Cell(dist);
  row[at.startsolid] = startSolid ? 1 : 0;
  row[at.allsolid] = allSolid ? 1 : 0;
}
