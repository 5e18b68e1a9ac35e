import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { BspFormatEntry } from '@bspkit/core/format';
import { findRealData } from '@bspkit/fixtures/real';
import {
  mapLoader,
  mapNames,
  type RecordedData,
  type RowFile,
  readMap,
  rowFiles,
} from '@bspkit/fixtures/recorded';
import { detectBsp, FORMATS } from 'bspkit';
import { place } from './place.ts';
import type { WorldSource } from './world.ts';

/** A map to measure on. */
export interface BenchMap extends WorldSource {
  /** What it was asked for by, so that no two maps of a run have the same. */
  readonly name: string;
  /** Recorded traces on this map, if there are any. */
  readonly golden: RowFile | undefined;
  /** Recorded moves of players in this map, if there are any. */
  readonly moves?: RowFile | undefined;
}

/** Our own maps, which are always here. */
const OWN: RecordedData = {
  maps: place('../../../packages/fixtures/engine/maps'),
  golden: place('../../../packages/fixtures/engine/golden'),
  packages: place('../../../packages'),
};

/** How many of each game are measured in a first look: the second shows how much maps differ. */
const FEW = 2;

/**
 * What is measured by default, as `FORMAT/NAME`: those maps of each format's `yardstick/maps.json` that are there, or for a
 * first look the first of them; if there are none, our own arena. Some are small, some large, some finely divided, some rich
 * in brushes with many sides.
 */
export function usualMaps(isQuick: boolean, formats: readonly BspFormatEntry[] = FORMATS): string[] {
  const isHere = (name: string): boolean =>
    findMap(name, formats).length > 0 || findTiles(name, formats) !== undefined;
  const names = formats.flatMap(({ id }) => {
    const list = place(`../../../packages/${id}/yardstick/maps.json`);
    if (!existsSync(list)) return [];
    const usual = (JSON.parse(readFileSync(list, 'utf8')) as string[]).map((name) => `${id}/${name}`);
    return usual.filter(isHere).slice(0, isQuick ? FEW : usual.length);
  });
  return names.length > 0 ? names : ['arena'];
}

/** Our own maps, as `FORMAT/NAME`. */
export function ownMaps(): string[] {
  return FORMATS.flatMap(({ id }) => mapNames(OWN, id).map((path) => path.replace(/\.bsp$/, '')));
}

interface FoundMap {
  readonly data: RecordedData;
  readonly entry: BspFormatEntry;
  /** With its folder, the format's name. */
  readonly path: string;
}

/** The maps with a name, real or our own, in all formats. */
function findMap(name: string, formats: readonly BspFormatEntry[]): FoundMap[] {
  const places = [OWN, findRealData()].filter((data) => data !== undefined);
  return places.flatMap((data) =>
    formats.flatMap((entry) =>
      mapNames(data, entry.id)
        .filter((path) => path === `${name}.bsp` || path === `${entry.id}/${name}.bsp`)
        .map((path) => ({ data, entry, path })),
    ),
  );
}

/** Recorded rows about an assembly, whose header says what it consists of. */
interface FoundTiles {
  readonly data: RecordedData;
  readonly rows: RowFile;
  readonly tiles: readonly {
    readonly map: string;
    readonly sha256: string;
    readonly x: number;
    readonly y: number;
    readonly z: number;
  }[];
}

/** Rows about the assembly with a name; only real data has such. */
function findTiles(name: string, formats: readonly BspFormatEntry[]): FoundTiles | undefined {
  const data = findRealData();
  if (!data) return undefined;
  for (const rows of formats.flatMap(({ id }) => rowFiles(data, id))) {
    const path = rows.name.slice(0, rows.name.lastIndexOf('.'));
    if (path !== name && path !== `${rows.game}/${name}`) continue;
    const { tiles } = JSON.parse(rows.readHeader()) as Partial<FoundTiles>;
    if (tiles && tiles.length > 1) return { data, rows, tiles };
  }
  return undefined;
}

async function openTiles(
  name: string,
  { data, rows, tiles }: FoundTiles,
  formats: readonly BspFormatEntry[],
): Promise<BenchMap> {
  const format = await formats.find(({ id }) => id === rows.game)!.load();
  const load = mapLoader(data);
  const opened = tiles.map(({ map, sha256, x, y, z }) => ({
    bytes: load(rows.game, map, sha256),
    offset: [x, y, z],
  }));
  return { name, format, bytes: opened[0]!.bytes, tiles: opened, golden: undefined };
}

/**
 * A map by name: a real one or one of our own, as `NAME` or `FORMAT/NAME`, or a path to a `.bsp` or `.bsp.gz`. If several formats
 * have the name, one that keeps brushes is chosen, and of these the one for which most kinds of rows were recorded: everything
 * can be measured on it. Or an assembly for which rows were recorded.
 *
 * @throws (rejects with) Error when there is no such map; RangeError for a file of no format on the list.
 */
export async function openMap(name: string, formats: readonly BspFormatEntry[] = FORMATS): Promise<BenchMap> {
  if (/\.bsp(\.gz)?$/.test(name)) return openFile(name, formats);
  let best: BenchMap | undefined;
  let most = -1;
  const found = findMap(name, formats);
  // Our own maps come before real ones with the same name.
  for (const { data, entry, path } of found.filter((one) => one.data === found[0]!.data)) {
    const beginning = path.replace(/bsp$/, '');
    const recorded = rowFiles(data, entry.id).filter((file) => file.name.startsWith(beginning));
    const rows = (kind: string): RowFile | undefined =>
      recorded.find((file) => file.name === beginning + kind);
    const format = await entry.load();
    const count = format.brushes ? 1 + recorded.length : 0;
    if (count <= most) continue;
    most = count;
    best = { name, bytes: readMap(data, path), format, golden: rows('trace'), moves: rows('pmove') };
  }
  if (best) return best;
  const tiles = findTiles(name, formats);
  if (tiles) return openTiles(name, tiles, formats);
  throw new Error(`there is no map '${name}', neither in the repository nor in BSPKIT_MAPS or ../shared`);
}

async function openFile(path: string, formats: readonly BspFormatEntry[]): Promise<BenchMap> {
  if (!existsSync(path)) throw new Error(`there is no file ${path}`);
  const raw = readFileSync(path);
  const bytes = path.endsWith('.gz') ? gunzipSync(raw) : raw;
  const found = detectBsp(bytes, formats);
  const entry = formats.find(({ id }) => id === found.format);
  if (!entry) throw new RangeError(`${path} is ${found.name}`);
  return { name: path, bytes, format: await entry.load(), golden: undefined };
}
