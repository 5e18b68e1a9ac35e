import { createHash } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type RowHeader, type RowSource, showValue } from '@bspkit/core/format';
import { detectBsp } from 'bspkit';
import { MapError, systemReason, UsageError, withMapName } from './errors.ts';
import { isObject, readTable } from './files.ts';
import { fileOfMap, readMap } from './maps.ts';
import { printable } from './printable.ts';
import type { Session } from './session.ts';

/** A map that a file of questions names. */
export interface FoundMap {
  /** Its name in messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Finds a map by the game, the name and the hash that a file of questions gives. */
type FindMap = (...asked: Parameters<RowSource['load']>) => FoundMap;

/** Where the maps come from that a file of questions names: the one map that was given, or a folder. */
export function mapSource(
  header: RowHeader,
  map: string | undefined,
  folder: string | undefined,
  session: Session,
): FindMap {
  if (map !== undefined && folder !== undefined) {
    throw new UsageError(`--maps is for the maps that the questions name: leave out ${map}, or --maps`);
  }
  if (map !== undefined) return oneMap(header, map, session);
  if (folder !== undefined) return mapFolder(folder, 'line 1: map', session);
  return (_, name) => {
    throw new UsageError(`the questions are about ${name}: name a map, or a folder with --maps`);
  };
}

function oneMap({ tiles = [] }: RowHeader, map: string, session: Session): FindMap {
  if (tiles.length > 1) {
    throw new UsageError(
      `the questions are about an assembly of ${tiles.length} maps: give their folder with --maps in place of ${map}`,
    );
  }
  return (game, _, sha256) => {
    const bytes = readMapOf(game, map, session);
    noteOther(map, bytes, sha256, session);
    return { name: map, bytes };
  };
}

/** Tells the user that a map is not the one that the questions name. */
function noteOther(name: string, bytes: Uint8Array, sha256: string | undefined, session: Session): void {
  if (!sha256 || createHash('sha256').update(bytes).digest('hex') === sha256) return;
  const note = `${name} is not the file that the questions name (sha256 differs)`;
  session.say(`note: ${printable(note)}`);
}

/** Reads a map. Throws if it is of another game than the questions: the user knows which of the two is wrong. */
function readMapOf(game: string, name: string, session: Session): Uint8Array {
  const bytes = readMap(name, session);
  const found = detectBsp(bytes, session.entries);
  if (found.format === undefined || found.format === game) return bytes;
  const wanted = session.entries.find(({ id }) => id === game)?.name ?? game;
  throw new UsageError(`${name}: is ${found.name}, but the questions are about a map of ${wanted}`);
}

interface IndexEntry {
  readonly file: string;
  readonly sha256?: string;
  readonly originalSha256?: string;
}

type Index = Readonly<Record<string, IndexEntry>>;

/**
 * A folder of maps. Its INDEX.json, if there is one, says which file stands for which original.
 * @param asked - what messages call a requested map.
 */
export function mapFolder(folder: string, asked: string, session: Session): FindMap {
  checkFolder(folder, session);
  const index = readIndex(join(folder, 'INDEX.json'), session);
  return (game, name, sha256) => {
    const names = possibleNames(game, name);
    const entry =
      Object.values(index).find((item) => sha256 && [item.originalSha256, item.sha256].includes(sha256)) ??
      names.map((key) => index[`${key}.bsp`]).find((item) => item !== undefined);
    if (entry) {
      const file = join(folder, entry.file);
      if (leavesFolder(folder, entry.file, session)) {
        throw new MapError(`${join(folder, 'INDEX.json')}: file '${entry.file}' lies outside ${folder}`);
      }
      const bytes = readMapOf(game, file, session);
      // One that stands for the original has another hash itself.
      if (entry.originalSha256 !== sha256) noteOther(file, bytes, sha256, session);
      return { name: file, bytes };
    }
    const files = names.flatMap((key) => [`${key}.bsp`, `${key}.bsp.gz`]);
    if (files.some((file) => leavesFolder(folder, file, session))) {
      throw new RangeError(`${asked} '${name}' lies outside ${folder}`);
    }
    const file = files.map((key) => join(folder, key)).find((path) => existsSync(session.path(path)));
    if (!file) {
      const looked = files.map((key) => join(folder, key)).join(', ');
      throw new MapError(`${folder}: has no map ${name}; looked for ${looked}`);
    }
    const bytes = readMapOf(game, file, session);
    noteOther(file, bytes, sha256, session);
    return { name: file, bytes };
  };
}

/** Throws `MapError` naming a folder that is not there, or is not one. */
export function checkFolder(folder: string, session: Session): void {
  const path = session.path(folder);
  try {
    if (statSync(path).isDirectory()) return;
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const problem = isAbsent ? 'there is no such folder' : systemReason(error);
    throw new MapError(`${folder}: ${problem}`, { cause: error });
  }
  throw new MapError(`${folder}: is not a folder`);
}

/** Whether a path leads out of the folder that it begins in: upward, by a drive, or through a symbolic link. */
export function leavesFolder(folder: string, path: string, session: Session): boolean {
  if (/^[\\/]|^[a-z]:|\0/i.test(path) || path.split(/[\\/]/).includes('..')) return true;
  const file = session.path(join(folder, fileOfMap(path)));
  if (!existsSync(file)) return false;
  const inside = realpathSync(session.path(folder));
  return !realpathSync(file).startsWith(inside.endsWith(sep) ? inside : inside + sep);
}

/** Where a map may be in a folder. Some games' names are paths, which may have been flattened. */
function possibleNames(game: string, name: string): string[] {
  const path = name.replace(/^maps\//, '').replace(/\.bsp$/, '');
  const flat = path.replaceAll('/', '_');
  return [...new Set([`${game}/${flat}`, `${game}/${path}`, flat, path, `maps/${path}`])];
}

/** Far above what tens of thousands of maps need. */
const MAX_INDEX_BYTES = 64_000_000;

function readIndex(name: string, session: Session): Index {
  if (!existsSync(session.path(name))) return {};
  const table = readTable(name, MAX_INDEX_BYTES, 'map', session);
  return withMapName(name, () => checkIndex(table), SyntaxError);
}

/** Checks that a table is an index. Throws `SyntaxError` naming what is missing or wrong. */
function checkIndex(table: Readonly<Record<string, unknown>>): Index {
  for (const [key, entry] of Object.entries(table)) {
    if (!isObject(entry)) throw new SyntaxError(`the entry of '${key}' is not an object`);
    for (const field of ['file', 'sha256', 'originalSha256'] as const) {
      const text = entry[field];
      if (text === undefined && field !== 'file') continue;
      if (typeof text !== 'string' || text === '') {
        // Not as JSON, which may be nested deeper than the stack.
        const got = text === undefined ? 'is missing' : `is ${showValue(text)}`;
        throw new SyntaxError(`${field} of '${key}' ${got}; it must be text`);
      }
    }
  }
  return table as unknown as Index;
}
