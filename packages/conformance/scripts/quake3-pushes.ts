// Lets ioquake3's own game, on its dedicated server as packaged by Debian (ioquake3-server), move doors, lifts and trains with
// players, items and corpses on them and in their way, and reads what it makes of them, through
// packages/movement/yardstick/record-quake3-pushes.c.

import { between, createRandom, pick, type Random } from '@bspkit/geometry';
import { numberText } from './numbers.ts';
import { entity, record } from './quake3-things.ts';
import type { Point } from './random-things.ts';
import { thingColumns } from './things.ts';

const f = Math.fround;

/** Kinds of members, in the recorder's order. */
const [MOVER, ITEM, CORPSE, PLAYER] = [0, 1, 2, 3] as const;
const [STATIONARY, LINEAR, LINEAR_STOP, SINE, GRAVITY] = [0, 2, 3, 4, 5] as const;
const [SLAVE, STOPS] = [1, 2] as const;
/** Kinds of rows. */
const [GIVEN, FLIGHT, PUSH] = [0, 1, 2] as const;

const FRAMES = 14;
const NOWHERE: Point = [0, 0, 0];

/** An inline model of a map: how many movers have it, its middle and how far it reaches from there. */
interface Model {
  readonly model: number;
  readonly count: number;
  readonly middle: Point;
  readonly half: Point;
}

/** Where scenes are drawn on our own maps, and with what. */
interface Place {
  readonly mins: Point;
  readonly maxs: Point;
  readonly models: readonly Model[];
}

const PLACES: Readonly<Record<string, Place>> = {
  arena: {
    mins: [-500, -500, 0],
    maxs: [500, 500, 180],
    models: [
      { model: 1, count: 5, middle: [-64, 320, 8], half: [64, 64, 8] },
      { model: 2, count: 3, middle: [0, 64, 0], half: [4, 64, 60] },
      { model: 3, count: 2, middle: [648, 0, 64], half: [4, 64, 64] },
    ],
  },
  torture: {
    mins: [-380, -380, 0],
    maxs: [380, 380, 280],
    models: [{ model: 1, count: 5, middle: [0, -320, 227], half: [64, 32, 37] }],
  },
};

const ITEMS = 6;
const PLAYERS = 3;

interface Path {
  readonly type: number;
  readonly time: number;
  readonly duration: number;
  readonly base: readonly number[];
  readonly delta: readonly number[];
}

interface Member {
  readonly kind: number;
  readonly model: number;
  readonly flags: number;
  readonly next: number;
  readonly path: Path;
  readonly turn: Path;
  readonly origin: readonly number[];
  readonly angles: readonly number[];
  readonly ground: number;
  readonly mins: readonly number[];
  readonly maxs: readonly number[];
  readonly bounce: number;
  readonly yaw: number;
}

const at = (x: readonly number[], y: readonly number[], by = 1): number[] =>
  x.map((n, k) => f(n + by * y[k]!));
const still = (base: readonly number[]): Path => ({
  type: STATIONARY,
  time: 0,
  duration: 0,
  base,
  delta: NOWHERE,
});

/** Movers, items and where players begin, mixed, as the game moves them in the order of their numbers. */
function entities({ models, mins, maxs }: Place): string[] {
  const middle = mins.map((x, k) => (x + maxs[k]!) / 2);
  const movers = models.flatMap(({ model, count }) =>
    Array.from({ length: count }, () => ({ classname: 'func_static', model: `*${model}` })),
  );
  const items = Array.from({ length: ITEMS }, (_, k) => ({
    classname: 'item_health',
    origin: `${middle[0]! + 40 * k} ${middle[1]} ${middle[2]}`,
    spawnflags: '1',
  }));
  const tokens = entity({ classname: 'worldspawn' });
  // Apart from each other: who appears where another is kills it.
  for (let k = 0; k < 2 * PLAYERS + 2; k++) {
    const origin = `${middle[0]! + 80 * (k % 4)} ${middle[1]! + 80 * (k >> 2)} ${middle[2]}`;
    tokens.push(...entity({ classname: 'info_player_deathmatch', origin }));
  }
  while (movers.length + items.length > 0) {
    for (const list of [items, movers]) if (list.length > 0) tokens.push(...entity(list.shift()!));
  }
  return tokens;
}

