// Records Quake 2's answers on our own maps: those of its dedicated server and, of things and monsters, of its game. bspkit
// computes no part of an answer: it helps to draw questions near surfaces, and its list of a map's textures tells the numbers of
// those that the server names.
//
// apt-get install yamagi-quake2-core gcc
// cd packages/conformance && npx esbuild scripts/record-quake2.ts --bundle --platform=node --format=esm \
//   --conditions=@bspkit/source --outfile=../fixtures/dist/record-quake2.mjs && node ../fixtures/dist/record-quake2.mjs
//
// Bundled into dist beside the maps, which are found from there. Writes packages/fixtures/engine/golden/quake2; with the
// same package of Debian's, and the same sources here, the same bytes again.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { entityOrigins, openQueries } from '@bspkit/compare';
import { readEngineMap } from '@bspkit/fixtures/engine';
import { between, createRandom, direction, pick, type Random } from '@bspkit/geometry';
import {
  CONTENTS_LAVA,
  CONTENTS_SLIME,
  CONTENTS_WATER,
  createQuake2World,
  MASK_ALL,
  MASK_DEADSOLID,
  MASK_MONSTERSOLID,
  MASK_OPAQUE,
  MASK_PLAYERSOLID,
  MASK_SHOT,
  MASK_SOLID,
  type Quake2World,
  readQuake2,
} from '@bspkit/quake2';
import { numberText } from './numbers.ts';
import { drawQuake2Pushes } from './quake2-pushes.ts';
import {
  AIR_ACCELERATE,
  openServer,
  placeLine,
  playerLine,
  readPlayer,
  readTraces,
  type ServerEntity,
  traceLine,
} from './quake2-server.ts';
import { askGame, drawQuake2Things, openGame } from './quake2-things.ts';
import { type ThingKind, thingColumns } from './things.ts';

// The bundle in dist is as deep in the tree as this file.
const packages = fileURLToPath(new URL('../..', import.meta.url));
const yardstick = join(packages, 'quake2/yardstick');
const target = join(packages, 'fixtures/engine/golden/quake2');
const ENGINE = 'yquake2 8.20, the server of Debian 8.20+ctf1.09+dfsg-1';

const f = Math.fround;
type Point = readonly [number, number, number];
type Cell = number | readonly number[];

interface Box {
  readonly mins: Point;
  readonly maxs: Point;
}

const POINT: Box = { mins: [0, 0, 0], maxs: [0, 0, 0] };
const PLAYER: Box = { mins: [-16, -16, -24], maxs: [16, 16, 32] };
const CROUCHED: Box = { mins: [-16, -16, -24], maxs: [16, 16, 4] };

const MASKS = [
  MASK_ALL,
  MASK_SOLID,
  MASK_PLAYERSOLID,
  MASK_DEADSOLID,
  MASK_MONSTERSOLID,
  MASK_OPAQUE,
  MASK_SHOT,
  CONTENTS_WATER | CONTENTS_SLIME | CONTENTS_LAVA,
];

const point = (x: number, y: number, z: number): Point => [f(x), f(y), f(z)];
const add = (a: Point, b: Point, times = 1): Point =>
  point(a[0] + times * b[0], a[1] + times * b[1], a[2] + times * b[2]);
const around = (random: Random, middle: Point, reach: number): Point =>
  add(middle, [0, 1, 2].map(() => between(random, -reach, reach)) as unknown as Point);

function drawBox(random: Random): Box {
  const way = random();
  if (way < 0.35) return POINT;
  if (way < 0.65) return PLAYER;
  if (way < 0.75) return CROUCHED;
  const size = (): number => f(pick(random, [Math.round(between(random, 0, 40)), between(random, 0, 40)]));
  return { mins: [-size(), -size(), -size()], maxs: [size(), size(), size()] };
}

