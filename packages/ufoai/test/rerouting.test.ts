import { createHash } from 'node:crypto';
import { boxBrush, compileMap, parseMap } from '@bspkit/compile';
import { BspError } from '@bspkit/core';
import { compileFixture, fixtureText } from '@bspkit/fixtures';
import { readRealMap, realMapNames, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { createRandom } from '@bspkit/geometry';
import { expectSame } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  computeRouting,
  createPathfinder,
  createRerouter,
  createRoutingWork,
  createUfoaiWorld,
  decodeRouting,
  encodeRouting,
  joinRouting,
  joinRoutingParts,
  readRouting,
  readUfoai,
  type UfoaiFile,
  type UfoaiModel,
  type UfoaiRouting,
  UfoaiWorld,
  worldToCell,
} from '../src/index.ts';
import { originOfWorld } from '../src/routing/origin.ts';
import { Probe } from '../src/routing/probe.ts';
import { columnsOf, Router, SIZES } from '../src/routing/router.ts';
import { CONNECTIONS, cellIndex, DX, DY, FLOORS, UfoaiRouting as Table } from '../src/routing/table.ts';
import { type TreeSpec, writeMap } from './writer.ts';

/** Node's own: tables have 19 MB. */
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const house = readUfoai(compileFixture('house', 'ufoai').bytes);
const houseTable = computeRouting(house);
/** The house, with the table that the compiler leaves to a function. */
const withTable: UfoaiFile = {
  ...house,
  lumps: { ...house.lumps, routing: encodeRouting(houseTable) },
};

const same = (a: UfoaiRouting, b: UfoaiRouting): boolean =>
  Buffer.compare(a.bytes, b.bytes) === 0 && `${a.mins} ${a.maxs}` === `${b.mins} ${b.maxs}`;

/** How many of some bytes are others there. Without a function for each: a table has 19 million. */
function countOthers(bytes: ArrayLike<number>, there: ArrayLike<number>): number {
  let count = 0;
  for (let k = 0; k < bytes.length; k++) if (bytes[k] !== there[k]) count++;
  return count;
}

/** How many of some bytes are not 0. */
function countSet(bytes: ArrayLike<number>): number {
  let count = 0;
  for (let k = 0; k < bytes.length; k++) if (bytes[k] !== 0) count++;
  return count;
}

/** Numbers, one of which is greater than it was. */
function withOne<T extends Float32Array | Int32Array>(numbers: T, by: number): T {
  const edited = numbers.slice() as T;
  edited[7]! += by;
  return edited;
}

/** The whole table of a world with models where they are. */
function recompute(world: UfoaiWorld, models: readonly UfoaiModel[], like: UfoaiRouting): UfoaiRouting {
  const table = new Table(like.mins, like.maxs, new Uint8Array(like.bytes.length), originOfWorld(world));
  const router = new Router(new Probe(world, { bodies: models.map(({ _body }) => _body) }), table.bytes);
  const { minX, minY, maxX, maxY } = columnsOf(like.mins, like.maxs);
  const each = (visit: (size: 1 | 2, x: number, y: number) => void): void => {
    for (const size of SIZES) {
      for (let y = minY; y <= maxY - (size - 1); y++) {
        for (let x = minX; x <= maxX - (size - 1); x++) visit(size, x, y);
      }
    }
  };
  each((size, x, y) => router.floors(size, x, y));
  each((size, x, y) => {
    for (let direction = 0; direction < 8; direction++) router.steps(size, x, y, direction);
  });
  return table;
}

/** The house without doors, with a table. Its walls only have the second level, though they stand on the first. */
function highWalls(): UfoaiFile {
  const text = fixtureText('house').replaceAll('house/wall 0 0 0 1 1 65281', 'house/wall 0 0 0 1 1 513');
  const entities = parseMap(text).entities.slice(0, 1);
  const file = readUfoai(compileMap({ entities }, { format: 'ufoai' }).bytes);
  return { ...file, lumps: { ...file.lumps, routing: encodeRouting(computeRouting(file)) } };
}

/** A floor far below the lowest level, with light clip above: the compiler's stray bytes overwrite connections of its own rows. */
function deep(): UfoaiFile {
  const boxes = [
    { corners: [0, 3584, -120, 640, 4096, -90], contents: 0x10001 },
    { corners: [0, 3584, 0, 640, 4096, 60], contents: 0x80000 },
  ] as const;
  const planes = boxes.flatMap(({ corners }) =>
    corners.map((dist, k): [number, number, number, number] => [
      k % 3 === 0 ? 1 : 0,
      k % 3 === 1 ? 1 : 0,
      k % 3 === 2 ? 1 : 0,
      dist,
    ]),
  );
  const brushes = boxes.map(({ contents }, box) => ({
    contents,
    sides: [0, 1, 2, 3, 4, 5].map((k) => 2 * (6 * box + k) + (k < 3 ? 1 : 0)),
  }));
  const bounds = [0, 3584, -120, 640, 4096, 60] as const;
  const outside: TreeSpec = { contents: 0, brushes: [] };
  const [floor, above] = boxes.map(({ contents }, box) => {
    let tree: TreeSpec = { contents, brushes: [box] };
    for (let k = 0; k < 6; k++) {
      const inside: TreeSpec = tree;
      const isLow = k < 3;
      tree = { plane: 6 * box + k, front: isLow ? inside : outside, back: isLow ? outside : inside, bounds };
    }
    return tree;
  });
  return readUfoai(writeMap({ planes, brushes, models: { 256: above!, 258: floor! }, bounds }));
}