/** How a mover moves or turns from a place on. */
function drawPath(
  random: Random,
  base: readonly number[],
  most: number,
  isTurn: boolean,
): [Path, readonly number[]] {
  const choice = random();
  const type =
    choice < 0.55 ? LINEAR : choice < 0.7 ? LINEAR_STOP : choice < 0.9 ? SINE : isTurn ? LINEAR : GRAVITY;
  const axis = pick(random, isTurn ? [1, 1, 1, 0, 2] : [2, 2, 2, 0, 1]);
  const skew = random() < 0.25;
  const delta = [0, 1, 2].map((k) => {
    const far = between(random, -most, most) * (type === SINE ? 0.4 : 1);
    return k === axis || skew ? f(random() < 0.5 ? Math.round(far) : far) : 0;
  });
  const duration =
    type === SINE ? Math.floor(between(random, 400, 3000)) : Math.floor(between(random, 100, 900));
  const path: Path = { type, time: 0, duration, base, delta };
  if (type !== SINE) return [path, base];
  const time = Math.floor(between(random, -duration, 0));
  const phase = Math.sin(2 * Math.PI * (-time / duration));
  return [{ ...path, time }, at(base, delta, phase)];
}

/** A mover whose middle is at a place. */
function drawMover(random: Random, { model, middle }: Model, place: Point): Member {
  const angles = random() < 0.75 ? NOWHERE : [0, f(pick(random, [90, 45, between(random, -180, 180)])), 0];
  // About where it begins, turned.
  const yaw = (angles[1]! * Math.PI) / 180;
  const [x, y] = [middle[0], middle[1]];
  const turned = [x * Math.cos(yaw) - y * Math.sin(yaw), x * Math.sin(yaw) + y * Math.cos(yaw), middle[2]];
  const begin = at(place, turned, -1);
  const [path, origin] = random() < 0.8 ? drawPath(random, begin, 160, false) : [still(begin), begin];
  // What turns about a far origin moves fast.
  const most = model === 2 ? 160 : 25;
  const [turn, turnedTo] = random() < 0.35 ? drawPath(random, angles, most, true) : [still(angles), angles];
  return {
    ...{
      kind: MOVER,
      model,
      flags: random() < 0.15 ? STOPS : 0,
      next: 0,
      path,
      turn,
      origin,
      angles: turnedTo,
    },
    ...{ ground: 0, mins: NOWHERE, maxs: NOWHERE, bounce: 0, yaw: 0 },
  };
}

/** Something that may be pushed. */
function drawThing(
  random: Random,
  kind: number,
  movers: readonly Member[],
  places: readonly Point[],
  halves: readonly Point[],
  place: Place,
): Member {
  const mins = kind === ITEM ? [-15, -15, -15] : [-15, -15, -24];
  const maxs = kind === ITEM ? [15, 15, 15] : [15, 15, kind === PLAYER ? 32 : -8];
  const [choice, k] = [random(), Math.floor(random() * movers.length)];
  const [middle, half] = [places[k]!, halves[k]!];
  const gap = pick(random, [0.125, 0.125, 1, 0.03125, 0, random()]);
  let origin: number[];
  let ground = -1;
  if (choice < 0.45) {
    // On top of it.
    origin = [
      middle[0] + between(random, -half[0] - 10, half[0] + 10),
      middle[1] + between(random, -half[1] - 10, half[1] + 10),
      middle[2] + half[2] - mins[2]! + gap,
    ];
    ground = random() < 0.9 ? k + 1 : 0;
  } else if (choice < 0.9) {
    // Beside it, most often where it goes.
    const { delta } = movers[k]!.path;
    const way = delta.findIndex((x) => x !== 0);
    const goes = way >= 0 && random() < 0.8;
    const axis = goes ? way : pick(random, [0, 1, 2]);
    const sign = goes ? Math.sign(delta[axis]!) : axis === 2 ? -1 : pick(random, [-1, 1]);
    origin = middle.map((x, j) =>
      j === axis
        ? x + sign * (half[j]! + (sign > 0 ? -mins[j]! : maxs[j]!) + between(random, 0, 6))
        : x + between(random, -half[j]! - 8, half[j]! + 8),
    );
    ground = random() < 0.5 ? 0 : -1;
  } else {
    origin = place.mins.map((x, j) => between(random, x + 20, place.maxs[j]! - 20));
  }
  if (random() < 0.4) origin = origin.map((x) => Math.round(x) + 0);
  origin = origin.map(f);
  const flies = kind !== PLAYER && ground === -1;
  const path: Path = flies
    ? {
        type: GRAVITY,
        time: 0,
        duration: 0,
        base: origin,
        delta: [0, 1, 2].map(() => f(between(random, -200, 200))),
      }
    : still(origin);
  return {
    ...{
      kind,
      model: 0,
      flags: 0,
      next: 0,
      path,
      turn: still(NOWHERE),
      origin,
      angles: NOWHERE,
      ground,
      mins,
      maxs,
    },
    bounce: kind === CORPSE ? 0 : 0.5,
    // What is greater is rounded where it is put back.
    yaw: kind === PLAYER ? pick(random, [0, 40000, 0x1000001]) : 0,
  };
}