/** Moves between places in the open, and near the surfaces that they meet. */
function* drawMoves(random: Random, world: Quake2World, seed: number) {
  const { mins, maxs } = world.bounds;
  const middle = [0, 1, 2].map((k) => (mins[k]! + maxs[k]!) / 2);
  const open = openQueries(4000, {
    bounds: world.bounds,
    open: world.box(PLAYER.mins, PLAYER.maxs),
    origins: [...entityOrigins(world), middle],
    seed,
  });
  const tracer = world.box([0, 0, 0], [0, 0, 0]);
  for (let at = 0; ; at = (at + 6) % open.length) {
    const box = drawBox(random);
    const mask = pick(random, MASKS);
    const start = point(open[at]!, open[at + 1]!, open[at + 2]!);
    const end = random() < 0.1 ? start : point(open[at + 3]!, open[at + 4]!, open[at + 5]!);
    yield { start, end, box, mask };
    tracer.set({ ...box, mask });
    const { endPos, normal } = tracer.trace(start, end);
    const off = pick(random, [0, 1 / 32, -1 / 32, 0.001, -0.001, 0.01, 0.1, 0.5, 1, 2]);
    const plane = point(normal[0]!, normal[1]!, normal[2]!);
    const place = add(point(endPos[0]!, endPos[1]!, endPos[2]!), plane, off);
    const length = pick(random, [1, 8, between(random, 0, 64), between(random, 0, 400)]);
    const way = direction(random) as unknown as Point;
    const into = way[0]! * plane[0] + way[1]! * plane[1] + way[2]! * plane[2];
    const along = add(way, plane, -into);
    const toward = pick(random, [along, plane, add([0, 0, 0], plane, -1), add(along, plane, -0.01), way]);
    yield { start: place, end: random() < 0.2 ? place : add(place, toward, length), box, mask };
  }
}

const server = openServer(yardstick);
process.once('exit', () => server.free());

const cellText = (cell: Cell): string =>
  typeof cell === 'number' ? numberText(cell) : `[${cell.map(numberText)}]`;

function save(map: string, kind: string, seed: number, columns: string, rows: Cell[][], more: object): void {
  const sha256 = JSON.parse(readFileSync(join(target, '../../maps/INDEX.json'), 'utf8'))[`quake2/${map}.bsp`]
    .sha256;
  const header = { v: 1, game: 'quake2', map, sha256, engine: ENGINE, kind, seed, n: rows.length };
  const lines = rows.map((row) => `[${row.map(cellText)}]\n`).join('');
  mkdirSync(target, { recursive: true });
  const text = `${JSON.stringify({ ...header, ...more, columns: columns.split(' ') })}\n${lines}`;
  writeFileSync(join(target, `${map}.${kind}.ndjson.gz`), gzipSync(text, { level: 9 }));
  console.log(`${map} ${kind}: ${rows.length} rows`);
}

const MOVE = 'sx sy sz ex ey ez minx miny minz maxx maxy maxz mask';
const STOP = 'fraction endx endy endz nx ny nz dist startsolid allsolid contents surfaceFlags texinfo';

const moveCells = ({
  start,
  end,
  box,
  mask,
}: {
  start: Point;
  end: Point;
  box: Box;
  mask: number;
}): number[] => [...start, ...end, ...box.mins, ...box.maxs, mask];

function recordTraces(map: string, bytes: Uint8Array, world: Quake2World, seed: number, count: number): void {
  const random = createRandom(seed);
  const moves = drawMoves(random, world, seed);
  const asked = Array.from({ length: count }, () => moveCells(moves.next().value!));
  const answers = readTraces(
    world,
    server.ask(
      bytes,
      asked.map((cells) => traceLine(cells)),
    ),
  );
  const pose = [0, 0, 0, 0, 0, 0, 0];
  const rows = asked.map((cells, k) => [...pose, ...cells, ...answers[k]!.slice(0, 13)]);
  save(map, 'trace', seed, `model ox oy oz pitch yaw roll ${MOVE} ${STOP}`, rows, {});
}

type Entity = ServerEntity & Box;