/** A box of all levels, as text. */
function boxText(
  [x0, y0, z0]: readonly (number | undefined)[],
  [x1, y1, z1]: readonly (number | undefined)[],
): string {
  const sides = [
    `( ${x0} ${y0} ${z1} ) ( ${x0} ${y0} ${z0} ) ( ${x0} ${y1} ${z0} )`,
    `( ${x1} ${y1} ${z1} ) ( ${x1} ${y1} ${z0} ) ( ${x1} ${y0} ${z0} )`,
    `( ${x1} ${y0} ${z1} ) ( ${x1} ${y0} ${z0} ) ( ${x0} ${y0} ${z0} )`,
    `( ${x0} ${y1} ${z1} ) ( ${x0} ${y1} ${z0} ) ( ${x1} ${y1} ${z0} )`,
    `( ${x0} ${y1} ${z0} ) ( ${x0} ${y0} ${z0} ) ( ${x1} ${y0} ${z0} )`,
    `( ${x0} ${y0} ${z1} ) ( ${x0} ${y1} ${z1} ) ( ${x1} ${y1} ${z1} )`,
  ];
  return `{\n${sides.map((side) => `${side} house/wall 0 0 0 1 1 65281 0 0`).join('\n')}\n}`;
}

/** A pit, deeper than a level, under a cover that can break; its corner is at x and y. */
function pit(x: number, y: number): UfoaiFile {
  const move = ([ax, ay, az]: readonly number[]): number[] => [ax! + x, ay! + y, az!];
  const brush = (mins: readonly number[], maxs: readonly number[]): string => boxText(move(mins), move(maxs));
  const world = [
    brush([0, 0, -108], [512, 512, -100]),
    brush([0, 0, -100], [192, 512, 4]),
    brush([320, 0, -100], [512, 512, 4]),
    brush([192, 0, -100], [320, 128, 4]),
    brush([192, 256, -100], [320, 512, 4]),
  ];
  const cover = brush([192, 128, 0], [320, 256, 4]);
  const text = `{\n"classname" "worldspawn"\n${world.join('\n')}\n}\n{\n"classname" "func_breakable"\n${cover}\n}\n`;
  return readUfoai(compileMap(parseMap(text), { format: 'ufoai' }).bytes);
}

it('a table is computed for floors below all levels as the game does it: the top level has no ceiling there', () => {
  const parts = [
    boxText([0, 0, -108], [512, 512, -100]),
    boxText([0, 0, -100], [64, 64, 4]),
    boxText([448, 448, -100], [512, 512, 4]),
  ];
  const text = `{\n"classname" "worldspawn"\n${parts.join('\n')}\n}\n`;
  const table = computeRouting(readUfoai(compileMap(parseMap(text), { format: 'ufoai' }).bytes));
  const { floors, ceilings } = table.actors[0]!;
  const [x, y] = worldToCell([256, 256, 0]);
  const found = Array.from({ length: 8 }, (_, level) => cellIndex(x, y, level)).map((cell) => [
    floors[cell],
    ceilings[cell],
  ]);
  // In quarters of 16 units: the floor is at -25, the sky at 128. The game writes them from level -1, which is before its tables.
  const seven = Array.from({ length: 7 }, (_, level) => [-25 - 16 * level, 128 - 16 * level]);
  expect(found).toEqual([...seven, [128 + 16 - 256, 0]]);
});

it('a table of nothing is one all the same', () => {
  const bounds = [0, 0, 0, 64, 64, 64] as const;
  const planes = [0, 0, 0, 64, 64, 64].map((dist, k): [number, number, number, number] => [
    k % 3 === 0 ? 1 : 0,
    k % 3 === 1 ? 1 : 0,
    k % 3 === 2 ? 1 : 0,
    dist,
  ]);
  // There is a brush, but no leaf has it.
  const brushes = [{ contents: 0x10001, sides: [1, 3, 5, 6, 8, 10] }];
  const leaf: TreeSpec = { contents: 0, brushes: [] };
  const models = { 0: { plane: 0, front: leaf, back: leaf, bounds } };
  const file = readUfoai(writeMap({ planes, brushes, models, bounds }));
  const table = computeRouting(file);
  expect([table.mins, table.maxs]).toEqual([Int32Array.of(0, 0, 0), Int32Array.of(1, 1, 1)]);
  expect(same(decodeRouting(encodeRouting(table)), table)).toBe(true);
  const work = createRoutingWork(file);
  expect(same(joinRoutingParts([work.part(0, work.rows)]), table)).toBe(true);
});

it.each([0, 1, 2, 3])('a table has the openings in walls, up to the one below the ceiling: %d', (number) => {
  const [low, high] = [4 + 24 * number, 28 + 24 * number];
  const boxes = [
    [0, 0, 0, 256, 256, 4],
    [0, 0, 100, 256, 256, 132],
    [126, 0, 0, 130, 256, low],
    [126, 0, high, 130, 256, 132],
  ];
  const text = boxes.map((box) => boxText(box.slice(0, 3), box.slice(3))).join('\n');
  const map = parseMap(`{\n"classname" "worldspawn"\n${text}\n}\n`);
  const { connections } = computeRouting(readUfoai(compileMap(map, { format: 'ufoai' }).bytes)).actors[0]!;
  // From the cell before the wall, and back; in quarters of 16 units.
  const [x, y] = worldToCell([100, 100, 0]);
  expect([connections[8 * cellIndex(x, y, 0)], connections[8 * cellIndex(x + 1, y, 0) + 1]]).toEqual([6, 6]);
});

/** A room of 16 by 16 cells and two levels, open to the sides: steps, ledges, shelves and holes in walls, drawn by a seed. */
function furnished(seed: number, x: number, y: number, level: number): UfoaiFile {
  const random = createRandom(seedOf(seed));
  const below = (count: number): number => Math.floor(random() * count);
  const boxes = [
    [0, 0, 0, 512, 512, 4],
    [0, 0, 120, 512, 512, 128],
  ];
  for (let k = 0; k < 40; k++) {
    const [u, v, low] = [32 * below(15), 32 * below(15), below(3) === 0 ? 4 * below(28) : 0];
    const width = 8 * (1 + below(8));
    boxes.push([u, v, low, u + width, v + 8 * (1 + below(8)), low + 4 * (1 + below(low === 0 ? 20 : 4))]);
  }
  const brushes = boxes.map((numbers) => {
    const placed = numbers.map((at, k) => at + [32 * x, 32 * y, 64 * level][k % 3]!);
    return boxText(placed.slice(0, 3), placed.slice(3));
  });
  const text = `{\n"classname" "worldspawn"\n${brushes.join('\n')}\n}\n`;
  return readUfoai(compileMap(parseMap(text), { format: 'ufoai' }).bytes);
}