interface Drawn {
  readonly members: readonly Member[];
  readonly frames: readonly (readonly number[])[];
}

function drawScene(random: Random, place: Place): Drawn {
  const pool = place.models.flatMap((model) => Array.from({ length: model.count }, () => model));
  const movers: Member[] = [];
  const [places, halves]: [Point[], Point[]] = [[], []];
  // In the open, or near a wall.
  const middle = place.mins.map((x, k) => {
    const [low, high] = [x, place.maxs[k]!];
    const way = random();
    return way < 0.2
      ? low + between(random, 0, 100)
      : way < 0.4
        ? high - between(random, 0, 100)
        : between(random, low + 100, high - 60);
  });
  const count = 1 + Math.floor(random() * 4);
  for (let k = 0; k < count; k++) {
    const model = pool.splice(Math.floor(random() * pool.length), 1)[0]!;
    const spread = [110, 110, 80];
    const point = (k === 0 ? middle : middle.map((x, j) => x + between(random, -spread[j]!, spread[j]!))).map(
      (x) => (random() < 0.5 ? Math.round(x) : f(x)),
    ) as unknown as Point;
    const mover = drawMover(random, model, point);
    places.push(point);
    halves.push(model.half);
    const before = movers[k - 1];
    if (before && random() < 0.4) {
      movers[k - 1] = { ...before, next: k + 1 };
      const same = random() < 0.5;
      const path = same ? { ...before.path, base: mover.path.base } : mover.path;
      const origin = same ? at(mover.path.base, at(before.origin, before.path.base, -1)) : mover.origin;
      movers.push({ ...mover, path, origin, flags: mover.flags | SLAVE });
    } else movers.push(mover);
  }
  const kinds = [ITEM, CORPSE, PLAYER].flatMap((kind, k) =>
    Array.from({ length: Math.floor(random() * [4, 2.5, 3.5][k]!) }, () => kind),
  );
  const things = kinds.map((kind) => drawThing(random, kind, movers, places, halves, place));
  const frames = Array.from({ length: FRAMES }, () => [
    random() < 0.6 ? 50 : Math.floor(between(random, 8, 100)),
    ...kinds
      .filter((kind) => kind === PLAYER)
      .flatMap(() => [
        random() < 0.8 ? 1 : 0,
        Math.floor(random() * 65536),
        random() < 0.3 ? pick(random, [127, -127, 64]) : 0,
        random() < 0.15 ? pick(random, [127, -127]) : 0,
        random() < 0.1 ? 127 : 0,
      ]),
  ]);
  return { members: [...movers, ...things], frames };
}

const pathCells = ({ type, time, duration, base, delta }: Path): number[] => [
  type,
  time,
  duration,
  ...base,
  ...delta,
];