function drawEntity(random: Random, world: Quake2World, middle: Point, count: number): Entity {
  const owner = random() < 0.25 ? 1 + Math.floor(between(random, 0, count)) : 0;
  const place = around(random, middle, 96);
  if (random() < 0.6 || world.numModels < 2) {
    const box = pick(random, [
      PLAYER,
      CROUCHED,
      { mins: [-15, -15, -15], maxs: [15, 15, 15] } as const,
      drawBox(random),
    ]);
    return { ...box, model: 0, owner, dead: Number(random() < 0.15), origin: place, angles: [0, 0, 0] };
  }
  const model = 1 + Math.floor(between(random, 0, world.numModels - 1));
  const { mins, maxs } = world.model(model).bounds;
  const turn = (): number => f(pick(random, [0, 90, 180, between(random, -180, 180)]));
  const angles = pick(random, [
    [0, 0, 0] as const,
    [0, turn(), 0] as const,
    [turn(), turn(), turn()] as const,
  ]);
  const home = point((mins[0]! + maxs[0]!) / 2, (mins[1]! + maxs[1]!) / 2, (mins[2]! + maxs[2]!) / 2);
  const origin = random() < 0.2 ? point(0, 0, 0) : add(place, home, -1);
  return { ...POINT, model, owner, dead: 0, origin, angles };
}

function recordScenes(
  map: string,
  bytes: Uint8Array,
  world: Quake2World,
  seed: number,
  scenes: number,
): void {
  const random = createRandom(seed);
  const moves = drawMoves(random, world, seed);
  const lists: Entity[][] = [];
  const asked: number[][] = [];
  const lines: string[] = [];
  for (let scene = 0; scene < scenes; scene++) {
    const middles = [0, 1].map(() => moves.next().value!.start);
    const count = 4 + Math.floor(between(random, 0, 30));
    const list = Array.from({ length: count }, () => drawEntity(random, world, pick(random, middles), count));
    lists.push(list);
    lines.push('clear');
    lines.push(...list.map((entity, k) => placeLine(k + 1, entity)));
    for (let k = 0; k < 50; k++) {
      const { box } = moves.next().value!;
      const [start, far] = [
        around(random, pick(random, middles), 140),
        around(random, pick(random, middles), 140),
      ];
      const end = random() < 0.15 ? start : far;
      const cells = moveCells({ start, end, box, mask: pick(random, MASKS) });
      const pass = random() < 0.4 ? 1 + Math.floor(between(random, 0, count)) : 0;
      asked.push([scene, pass, ...cells]);
      lines.push(traceLine(cells, pass));
    }
  }
  const answers = readTraces(world, server.ask(bytes, lines));
  // In the engine, contents at a point include those of boxes, the mover's own among them; in a scene they do not.
  const rows = asked.map((cells, k) => [...cells, ...answers[k]!.slice(0, 14)]);
  const columns = `scene pass ${MOVE} ${STOP} entity`;
  save(map, 'scene', seed, columns, rows, { scenes: lists });
}

const [NORMAL, SPECTATOR, DEAD, GIB, FREEZE] = [0, 1, 2, 3, 4];
const STEPS = 100;

/** The commands of a sequence: the state that it starts with, then what the player does. */
function* drawCommands(random: Random, start: Point) {
  const type = pick(random, [NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, SPECTATOR, DEAD, GIB, FREEZE]);
  const units = (x: number): number => Math.round(8 * x);
  const speed = (): number => units(between(random, -400, 400));
  let state = [...start.map(units), speed(), speed(), speed(), 0, 0];
  const gravity = pick(random, [800, 800, 800, 400, 0]);
  const delta = [0, 1, 2].map(() => (random() < 0.5 ? 0 : Math.round(between(random, -32768, 32767))));
  const angles = [between(random, -60, 60), between(random, -180, 180), 0];
  let [forward, side, up] = [400, 0, 0];
  for (let step = 0; step < STEPS; step++) {
    if (random() < 0.1) {
      forward = pick(random, [400, 400, 200, 0, -400, Math.round(between(random, -400, 400))]);
      side = pick(random, [0, 0, 400, -400, Math.round(between(random, -400, 400))]);
      up = pick(random, [0, 0, 400, 400, -400]);
    }
    angles[0] = Math.max(-89, Math.min(89, angles[0]! + between(random, -6, 6)));
    angles[1] = angles[1]! + pick(random, [0, between(random, -15, 15), between(random, -90, 90)]);
    const turns = angles.map((angle, k) => ((Math.round((angle * 65536) / 360) - delta[k]!) << 16) >> 16);
    const msec = pick(random, [8, 12, 16, 25, 31, 50, 62, 75, 100, 250]);
    const mask = type === DEAD || type === GIB ? MASK_DEADSOLID : MASK_PLAYERSOLID;
    const snap = step === 0 ? 1 : 0;
    state = yield [mask, type, ...state, gravity, ...delta, snap, msec, ...turns, forward, side, up];
  }
}