it.each([1, 2, 3])('a table is the same wherever a map lies, up to the edges of the world (%d)', (seed) => {
  /** What the table says inside the room, away from what lies around it. */
  const insideOf = (x: number, y: number, level: number): number[][] =>
    computeRouting(furnished(seed, x, y, level)).actors.map(
      ({ stepUps, connections, floors, ceilings }, large) => {
        const found: number[] = [];
        for (let z = 0; z < 2; z++) {
          for (let v = 0; v < 16 - large; v++) {
            for (let u = 0; u < 16 - large; u++) {
              const cell = cellIndex(128 + x + u, 128 + y + v, level + z);
              found.push(floors[cell]!, ceilings[cell]!);
              for (let direction = 0; direction < 8; direction++) {
                const [to, beside] = [u + DX[direction]!, v + DY[direction]!];
                if (Math.min(to, beside) < 0 || Math.max(to, beside) > 15 - large) continue;
                found.push(stepUps[8 * cell + direction]!, connections[8 * cell + direction]!);
              }
            }
          }
        }
        return found;
      },
    );
  const middle = insideOf(0, 0, 2);
  expect(new Set(middle[0]).size).toBeGreaterThan(30);
  for (const [x, y, level] of [
    [112, -128, 0],
    [-128, 112, 3],
    [3, 5, 6],
  ] as const) {
    expect(insideOf(x, y, level)).toEqual(middle);
  }
});

describe('a table worked out in parts', () => {
  it.each(['house', 'deep'])('is the same bytes, however it is divided: %s', (name) => {
    const file = name === 'house' ? house : deep();
    const whole = name === 'house' ? houseTable : computeRouting(file);
    const work = createRoutingWork(file);
    expect([work.mins, work.maxs]).toEqual([whole.mins, whole.maxs]);
    for (const count of [1, 5, work.rows]) {
      const parts: Uint8Array[] = [];
      for (let first = 0; first < work.rows; first += count) {
        parts.push(work.part(first, Math.min(count, work.rows - first)));
      }
      expect(same(joinRoutingParts(parts.reverse()), whole)).toBe(true);
    }
    if (name === 'deep') {
      // What the compiler writes to the wrong place is there: floors among the connections.
      expect(whole.bytes.subarray(CONNECTIONS, FLOORS).some((byte) => byte >= 128)).toBe(true);
    }
  });

  it('has the same bytes in a part, whatever was worked out before', () => {
    const file = deep();
    const work = createRoutingWork(file);
    const firsts = Array.from({ length: work.rows - 1 }, (_, k) => k);
    const fresh = firsts.map((first) => createRoutingWork(file).part(first, 2));
    for (const first of [...firsts, ...[...firsts].reverse()]) {
      expect(countOthers(work.part(first, 2), fresh[first]!)).toBe(0);
    }
  });

  it('is refused if parts are missing, of another map, or invalid', () => {
    const work = createRoutingWork(house);
    const [a, b] = [work.part(0, 3), work.part(3, work.rows - 3)];
    // All of its header, for no rows.
    const none = a.slice(0, 64);
    new DataView(none.buffer).setInt32(28, 0, true);
    const broken: readonly (readonly [Uint8Array[], RegExp])[] = [
      [[a], /row 3 is missing/],
      [[b], /row 0 does not come exactly once/],
      [[a, a, b], /row 3 does not come exactly once/],
      [[a, b.subarray(1)], /lies outside the grid|does not consist of rows of a table/],
      [[a, b.subarray(0, -1)], /part 1 does not consist of rows of a table/],
      [[new Uint8Array(4)], /part 0 has no head/],
      [[a, b, none], /part 2 does not consist of rows of a table/],
      [[a, createRoutingWork(deep()).part(0, 1)], /has rows of different maps/],
    ];
    for (const [parts, message] of broken) {
      expect(() => joinRoutingParts(parts)).toThrow(BspError);
      expect(() => joinRoutingParts(parts)).toThrow(message);
    }
    expect(() => joinRoutingParts([])).toThrow('parts must be one or more');
    expect(() => joinRoutingParts([1] as never)).toThrow('parts[0] must be a Uint8Array');
    expect(() => work.part(work.rows, 1)).toThrow('first must be');
    expect(() => work.part(0, work.rows + 1)).toThrow('count must be');
    expect(() => createRoutingWork({} as never)).toThrow(TypeError);
  });
});

describe('tables side by side', () => {
  it.each([
    [
      [1024, 0, 0],
      [1024, 255, 7],
    ],
    [
      [300, 0, 0],
      [200, 255, 7],
    ],
    [
      [0, 1000, -1000],
      [255, 1024, 1024],
    ],
    [
      [-1024, -1024, -1024],
      [1024, 1024, 1024],
    ],
  ])('are joined whatever cells they claim to have: %j to %j', (mins, maxs) => {
    const claimed = new Table(Int32Array.from(mins), Int32Array.from(maxs), houseTable.bytes);
    const tile = { ...house, lumps: { ...house.lumps, routing: encodeRouting(claimed) } };
    for (const x of [-127, 0, 127]) {
      const world = createUfoaiWorld([{ file: withTable }, { file: tile, x, y: 0, z: 7 }]);
      expect(joinRouting(world, [withTable, tile]).bytes).toHaveLength(houseTable.bytes.length);
    }
  });

  it('are refused if they claim to reach far beyond any map', () => {
    const claimed = new Table(Int32Array.of(2e9, 0, 0), houseTable.maxs, houseTable.bytes);
    const tile = { ...house, lumps: { ...house.lumps, routing: encodeRouting(claimed) } };
    expect(() => readRouting(tile)).toThrow('ufoai: routing: bounds reach to cell 2000000000');
  });
});

