import { createQuake1World, type Quake1File, type Quake1World, readQuake1 } from '@bspkit/quake1';
import { createQuake3World, type Quake3File, type Quake3World, readQuake3 } from '@bspkit/quake3';
import { createUfoaiWorld, readUfoai, type UfoaiFile, type UfoaiWorld } from '@bspkit/ufoai';
import { detectBsp } from 'bspkit';
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

/** Finds the format by the first bytes. Throws `MapError` that says what the file is instead, and what to do. */
function findFormat({ name, bytes }: MapBytes): OpenMap['format'] {
  const found = detectBsp(bytes);
  if (found.format !== undefined) return found.format;
  throw new MapError(`${name}: the file is ${found.name}; ${found.advice}`);
}
