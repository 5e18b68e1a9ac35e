// Has QuakeSpasm's dedicated server move things and monsters on a map, as packaged by Debian (quakespasm). Its game code is
// packages/movement/yardstick/things.qc, compiled by fteqcc; a list of entities beside the map says what there is. What it draws at
// random comes from dice.c there, compiled by gcc.

import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileModule, ENGINES, inFolder, installed } from './dedicated.ts';
import { numberText } from './numbers.ts';

/** What a header says of a thing, a monster or an obstacle. Numbers and flags are the engine's. */
export interface ServerThing {
  readonly movetype: number;
  /** 0 not, 1 trigger, 2 box, 3 slide box, 4 model. */
  readonly solid: number;
  readonly flags: number;
  readonly origin: readonly number[];
  readonly velocity: readonly number[];
  readonly angles: readonly number[];
  readonly avelocity: readonly number[];
  readonly mins: readonly number[];
  readonly maxs: readonly number[];
  /** 0 for a box. */
  readonly model: number;
  readonly gravity: number;
  /** Numbers of its owner, its enemy and its goal, counted from 1; 0 for none. */
  readonly owner: number;
  readonly enemy: number;
  readonly goal: number;
  /** Where a monster wants to go at first, and by how much it turns at a time. */
  readonly idealyaw: number;
  readonly yawspeed: number;
  /** What it does, as in rows: 1 steps, 3 steps to its goal, 4 turns. */
  readonly call: number;
  /** A monster's steps or turns: the first direction, their length, how much it turns in each, and more where it has not moved. */
  readonly yaw: number;
  readonly distance: number;
  readonly drift: number;
  readonly back: number;
  /** Whether it is dropped to the floor first. */
  readonly drops: number;
  /** Whether it counts as a player for what pushes. */
  readonly walks?: number;
  /** Of what pushes: for how many seconds it moves in one way, its velocity in the other, and whether it turns back when blocked. */
  readonly lasting?: number;
  readonly other?: readonly number[];
  readonly yields?: number;
}

/** Things that move together for some frames. */
export interface ServerScene {
  readonly frametime: number;
  readonly gravity: number;
  readonly maxvelocity: number;
  readonly frames: number;
  /** Of the numbers that are drawn. */
  readonly seed: number;
  readonly things: readonly ServerThing[];
}

type Cell = number | number[];

export interface QuakeServer {
  /**
   * A row for each frame of each thing that moves: the columns of `thingColumns`, but the number of the scene. Where something
   * pushes, those of `pushColumns`, and a row for each frame of that too.
   */
  ask(map: Uint8Array, scene: ServerScene): Cell[][];
  /** Removes what was compiled for it. */
  free(): void;
}

/** Where the server and the compiler of its game code are, if they are installed. */
export const quakeServerPath = (): string => join(ENGINES, 'usr/games/quakespasm');
export const compilerPath = (): string => join(ENGINES, 'usr/bin/fteqcc');

const text = (numbers: readonly number[]): string => numbers.map(numberText).join(' ');

function entityText(pairs: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(pairs).map(([key, value]) => `"${key}" "${value}"\n`);
  return `{\n${lines.join('')}}\n`;
}

function thingText(thing: ServerThing, number: number): string {
  return entityText({
    classname: 'thing',
    number,
    moves: thing.movetype,
    stops: thing.solid,
    marks: thing.flags,
    place: text(thing.origin),
    speed: text(thing.velocity),
    turn: text(thing.angles),
    spin: text(thing.avelocity),
    low: text(thing.mins),
    high: text(thing.maxs),
    ...(thing.model > 0 && { brushes: `*${thing.model}` }),
    gravity: numberText(thing.gravity),
    owned: thing.owner,
    against: thing.enemy,
    toward: thing.goal,
    wants: numberText(thing.idealyaw),
    turns: numberText(thing.yawspeed),
    chase: thing.call,
    yaw: numberText(thing.yaw),
    way: numberText(thing.distance),
    drift: numberText(thing.drift),
    back: numberText(thing.back),
    drops: thing.drops,
    ...(thing.walks && { walks: thing.walks }),
    ...(thing.lasting && {
      lasting: numberText(thing.lasting),
      other_speed: text(thing.other ?? []),
      yields: thing.yields ?? 0,
    }),
  });
}

/** Whether anything pushes in a scene: then things are watched one by one. */
const pushes = ({ things }: ServerScene): boolean => things.some(({ lasting = 0 }) => lasting > 0);

/** What tells of a thing before and after its turn stands before and after it in the list. */
function watchedText(thing: ServerThing, number: number): string {
  const own = thingText(thing, number);
  if (thing.model > 0 ? !thing.lasting : thing.movetype === 0) return own;
  const watch = (early: number): string => entityText({ classname: 'thing', watches: number, early });
  return watch(1) + own + watch(0);
}

