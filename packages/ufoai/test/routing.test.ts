import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { boxBrush, compileMap } from '@bspkit/compile';
import { BspError } from '@bspkit/core';
import { compileFixture } from '@bspkit/fixtures';
import { ENGINE_DATA, engineMapNames, readEngineMap } from '@bspkit/fixtures/engine';
import { readRealMap, realMapNames, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { createRandom } from '@bspkit/geometry';
import { expectSame } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { ufoai } from '../src/descriptor.ts';
import {
  actorSight,
  type Cell,
  cellToWorld,
  computeRouting,
  createPathfinder,
  createReach,
  createRerouter,
  createRoutingWork,
  createUfoaiWorld,
  encodeRouting,
  FALL,
  readRouting,
  readUfoai,
  type UfoaiFile,
  type UfoaiRouting,
  worldToCell,
} from '../src/index.ts';
import { decodeRouting } from '../src/routing/lump.ts';
import { cellIndex, DX, DY, STEP_DOWN, STEP_UP, UfoaiRouting as Table } from '../src/routing/table.ts';

const house = readUfoai(compileFixture('house', 'ufoai').bytes);
const routing = computeRouting(house);

/** A table of nothing, to be filled. */
function emptyRouting(): UfoaiRouting {
  const { mins, maxs, bytes, _origin: origin } = routing;
  return new Table(mins.slice(), maxs.slice(), new Uint8Array(bytes.length), origin);
}

/** A floor of some cells, with room above, and steps between all neighbours. */
function plain(width: number, level = 0): UfoaiRouting {
  const made = emptyRouting();
  for (const { connections, floors, ceilings } of made.actors) {
    for (let y = 0; y < width; y++) {
      for (let x = 0; x < width; x++) {
        const cell = cellIndex(x, y, level);
        floors[cell] = 1;
        ceilings[cell] = 16;
        connections.fill(15, 8 * cell, 8 * cell + 8);
      }
    }
  }
  return made;
}

describe('the table of where soldiers can go', () => {
  it('is computed the same each time, covers the cells of the compiler, and reports progress', () => {
    const parts: number[] = [];
    const again = computeRouting(house, { onProgress: (part) => parts.push(part) });
    expect(Buffer.from(again.bytes).equals(Buffer.from(routing.bytes))).toBe(true);
    expect([routing.mins, routing.maxs]).toEqual([house.routing.mins, house.routing.maxs]);
    expect(parts).toEqual([...parts].sort((a, b) => a - b));
    expect(parts.at(-1)).toBe(1);
    const stop = (): never => {
      throw new Error('enough');
    };
    expect(() => computeRouting(house, { onProgress: stop })).toThrow('enough');
  });

  it('is unpacked from its packed form, and packed to the same bytes again', () => {
    const packed = encodeRouting(routing);
    const back = decodeRouting(packed);
    expect(decodeRouting(packed.buffer).bytes).toEqual(back.bytes);
    expect(Buffer.from(back.bytes).equals(Buffer.from(routing.bytes))).toBe(true);
    expect([back.mins, back.maxs]).toEqual([routing.mins, routing.maxs]);
    expect(Buffer.from(encodeRouting(back)).equals(Buffer.from(packed))).toBe(true);
  });

  it('packs runs and literal bytes as the game does', () => {
    const made = emptyRouting();
    made.mins.fill(0);
    made.maxs.fill(0);
    made.bytes.set([1, 2, 3, 3, 3, 4]);
    made.bytes.fill(7, -1);
    const packed = encodeRouting(made);
    // A run never reaches the end of its block: of 12 zeros, 11 are one run.
    const corner = [128 | 9, 0, 1, 0, 0];
    const table = [2, 1, 2, 128 | 1, 3, 1, 4, 255, 0, 255, 0];
    expect([...packed.subarray(0, 21)]).toEqual([...corner, ...corner, ...table]);
    expect([...packed.subarray(-5)]).toEqual([expect.any(Number), 0, 1, 7, 0]);
    expect(decodeRouting(packed).bytes.subarray(0, 7)).toEqual(Uint8Array.of(1, 2, 3, 3, 3, 4, 0));
  });

  it('packs a table that hardly gets smaller', () => {
    const random = createRandom(seedOf(9));
    const made = emptyRouting();
    for (let at = 0; at < 3 << 19; at++) made.bytes[at] = random() * 256;
    const packed = encodeRouting(made);
    expect(packed.length).toBeGreaterThan(3 << 19);
    expect(Buffer.compare(decodeRouting(packed).bytes, made.bytes)).toBe(0);
  });

  it('is refused if it is broken', () => {
    const packed = Buffer.from(encodeRouting(plain(4)));
    const after = (end: number, ...bytes: number[]): Uint8Array =>
      Buffer.concat([packed.subarray(0, end), Uint8Array.from(bytes)]);
    const broken: readonly (readonly [Uint8Array, RegExp])[] = [
      [after(-1), /routing.*has no end/],
      [after(-1, 5, 1), /routing.*holds more than 18874368 bytes/],
      [after(-1, 129, 0, 0), /routing.*holds more than 18874368 bytes/],
      [after(-3, 0), /routing.*holds \d+ of 18874368 bytes/],
      [after(-3, 1), /routing.*is cut short/],
      [new Uint8Array(0), /routing.*has no end/],
    ];
    for (const [bytes, message] of broken) {
      expect(() => decodeRouting(bytes)).toThrow(BspError);
      expect(() => decodeRouting(bytes)).toThrow(message);
    }
    expect(() => computeRouting({ ...house, format: 'quake3' } as never)).toThrow();
    expect(() => encodeRouting({} as never)).toThrow(TypeError);
  });

  it('leaves out doors and trees of which nothing is drawn', () => {
    const models = house.models.map((model) => ({ ...model, numFaces: 0 }));
    const undrawn = computeRouting({ ...house, models });
    expect(undrawn.bytes.some((byte, k) => byte !== routing.bytes[k])).toBe(true);
    const withoutDoors = computeRouting({ ...house, models: house.models.slice(0, 259) });
    expect(Buffer.from(withoutDoors.bytes).equals(Buffer.from(routing.bytes))).toBe(true);
  });

  it('is refused where far more brushes are above the cells than in any real map: moves would meet all of them', () => {
    const plates = (copies: number): UfoaiFile => {
      const brushes = Array.from({ length: copies }, (_, k) =>
        boxBrush([-4096, -4096, 0], [4096, 4096, 2 + k / copies]),
      );
      return readUfoai(compileMap(brushes, { format: 'ufoai' }).bytes);
    };
    const many = plates(300);
    const problem = 'too much work: the leafs of all columns of cells list more than 16777216 brushes';
    expect(() => computeRouting(many)).toThrow(problem);
    expect(() => createRoutingWork(many)).toThrow(BspError);
    expect(createRoutingWork(plates(30)).rows).toBe(256);
  });

  it('is compared in words by the descriptor', () => {
    const { difference, cells } = ufoai.routing!;
    const packed = encodeRouting(routing);
    expect(difference(packed, packed.slice())).toBeUndefined();
    const other = decodeRouting(packed);
    const cell = cellIndex(130, 129, 1);
    other.actors[1].connections[8 * cell + 5]! ^= 64;
    expect(difference(packed, encodeRouting(other))).toMatch(
      /^cell 130 129 1, direction 5: connection \d+ against \d+, for actors of 2 by 2 cells$/,
    );
    other.mins[0]! -= 1;
    expect(difference(packed, encodeRouting(other))).toMatch(/^mins of the cells: /);
    const { positions, ways } = cells(packed);
    expect(positions).toHaveLength(3 * ways.length);
    expect([...new Set(ways)].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe('cells of the descriptor', () => {
  it.each([
    [1, false],
    [1, true],
    [2, false],
  ] as const)('lead where the pathfinder says, for actors of size %d, crouched %s', (size, crouched) => {
    const { positions, ways, reach, mostTime } = ufoai.routing!.cells(encodeRouting(routing), size);
    expect(ways.length).toBeGreaterThan(300);
    const standing = createPathfinder(routing, size).standing();
    const cellOf = (k: number): Cell => {
      const [x, y, z] = positions.subarray(3 * k, 3 * k + 3) as unknown as [number, number, number];
      // For two by two cells, the one with the lowest x and y.
      return worldToCell([x - 16 * (size - 1), y - 16 * (size - 1), z]);
    };
    expect(standing).toEqual(Array.from(ways, (_, k) => cellOf(k)));
    const from = positions.findIndex((x, at) => at % 3 === 0 && positions[at + 2]! > 64 && x > 0) / 3;
    const { costs, previous } = reach(from, { limit: 30, crouched });
    const expected = createPathfinder(routing, size).reach(cellOf(from), { limit: 30 });
    let steps = 0;
    for (let k = 0; k < ways.length; k++) {
      const cost = expected.cost(cellOf(k), crouched);
      expectSame(costs[k], cost === undefined || cost > 30 ? -1 : cost, `cell ${k}`);
      if (costs[k]! <= 0) {
        expectSame(previous[k], -1, `cell ${k}`);
        continue;
      }
      steps++;
      const way = expected.way(cellOf(k), crouched)!;
      expectSame(cellOf(previous[k]!), way.at(-2)?.cell ?? cellOf(from), `cell ${k}`);
    }
    expect(steps).toBeGreaterThan(30);
    expect(mostTime).toBe(50);
    expect(reach(from, { limit: 0 }).costs.filter((cost) => cost >= 0)).toHaveLength(1);
  });

  it('are those with a floor and room above it', () => {
    const made = plain(2, 3);
    made.actors[0].ceilings[cellIndex(1, 0, 3)] = 0;
    made.actors[0].floors[cellIndex(0, 1, 3)] = -1;
    expect(createPathfinder(made).standing()).toEqual([
      [0, 0, 3],
      [1, 1, 3],
    ]);
    expect(createPathfinder(made, 2).standing()).toHaveLength(4);
    expect(createPathfinder(emptyRouting()).standing()).toEqual([]);
  });

  it('leave out what is only fallen through', () => {
    const made = plain(4, 2);
    const { floors, ceilings } = made.actors[0];
    // Two levels of air beside a cell, and a floor below them.
    floors[cellIndex(3, 2, 2)] = -1;
    floors[cellIndex(3, 2, 1)] = -1;
    ceilings[cellIndex(3, 2, 0)] = 16;
    const { positions, reach } = ufoai.routing!.cells(encodeRouting(made));
    const at = (cell: Cell): number => {
      const [x, y, z] = cellToWorld(cell);
      return positions.findIndex(
        (_, k) => k % 3 === 0 && x === positions[k] && y === positions[k + 1] && positions[k + 2]! < z + 32,
      );
    };
    const [high, low] = [at([2, 2, 2]) / 3, at([3, 2, 0]) / 3];
    expect(positions[3 * low + 2]).toBe(0);
    const { costs, previous } = reach(high);
    expect([costs[low], previous[low]]).toEqual([2, high]);
  });
});

/** The fastest ones; BSPKIT_ALL_MAPS=1 compares them all. */
const QUICK = /f_road_h|f_silo|mh_s1_01/;
const maps = realMapNames('ufoai').filter((name) => process.env.BSPKIT_ALL_MAPS || QUICK.test(name));

describe('tables of our own maps', () => {
  it.each(engineMapNames('ufoai'))("%s: byte for byte those of the game's compiler", (name) => {
    const path = join(ENGINE_DATA.golden!, `${name.replace(/\.bsp$/, '')}.ufoai.routing.gz`);
    const packed = encodeRouting(computeRouting(readUfoai(readEngineMap(name))));
    expect(Buffer.from(packed).equals(gunzipSync(readFileSync(path)))).toBe(true);
  });
});

describe.skipIf(maps.length === 0)(`tables of ${maps.length} real maps${skippedWithoutMaps}`, () => {
  it.each(maps)('%s: byte for byte', (name) => {
    const file = readUfoai(readRealMap(name));
    const stored = Buffer.from(file.lumps.routing);
    expect(stored.equals(encodeRouting(readRouting(file)))).toBe(true);
    expect(stored.equals(encodeRouting(computeRouting(file)))).toBe(true);
  });
});

describe('ways', () => {
  const start: Cell = [2, 2, 0];

  it('cost 2 straight and 3 diagonally, more when crouched, and end at the limit', () => {
    const reach = createPathfinder(plain(30)).reach(start, { limit: 12 });
    expect(reach.cost(start)).toBe(0);
    expect([reach.cost([6, 2, 0]), reach.cost([5, 5, 0]), reach.cost([6, 4, 0])]).toEqual([8, 9, 10]);
    expect([reach.cost([4, 2, 0], true), reach.cost([4, 4, 0], true)]).toEqual([6, 8]);
    // From a cell whose cost is the limit, no steps are made.
    expect([reach.cost([8, 2, 0]), reach.cost([9, 2, 0])]).toEqual([12, undefined]);
    expect(reach.way([4, 3, 0])).toEqual([
      { cell: [3, 2, 0], direction: 0 },
      { cell: [4, 3, 0], direction: 4 },
    ]);
    expect([reach.way(start), reach.way([29, 29, 0])]).toEqual([[], undefined]);
    // The game searches no farther than 50.
    expect(createPathfinder(plain(40)).reach([0, 0, 0], { limit: 200 }).cost([26, 0, 0])).toBeUndefined();
  });

  it('are found in a wide world, where thousands of cells wait to be searched', () => {
    const random = createRandom(3);
    const made = emptyRouting();
    const { connections, floors, ceilings, stepUps } = made.actors[0];
    floors.fill(1);
    ceilings.fill(16);
    connections.fill(15);
    for (let at = 0; at < stepUps.length; at++) stepUps[at] = random() < 0.5 ? STEP_UP : 0;
    const finder = createPathfinder(made);
    const waiting = (): number => (finder as unknown as { _cells: Int32Array })._cells.length;
    const before = waiting();
    const reach = createReach();
    const from: Cell = [128, 128, 0];
    // So far away that it searches everything up to the limit.
    expect(finder.reachFar(from, [255, 255, 7], { limit: 200 }, reach)).toBe(false);
    expect(waiting()).toBeGreaterThan(before);
    // The same by cost: all cells of one cost, before those of the next.
    const found = new Map([[cellIndex(...(from as [number, number, number])), 0]]);
    const next: number[][] = [[...found.keys()]];
    for (let cost = 0; cost < 200; cost++) {
      for (const cell of next[cost] ?? []) {
        if (found.get(cell) !== cost) continue;
        for (let n = 0; n < 8; n++) {
          const [dx, dy] = [DX[n]!, DY[n]!];
          const level = (cell >> 16) + (stepUps[8 * cell + n] === STEP_UP && cell >> 16 < 7 ? 1 : 0);
          const to = cellIndex((cell & 255) + dx, ((cell >> 8) & 255) + dy, level);
          const sum = cost + (n < 4 ? 2 : 3);
          if (sum >= (found.get(to) ?? 255)) continue;
          found.set(to, sum);
          next[sum] ??= [];
          next[sum].push(to);
        }
      }
    }
    expect(found.size).toBeGreaterThan(50_000);
    for (let cell = 0; cell < floors.length; cell++) {
      const at: Cell = [cell & 255, (cell >> 8) & 255, cell >> 16];
      if (reach.cost(at) !== found.get(cell)) expectSame(reach.cost(at), found.get(cell), `cell ${at}`);
    }
  });

  it('need room, low steps, and drop no farther than a level', () => {
    const made = plain(8);
    const { connections, stepUps, floors } = made.actors[0];
    const closed = cellIndex(2, 2, 0);
    connections.fill(0, 8 * closed, 8 * closed + 8);
    connections[8 * closed] = 9;
    const reach = createPathfinder(made).reach(start);
    // Only crouched, to the east.
    expect([reach.cost([3, 2, 0]), reach.cost([3, 2, 0], true)]).toEqual([undefined, 3]);
    connections[8 * closed] = 15;
    stepUps[8 * closed] = 5;
    expect(createPathfinder(made).reach(start).cost([3, 2, 0])).toBeUndefined();
    stepUps[8 * closed] = 4;
    expect(createPathfinder(made).reach(start).cost([3, 2, 0])).toBe(2);
    floors[cellIndex(2, 2, 0)] = 18;
    expect(createPathfinder(made).reach(start).cost([3, 2, 0])).toBeUndefined();
  });

  it('lead up and down, and fall', () => {
    const made = plain(8);
    const { stepUps, floors, ceilings, connections } = made.actors[0];
    const at = cellIndex(2, 2, 0);
    // Up to the east, onto a floor without an edge to the west.
    stepUps[8 * at] = 0x80 | 2;
    const high = cellIndex(3, 2, 1);
    floors[high] = 1;
    ceilings[high] = 16;
    connections[8 * high] = 15;
    const air = cellIndex(4, 2, 1);
    floors[air] = -15;
    const reach = createPathfinder(made).reach(start);
    expect(reach.cost([3, 2, 1])).toBe(2);
    // Over the edge, it lands in the cell below, in one step.
    expect(reach.way([4, 2, 0])).toEqual(
      [
        { cell: [3, 2, 1], direction: 0 },
        { cell: [4, 2, 0], direction: 0 },
      ].slice(0, 2),
    );
    // If an actor begins in the air, the fall costs nothing.
    const falling = createPathfinder(made).reach([4, 2, 1]);
    expect([falling.cost([4, 2, 0]), falling.way([4, 2, 0])]).toEqual([0, []]);
    expect(FALL).toBe(13);
  });

  it('lead down only where the way back can be made, and no higher than the highest level', () => {
    const made = plain(8, 7);
    const { stepUps, floors, ceilings, connections } = made.actors[0];
    const from: Cell = [2, 2, 7];
    const step = 8 * cellIndex(...from);
    const beside = cellIndex(3, 2, 7);
    const below = cellIndex(3, 2, 6);
    floors[beside] = -3;
    floors[below] = 13;
    ceilings[below] = 32;
    connections[8 * below] = 15;
    const costs = (): (number | undefined)[] => {
      const reach = createPathfinder(made).reach(from, { limit: 1 });
      return [reach.cost([3, 2, 7]), reach.cost([3, 2, 6])];
    };
    // Back, it is a rise of 4 quants, which can be made, then one of 5.
    stepUps[step] = STEP_DOWN;
    stepUps[8 * below + 1] = 4;
    expect(costs()).toEqual([undefined, 2]);
    stepUps[8 * below + 1] = 5;
    expect(costs()).toEqual([undefined, undefined]);
    // There is no level above: it falls over the edge.
    stepUps[step] = STEP_UP;
    expect(costs()).toEqual([undefined, 2]);
  });

  it('go around others that occupy cells, whatever their size', () => {
    const made = plain(12);
    const free = createPathfinder(made).reach(start);
    const held = [3, 1, 0, 1, 3, 2, 0, 2, 2, 2, 0, 1];
    const around = createPathfinder(made).reach(start, { held });
    expect([free.cost([5, 2, 0]), around.cost([5, 2, 0])]).toEqual([6, 11]);
    for (const cell of [
      [3, 1, 0],
      [3, 2, 0],
      [4, 3, 0],
    ] as const)
      expect(around.cost(cell)).toBeUndefined();
    // Two by two cells need more room, and others in the same column on another level are not in the way.
    expect(createPathfinder(made, 2).reach(start, { held }).cost([2, 1, 0])).toBeUndefined();
    expect(
      createPathfinder(made)
        .reach(start, { held: [3, 2, 1, 1] })
        .cost([3, 2, 0]),
    ).toBe(2);
  });

  it('are found far away', () => {
    const finder = createPathfinder(plain(120));
    const reach = createReach();
    expect(finder.reachFar([0, 0, 0], [100, 100, 0], {}, reach)).toBe(false);
    expect(finder.reachFar([0, 0, 0], [60, 70, 0], {}, reach)).toBe(true);
    expect(reach.cost([60, 70, 0])).toBe(200);
    expect(reach.way([60, 70, 0])!.at(-1)!.cell).toEqual([60, 70, 0]);
    expect(finder.reachFar([0, 0, 0], [5, 5, 0], { crouched: true }, reach)).toBe(true);
    expect(reach.cost([5, 5, 0], true)).toBe(20);
  });

  it('are found far away as long as costs cannot wrap around, unless asked for more', () => {
    // A corridor, and a diagonal step into it: 2 and 3 time units a step.
    const made = emptyRouting();
    const { connections, floors, ceilings } = made.actors[0];
    for (const cell of [0, ...Array.from({ length: 256 }, (_, x) => cellIndex(x, 1, 0))]) {
      floors[cell] = 1;
      ceilings[cell] = 16;
      if (cell > 0) connections.fill(15, 8 * cell, 8 * cell + 2);
    }
    connections[4] = 15;
    const finder = createPathfinder(made);
    const reach = createReach();
    expect(finder.reachFar([1, 1, 0], [127, 1, 0], {}, reach)).toBe(true);
    expect(reach.cost([127, 1, 0])).toBe(252);
    expect(finder.reachFar([1, 1, 0], [128, 1, 0], {}, reach)).toBe(false);
    expect(finder.reachFar([1, 1, 0], [128, 1, 0], { limit: 253 }, reach)).toBe(true);
    expect(reach.cost([128, 1, 0])).toBe(254);
    // From 251 on, a step leads to 253.
    expect(finder.reachFar([0, 0, 0], [126, 1, 0], {}, reach)).toBe(true);
    expect(reach.cost([126, 1, 0])).toBe(253);
    expect(finder.reachFar([0, 0, 0], [126, 1, 0], { limit: 251 }, reach)).toBe(false);
  });

  it.each([
    [[146, 138, 1], '000000044000222422420000'],
    [[150, 143, 0], '04004000000024440440040422226'],
  ] as const)(
    'are one of many of the same cost: to %j that which the order of the heap leads to',
    (to, directions) => {
      // As it is where all recorded paths on real maps are the game's.
      const finder = createPathfinder(computeRouting(readUfoai(readEngineMap('ufoai/house.bsp'))));
      const reach = createReach();
      expect(finder.reachFar([128, 128, 0], to, {}, reach)).toBe(true);
      expect(
        reach
          .way(to)!
          .map(({ direction }) => direction)
          .join(''),
      ).toBe(directions);
    },
  );

  it('do not exist in new tables, nor in those of a stance that was not requested', () => {
    const reach = createReach();
    expect([reach.cost([5, 5, 0]), reach.way([5, 5, 0])]).toEqual([undefined, undefined]);
    expect(createPathfinder(plain(20)).reachFar([0, 0, 0], [9, 9, 0], {}, reach)).toBe(true);
    expect([reach.cost([5, 5, 0], true), reach.way([5, 5, 0], true)]).toEqual([undefined, undefined]);
  });

  it('end where costs that have wrapped around lead in a circle', () => {
    const made = emptyRouting();
    const random = createRandom(seedOf(2));
    const { connections } = made.actors[0];
    for (let k = 0; k < 8 * 256 * 256; k++) connections[k] = random() < 0.3 ? 15 : 0;
    const reach = createReach();
    expect(createPathfinder(made).reachFar([128, 128, 0], [0, 0, 7], { limit: 1000 }, reach)).toBe(false);
    let longest = 0;
    for (let cell = 0; cell < 256 * 256; cell++) {
      longest = Math.max(longest, reach.way([cell & 255, cell >> 8, 0])?.length ?? 0);
    }
    expect(longest).toBeGreaterThan(50);
    expect(longest).toBeLessThan(256);
  });

  it('are not searched for in tables that were transferred to another thread', () => {
    const made = plain(4);
    const finder = createPathfinder(made);
    const reach = finder.reach([1, 1, 0]);
    const give = (buffer: ArrayBufferLike): unknown =>
      structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
    give(reach.from[1].buffer);
    const noReach = 'the tables of the reach were transferred';
    expect(() => reach.cost([1, 1, 0])).toThrow(noReach);
    expect(() => reach.way([2, 1, 0])).toThrow(noReach);
    expect(() => finder.reach([1, 1, 0], {}, reach)).toThrow(noReach);
    expect(() => finder.reachFar([1, 1, 0], [2, 1, 0], {}, reach)).toThrow(noReach);
    const world = createUfoaiWorld(house);
    const own = computeRouting(house);
    const rerouter = createRerouter(world, [], own);
    give(made.bytes.buffer);
    give(own.bytes.buffer);
    const actor = { cell: [1, 1, 0] } as const;
    for (const work of [
      () => finder.reach([1, 1, 0]),
      () => finder.reachFar([1, 1, 0], [2, 1, 0]),
      () => finder.standing(),
      () => createPathfinder(made),
      () => encodeRouting(made),
      () => actorSight(world, made, actor, { cell: [2, 1, 0] }),
      () => rerouter.update(),
      () => createRerouter(world, [], own),
    ]) {
      expect(work).toThrow(
        new TypeError('the bytes of the routing were transferred: use them where they are now'),
      );
    }
  });

  it('are not searched for from outside the world, for invalid sizes or into invalid tables', () => {
    const finder = createPathfinder(routing);
    expect(() => finder.reach([256, 0, 0])).toThrow('start[0]');
    expect(() => finder.reach([0, 0, 8])).toThrow('start[2]');
    expect(() => finder.reach(start, { held: [1, 2, 3] })).toThrow(
      'held must be x, y, z and size of each actor, got 3',
    );
    expect(() => finder.reach(start, { held: [[1, 2, 3, 1]] as never })).toThrow('held[0] must be');
    expect(() => finder.reach(start, { held: [1, 2, 3, 3] })).toThrow('held[3] must be 1 or 2');
    expect(() => finder.reach(start, {}, {} as never)).toThrow(TypeError);
    expect(() => finder.reachFar(start, [1, 1, -1])).toThrow('target[2]');
    // The game's search for one cell ignores others.
    const held = [140, 131, 0, 1];
    expect(() => finder.reachFar(start, [1, 1, 0], { held } as never)).toThrow(
      "there is no option 'held' here",
    );
    expect(() => createPathfinder(routing, 3 as never)).toThrow('size must be 1 or 2');
    expect(() => createPathfinder({} as never)).toThrow(TypeError);
  });
});