describe('doors', () => {
  const world = createUfoaiWorld(house);
  const models = world.models();
  const bare = recompute(world, [], houseTable);
  const copy = (): UfoaiRouting => new Table(bare.mins, bare.maxs, bare.bytes.slice(), bare._origin);

  it('are in the way where they are, as if the whole table were computed with them', () => {
    const rerouter = createRerouter(world, models, copy());
    const poses: readonly (readonly (readonly [number, object])[])[] = [
      [],
      [
        [0, { angles: [0, 45, 0] }],
        [1, { angles: [0, -90, 0] }],
      ],
      // Above the house, and off the map.
      [
        [0, { origin: [0, 0, 300] }],
        [1, { origin: [9999, 0, 0] }],
        [2, { origin: [-700, 0, 0] }],
      ],
    ] as never;
    const seen = new Set<string>();
    for (const pose of poses) {
      for (const [model, at] of pose) models[model]!.place(at);
      const moved = rerouter.update();
      expect(moved).toBe(pose.length === 0 ? models.length : pose.length);
      const whole = recompute(world, models, bare);
      expect(same(rerouter.routing, whole)).toBe(true);
      seen.add(Buffer.from(encodeRouting(whole)).toString('base64'));
      expect(rerouter.update()).toBe(0);
    }
    expect(seen.size).toBe(poses.length);
  });

  // The door as it is built, with the middle of its hinge if it has one; its pose; and a wall in its place.
  it.each([
    ['as built', [240, 180, 248, 276], undefined, {}, [240, 180, 248, 276]],
    ['slid', [240, 180, 248, 276], undefined, { origin: [0, 96, 0] }, [240, 276, 248, 372]],
    ['turned on a hinge', [240, 180, 248, 276], [244, 184], { angles: [0, 90, 0] }, [152, 180, 248, 188]],
    ['wide, turned', [240, 180, 248, 440], [244, 184], { angles: [0, -90, 0] }, [240, 180, 500, 188]],
    [
      'turned around a point far away',
      [240, -276, 248, -180],
      undefined,
      { angles: [0, 90, 0] },
      [180, 240, 276, 248],
    ],
  ] as const)('are in the way as a wall in their place is, by default: %s', (_, door, hinge, pose, wall) => {
    const upright = ([x0, y0, x1, y1]: readonly number[]): string => boxText([x0, y0, 0], [x1, y1, 64]);
    const room = [
      boxText([0, 0, -16], [512, 512, 0]),
      upright([0, 0, 512, 8]),
      upright([0, 504, 512, 512]),
      upright([240, 8, 248, 180]),
    ].join('\n');
    const compile = (walls: string, model = ''): UfoaiFile => {
      const text = `{\n"classname" "worldspawn"\n${walls}\n}\n${model}`;
      const file = readUfoai(compileMap(parseMap(text), { format: 'ufoai' }).bytes);
      return { ...file, lumps: { ...file.lumps, routing: encodeRouting(computeRouting(file)) } };
    };
    const origin = hinge
      ? boxText([hinge[0] - 4, hinge[1] - 4, 28], [hinge[0] + 4, hinge[1] + 4, 36]).replaceAll(
          'house/wall 0 0 0 1 1 65281',
          'tex_common/origin 0 0 0 1 1 65280',
        )
      : '';
    const doors = compile(room, `{\n"classname" "func_door"\n${upright(door)}\n${origin}\n}\n`);
    const walls = compile(`${room}\n${upright(wall)}`);
    // Where a door that is built in place turns around depends on where its tile is.
    const places = hinge || !('angles' in pose) ? [0, 20] : [0];
    for (const x of places) {
      const [open, built] = [doors, walls].map((file) => createUfoaiWorld([{ file, x }]));
      const [table, wanted] = [joinRouting(open!, [doors]), joinRouting(built!, [walls])];
      const model = open!.model(1).place(pose);
      createRerouter(open!, [model], table).update();
      // On the level where there is anything: above it, joined tables have nothing.
      const lowest = ({ actors }: UfoaiRouting): Uint8Array[] =>
        actors.flatMap(({ connections, floors, stepUps }) => [
          connections.slice(0, 8 * 256 * 256),
          stepUps.slice(0, 8 * 256 * 256),
          Uint8Array.from(floors.subarray(0, 256 * 256)),
        ]);
      const expected = lowest(wanted);
      const differences = lowest(table).map((bytes, part) => countOthers(bytes, expected[part]!));
      expect(differences).toEqual([0, 0, 0, 0, 0, 0]);
    }
  });

  it('close a path that leads through them', () => {
    const fresh = createUfoaiWorld(withTable);
    const door = fresh.model(1);
    const routing = readRouting(withTable);
    const finder = createPathfinder(routing);
    // In front of the door, and behind it.
    const [outside, inside] = [
      [140, 130, 0],
      [140, 132, 0],
    ] as const;
    const cost = (): number | undefined => finder.reach(outside, { limit: 8 }).cost(inside);
    const free = cost();
    const rerouter = createRerouter(fresh, [door], routing);
    expect(rerouter.update()).toBe(1);
    const closed = cost();
    door.place({ angles: [0, 90, 0] });
    rerouter.update();
    expect([free, closed, cost()]).toEqual([4, undefined, 4]);
  });

  it.each([
    ['somewhere', 0, 0],
    // Its floor is written among the connections of its own map.
    ['at the end of the world', 320, 3584],
  ])(
    'that cover a pit deeper than a level leave nothing of it when they break, and it nothing of them: %s',
    (_, x, y) => {
      const file = pit(x, y);
      const deep = createUfoaiWorld(file);
      const [cover] = deep.models();
      const rerouter = createRerouter(deep, [cover!], computeRouting(file));
      let before: Uint8Array = rerouter.routing.bytes.slice();
      for (const z of [0, 9999, -20, 9999]) {
        cover!.place({ origin: [0, 0, z] });
        rerouter.update();
        const whole = recompute(deep, [cover!], rerouter.routing);
        expect(same(rerouter.routing, whole)).toBe(true);
        expect(Buffer.compare(whole.bytes, before)).not.toBe(0);
        before = whole.bytes;
      }
    },
  );

  it('are computed again on all levels where a floor below all of them has overwritten the highest', () => {
    // Under strips that feet fit between, but not shoulders, at the bottom of a level: what is written for it is 0.
    const strips = Array.from({ length: 12 }, (_, k) => [76 + 32 * k, 64, -64, 88 + 32 * k, 448, -60]);
    const boxes = [
      [0, 0, -120, 512, 512, -92],
      [0, 0, -92, 64, 64, 4],
      [448, 448, -92, 512, 512, 4],
      [144, 96, 248, 208, 200, 268],
      ...strips,
    ];
    const walls = boxes.map((box) => boxText(box.slice(0, 3), box.slice(3))).join('\n');
    const plate = boxText([96, 112, 12], [208, 160, 40]);
    const text = `{\n"classname" "worldspawn"\n${walls}\n}\n{\n"classname" "func_breakable"\n${plate}\n}\n`;
    const file = readUfoai(compileMap(parseMap(text), { format: 'ufoai' }).bytes);
    const deep = createUfoaiWorld(file);
    const [model] = deep.models();
    const rerouter = createRerouter(deep, [model!], computeRouting(file));
    for (const z of [350, 440, 460, 9999, 450, 9999]) {
      model!.place({ origin: [0, 0, z] });
      rerouter.update();
      const whole = recompute(deep, [model!], rerouter.routing);
      expect(countOthers(rerouter.routing.bytes, whole.bytes), `at ${z}`).toBe(0);
    }
  });

  it.each(['auto', 'js'] as const)(
    'leave what is in the way below all levels, where tiles have no cells: %s',
    (kernel) => {
      // Feet fit between these strips, but not shoulders.
      const strips = Array.from({ length: 12 }, (_, k) => [81 + 32 * k, 64, -48, 87 + 32 * k, 448, -42]);
      const boxes = [
        [0, 0, -117, 512, 512, -62],
        [0, 0, -62, 64, 64, 4],
        [448, 448, -62, 512, 512, 4],
        ...strips,
      ];
      const walls = boxes.map((box) => boxText(box.slice(0, 3), box.slice(3))).join('\n');
      const plate = boxText([96, 112, 12], [400, 400, 40]);
      const text = `{\n"classname" "worldspawn"\n${walls}\n}\n{\n"classname" "func_breakable"\n${plate}\n}\n`;
      const file = readUfoai(compileMap(parseMap(text), { format: 'ufoai' }).bytes);
      const world = createUfoaiWorld(file, { kernel });
      const [model] = world.models();
      const whole = computeRouting(file);
      const rerouter = createRerouter(world, [model!], computeRouting(file));
      rerouter.update();
      expect(countOthers(rerouter.routing.bytes, whole.bytes)).toBeGreaterThan(0);
      model!.place({ origin: [0, 0, 9999] });
      rerouter.update();
      expect(countOthers(rerouter.routing.bytes, whole.bytes)).toBe(0);
    },
  );

  it('are computed again where one stands at the very bottom of the highest level', () => {
    const [slab, crate] = [boxText([0, 0, 440], [256, 256, 448]), boxText([96, 96, 448], [160, 160, 480])];
    const text = `{\n"classname" "worldspawn"\n${slab}\n}\n{\n"classname" "func_breakable"\n${crate}\n}\n`;
    const file = readUfoai(compileMap(parseMap(text), { format: 'ufoai' }).bytes);
    const world = createUfoaiWorld(file);
    const [model] = world.models();
    const rerouter = createRerouter(world, [model!], computeRouting(file));
    for (const z of [0, 9999, 0, 9999]) {
      model!.place({ origin: [0, 0, z] });
      rerouter.update();
      expect(same(rerouter.routing, recompute(world, [model!], rerouter.routing))).toBe(true);
      // In quarters of 16 units: on the crate, or on the slab.
      const [x, y] = worldToCell([112, 112, 0]);
      expect(rerouter.routing.actors[0]!.floors[cellIndex(x, y, 7)]).toBe(z === 0 ? 8 : 0);
    }
  });

  it('leave the walls of a raised tile, whose brushes keep their levels', () => {
    // Walls that only have the first level; the house's have all.
    const text = fixtureText('house').replaceAll('house/wall 0 0 0 1 1 65281', 'house/wall 0 0 0 1 1 257');
    const walls = readUfoai(compileMap(parseMap(text), { format: 'ufoai' }).bytes);
    const file = { ...walls, lumps: { ...walls.lumps, routing: encodeRouting(computeRouting(walls)) } };
    for (const z of [0, 1]) {
      const raised = createUfoaiWorld([{ file, x: 0, y: 0, z }]);
      const routing = joinRouting(raised, [file]);
      const finder = createPathfinder(routing);
      const costs = (): (number | undefined)[] => {
        const cells = [...finder.standing()];
        return cells.flatMap((from, k) => {
          if (k % 16 > 0) return [];
          const reach = finder.reach(from, { limit: 24 });
          return cells.map((to) => reach.cost(to));
        });
      };
      const alone = costs();
      const doors = raised.models();
      const rerouter = createRerouter(raised, doors, routing);
      rerouter.update();
      for (const door of doors) door.place({ origin: [0, 0, 9999] });
      rerouter.update();
      expect(costs()).toEqual(alone);
    }
  });

  it('must be of the world, and the table a table', () => {
    const other = createUfoaiWorld(house);
    expect(() => createRerouter(world, [other.model(1)], bare)).toThrow(
      'models[0] must be of the same world, got one of another',
    );
    expect(() => createRerouter({} as never, [], bare)).toThrow('world must be a UfoaiWorld');
    expect(() => createRerouter(world, 1 as never, bare)).toThrow(TypeError);
    expect(() => createRerouter(world, [], {} as never)).toThrow(TypeError);
  });

  const foreign = new TypeError('routing must be the table of the world, got that of another map');
  const arena = readUfoai(compileFixture('arena', 'ufoai').bytes);

  it('are, of an assembly of one tile, those of the tile up to its highest level', () => {
    const { mins, maxs, actors } = joinRouting(world, [withTable]);
    expect([mins, maxs]).toEqual([houseTable.mins, houseTable.maxs]);
    const top = cellIndex(0, 0, maxs[2]! + 1);
    let above = 0;
    for (const [size, joined] of actors.entries()) {
      const own = houseTable.actors[size]!;
      for (const [name, width] of [
        ['stepUps', 8],
        ['connections', 8],
        ['floors', 1],
        ['ceilings', 1],
      ] as const) {
        expectSame(joined[name].subarray(0, width * top), own[name].subarray(0, width * top));
        expect(countSet(joined[name].subarray(width * top))).toBe(0);
        above += countSet(own[name].subarray(width * top));
      }
    }
    // As the compiler leaves it. The game drops it when it loads a map, alone or not.
    expect(above).toBeGreaterThan(100);
    expectSame(
      createPathfinder(joinRouting(world, [withTable])).standing(),
      createPathfinder(houseTable).standing(),
    );
  });

  it.each([
    [
      'side by side',
      [0, 0, 0],
      [20, 2, 0],
      '36ba986504ba7e012417dca04de4bf691473d032c6fd0f6e15d3cc7c09671d4a',
    ],
    ['raised', [0, 0, 1], [20, 3, 2], '5f3dcdfb5da004709afeb4c8126b29e95b94c7d642ab2fa5fc00ca010c653328'],
  ] as const)(
    'are joined as the game joins them, which takes levels from heights: two tiles %s',
    (_, first, second, table) => {
      const file = highWalls();
      const tiles = [first, second].map(([x, y, z]) => ({ file, x, y, z }));
      const joined = joinRouting(createUfoaiWorld(tiles), [file, file]);
      // Of the table in the memory of the game's server (2.5).
      expect(sha256(joined.bytes)).toBe(table);
    },
  );

  it("are as in the game's server, with compat: 'engine'", () => {
    // Walls that only have the second level, which the server finds where it looks at that, not on the first.
    const text = fixtureText('house').replaceAll('house/wall 0 0 0 1 1 65281', 'house/wall 0 0 0 1 1 513');
    const walls = readUfoai(compileMap(parseMap(text), { format: 'ufoai' }).bytes);
    const file = { ...walls, lumps: { ...walls.lumps, routing: encodeRouting(computeRouting(walls)) } };
    const map = createUfoaiWorld(file);
    const doors = map.models();
    const own = joinRouting(map, [file]);
    const { bytes } = own;
    const rerouter = createRerouter(map, doors, own, { compat: 'engine' });
    const tables: string[] = [];
    const update = (): void => {
      expect(rerouter.update()).toBe(tables.length === 0 ? doors.length : 1);
      tables.push(sha256(bytes).slice(0, 16));
    };
    update();
    for (const door of doors) {
      const [x, y, z] = door.origin;
      door.place({ origin: [x! + 24, y! + 16, z! + 8] });
      update();
    }
    for (const door of doors) {
      door.place({ angles: [0, 30 * door.number, 0] });
      update();
    }
    // Broken, and back.
    doors[0]!.place({ origin: [0, 0, 9999] });
    update();
    doors[2]!.place({ origin: [0, 0, 0], angles: [0, 0, 0] });
    update();
    // Of what the server (2.5) then had in memory.
    expect(tables).toEqual([
      'b7990bf399f11f31',
      'a620657e9fe37f99',
      'ef76a209a9608d0a',
      '6eac21ab476cd9bd',
      '21d2e27c4cda9525',
      '8af6cd31d81af09e',
      'a8b1de24530c1a88',
      '1ff2de970aa6fd18',
      '7fa3c5c64704c890',
    ]);
  });

  it('are not put into the table of another map', () => {
    for (const own of [houseTable, readRouting(withTable), joinRouting(world, [withTable])]) {
      expect(() => createRerouter(world, [], own)).not.toThrow();
      expect(() => createRerouter(UfoaiWorld.from(world.data), [], own)).not.toThrow();
      expect(() => createRerouter(createUfoaiWorld(arena), [], own)).toThrow(foreign);
      // The same tile elsewhere, twice, or with another.
      expect(() => createRerouter(createUfoaiWorld([{ file: house, x: 3 }]), [], own)).toThrow(foreign);
      const twice = createUfoaiWorld([{ file: house }, { file: house, x: 30 }]);
      expect(() => createRerouter(twice, [], own)).toThrow(foreign);
    }
    const tiles = [{ file: withTable }, { file: withTable, x: 24 }];
    const files = [withTable, withTable];
    const joined = joinRouting(createUfoaiWorld(tiles), files);
    expect(() => createRerouter(createUfoaiWorld(tiles), [], joined)).not.toThrow();
    expect(() => createRerouter(createUfoaiWorld([...tiles].reverse()), [], joined)).toThrow(foreign);
    expect(() => createRerouter(world, [], joined)).toThrow(foreign);
  });

  /** The same map but for one brush, which nobody meets. */
  const oneBrush = { ...house, brushes: { ...house.brushes, contents: withOne(house.brushes.contents, 1) } };

  it('are not put into the table of a map that differs in one brush', () => {
    for (const edit of [
      { brushes: { ...house.brushes, contents: withOne(house.brushes.contents, 1) } },
      { planes: { ...house.planes, dists: withOne(house.planes.dists, 1) } },
      { planes: { ...house.planes, normals: withOne(house.planes.normals, -1) } },
      { sides: { ...house.sides, planes: withOne(house.sides.planes, 2) } },
    ]) {
      const edited = { ...withTable, ...edit };
      expect(() => createRerouter(world, [], readRouting(edited))).toThrow(foreign);
      expect(() => joinRouting(world, [edited])).toThrow(
        'files[0] must be the file of tile 0, got that of another map',
      );
    }
  });

  it('are put into tables made from bytes that say which map they are of', () => {
    const tiles = createUfoaiWorld([{ file: withTable }, { file: withTable, x: 24 }]);
    const joined = joinRouting(tiles, [withTable, withTable]);
    const decoded = decodeRouting(encodeRouting(houseTable, { map: true }));
    const work = createRoutingWork(house);
    const parts = [work.part(3, work.rows - 3), work.part(0, 3)];
    for (const own of [decoded, joinRoutingParts(parts)]) {
      expect(same(own, houseTable)).toBe(true);
      expect(() => createRerouter(world, [], own)).not.toThrow();
      // Its cells all lie in the others too.
      expect(() => createRerouter(tiles, [], own)).toThrow(foreign);
      expect(() => createRerouter(createUfoaiWorld(oneBrush), [], own)).toThrow(foreign);
    }
    expect(() =>
      createRerouter(tiles, [], decodeRouting(encodeRouting(joined, { map: true }), tiles)),
    ).not.toThrow();
  });

  it('are not put into tables that do not say which map they are of', () => {
    const silent = decodeRouting(encodeRouting(houseTable));
    expect(() => createRerouter(world, [], silent)).toThrow(
      'routing must be the table of the world, got one that does not say which map it is of',
    );
    expect(() => encodeRouting(silent, { map: true })).toThrow(TypeError);
  });

  it('of other maps are refused where tables are decoded', () => {
    const broken = (problem: string): unknown =>
      expect.objectContaining({ name: 'BspError', code: 'value', message: `ufoai: routing: ${problem}` });
    const saved = encodeRouting(houseTable, { map: true });
    const lump = encodeRouting(houseTable);
    expect(saved.subarray(0, lump.length)).toEqual(lump);
    for (const map of [world, house, withTable]) {
      expect(same(decodeRouting(saved, map), houseTable)).toBe(true);
      expect(() => decodeRouting(lump, map)).toThrow(broken('does not say which map it is of'));
    }
    for (const map of [arena, oneBrush, createUfoaiWorld([{ file: house, x: 3 }])])
      expect(() => decodeRouting(saved, map)).toThrow(broken('is the table of another map'));
    expect(() => decodeRouting(saved, {} as never)).toThrow(
      'map must be a UfoaiWorld, or what readUfoai has read, got an object',
    );
    // What is behind the end, and cells outside the grid.
    for (const bytes of [
      Buffer.concat([saved, Uint8Array.of(0)]),
      saved.subarray(0, -1),
      saved.subarray(0, -5),
    ])
      expect(() => decodeRouting(bytes)).toThrow(BspError);
    // The upper corner may be one beyond the last cell, the lower one may not.
    for (const [mins, maxs] of [
      [
        [256, 0, 0],
        [256, 5, 5],
      ],
      [
        [0, 256, 0],
        [5, 256, 5],
      ],
      [
        [0, 0, -1],
        [5, 5, 5],
      ],
      [
        [0, 0, 0],
        [257, 5, 5],
      ],
      [
        [0, 0, 0],
        [5, 5, 8],
      ],
      [
        [6, 0, 0],
        [5, 5, 5],
      ],
    ]) {
      const beyond = new Table(Int32Array.from(mins!), Int32Array.from(maxs!), houseTable.bytes);
      expect(() => decodeRouting(encodeRouting(beyond))).toThrow(/lie outside the grid$/);
    }
  });

  it('are not joined from rows of maps that differ in one brush', () => {
    const [work, other] = [createRoutingWork(house), createRoutingWork(oneBrush)];
    expect([other.mins, other.maxs]).toEqual([work.mins, work.maxs]);
    expect(() => joinRoutingParts([work.part(0, 3), other.part(3, work.rows - 3)])).toThrow(
      'has rows of different maps',
    );
  });
});

