import {
  columnPlaces,
  failCell,
  intCell,
  type Row,
  type Cell as RowCell,
  type RowHeader,
  type RowKind,
  type RowKinds,
  type RowSource,
  sha256,
  wholeIn,
} from '@bspkit/core/format';
import type { Cell } from '../cells.ts';
import { LEVEL_COUNT, WORLD_CELLS } from '../constants.ts';
import { readUfoai } from '../file.ts';
import { identity } from '../identity.ts';
import { decodeRouting, readRouting } from './lump.ts';
import {
  createPathfinder,
  createReach,
  NOT_REACHED,
  type UfoaiPathfinder,
  type UfoaiReach,
} from './pathfinder.ts';
import { CELLS, type UfoaiRouting } from './table.ts';

// Query rows of paths, as they were recorded from the game.

const START = ['x', 'y', 'z'] as const;
const TARGET = ['tx', 'ty', 'tz'] as const;
const QUESTION = [...START, 'size', 'crouched', 'limit', 'blocked'] as const;

type Places = Readonly<Record<(typeof QUESTION)[number], number>>;

/** The table of the map that a header names; a header may also name a lump on its own. */
function openTable({ map, sha256 }: RowHeader, { load }: RowSource): UfoaiRouting {
  const bytes = load(identity.id, map, sha256);
  return identity.detect(bytes) === undefined ? decodeRouting(bytes) : readRouting(readUfoai(bytes));
}

