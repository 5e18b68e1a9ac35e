// Sends questions to Yamagi Quake II's dedicated server, as packaged by Debian (yamagi-quake2-core). It loads a map and, as its
// game, a program in C, which reads the questions from a file and writes its answers to another: packages/quake2/yardstick/record.c
// asks the server itself, packages/movement/yardstick/record-quake2.c its own game.

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Quake2World } from '@bspkit/quake2';
import { compileModule, ENGINES, inFolder, makeFolders, readEngine, runServer } from './dedicated.ts';
import { numberText } from './numbers.ts';

/** Characters of a texture's name that the server keeps. */
const NAME_LENGTH = 15;

/** An entity placed in the world: a box, or an inline model. */
export interface ServerEntity {
  /** 0 for a box. */
  readonly model: number;
  readonly mins?: readonly number[] | undefined;
  readonly maxs?: readonly number[] | undefined;
  readonly origin: readonly number[];
  readonly angles: readonly number[];
  /** Number of the entity that owns it; 0 for none. */
  readonly owner?: number | undefined;
  readonly dead?: number | undefined;
}

/** A server that answers about one map after the other. */
export interface Server {
  /** Its answers to lines about a map, with these words on its command line. */
  ask(map: Uint8Array, lines: readonly string[], words?: readonly string[]): string[];
  /** Removes what was compiled for it. */
  free(): void;
}

/** Where the server is, if it is installed. `yardstick` is the folder of that name in packages/quake2. */
export const serverPath = (yardstick: string): string => join(ENGINES, readEngine(yardstick).program);

/** Where the server's own game is, if it is installed. */
export const QUAKE2_GAME: string = join(ENGINES, 'usr/lib/yamagi-quake2/baseq2/game.so');

/**
 * @param source - the game in C, if not `record.c`, and what it finds in its environment.
 * @throws Error where gcc is missing.
 */
export function openServer(
  yardstick: string,
  source: string = join(yardstick, 'record.c'),
  environment: Readonly<Record<string, string>> = {},
): Server {
  const engine = readEngine(yardstick);
  const compiled = mkdtempSync(join(tmpdir(), 'bspkit-record-'));
  const game = join(compiled, 'game.so');
  compileModule(source, game, '-I', yardstick);
  return {
    ask: (map, lines, words) =>
      inFolder((folder) => {
        makeFolders(folder, [engine.module, engine.map]);
        copyFileSync(game, join(folder, engine.module));
        writeFileSync(join(folder, engine.map), map);
        const questions = join(folder, 'questions');
        writeFileSync(questions, `${lines.join('\n')}\n`);
        return runServer(engine, folder, { BSPKIT_QUESTIONS: questions, ...environment }, words);
      }),
    free: () => rmSync(compiled, { recursive: true }),
  };
}

/** The words that turn on air acceleration. */
export const AIR_ACCELERATE: readonly string[] = ['+set', 'deathmatch', '1', '+set', 'sv_airaccelerate', '1'];

const line = (numbers: readonly number[]): string => numbers.map(numberText).join(' ');

/** The line that asks for a trace: cells are start, end, mins, maxs and mask; `pass` is the entity that moves, 0 for none. */
export const traceLine = (cells: readonly number[], pass = 0): string =>
  `trace ${pass || -1} ${cells[12]} ${line(cells.slice(0, 12))}`;

/** The line that places an entity in the world. */
export function placeLine(number: number, { model, mins, maxs, ...entity }: ServerEntity): string {
  const none = [0, 0, 0];
  const place = [...(mins ?? none), ...(maxs ?? none), ...entity.origin, ...entity.angles];
  return `place ${number} ${model} ${entity.owner || -1} ${entity.dead ?? 0} ${line(place)}`;
}

/** The line that asks for a player's command: cells from the mask on. */
export const playerLine = (cells: readonly number[]): string => `player ${cells.join(' ')}`;

/**
 * Answers to traces as cells of rows: fraction, end, normal, dist, startsolid, allsolid, contents, surfaceFlags, texinfo,
 * entity, contents of the start. Textures are told by where they stand among those of the map, and by name, which makes
 * their numbers known.
 * @throws Error when it does not.
 */
export function readTraces(world: Quake2World, answers: readonly string[]): number[][] {
  const told = answers.map((answer) => {
    const [, numbers, place, entity, contents, name] =
      /^((?:\S+ ){12})(\S+) (\S+) (\S+) (.*)$/.exec(answer) ?? [];
    return { numbers: numbers!.trim().split(' ').map(Number), place, entity, contents, name };
  });
  const names = world.textureNames().map((name) => name.slice(0, NAME_LENGTH));
  const firsts = names.flatMap((_, first) =>
    told.every(({ place, name }) => place === 'x' || names[first + Number(place)] === name) ? [first] : [],
  );
  if (firsts.length !== 1) throw new Error(`the first texture may be any of ${firsts.length}`);
  return told.map(({ numbers, place, entity, contents }) => [
    ...numbers,
    place === 'x' ? -1 : firsts[0]! + Number(place),
    Number(entity),
    Number(contents),
  ]);
}

/** The answer to a player's command as cells of rows; the last one is a list. */
export function readPlayer(answer: string): (number | number[])[] {
  const numbers = answer.split(' ').map(Number);
  return [...numbers.slice(0, 21), numbers.slice(21)];
}