describe('tables of tiles', () => {
  it('are side by side, and lead from one to the other', () => {
    const tiles = [{ file: withTable }, { file: withTable, x: 24 }, { file: withTable, x: 3, y: -16, z: 1 }];
    const world = createUfoaiWorld(tiles);
    const parts: number[] = [];
    const joined = joinRouting(
      world,
      tiles.map(({ file }) => file),
      { onProgress: (part) => parts.push(part) },
    );
    expect(parts).toEqual([...parts].sort((a, b) => a - b));
    expect(parts.at(-1)).toBe(1);
    const alone = readRouting(withTable);
    const [own, all] = [alone.actors[0], joined.actors[0]];
    // Well within a tile, the table is the tile's own.
    let cells = 0;
    for (let z = 0; z <= alone.maxs[2]!; z++) {
      for (let y = alone.mins[1]! + 3; y < alone.maxs[1]! - 3; y++) {
        for (let x = alone.mins[0]! + 3; x < alone.maxs[0]! - 3; x++) {
          const [from, to] = [cellIndex(x, y, z), cellIndex(x + 24, y, z)];
          expectSame(all.floors[to], own.floors[from], `cell ${x} ${y} ${z}`);
          const [theirs, ours] = [all.connections, own.connections] as const;
          const connections = ours.subarray(8 * from, 8 * from + 8);
          expectSame(theirs.subarray(8 * to, 8 * to + 8), connections, `cell ${x} ${y} ${z}`);
          cells++;
        }
      }
    }
    expect(cells).toBeGreaterThan(100);
    // From one tile's grass to the other's.
    const edge = alone.maxs[0]! - 1;
    const finder = createPathfinder(joined);
    expect(
      createPathfinder(alone)
        .reach([edge - 1, 135, 0])
        .cost([edge + 3, 135, 0]),
    ).toBeUndefined();
    expect(finder.reach([edge - 1, 135, 0]).cost([edge + 3, 135, 0])).toBe(8);
  });

  it('rise where the game finds no tile below, as that counts as no floor', () => {
    // The floor is below the tile, so that the game leaves the tile out of searches there.
    const boxes = [
      [0, 0, -56, 256, 256, -48],
      [0, 0, -48, 8, 8, 60],
      [248, 248, -48, 256, 256, 60],
    ];
    const brushes = boxes.map((box) => boxText(box.slice(0, 3), box.slice(3))).join('\n');
    const text = `{\n"classname" "worldspawn"\n${brushes}\n}\n`;
    const plain = readUfoai(compileMap(parseMap(text), { format: 'ufoai' }).bytes);
    const file = { ...plain, lumps: { ...plain.lumps, routing: encodeRouting(computeRouting(plain)) } };
    const tiles = [
      { file, z: 1 },
      { file, x: 4, z: 1 },
    ];
    const { stepUps, connections, floors } = joinRouting(createUfoaiWorld(tiles), [file, file]).actors[0];
    // Both tiles have the first of these columns, and one has the other.
    const cell = cellIndex(136, 130, 0);
    expect([floors[cell], floors[cell + 1], connections[8 * cell], stepUps[8 * cell]]).toEqual([
      4, 0, 124, 1,
    ]);
  });

  it('need a file for each tile, and its table', () => {
    const world = createUfoaiWorld([{ file: house }, { file: house, x: 30 }]);
    expect(() => joinRouting(world, [house])).toThrow('files must be one for each of 2 tiles, got 1');
    const other = readUfoai(compileFixture('arena', 'ufoai').bytes);
    expect(() => joinRouting(world, [house, other])).toThrow(
      'files[1] must be the file of tile 1, got that of another map',
    );
    const empty = { ...house, lumps: { ...house.lumps, routing: new Uint8Array() } };
    expect(() => joinRouting(world, [empty, empty])).toThrow(BspError);
    const stop = (): never => {
      throw new Error('enough');
    };
    expect(() => joinRouting(world, [withTable, withTable], { onProgress: stop })).toThrow('enough');
    expect(() => joinRouting({} as never, [])).toThrow('world must be a UfoaiWorld');
  });
});

