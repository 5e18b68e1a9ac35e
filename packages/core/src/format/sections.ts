import { BspError } from '../error.ts';
import { checkBuffer } from './bytes.ts';

// How every format lays its world out in one buffer: a header, then sections of equal records, all of them 32-bit
// words. Places are word offsets from the start, so that a buffer can be moved, shared or handed to WebAssembly.

/** Where a section lies. */
export interface SectionPlace {
  /** Word offset of its first record. */
  readonly first: number;
  /** Number of records. */
  readonly count: number;
}

/** Where all sections lie, by name. */
export type SectionPlaces<S extends string> = Readonly<Record<S, SectionPlace>>;

/** A format's layout. */
export interface Sections<S extends string> {
  /** Lays the sections out one after the other: their places, and how many words the whole buffer has. */
  plan(counts: Readonly<Record<S, number>>): { places: SectionPlaces<S>; words: number };
  /** Writes the header: word 0 magic, 1 layout version, 2 length in words, and the places of all sections. */
  write(ints: Int32Array, places: SectionPlaces<S>): void;
  /** Reads the header. Throws `BspError` when it is not a header of this format, has another layout version, or is cut short. */
  read(data: ArrayBufferLike): SectionPlaces<S>;
}

/** A format's description of its layout. */
export interface SectionsOptions<S extends string> {
  /** Format, as in the package name. */
  readonly format: string;
  /** First word of the buffer, different for every format. */
  readonly magic: number;
  readonly version: number;
  /** Words before the table of sections: three that all formats share, then the format's own. */
  readonly headerWords: number;
  /** Words in a record of each section, in the order of the buffer. */
  readonly sections: Readonly<Record<S, number>>;
}

/** Makes the functions of a format's layout. */
export function defineSections<S extends string>(options: SectionsOptions<S>): Sections<S> {
  const { format, magic, version, headerWords, sections } = options;
  const names = Object.keys(sections) as S[];
  const firstSection = headerWords + 2 * names.length;
  const fail = (code: BspError['code'], problem: string): never => {
    throw new BspError(code, { format, lump: 'world data' }, problem);
  };
  return {
    plan(counts) {
      const places = {} as Record<S, SectionPlace>;
      let words = firstSection;
      for (const name of names) {
        places[name] = { first: words, count: counts[name] };
        words += counts[name] * sections[name];
      }
      return { places, words };
    },
    write(ints, places) {
      ints.set([magic, version, ints.length]);
      for (const [k, name] of names.entries()) {
        ints.set([places[name].first, places[name].count], headerWords + 2 * k);
      }
    },
    read(data) {
      checkBuffer(data);
      if (data.byteLength < 4 * firstSection || data.byteLength % 4 !== 0) {
        fail('truncated', `${data.byteLength} bytes are not a world`);
      }
      const ints = new Int32Array(data);
      if (ints[0] !== magic) fail('magic', `begins with ${ints[0]}, which is not a bspkit ${format} world`);
      if (ints[1] !== version)
        fail('version', `has layout version ${ints[1]}, but this package reads ${version}`);
      if (ints[2] !== ints.length)
        fail('truncated', `holds ${ints.length} words, but should have ${ints[2]}`);
      const places = {} as Record<S, SectionPlace>;
      for (const [k, name] of names.entries()) {
        const first = ints[headerWords + 2 * k]!;
        const count = ints[headerWords + 2 * k + 1]!;
        if (first < firstSection || count < 0 || first + count * sections[name] > ints.length) {
          fail('lump-range', `section ${name} lies outside the data`);
        }
        places[name] = { first, count };
      }
      return places;
    },
  };
}
