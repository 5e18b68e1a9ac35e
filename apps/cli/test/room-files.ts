import { writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { boxBrush, compileMap, roomBrushes } from '@bspkit/compile';
import { expect } from 'vitest';
import { bspkit, temporaryFolder, withoutTimes } from './bspkit.ts';
import { rooms } from './rooms.ts';

/** The rooms as files of all games, in a folder of the test's own, and what commands print about them. */
export interface RoomFiles {
  readonly folder: string;
  readonly quake1: string;
  readonly quake2: string;
  readonly quake3: string;
  readonly ufoai: string;
  /** What a command printed, without what depends on the place, the time and the tree. */
  printed(...args: string[]): Promise<string>;
  /** The same as JSON. */
  json(...args: string[]): Promise<Record<string, unknown>>;
}

/** From one room into the other, through the doorway, and into the wall beside it. */
export const ACROSS: readonly string[] = ['--from', '32,128,64', '--to', '224,128,64'];
export const INTO_WALL: readonly string[] = ['--from', '32,192,64', '--to', '224,192,64'];

export function roomFiles(): RoomFiles {
  const folder = temporaryFolder();
  const files = {
    quake1: join(folder, 'rooms1.bsp'),
    quake2: join(folder, 'rooms2.bsp'),
    quake3: join(folder, 'rooms3.bsp'),
    ufoai: join(folder, 'roomsu.bsp.gz'),
  };
  writeFileSync(files.quake1, rooms('quake1'));
  writeFileSync(files.quake2, rooms('quake2'));
  writeFileSync(files.quake3, rooms('quake3'));
  writeFileSync(files.ufoai, gzipSync(rooms('ufoai')));
  const printed = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await bspkit(...args);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const text = withoutTimes(stdout.replaceAll(folder + sep, 'FOLDER/'));
    return text.replace(/\b(leaf|plane|brush|side) +\d+/g, '$1 #');
  };
  const json = async (...args: string[]): Promise<Record<string, unknown>> =>
    JSON.parse(await printed(...args, '--json')) as Record<string, unknown>;
  return { folder, ...files, printed, json };
}

/** A hall with a door that is built around its own origin: 16 units thick and 112 wide, across the way. */
export function hallFile(folder: string): string {
  const path = join(folder, 'hall.bsp');
  const entities = [
    { properties: { classname: 'worldspawn' }, brushes: roomBrushes([0, 0, 0], [512, 512, 128], 16) },
    {
      properties: { classname: 'func_door', origin: '200 256 64' },
      brushes: [boxBrush([192, 200, 0], [208, 312, 128])],
    },
  ];
  writeFileSync(path, compileMap({ entities }, { format: 'ufoai' }).bytes);
  return path;
}

/** Through the hall into its door. */
export const INTO_DOOR: readonly string[] = ['--from', '40,256,60', '--to', '300,256,60', '--models', 'all'];