/** Tiles as the game's server (2.5) was told to place them, and what it then had in memory. */
const FARM = {
  tiles: [
    ['farmhouse_a', -24, -16],
    ['road_h', 0, -16],
    ['road_v1', 0, -8],
    ['silo', 8, -8],
    ['silo', -24, 8],
    ['barn_a', 0, 8],
    ['barn_a', 8, 16],
  ],
  sha256: 'b964561ace5bfb4005dff036c507c7a04932bf8c04f32b6e6c591a65f6f48f3a',
} as const;

/** The fastest ones; BSPKIT_ALL_MAPS=1 compares all that have models. */
const QUICK = /craft_ufo_scout/;
const maps = realMapNames('ufoai').filter((name) => process.env.BSPKIT_ALL_MAPS || QUICK.test(name));

describe.skipIf(maps.length === 0)(`tables of ${maps.length} real maps${skippedWithoutMaps}`, () => {
  it('of an assembly are joined as the game joins them', () => {
    const tiles = FARM.tiles.map(([name, x, y]) => ({
      file: readUfoai(readRealMap(`ufoai/farm_f_${name}.bsp`)),
      x,
      y,
    }));
    const joined = joinRouting(
      createUfoaiWorld(tiles),
      tiles.map(({ file }) => file),
    );
    expect(sha256(joined.bytes)).toBe(FARM.sha256);
  });

  it.each(maps)('%s: as if the whole table were computed with them', (name) => {
    const file = readUfoai(readRealMap(name));
    const world = createUfoaiWorld(file);
    const models = world.models();
    const rerouter = createRerouter(world, models, recompute(world, [], readRouting(file)));
    for (const yaw of [0, 90, -45]) {
      for (const [k, model] of models.entries()) model.place({ angles: [0, k % 2 ? yaw : -yaw, 0] });
      rerouter.update();
      expect(same(rerouter.routing, recompute(world, models, rerouter.routing))).toBe(true);
    }
  });
});