const isPlace = (value: unknown, count: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < count;

/** The place of a cell along an axis that has so many of them. Throws `RangeError` for any other. */
function axisCell(row: Row, place: number, count: number): number {
  const at = row[place];
  return isPlace(at, count) ? at : failCell(row, place, wholeIn(0, count - 1));
}

const cellOf = (row: Row, x: number, y: number, z: number): Cell => [
  axisCell(row, x, WORLD_CELLS),
  axisCell(row, y, WORLD_CELLS),
  axisCell(row, z, LEVEL_COUNT),
];

/** What all questions about paths have. */
function readQuestion(row: Row, at: Places): { size: number; stance: 0 | 1; limit: number; start: Cell } {
  const [size, crouched, limit] = [intCell(row, at.size), intCell(row, at.crouched), intCell(row, at.limit)];
  return { size, stance: crouched === 0 ? 0 : 1, limit, start: cellOf(row, at.x, at.y, at.z) };
}

/** Finders of ways for actors of both sizes. Throws `RangeError` for any other size. */
function createFinders(routing: UfoaiRouting): (size: number) => UfoaiPathfinder {
  const [one, two] = [createPathfinder(routing, 1), createPathfinder(routing, 2)];
  return (size) => {
    if (size !== 1 && size !== 2) throw new RangeError(`size must be 1 or 2, got ${size}`);
    return size === 1 ? one : two;
  };
}

/** The cells that others hold: x, y, z and size of each. Throws `RangeError` for anything else. */
function heldOf(row: Row, place: number): number[] {
  const cell = row[place];
  const isHeld = (value: unknown, k: number): boolean =>
    (k & 3) === 3
      ? value === 1 || value === 2
      : Number.isInteger(value) && (value as number) === ((value as number) | 0);
  if (Array.isArray(cell) && cell.length % 4 === 0 && cell.every(isHeld)) return cell as number[];
  return failCell(row, place, 'a list of x, y, z and size, 1 or 2, of each actor');
}

/** Hashes of a stance's two tables, as bytes. */
const hashesOf = ({ costs, from }: UfoaiReach, stance: 0 | 1): [string, string] => {
  const ways = new DataView(new ArrayBuffer(2 * CELLS));
  for (let k = 0; k < CELLS; k++) ways.setInt16(2 * k, from[stance][k]!, true);
  return [sha256(costs[stance]), sha256(new Uint8Array(ways.buffer))];
};

/** Every cell that was reached: x, y, z, cost, direction and the level it was reached from. */
function cellsOf({ costs, from }: UfoaiReach, stance: 0 | 1): { count: number; cells: number[] } {
  const cells: number[] = [];
  let count = 0;
  for (let k = 0; k < CELLS; k++) {
    const cost = costs[stance][k]!;
    if (cost === NOT_REACHED) continue;
    count++;
    const step = from[stance][k]!;
    cells.push(k & 255, (k >> 8) & 255, k >> 16, cost, step < 0 ? -1 : step >> 8, step < 0 ? -1 : step & 7);
  }
  return { count, cells };
}

/** The steps of a path: direction and level in one number, as in the game, and the cell that it leads to. */
function stepsOf(reach: UfoaiReach, cell: Cell, stance: 0 | 1): number[] {
  const way = reach.way(cell, stance === 1) ?? [];
  return way.flatMap(({ cell: [x, y, z], direction }) => [direction * 256 + z, x, y, z]);
}

const costOf = (reach: UfoaiReach, cell: Cell, stance: 0 | 1): number =>
  reach.cost(cell, stance === 1) ?? NOT_REACHED;

/** Cells to which paths are wanted, each with or without its answer after it; none if the cell is empty. */
function targetsOf(cell: RowCell | undefined): readonly Row[] {
  if (cell === undefined || cell === null) return [];
  if (!Array.isArray(cell) || !cell.every((target) => Array.isArray(target)))
    throw new RangeError('targets must be a list of cells, three whole numbers each');
  for (const [k, target] of (cell as Row[]).entries()) {
    if (![WORLD_CELLS, WORLD_CELLS, LEVEL_COUNT].every((count, axis) => isPlace(target[axis], count))) {
      const got = JSON.stringify(target);
      throw new RangeError(`targets[${k}] must begin with x and y, 0 to 255, and z, 0 to 7, got ${got}`);
    }
  }
  return cell as Row[];
}

/** Only the cell of each target. */
const askedTargets = (targets: RowCell): RowCell =>
  targets === null ? null : targetsOf(targets).map((target) => target.slice(0, 3));

const REACHED = ['count', 'cells', 'sha'] as const;

/** Where an actor can go, with paths to some cells. */
const reachRows: RowKind = {
  question: QUESTION,
  optional: [['targets']],
  results: REACHED,
  asked: { targets: askedTargets },
  open(header, source) {
    const finderOf = createFinders(openTable(header, source));
    const at = columnPlaces(header, [...QUESTION, ...REACHED, 'targets']);
    const reach = createReach();
    return {
      answer(row) {
        const { size, stance, limit, start } = readQuestion(row, at);
        const held = heldOf(row, at.blocked);
        const targets = targetsOf(row[at.targets]).map(([x, y, z]) => [x, y, z] as unknown as Cell);
        finderOf(size).reach(start, { limit, held }, reach);
        const { count, cells } = cellsOf(reach, stance);
        row[at.count] = count;
        row[at.cells] = cells;
        row[at.sha] = hashesOf(reach, stance);
        if (at.targets < 0 || row[at.targets] === null) return;
        row[at.targets] = targets.map((cell): RowCell => {
          return [...cell, costOf(reach, cell, stance), stepsOf(reach, cell, stance)];
        });
      },
    };
  },
};

const FOUND = ['found', 'count', 'sha', 'length', 'way'] as const;

/** Paths to one cell, however far. */
const farPathRows: RowKind = {
  question: [...QUESTION, ...TARGET],
  results: FOUND,
  open(header, source) {
    const finderOf = createFinders(openTable(header, source));
    const at = columnPlaces(header, [...QUESTION, ...TARGET, ...FOUND]);
    const reach = createReach();
    return {
      answer(row) {
        const { size, stance, limit, start } = readQuestion(row, at);
        const target = cellOf(row, at.tx, at.ty, at.tz);
        const options = { limit, crouched: stance === 1 };
        row[at.found] = finderOf(size).reachFar(start, target, options, reach) ? 1 : 0;
        row[at.count] = cellsOf(reach, stance).count;
        row[at.sha] = hashesOf(reach, stance);
        row[at.length] = costOf(reach, target, stance);
        row[at.way] = stepsOf(reach, target, stance);
      },
    };
  },
};

/** The kinds of rows about paths. */
export const pathRows: RowKinds = { paths: reachRows, farpaths: farPathRows };
