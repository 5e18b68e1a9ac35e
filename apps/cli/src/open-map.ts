import type { BspWorld } from '@bspkit/core';
import type { BspFile, BspFormat } from '@bspkit/core/format';
import { detectBsp } from 'bspkit';
import { MapError, withMapName } from './errors.ts';
import { readMap } from './maps.ts';
import type { Session } from './session.ts';

/** A map ready for tracing. */
export interface OpenMap {
  /** As the user named it. */
  readonly name: string;
  readonly format: BspFormat;
  readonly file: BspFile;
  readonly world: BspWorld;
  /** Size of the file once unpacked, in bytes. */
  readonly bytes: number;
  /** Milliseconds that reading the file's lumps and building the world took. */
  readonly readTime: number;
  readonly buildTime: number;
}

/** Opens a map of any format. Throws `MapError` when it is not there or cannot be read. */
export function openMap(name: string, session: Session): OpenMap {
  return openMapBytes(name, readMap(name, session), session);
}

/** The same for bytes that have been read already. */
export function openMapBytes(name: string, bytes: Uint8Array, session: Session): OpenMap {
  const found = detectBsp(bytes, session.entries);
  if (found.format === undefined) throw new MapError(`${name}: the file is ${found.name}; ${found.advice}`);
  const format = session.formats.find(({ id }) => id === found.format)!;
  return withMapName(name, () => {
    const began = session.now();
    const file = format.read(bytes);
    const read = session.now();
    const world = format.createWorld([file]);
    const buildTime = session.now() - read;
    return { name, format, file, world, bytes: bytes.length, readTime: read - began, buildTime };
  });
}