const PLAYER_COLUMNS =
  'seq step airaccelerate mask pmType ox oy oz vx vy vz pmFlags pmTime gravity deltaPitch deltaYaw deltaRoll snapInitial' +
  ' msec pitch yaw roll forward side up rox roy roz rvx rvy rvz rpmFlags rpmTime viewheight minx miny minz maxx maxy maxz' +
  ' waterlevel watertype ground viewPitch viewYaw viewRoll touch';

function recordPlayers(
  map: string,
  bytes: Uint8Array,
  world: Quake2World,
  seed: number,
  sequences: number,
): void {
  const random = createRandom(seed);
  const moves = drawMoves(random, world, seed);
  const models = Array.from({ length: world.numModels - 1 }, (_, k) => [k + 1, 0, 0, 0, 0, 0, 0]);
  const none = [0, 0, 0];
  const places = models.map(([model]) => placeLine(model!, { model: model!, origin: none, angles: none }));
  // Each state depends on the one before, so all sequences advance together, with one run of the server per step.
  const players = Array.from({ length: sequences }, () => drawCommands(random, moves.next().value!.start));
  const rows: Cell[][][] = players.map(() => []);
  let states: number[][] = players.map(() => []);
  for (let step = 0; step < STEPS; step++) {
    const asked = players.map((player, k) => player.next(states[k] as never).value as number[]);
    const told = [0, 1].map((air) => {
      const lines = asked.filter((_, k) => k % 2 === air).map(playerLine);
      return server.ask(bytes, [...places, ...lines], air ? AIR_ACCELERATE : []);
    });
    states = asked.map((numbers, k) => {
      const answer = readPlayer(told[k % 2]![k >> 1]!);
      rows[k]!.push([k, step, k % 2, ...numbers, ...answer]);
      return answer.slice(0, 8) as number[];
    });
  }
  save(map, 'pmove', seed, PLAYER_COLUMNS, rows.flat(), { rules: 'quake2', steps: STEPS, models });
}

const game = openGame(yardstick, join(packages, 'movement/yardstick'));
process.once('exit', () => game.free());

function recordThings(
  map: string,
  bytes: Uint8Array,
  kind: ThingKind,
  draw: typeof drawQuake2Things,
  seed: number,
  count: number,
): void {
  const drawn = draw(bytes, seed);
  const scenes = Array.from({ length: count }, () => drawn.next().value!);
  const columns = thingColumns('quake2', kind).join(' ');
  save(map, kind, seed, columns, askGame(game, bytes, scenes, kind), { scenes });
}

for (const [k, map] of ['arena', 'house', 'torture'].entries()) {
  const bytes = readEngineMap(`quake2/${map}.bsp`);
  const world = createQuake2World(readQuake2(bytes));
  recordTraces(map, bytes, world, 1 + k, 1000);
  recordScenes(map, bytes, world, 11 + k, map === 'arena' ? 20 : 8);
  if (map === 'arena') recordPlayers(map, bytes, world, 21, 20);
  if (map !== 'house') recordThings(map, bytes, 'things', drawQuake2Things, 51 + k, 5);
  if (map === 'arena') recordThings(map, bytes, 'pushes', drawQuake2Pushes, 61, 14);
}
