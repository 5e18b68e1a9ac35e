// Lets ioquake3's own game, on its dedicated server as packaged by Debian (ioquake3-server), move missiles and items, and reads
// what it makes of them each frame, through packages/movement/yardstick/record-quake3.c.

import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { between, createRandom, pick, type Random } from '@bspkit/geometry';
import {
  compileModule,
  ENGINES,
  inFolder,
  installed,
  makeFolders,
  readEngine,
  runServer,
} from './dedicated.ts';
import { numberText } from './numbers.ts';

/** Where the game is, if its server is installed. */
export const QUAKE3_GAME: string = join(ENGINES, 'usr/lib/ioquake3/baseq3/qagamex86_64.so');

const SHOOTERS = 4;
const ITEMS = 4;

// The game's numbers of kinds of things and of paths.
const ITEM = 2;
const MISSILE = 3;
const LINEAR = 2;
const LINEAR_STOP = 3;
const GRAVITY = 5;

/** An entity, as the server hands it to its game, word by word. */
export const entity = (fields: Readonly<Record<string, string>>): string[] => [
  '{',
  ...Object.entries(fields).flat(),
  '}',
];

/** Four rocket launchers that fire all the time, four items, and two of the map's models. */
function entities(): string[] {
  const tokens = entity({ classname: 'worldspawn' });
  tokens.push(
    ...entity({ classname: 'func_timer', wait: '0.5', random: '0.1', spawnflags: '1', target: 'shoot' }),
  );
  for (let k = 0; k < SHOOTERS; k++) {
    tokens.push(
      ...entity({ classname: 'shooter_rocket', origin: '-100 0 100', angle: '40', targetname: 'shoot' }),
    );
  }
  for (let k = 0; k < ITEMS; k++) {
    tokens.push(...entity({ classname: 'item_health', origin: `${-200 + 40 * k} -200 40` }));
  }
  for (const [model, origin] of [
    ['*1', '64 -64 0'],
    ['*2', '-96 32 0'],
  ] as const) {
    tokens.push(...entity({ classname: 'func_static', model, origin }));
  }
  return tokens;
}

/** How a thing begins, in the recorder's order. */
function launch(random: Random, type: number): string {
  const bounce = type === MISSILE ? pick(random, [0, 1, 2, 2]) : 0;
  const path = type === MISSILE ? pick(random, [LINEAR, LINEAR_STOP, GRAVITY, GRAVITY, GRAVITY]) : GRAVITY;
  const factor = random() < 0.5 ? 0.5 : random();
  const half = random() < 0.5 ? 0 : type === ITEM ? 15 : 4;
  const box = [-half, -half, -half, half, half, half];
  const place = [between(random, -440, 440), between(random, -440, 60), between(random, 30, 240)];
  // Some items come down where whole numbers change their sign.
  if (type === ITEM && random() < 0.25) place[pick(random, [0, 1])] = between(random, -1, 1);
  const speed = [between(random, -700, 700), between(random, -700, 700), between(random, -400, 700)];
  const duration = path === LINEAR_STOP ? Math.floor(between(random, 0, 1500)) : 0;
  const age = random() < 0.5 ? 0 : Math.floor(between(random, 0, 60));
  return [
    type,
    path,
    bounce,
    Math.fround(factor),
    age,
    duration,
    ...box,
    ...[...place, ...speed].map(Math.fround),
  ].join(' ');
}

function questions(random: Random, count: number): string {
  const tokens = entities();
  const frames = Array.from({ length: 60 + count }, () =>
    random() < 0.5 ? 50 : Math.floor(between(random, 8, 80)),
  );
  const launches = Array.from({ length: count }, (_, k) => launch(random, k % 2 === 0 ? MISSILE : ITEM));
  return [
    `tokens ${tokens.length}`,
    ...tokens,
    `frames ${frames.length}`,
    frames.join(' '),
    `launches ${launches.length}`,
    ...launches,
    '',
  ].join('\n');
}

/**
 * Runs the server with a recorder in the place of its game, and returns the lines that this has written.
 *
 * @param packages - the folder of that name.
 * @param recorder - its source, in the folder `movement/yardstick` there.
 */
export function record(packages: string, recorder: string, map: Uint8Array, asked: string): string[] {
  const engine = readEngine(join(packages, 'quake3/yardstick'));
  const files = Object.entries(engine.files);
  return inFolder((folder) => {
    makeFolders(folder, [engine.module, engine.map, ...files.map(([name]) => name)]);
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
    compileModule(join(packages, 'movement/yardstick', recorder), join(folder, engine.module));
    writeFileSync(join(folder, engine.map), map);
    const [game, questions] = [join(folder, 'game.so'), join(folder, 'questions')];
    copyFileSync(installed(QUAKE3_GAME), game);
    writeFileSync(questions, asked);
    return runServer(engine, folder, { BSPKIT_GAME: game, BSPKIT_QUESTIONS: questions });
  });
}

/**
 * Rows of missiles and items in a map, as text: at least as many as asked for, in whole sequences.
 *
 * @param packages - the folder of that name.
 * @throws Error where gcc or the server is missing.
 */
export function recordThings(packages: string, map: Uint8Array, seed: number, count: number): string[] {
  // Rows by their sequence: they are recorded frame by frame.
  const sequences = new Map<string, string[]>();
  for (const line of record(packages, 'record-quake3.c', map, questions(createRandom(seed), count))) {
    const cells = line.split(' ').map((text) => (text === '-' ? 'null' : numberText(Number(text))));
    const rows = sequences.get(cells[0]!) ?? [];
    rows.push(`[${cells.join(',')}]`);
    sequences.set(cells[0]!, rows);
  }
  const rows: string[] = [];
  for (const sequence of sequences.values()) {
    if (rows.length >= count) break;
    rows.push(...sequence);
  }
  return rows;
}
