import { BakeError, readBake } from '@bspkit/bake';
import type { BspWorld } from '@bspkit/core';
import type { BspFile, BspFormat } from '@bspkit/core/format';
import { detectBsp } from 'bspkit';
import { type AskedAssembly, askedAssembly, type MapPart, readMapParts } from './assembly.ts';
import { MapError, UsageError, withMapName } from './errors.ts';
import { readMap } from './maps.ts';
import type { Session } from './session.ts';

/** A map ready for tracing. */
export interface OpenMap {
  /** As the user named it. */
  readonly name: string;
  readonly format: BspFormat;
  /** The file of a single map; `undefined` for an assembly. */
  readonly file: BspFile | undefined;
  /** The maps of an assembly. */
  readonly parts: readonly MapPart[];
  readonly world: BspWorld;
  /** Size of the files once unpacked, in bytes. */
  readonly bytes: number;
  /** Milliseconds that reading the file's lumps and building the world took. */
  readonly readTime: number;
  readonly buildTime: number;
}

/** Opens a map of any format. Throws `MapError` if it does not exist or cannot be read. */
export function openMap(name: string, session: Session): OpenMap {
  const asked = askedAssembly(name, session.formats);
  return asked ? openAssembly(name, asked, session) : openMapBytes(name, readMap(name, session), session);
}

/** The file of a single map. Throws `UsageError` for an assembly: `what` says what an assembly lacks. */
export function onlyFile({ name, file }: OpenMap, what: string): BspFile {
  if (file) return file;
  throw new UsageError(`${name}: is an assembly, which has no ${what}`);
}

function openAssembly(name: string, asked: AskedAssembly, session: Session): OpenMap {
  const { format } = asked;
  const began = session.now();
  const parts = readMapParts(asked, session);
  const read = session.now();
  const world = withMapName(name, () =>
    format.createWorld(
      parts.map(({ file }) => file),
      { offsets: parts.map(({ offset }) => offset) },
    ),
  );
  const buildTime = session.now() - read;
  const bytes = parts.reduce((sum, part) => sum + part.map.length, 0);
  return { name, format, file: undefined, parts, world, bytes, readTime: read - began, buildTime };
}

/** The same for bytes that have already been read. */
export function openMapBytes(name: string, bytes: Uint8Array, session: Session): OpenMap {
  const found = detectBsp(bytes, session.entries);
  if (found.format === undefined) {
    const bake = describeBake(bytes);
    throw new MapError(
      bake === undefined
        ? `${name}: the file is ${found.name}; ${found.advice}`
        : `${name}: the file is not a map, but ${bake}`,
    );
  }
  const format = session.formats.find(({ id }) => id === found.format)!;
  return withMapName(name, () => {
    const began = session.now();
    const file = format.read(bytes);
    const read = session.now();
    const world = format.createWorld([file]);
    const buildTime = session.now() - read;
    return { name, format, file, parts: [], world, bytes: bytes.length, readTime: read - began, buildTime };
  });
}

/** A bake in words: what it is of, or that it is damaged; `undefined` for any other file. */
function describeBake(bytes: Uint8Array): string | undefined {
  try {
    const { job } = readBake(bytes);
    return `a bake (${job.kind}): the command that made it draws it if you add --resume --png FILE`;
  } catch (error) {
    return error instanceof BakeError && error.code === 'damaged' ? `a bake; ${error.message}` : undefined;
  }
}
