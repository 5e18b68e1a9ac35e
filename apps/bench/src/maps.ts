import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { BspFormat, BspFormatEntry } from '@bspkit/core/format';
import { findRealData } from '@bspkit/fixtures/real';
import { mapNames, type RecordedData, type RowFile, readMap, rowFiles } from '@bspkit/fixtures/recorded';
import { detectBsp, FORMATS } from 'bspkit';
import { place } from './place.ts';

/** A map to measure on. */
export interface BenchMap {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly format: BspFormat;
  /** Recorded traces on this map, where there are some. */
  readonly golden: RowFile | undefined;
  /** Recorded moves of players in this map, where there are some. */
  readonly moves?: RowFile | undefined;
}

/** Our own maps, which are always here. */
const OWN: RecordedData = {
  maps: place('../../../packages/fixtures/engine/maps'),
  golden: place('../../../packages/fixtures/engine/golden'),
};

/** Of each game small and large ones; finely split, and rich in brushes with many sides. */
const USUAL = [
  ...['q3dm6ish', 'oa_dm1', 'oa_minia', 'ctf_compromise', 'ons-reborn'],
  ...['e1m1', 'e4m7', 'start', 'dm4'],
  ...['farm_f_farmhouse_a', 'mansion_mansion_main', 'city2_c2_main'],
];

/** What is measured by default: the usual maps that are here; where there are none, the arena of our own. */
export function usualMaps(formats: readonly BspFormatEntry[] = FORMATS): string[] {
  const names = USUAL.filter((name) => findMap(name, formats).length > 0);
  return names.length > 0 ? names : ['arena'];
}

interface FoundMap {
  readonly data: RecordedData;
  readonly entry: BspFormatEntry;
  /** With its folder: the format's name. */
  readonly path: string;
}

/** The maps of a name, real or our own, in all formats. */
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

/**
 * A map by name: a real one or one of our own, as `NAME` or `FORMAT/NAME`, or a path to a `.bsp` or `.bsp.gz`. Of a
 * name that several formats have, one that keeps brushes is taken: all libraries can be measured on it.
 *
 * @throws (rejects with) Error when there is no such map; RangeError for a file of no format on the list.
 */
export async function openMap(name: string, formats: readonly BspFormatEntry[] = FORMATS): Promise<BenchMap> {
  if (/\.bsp(\.gz)?$/.test(name)) return openFile(name, formats);
  const found = findMap(name, formats);
  for (const { data, entry, path } of found) {
    const format = await entry.load();
    if (!format.brushes && found.length > 1) continue;
    const rows = (kind: string): RowFile | undefined =>
      rowFiles(data, entry.id).find((file) => file.name === path.replace(/bsp$/, kind));
    return { name, bytes: readMap(data, path), format, golden: rows('trace'), moves: rows('pmove') };
  }
  throw new Error(`there is no map '${name}', neither in the repository nor in BSPKIT_MAPS or ../shared`);
}

async function openFile(path: string, formats: readonly BspFormatEntry[]): Promise<BenchMap> {
  if (!existsSync(path)) throw new Error(`there is no file ${path}`);
  const raw = readFileSync(path);
  const bytes = path.endsWith('.gz') ? gunzipSync(raw) : raw;
  const found = detectBsp(bytes, formats);
  const entry = formats.find(({ id }) => id === found.format);
  if (!entry) throw new RangeError(`${path} is ${found.name}`);
  const name = basename(path).replace(/\.bsp(\.gz)?$/, '');
  return { name, bytes, format: await entry.load(), golden: undefined };
}
