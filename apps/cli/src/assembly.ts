import { dirname, join, posix } from 'node:path';
import type { Vec3 } from '@bspkit/core';
import type { BspFile, BspFormat } from '@bspkit/core/format';
import { MapError, UsageError, withMapName, withUserInput } from './errors.ts';
import { decodeText, readFile } from './files.ts';
import { type FoundMap, leavesFolder, mapFolder } from './map-source.ts';
import { openPack, splitPacked } from './maps.ts';
import type { Session } from './session.ts';

/** An assembly of maps, as a user names it: `farm.ump`, `farm.ump:medium`, `farm.ump:medium@7`, or one in an archive. */
export interface AskedAssembly {
  readonly format: BspFormat;
  /** Where the text is that says how it is put together. */
  readonly text: string;
  readonly assembly: string | undefined;
  readonly seed: number | undefined;
}

/** A map that is part of an assembly. */
export interface MapPart {
  readonly name: string;
  readonly file: BspFile;
  /** The file itself, unpacked. */
  readonly map: Uint8Array;
  /** Where it is, in the format's cells. */
  readonly offset: Vec3;
}

/** No text of an assembly comes near this size. */
const MAX_TEXT_BYTES = 16_000_000;

/** What cannot follow the text of an assembly: then that only is how a folder or a map is called. */
const PATH = /[\\/]|\.bsp(\.gz)?$/i;

/** Parses a name that can only mean an assembly; `undefined` for any other. */
export function askedAssembly(name: string, formats: readonly BspFormat[]): AskedAssembly | undefined {
  for (const format of formats) {
    const ending = format.assemblies?.ending;
    const at = ending === undefined ? -1 : name.toLowerCase().lastIndexOf(ending);
    if (ending === undefined || at < 1) continue;
    const end = at + ending.length;
    const rest = name.slice(end);
    if (PATH.test(rest)) continue;
    const [, assembly, seed] = /^(?::([^@]+))?(?:@(.*))?$/.exec(rest) ?? [undefined];
    if (rest !== '' && assembly === undefined && seed === undefined) continue;
    if (seed !== undefined && !/^\d+$/.test(seed)) {
      throw new UsageError(`${name}: the seed of an assembly is a whole number, 0 or more`);
    }
    return {
      ...{ format, text: name.slice(0, end), assembly },
      seed: seed === undefined ? undefined : Number(seed),
    };
  }
  return undefined;
}

/**
 * Reads the parts of an assembly.
 * @throws MapError naming the file that does not exist or cannot be read; UsageError if there is no such assembly.
 */
export function readMapParts({ format, text, assembly, seed }: AskedAssembly, session: Session): MapPart[] {
  const { plan, ending } = format.assemblies!;
  return openSource(text, ending, format, session, (source) => {
    const extend = (name: string): string => source.text(name + ending);
    const { parts } = withMapName(text, () =>
      withUserInput(() => plan(source.text(), { assembly, seed, extend })),
    );
    const read = new Map<string, Pick<MapPart, 'file' | 'map'>>();
    return parts.map(({ name, offset }) => {
      const part = read.get(name) ?? readPart(source.map(name), format);
      read.set(name, part);
      return { name, offset, ...part };
    });
  });
}

const readPart = ({ name, bytes }: FoundMap, format: BspFormat): Pick<MapPart, 'file' | 'map'> =>
  withMapName(name, () => ({ file: format.read(bytes), map: bytes }));

/** Where texts and maps come from: the folder that the text is in, or the archive. */
interface Source {
  /** The text itself, or the one of a file beside it. */
  text(file?: string): string;
  /** @param name - folder and file, without an ending. */
  map(name: string): FoundMap;
}

function openSource<T>(
  text: string,
  ending: string,
  { id }: BspFormat,
  session: Session,
  use: (source: Source) => T,
): T {
  const folder = dirname(text);
  const packed = splitPacked(text);
  if (packed) {
    const kind = { ending, what: 'assembly', several: 'assemblies' };
    // Names in archives may have slashes of either kind, on any system.
    const own = packed.inner?.replaceAll('\\', '/') ?? '';
    const beside = (file: string): string => posix.join(posix.dirname(own), file);
    return openPack(packed.path, session, (pack) =>
      use({
        text: (file) =>
          decodeText(pack.file(file === undefined ? packed.inner : beside(file), MAX_TEXT_BYTES, kind)),
        map(name) {
          const inner = beside(`${name}.bsp`);
          return { name: `${packed.path}:${inner}`, bytes: pack.map(inner) };
        },
      }),
    );
  }
  const find = mapFolder(folder, 'map', session);
  return use({
    text(file) {
      const path = file === undefined ? text : join(folder, file);
      if (file !== undefined && leavesFolder(folder, file, session))
        throw new MapError(`${text}: '${path}' lies outside ${folder}`);
      return decodeText(readFile(path, MAX_TEXT_BYTES, session));
    },
    map: (name) => withMapName(text, () => find(id, name, ''), RangeError),
  });
}
