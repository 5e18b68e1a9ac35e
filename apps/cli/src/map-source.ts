import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Header, MapSource } from '@bspkit/conformance';
import { MapError, UsageError } from './errors.ts';
import { readMap } from './maps.ts';

/** Where the maps come from that a file of questions names: the one map that was given, or a folder. */
export function mapSource(header: Header, map: string | undefined, folder: string | undefined): MapSource {
  if (map !== undefined) return oneMap(header, map);
  if (folder !== undefined) return mapFolder(folder);
  return {
    load(_, name) {
      throw new UsageError(`the questions are about ${name}: name a map, or a folder with --maps`);
    },
  };
}

function oneMap({ tiles = [] }: Header, map: string): MapSource {
  if (tiles.length > 1) {
    throw new UsageError(
      `the questions are about an assembly of ${tiles.length} maps: give their folder with --maps`,
    );
  }
  return { load: () => readMap(map).bytes };
}

interface IndexEntry {
  readonly file: string;
  readonly sha256?: string;
  readonly originalSha256?: string;
}

/** A folder of maps. Its INDEX.json, where it has one, tells which file stands for which original. */
function mapFolder(folder: string): MapSource {
  const index = readIndex(join(folder, 'INDEX.json'));
  return {
    load(game, name, sha256) {
      const names = possibleNames(game, name);
      const entry =
        Object.values(index).find((item) => sha256 && (item.originalSha256 ?? item.sha256) === sha256) ??
        names.map((key) => index[`${key}.bsp`]).find((item) => item !== undefined);
      if (entry) return readMap(join(folder, entry.file)).bytes;
      const paths = names.flatMap((key) => [join(folder, `${key}.bsp`), join(folder, `${key}.bsp.gz`)]);
      const path = paths.find(existsSync);
      if (!path) throw new MapError(`${folder}: has no map ${name}; looked for ${paths.join(', ')}`);
      const { bytes } = readMap(path);
      if (sha256 && createHash('sha256').update(bytes).digest('hex') !== sha256) {
        process.stderr.write(
          `bspkit: note: ${path} is not the file that the questions name (sha256 differs)\n`,
        );
      }
      return bytes;
    },
  };
}

/** Where a map may lie in a folder. Names of UFO: Alien Invasion are paths, which may have been made flat. */
function possibleNames(game: string, name: string): string[] {
  const path = name.replace(/^maps\//, '').replace(/\.bsp$/, '');
  const flat = path.replaceAll('/', '_');
  return [...new Set([`${game}/${flat}`, `${game}/${path}`, flat, path, `maps/${path}`])];
}

function readIndex(path: string): Readonly<Record<string, IndexEntry>> {
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, IndexEntry>;
  } catch (error) {
    throw new MapError(`${path}: ${(error as Error).message}`, { cause: error });
  }
}
