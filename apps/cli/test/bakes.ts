import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { arenaQuake3 } from '@bspkit/fixtures';
import { temporaryFolder } from './bspkit.ts';

/** A folder with what bakes are made of. */
export interface BakeFolder {
  readonly folder: string;
  inFolder(name: string): string;
  /** A map of Quake 3. */
  readonly arena: string;
  /** A path through it, as points. */
  readonly points: string;
}

/** What a bake says that is done, where nobody watches. */
export const DONE = { status: 0, stdout: '', stderr: '' };

/** A folder of the tests of this file. */
export function setUpBakes(): BakeFolder {
  const folder = temporaryFolder();
  const inFolder = (name: string): string => join(folder, name);
  const [arena, points] = [inFolder('arena.bsp'), inFolder('points.txt')];
  writeFileSync(arena, arenaQuake3());
  writeFileSync(
    points,
    Array.from({ length: 70 }, (_, k) => `${k * 9 - 300} ${k * 4 - 150} ${k % 90}`).join('\n'),
  );
  return { folder, inFolder, arena, points };
}