function sceneText(scene: ServerScene): string {
  const { frametime, gravity, maxvelocity, frames, things } = scene;
  const world = entityText({
    classname: 'worldspawn',
    rate: numberText(frametime),
    pull: numberText(gravity),
    most: numberText(maxvelocity),
    lasts: frames,
  });
  const write = pushes(scene) ? watchedText : thingText;
  return world + things.map((thing, k) => write(thing, k + 1)).join('');
}

/** An archive in the engine's format. */
function packFiles(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const head = Buffer.alloc(12);
  const parts: Uint8Array[] = [head];
  const list: Buffer[] = [];
  let at = head.length;
  for (const [name, bytes] of Object.entries(files)) {
    const entry = Buffer.alloc(64);
    entry.write(name);
    entry.writeInt32LE(at, 56);
    entry.writeInt32LE(bytes.length, 60);
    list.push(entry);
    parts.push(bytes);
    at += bytes.length;
  }
  head.write('PACK');
  head.writeInt32LE(at, 4);
  head.writeInt32LE(64 * list.length, 8);
  return Buffer.concat([...parts, ...list]);
}

/** A picture of one pixel, in the place of the player's model. */
function sprite(): Buffer {
  const bytes = Buffer.alloc(57);
  bytes.write('IDSP');
  for (const place of [4, 16, 20, 24, 48, 52]) bytes.writeInt32LE(1, place);
  return bytes;
}

/** An archive of pictures that has none. */
const NO_PICTURES: Buffer = Buffer.from('WAD2\0\0\0\0\x0c\0\0\0', 'latin1');

/** Frames come as quickly as the server can. */
const COMMANDS = 'developer 1\nhost_maxfps 1000\nsys_ticrate 0\nmap bench\n';

const number = (cell: string): number => {
  const [whole, exponent] = cell.split(':').map(Number);
  return whole! * 2 ** exponent!;
};

/** The engine's kinds of solid. */
const [TRIGGER, MODEL] = [1, 4] as const;

/** Reads what the game code printed. */
function readAnswers(printed: string, { things }: ServerScene): Cell[][] {
  const rows: Cell[][] = [];
  let calls = new Map<string, Cell[]>();
  let drawn: number[] = [];
  let hits: string[][] = [];
  let frame = 0;
  for (const [, line] of printed.matchAll(/@(.*)\n/g)) {
    const [what, thing, ...cells] = line!.split(' ');
    if (what === 'T') hits.push([thing!, ...cells]);
    else if (what === 'R') drawn.push(Number(thing));
    else if (what === 'C') {
      const [call, yaw, distance, called, bottom] = cells as [string, string, string, string, string];
      const asked = [Number(call), number(yaw), number(distance), drawn];
      calls.set(thing!, [...asked, Number(called), Number(bottom), drawn.length]);
      drawn = [];
    } else if (what === 'S') {
      const call = calls.get(thing!) ?? [0, 0, 0, [], 0, 0, 0];
      const whole = cells.slice(13).map(Number);
      const touched = touchedBy(thing!, hits, things);
      rows.push([frame, Number(thing), ...call, touched, ...cells.slice(0, 13).map(number), ...whole]);
    } else {
      frame++;
      calls = new Map();
      hits = [];
    }
  }
  return rows;
}

/** Of a turn: whether a thing's thought called nothing. */
const NO_CALL: Cell[] = [0, 0, 0, [], 0, 0, 0];
const NO_MOTION: readonly number[] = Array.from({ length: 9 }, () => 0);

