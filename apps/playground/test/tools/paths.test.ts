import { BspError } from '@bspkit/core';
import { createPathfinder, readRouting, type UfoaiFile, worldToCell } from '@bspkit/ufoai';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenMap } from '../../src/app/open-map.ts';
import { TOOLS } from '../../src/tools/index.ts';
import {
  cellAt,
  farthestCell,
  floorOf,
  nearestCell,
  reachLayers,
  waySegments,
  wayTo,
} from '../../src/tools/paths/routes.ts';
import { knownTable, Table } from '../../src/tools/paths/tables.ts';
import { openFixture } from './maps.ts';

let house: OpenMap;
let packed: Uint8Array;
let table: Table;

beforeAll(async () => {
  house = await openFixture('house', 'ufoai');
  packed = house.format.routing!.compute(house.file);
  table = new Table(house, packed, false);
});

describe('ways through a map', () => {
  it('are those of the game, with what they cost', () => {
    const cells = table.cells(1);
    const from = nearestCell(cells, [48, 48, 4]);
    expect(floorOf(cells, from)).toEqual([48, 48, 4]);
    const reach = cells.reach(from);
    const file = house.file as UfoaiFile;
    const routing = readRouting({ ...file, lumps: { ...file.lumps, routing: packed } });
    const expected = createPathfinder(routing).reach(worldToCell([48, 48, 4]));
    const to = farthestCell(reach);
    expect(reach.costs[to]).toBe(50);
    const way = wayTo(reach, to);
    const places = way.map((cell) => worldToCell(floorOf(cells, cell)));
    expect(places.slice(1)).toEqual(expected.way(places.at(-1)!)!.map(({ cell }) => cell));
    const segments = waySegments(cells, way);
    expect(segments).toHaveLength(6 * (way.length - 1));
    expect(segments.slice(0, 3)).toEqual([48, 48, 14]);
    expect(wayTo(reach, from)).toEqual([from]);
    const beyond = reach.costs.indexOf(-1);
    expect(wayTo(reach, beyond)).toEqual([]);
    expect(waySegments(cells, [])).toEqual([]);
  });

  it('lead to the cell below a point, not to one beside it or a storey away', () => {
    const cells = table.cells(1);
    const cell = nearestCell(cells, [48, 48, 4]);
    expect(cellAt(cells, [40, 60, 6])).toBe(cell);
    expect(cellAt(cells, [48, 48, 40])).toBe(cell);
    expect(cellAt(cells, [48, 48, 90])).toBe(-1);
    expect(cellAt(cells, [-3000, 48, 4])).toBe(-1);
    // What is nearest to the floor of a cell is that cell.
    for (const k of [0, 1, 20, cells.ways.length - 1]) expect(nearestCell(cells, floorOf(cells, k))).toBe(k);
    // Of two floors above each other, the one that is nearer below.
    const counts = new Map<string, number[]>();
    for (let k = 0; k < cells.ways.length; k++) {
      const [x, y] = floorOf(cells, k);
      counts.set(`${x} ${y}`, [...(counts.get(`${x} ${y}`) ?? []), k]);
    }
    const stacks = [...counts.values()].filter((stack) => stack.length > 1);
    expect(stacks.length).toBeGreaterThan(20);
    for (const stack of stacks) {
      for (const k of stack) {
        const [x, y, z] = floorOf(cells, k);
        expect(cellAt(cells, [x, y, z + 2])).toBe(k);
      }
    }
  });

  it('are coloured by bands of time units', () => {
    const cells = table.cells(1);
    const reach = cells.reach(nearestCell(cells, [48, 48, 4]), { limit: 30 });
    const [within, beyond] = reachLayers(cells, reach);
    expect(within.values.length + beyond.values.length).toBe(cells.ways.length);
    expect(within.positions).toHaveLength(3 * within.values.length);
    const classes = 'classes' in within.scale ? within.scale.classes : [];
    const names = classes.map(({ name }) => name);
    expect(names).toEqual(['0 to 10', '11 to 20', '21 to 30', '31 to 40', '41 to 50']);
    // The dearer, the darker.
    const light = classes.map(({ color }) => color[0] + color[1] + color[2]);
    for (let k = 1; k < light.length; k++) expect(light[k]).toBeLessThan(light[k - 1]!);
    const costs = [...reach.costs].filter((cost) => cost >= 0);
    expect(Array.from(within.values)).toEqual(
      costs.map((cost) => names.findIndex((name) => cost <= Number(name.split(' ')[2]))),
    );
    expect(new Set(within.values as number[])).toEqual(new Set([0, 1, 2]));
  });
});

describe('tables of ways', () => {
  it('are taken from the file, unless nobody can stand anywhere in it', async () => {
    expect(knownTable(house)).toBeUndefined();
    const { routing } = house.format;
    const format = { ...house.format, routing: { ...routing!, stored: () => packed } };
    const stored = knownTable({ ...house, format, file: { ...house.file } })!;
    expect(stored.isStored).toBe(true);
    expect(stored.cells(1).ways).toEqual(table.cells(1).ways);
    // Those of larger actors are others, and both are kept.
    expect(stored.cells(2).ways.length).toBeLessThan(stored.cells(1).ways.length);
    expect(stored.cells(2)).toBe(stored.cells(2));
  });

  it('are refused where they are broken', () => {
    const { routing } = house.format;
    const format = { ...house.format, routing: { ...routing!, stored: () => packed.subarray(0, -9) } };
    expect(() => knownTable({ ...house, format, file: { ...house.file } })).toThrow(BspError);
  });

  it('are offered where a game keeps them alone', async () => {
    const paths = TOOLS.find(({ id }) => id === 'paths')!;
    expect(paths.lacks!(house)).toBeUndefined();
    expect(paths.lacks!(await openFixture('arena', 'quake3'))).toBe('cells to walk on');
  });
});
