import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RowHeader, RowSource } from '@bspkit/core/format';
import { MapError, UsageError } from './errors.ts';
import { readMap } from './maps.ts';
import type { Session } from './session.ts';

/** Reads a map by the name that a file of questions has for it. */
export type LoadMap = RowSource['load'];

/** Where the maps come from that a file of questions names: the one map that was given, or a folder. */
export function mapSource(
  header: RowHeader,
  map: string | undefined,
  folder: string | undefined,
  session: Session,
): LoadMap {
  if (map !== undefined) return oneMap(header, map, session);
  if (folder !== undefined) return mapFolder(folder, session);
  return (_, name) => {
    throw new UsageError(`the questions are about ${name}: name a map, or a folder with --maps`);
  };
}

function oneMap({ tiles = [] }: RowHeader, map: string, session: Session): LoadMap {
  if (tiles.length > 1) {
    throw new UsageError(
      `the questions are about an assembly of ${tiles.length} maps: give their folder with --maps`,
    );
  }
  return () => readMap(map, session);
}

interface IndexEntry {
  readonly file: string;
  readonly sha256?: string;
  readonly originalSha256?: string;
}

/** A folder of maps. Its INDEX.json, where it has one, tells which file stands for which original. */
function mapFolder(folder: string, session: Session): LoadMap {
  const index = readIndex(join(folder, 'INDEX.json'), session);
  return (game, name, sha256) => {
    const names = possibleNames(game, name);
    const entry =
      Object.values(index).find((item) => sha256 && (item.originalSha256 ?? item.sha256) === sha256) ??
      names.map((key) => index[`${key}.bsp`]).find((item) => item !== undefined);
    if (entry) return readMap(join(folder, entry.file), session);
    const files = names.flatMap((key) => [join(folder, `${key}.bsp`), join(folder, `${key}.bsp.gz`)]);
    const file = files.find((candidate) => existsSync(session.path(candidate)));
    if (!file) throw new MapError(`${folder}: has no map ${name}; looked for ${files.join(', ')}`);
    const bytes = readMap(file, session);
    if (sha256 && createHash('sha256').update(bytes).digest('hex') !== sha256) {
      session.err.print(`bspkit: note: ${file} is not the file that the questions name (sha256 differs)\n`);
    }
    return bytes;
  };
}

/** Where a map may lie in a folder. Some games' names are paths, which may have been flattened. */
function possibleNames(game: string, name: string): string[] {
  const path = name.replace(/^maps\//, '').replace(/\.bsp$/, '');
  const flat = path.replaceAll('/', '_');
  return [...new Set([`${game}/${flat}`, `${game}/${path}`, flat, path, `maps/${path}`])];
}

function readIndex(name: string, session: Session): Readonly<Record<string, IndexEntry>> {
  const path = session.path(name);
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, IndexEntry>;
  } catch (error) {
    throw new MapError(`${name}: ${(error as Error).message}`, { cause: error });
  }
}