/** The same where something pushes: what was printed in a turn comes before what its watcher says. */
function readPushes(printed: string, { frames, things }: ServerScene): Cell[][] {
  const rows: Cell[][] = [];
  let called: Cell[] = NO_CALL;
  let asked: number[] = [];
  let drawn: number[] = [];
  let hits: string[][] = [];
  let state: string[] = [];
  let moved: number[] = [];
  let blocker = 0;
  let frame = 0;
  for (const [, line] of printed.matchAll(/@(.*)\n/g)) {
    const [what, thing, ...cells] = line!.split(' ') as [string, string, ...string[]];
    if (what === 'T') hits.push([thing, ...cells]);
    else if (what === 'R') drawn.push(Number(thing));
    else if (what === 'C') {
      const [call, yaw, distance, done, bottom] = cells as [string, string, string, string, string];
      called = [
        Number(call),
        number(yaw),
        number(distance),
        drawn,
        Number(done),
        Number(bottom),
        drawn.length,
      ];
    } else if (what === 'V') asked = cells.map(number);
    else if (what === 'B') blocker = Number(cells[0]);
    else if (what === 'O') moved.push(Number(thing));
    else if (what === 'S') state = cells;
    else if (what === 'F') {
      // The server ends a frame later.
      if (++frame === frames) break;
    } else {
      const isPusher = what === 'P';
      const [call, yaw, distance, random, ...rest] = called as [Cell, Cell, Cell, Cell, ...Cell[]];
      const question = [frame, Number(thing), call, yaw, distance, ...(isPusher ? asked : [0, 0, 0, 0, 0])];
      const touched = isPusher ? touchedPairs(hits, things) : touchedBy(thing, hits, things);
      const motion = isPusher
        ? [...cells.map(number), ...NO_MOTION, 0, 0, 0, 0, 0]
        : [...state.slice(0, 13).map(number), ...state.slice(13).map(Number)];
      const box = isPusher ? [0, 0, 0, 0, 0, 0] : cells.map(number);
      rows.push([...question, random, ...rest, touched, ...motion, blocker, moved, ...box]);
      called = NO_CALL;
      hits = [];
      drawn = [];
      moved = [];
      blocker = 0;
    }
  }
  return rows;
}

/**
 * What a thing has hit. Each of two that hit each other is told, the one that moves first; the world and models are not. One that
 * is told alone of another is a trigger, or was hit by what is not solid.
 */
function touchedBy(thing: string, hits: readonly string[][], things: readonly ServerThing[]): number[] {
  const pairs = touchedPairs(hits, things);
  return pairs.filter((_, k) => k % 2 === 1 && pairs[k - 1] === Number(thing));
}

/** What has hit, and what was hit, in turn. */
function touchedPairs(hits: readonly string[][], things: readonly ServerThing[]): number[] {
  const found: number[] = [];
  for (let k = 0; k < hits.length; k++) {
    const [one, other] = hits[k]!;
    const { solid = MODEL } = things[Number(other) - 1] ?? {};
    // Two triggers that move tell each other too, but neither hits the other.
    const isBoth = solid > TRIGGER && hits[k + 1]?.[0] === other && hits[k + 1]?.[1] === one;
    const isDeaf = solid === MODEL;
    if (isBoth || isDeaf) found.push(Number(one), Number(other));
    if (isBoth) k++;
  }
  return found;
}

/**
 * @param yardstick - the folder of that name in packages/movement.
 * @throws Error where the server, the compiler of its game code or gcc is missing.
 */
export function openQuakeServer(yardstick: string): QuakeServer {
  const [server, compiler] = [installed(quakeServerPath()), installed(compilerPath())];
  const compiled = mkdtempSync(join(tmpdir(), 'bspkit-record-'));
  copyFileSync(join(yardstick, 'things.qc'), join(compiled, 'things.qc'));
  writeFileSync(join(compiled, 'progs.src'), 'progs.dat\nthings.qc\n');
  execFileSync(compiler, ['-O0', 'progs.src'], { cwd: compiled, stdio: 'pipe' });
  const progs = readFileSync(join(compiled, 'progs.dat'));
  const dice = join(compiled, 'dice.so');
  compileModule(join(yardstick, 'dice.c'), dice);
  return {
    ask: (map, scene) =>
      inFolder((folder) => {
        mkdirSync(join(folder, 'id1'));
        writeFileSync(join(folder, 'id1/gfx.wad'), NO_PICTURES);
        writeFileSync(join(folder, 'id1/autoexec.cfg'), COMMANDS);
        // The only archive from which the server takes files of folders without the whole game.
        const files = {
          'maps/bench.bsp': map,
          'maps/bench.ent': Buffer.from(sceneText(scene)),
          'progs/player.mdl': sprite(),
          'progs.dat': progs,
        };
        writeFileSync(join(folder, 'quakespasm.pak'), packFiles(files));
        // It ends where another one has its port: each process that asks servers has one of its own.
        const port = String(1024 + (process.pid % 60_000));
        const words = ['-dedicated', '1', '-basedir', folder, '-nosound', '-port', port];
        const { status, stdout, stderr } = spawnSync(server, words, {
          cwd: folder,
          env: { HOME: folder, LD_PRELOAD: dice, BSPKIT_SEED: `${scene.seed}` },
          timeout: 60_000,
          encoding: 'latin1',
          maxBuffer: 1 << 28,
        });
        if (status !== 0) throw new Error(`the server ended with ${status}: ${stderr}${stdout.slice(-500)}`);
        return (pushes(scene) ? readPushes : readAnswers)(stdout, scene);
      }),
    free: () => rmSync(compiled, { recursive: true }),
  };
}
