import type { Quake1File, Quake1World } from '@bspkit/quake1';
import type { Quake3File, Quake3World } from '@bspkit/quake3';
import type { UfoaiFile, UfoaiWorld } from '@bspkit/ufoai';
import { detectBsp, foreignError, toBytes } from './detect.ts';

/** A map of any format, ready for tracing. Its `format` tells which it is, and what it has besides. */
export type BspMap = Quake1World | Quake3World | UfoaiWorld;

/** A map's file of any format, read and checked. */
export type BspFile = Quake1File | Quake3File | UfoaiFile;

/** Formats that are read, by the names of their packages. */
export type BspFormat = BspMap['format'];

export interface OpenOptions {
  /** Put the world's data into a `SharedArrayBuffer`, so that workers can trace in it without a copy. */
  readonly shared?: boolean | undefined;
}

/**
 * Opens a map of any format: finds out what it is, loads that format's package and no other, reads and builds.
 *
 * A UFO:AI map becomes a world of one tile; for assemblies of tiles take {@link readBsp} and `createUfoaiWorld`.
 *
 * @param bytes - the whole .bsp file, unpacked.
 * @throws (rejects with) BspError: for a file that is none of our maps, saying what it is and what to do; for a map
 *   that cannot be read or built, as its package says.
 */
export async function openBsp(
  bytes: Uint8Array | ArrayBufferLike,
  options: OpenOptions = {},
): Promise<BspMap> {
  return createWorld(await readBsp(bytes), options);
}

/**
 * Reads a map's file of any format, as records, without building a world.
 * @throws (rejects with) BspError as {@link openBsp}.
 */
export async function readBsp(bytes: Uint8Array | ArrayBufferLike): Promise<BspFile> {
  const file = toBytes(bytes);
  const found = detectBsp(file);
  switch (found.format) {
    case 'quake1':
      return (await import('@bspkit/quake1')).readQuake1(file);
    case 'quake3':
      return (await import('@bspkit/quake3')).readQuake3(file);
    case 'ufoai':
      return (await import('@bspkit/ufoai')).readUfoai(file);
    default:
      throw foreignError(found);
  }
}

/**
 * Builds the world of a file that {@link readBsp} gave.
 * @throws (rejects with) BspError where its package says so.
 */
export async function createWorld(file: BspFile, options: OpenOptions = {}): Promise<BspMap> {
  const settings = { shared: options.shared ?? false };
  switch (file.format) {
    case 'quake1':
      return (await import('@bspkit/quake1')).createQuake1World(file, settings);
    case 'quake3':
      return (await import('@bspkit/quake3')).createQuake3World(file, settings);
    case 'ufoai':
      return (await import('@bspkit/ufoai')).createUfoaiWorld([{ file }], settings);
  }
}