describe('maps whose brushes are far more than those of any real map', () => {
  const problem = 'too much work: the leafs of all columns of cells list more than 16777216 brushes';
  const plate = (k: number): ReturnType<typeof boxBrush> =>
    boxBrush([-4096, -4096, 0], [4096, 4096, 2 + k / 300]);
  const plates = Array.from({ length: 300 }, (_, k) => plate(k));
  const read = (bytes: Uint8Array): UfoaiFile => {
    const file = readUfoai(bytes);
    return { ...file, lumps: { ...file.lumps, routing: encodeRouting(houseTable) } };
  };
  const wide = (world: UfoaiWorld): UfoaiRouting =>
    new Table(
      Int32Array.of(0, 0, 0),
      Int32Array.of(256, 256, 7),
      new Uint8Array(houseTable.bytes.length),
      originOfWorld(world),
    );

  it('have tables that are not joined', () => {
    const file = read(compileMap(plates, { format: 'ufoai' }).bytes);
    const lumps = { ...file.lumps, routing: encodeRouting(wide(createUfoaiWorld([{ file }]))) };
    const whole = { ...file, lumps };
    const world = createUfoaiWorld([{ file: whole }, { file: whole }]);
    expect(() => joinRouting(world, [whole, whole])).toThrow(problem);
    expect(() => joinRouting(world, [whole, whole])).toThrow(BspError);
    // A tile alone has no borders.
    expect(joinRouting(createUfoaiWorld([{ file: whole }]), [whole]).bytes).toHaveLength(
      houseTable.bytes.length,
    );
  });

  it.each([{}, { compat: 'engine' }] as const)(
    'have doors around which nothing is computed again: %j',
    (options) => {
      const door = { properties: { classname: 'func_door' }, brushes: [plate(0)] };
      const walls = { properties: { classname: 'worldspawn' }, brushes: plates };
      const file = read(compileMap({ entities: [walls, door] }, { format: 'ufoai' }).bytes);
      const world = createUfoaiWorld([{ file }]);
      expect(() => createRerouter(world, [world.model(1)], wide(world), options)).toThrow(problem);
      // Of a table that reaches less far, less is computed.
      expect(createRerouter(world, [world.model(1)], readRouting(file), options).routing).toBeDefined();
    },
  );

  it('have so many doors in one place that they are refused', () => {
    const doors = plates.map((brush) => ({ properties: { classname: 'func_door' }, brushes: [brush] }));
    const walls = { properties: { classname: 'worldspawn' }, brushes: [plate(0)] };
    const file = read(compileMap({ entities: [walls, ...doors] }, { format: 'ufoai' }).bytes);
    const world = createUfoaiWorld([{ file }]);
    const models = doors.map((_, k) => world.model(k + 1));
    expect(() => createRerouter(world, models, wide(world))).toThrow(problem);
    expect(createRerouter(world, models.slice(0, 3), wide(world)).routing).toBeDefined();
  });
});
