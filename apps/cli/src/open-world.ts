import { createQuake1World, type Quake1File, type Quake1World, readQuake1 } from '@bspkit/quake1';
import { createQuake3World, type Quake3File, type Quake3World, readQuake3 } from '@bspkit/quake3';
import { createUfoaiWorld, readUfoai, type UfoaiFile, type UfoaiWorld } from '@bspkit/ufoai';
import { MapError, withMapName } from './errors.ts';
import { type MapBytes, readMap } from './maps.ts';

/** What every opened map tells. */
interface Opened {
  readonly name: string;
  /** Size of the file once unpacked. */
  readonly bytes: number;
  /** Milliseconds that reading the file's lumps and building the world took. */
  readonly readTime: number;
  readonly buildTime: number;
}

export interface Quake1Map extends Opened {
  readonly format: 'quake1';
  readonly file: Quake1File;
  readonly world: Quake1World;
}

export interface Quake3Map extends Opened {
  readonly format: 'quake3';
  readonly file: Quake3File;
  readonly world: Quake3World;
}

export interface UfoaiMap extends Opened {
  readonly format: 'ufoai';
  readonly file: UfoaiFile;
  readonly world: UfoaiWorld;
}

/** A map ready for tracing; `format` tells which. */
export type OpenMap = Quake1Map | Quake3Map | UfoaiMap;

/** Opens a map of any format that is read. Throws `MapError` when it is not there or cannot be read. */
export function openMap(name: string): OpenMap {
  const map = readMap(name);
  const format = findFormat(map);
  return withMapName(name, () => {
    switch (format) {
      case 'quake1':
        return { format, ...build(map, readQuake1, createQuake1World) };
      case 'quake3':
        return { format, ...build(map, readQuake3, createQuake3World) };
      case 'ufoai':
        return { format, ...build(map, readUfoai, (file) => createUfoaiWorld([{ file }])) };
    }
  });
}

function build<F, W>(
  { name, bytes }: MapBytes,
  read: (bytes: Uint8Array) => F,
  create: (file: F) => W,
): Opened & { file: F; world: W } {
  const began = performance.now();
  const file = read(bytes);
  const done = performance.now();
  const world = create(file);
  return {
    name,
    bytes: bytes.length,
    file,
    world,
    readTime: done - began,
    buildTime: performance.now() - done,
  };
}

/** Finds the format by the first bytes. Throws `MapError` that says what the file is instead. */
function findFormat({ name, bytes }: MapBytes): OpenMap['format'] {
  const fail = (problem: string): never => {
    throw new MapError(`${name}: ${problem}`);
  };
  if (bytes.length === 0) return fail('the file is empty');
  if (bytes.length < 8) return fail(`is too short to be a map: ${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  const version = view.getInt32(4, true);
  if (magic === 'IBSP') {
    if (version === 46 || version === 47) return 'quake3';
    if (version === 78 || version === 79) return 'ufoai';
    if (version === 38) return fail('is a Quake 2 map (IBSP 38), which is not read');
    return fail(`is IBSP version ${version}, but 46, 47 (Quake 3), 78 and 79 (UFO:AI) are read`);
  }
  if (magic === 'BSP2' || magic === '2PSB') return 'quake1';
  const number = view.getInt32(0, true);
  if (number === 29 || number === 30) return 'quake1';
  return fail(FOREIGN[magic] ?? `is not a map: it begins with ${JSON.stringify(magic)}`);
}

/** What else people hand over. */
const FOREIGN: Readonly<Record<string, string>> = {
  VBSP: 'is a Source engine map (VBSP), which is not read',
  RBSP: 'is a Raven map (RBSP: Jedi Knight, Soldier of Fortune 2), which is not read',
  FBSP: 'is a QFusion map (FBSP), which is not read',
  'PK\x03\x04': 'is a zip; if it is a pk3, name the map in it: FILE.pk3:maps/NAME.bsp',
};
