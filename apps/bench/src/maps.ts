import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { arenaQuake3 } from '@bspkit/fixtures';
import { goldenFiles, readRealMap, realMapNames } from '@bspkit/fixtures/real';

/** A map to measure on. */
export interface BenchMap {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** File of golden rows on this map, where there is one. */
  readonly golden: string | undefined;
}

const ARENA = 'arena';

/** Small, large, finely split, and rich in brushes with many sides. */
const USUAL = ['q3dm6ish', 'oa_minia', 'ctf_compromise', 'ons-reborn'];

/** What is measured unless told: the usual maps that are here; where there are none, the arena of our own. */
export function usualMaps(): string[] {
  const here = realMapNames('quake3');
  const names = USUAL.filter((name) => here.includes(realName(name)));
  return names.length > 0 ? names : [ARENA];
}

const realName = (name: string): string => `quake3/${name}.bsp`;

/**
 * A map by name: `arena`, a real map beside the repository, or a path to a `.bsp` or `.bsp.gz`.
 * Throws where there is none.
 */
export function openMap(name: string): BenchMap {
  if (name === ARENA) return { name, bytes: arenaQuake3(), golden: undefined };
  if (/\.bsp(\.gz)?$/.test(name)) {
    const raw = readFileSync(name);
    const bytes = name.endsWith('.gz') ? gunzipSync(raw) : raw;
    return { name: basename(name).replace(/\.bsp(\.gz)?$/, ''), bytes, golden: undefined };
  }
  const golden = goldenFiles('quake3', `${name}.trace.ndjson.gz`).find(
    (file) => basename(file) === `${name}.trace.ndjson.gz`,
  );
  return { name, bytes: readRealMap(realName(name)), golden };
}