const memberCells = (member: Member): number[] => [
  member.kind,
  member.model,
  member.flags,
  member.next,
  ...pathCells(member.path),
  ...pathCells(member.turn),
  ...member.origin,
  ...member.angles,
  member.ground,
  ...member.mins,
  ...member.maxs,
  member.bounce,
  member.yaw,
];

function questions(place: Place, scenes: readonly Drawn[]): string {
  const tokens = entities(place);
  return [
    `tokens ${tokens.length}`,
    ...tokens,
    `scenes ${scenes.length}`,
    ...scenes.flatMap(({ members, frames }) => [
      `scene ${members.length} ${frames.length}`,
      ...members.map((member) => memberCells(member).join(' ')),
      ...frames.map((frame) => frame.join(' ')),
    ]),
    '',
  ].join('\n');
}

const COLUMNS = thingColumns('quake3', 'pushes');

const after = (first: string, count: number): readonly string[] =>
  COLUMNS.slice(COLUMNS.indexOf(first), COLUMNS.indexOf(first) + count);

// Columns that are written together.
const TRACED = after('fraction', 9);
const PLACED = after('px', 5);
const ASKED = after('tox', 3);
const WHERE = after('ox', 9);
const PATH = after('path', 9);

/** Reads a row as the recorder has written it, which leaves out the columns that its kind does not have. */
function readRow(line: string, scene: number): string {
  const [kind, , frame, time, thing, ...cells] = line.split(' ');
  const row = new Map<string, string>(
    Object.entries({ scene: `${scene}`, frame: frame!, time: time!, call: kind!, thing: thing! }),
  );
  const take = (names: readonly string[]): void => {
    for (const name of names) {
      const cell = cells.shift()!;
      row.set(name, cell === '-' ? 'null' : numberText(Number(cell)));
    }
  };
  const call = Number(kind);
  if (call === GIVEN) take(PLACED);
  else if (call === PUSH) {
    take(['blocker']);
    row.set('links', cells.shift()!);
    row.set('crushed', cells.shift()!);
    row.set('poses', `[${cells.splice(0).map((cell) => numberText(Number(cell)))}]`);
  } else {
    if (call === FLIGHT) take([...TRACED, ...ASKED]);
    take(WHERE);
    take(cells.length === 1 ? ['yaw'] : PATH);
  }
  if (cells.length > 0) throw new Error(`the recorder has written more: ${line}`);
  return `[${COLUMNS.map((name) => row.get(name) ?? 'null').join(',')}]`;
}

/** A member with as few digits as still read back the same. */
const shortened = (member: Member): object =>
  JSON.parse(JSON.stringify(member), (_key, value) =>
    typeof value === 'number' ? Number(numberText(value)) : value,
  );

/** What was recorded: scenes for the header, and rows as text. */
export interface RecordedPushes {
  readonly scenes: readonly object[];
  readonly rows: readonly string[];
}

/**
 * Scenes of movers in one of our own maps, and what the game makes of them.
 *
 * @param packages - the folder of that name.
 * @param name - of the map.
 * @param count - how many scenes; those in which something leaves the map are left out.
 * @throws Error where gcc or the server is missing.
 */
export function recordPushes(
  packages: string,
  name: string,
  map: Uint8Array,
  seed: number,
  count: number,
): RecordedPushes {
  const place = PLACES[name]!;
  const random = createRandom(seed);
  const drawn = Array.from({ length: count }, () => drawScene(random, place));
  const scenes: object[] = [];
  const rows: string[] = [];
  const sections = record(packages, 'record-quake3-pushes.c', map, questions(place, drawn))
    .join('\n')
    .split(/^scene /m)
    .slice(1);
  for (const [k, section] of sections.entries()) {
    const [time, ...lines] = section.trimEnd().split('\n');
    if (lines.at(-1) === 'broken') continue;
    rows.push(...lines.map((line) => readRow(line, scenes.length)));
    scenes.push({ time: Number(time), things: drawn[k]!.members.map(shortened) });
  }
  return { scenes, rows };
}
