import { BspError } from '@bspkit/core';
import {
  ballBrush,
  type CraftedFormat,
  type CraftedRange,
  chain,
  doubling,
  grow,
  int,
  joined,
  type Lumps,
  packLumps,
  putField,
  repeated,
  shareRange,
  unpackLumps,
} from '@bspkit/testkit/crafted';

// The building blocks of all games' structures.

/** Bytes of the files. */
export const SIZE: number = Number(process.env.BSPKIT_CRAFTED_BYTES ?? 4_000_000);

/** Runs some work under a name. */
export type Phase = (name: string, work: () => unknown) => void;

/** Everything that a game offers on a file, one phase each. */
export type Use = (bytes: Uint8Array, phase: Phase) => void;

/** Makes a file; if its records share what they list, `share` is the part of the whole that they list. */
type Make = (share: number) => Uint8Array;

/** What a file contains too much of. */
export interface Structure {
  readonly name: string;
  readonly use: Use;
  readonly make: Make;
  readonly shares: boolean;
}

/** Moves through all of a map, one of them straight down an axis, and a position test. */
export const MOVES = [
  [
    [-4000, -3990, -3980],
    [4000, 3970, 3960],
  ],
  [
    [-4000, 1, 2],
    [4000, 1, 2],
  ],
  [
    [0, 0, 0],
    [0, 0, 0],
  ],
] as const;

interface Traces {
  trace(start: readonly number[], end: readonly number[]): unknown;
}

export function traceAll(phase: Phase, name: string, tracer: Traces): void {
  for (const [k, [start, end]] of MOVES.entries()) phase(`${name} ${k}`, () => tracer.trace(start, end));
}

/** Runs work that may be too much for a map that can still be traced. */
export function upToLimit(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof BspError && error.code === 'limit')) throw error;
  }
}

/** Draws a map, or finds that it cannot be drawn. */
export function draw<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof BspError)) throw error;
    return undefined;
  }
}

/** A function that does its work only on the first call: maps take a while to compile. */
export function once<T>(work: () => T): () => T {
  let done: T | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

const rangeName = ({ lump, of }: CraftedRange): string => `${lump} share ${of}`;

/** Structures that all formats have: shared ranges, and trees that are deep or have many paths down. */
export function common(game: string, use: Use, format: CraftedFormat, base: () => Uint8Array): Structure[] {
  return [
    ...format.ranges.map((range) => ({
      name: `${game}: ${rangeName(range)}`,
      use,
      make: (share: number) => shareRange(format, base(), range, SIZE, share),
      shares: true,
    })),
    ...format.trees.flatMap((tree) => [
      ...[Number.POSITIVE_INFINITY, 3900, 2000, 1000].map((levels) => ({
        name: `${game}: ${tree.lump}, a chain of ${levels}`,
        use,
        make: () => chain(format, base(), tree, SIZE, levels),
        shares: false,
      })),
      ...[19, 60].map((levels) => ({
        name: `${game}: ${tree.lump}, ${levels} levels that double`,
        use,
        make: () => doubling(format, base(), tree, levels),
        shares: false,
      })),
    ]),
    ...Object.keys(format.lumps).map((lump) => ({
      name: `${game}: nothing but ${lump}`,
      use,
      make: () => {
        const content = unpackLumps(format, base());
        if (lump === 'entities') content.entities = repeated(Uint8Array.from([123, 125]), SIZE / 2);
        else if (lump === 'visibility')
          content.visibility = joined(content.visibility!, new Uint8Array(SIZE));
        else if (content[lump]!.length > 0) grow(format, content, lump, SIZE);
        return packLumps(format, base(), content);
      },
      shares: false,
    })),
  ];
}

/** Makes a structure of a game by changing the lumps of its map. */
export type Maker = (name: string, change: (content: Lumps, share: number) => void) => Structure;

/** A structure made by changing the lumps of a sound map. */
export const crafted = (
  name: string,
  use: Use,
  format: CraftedFormat,
  base: () => Uint8Array,
  change: (content: Lumps, share: number) => void,
): Structure => ({
  name,
  use,
  shares: change.length > 1,
  make: (share) => {
    const content = unpackLumps(format, base());
    change(content, share);
    return packLumps(format, base(), content);
  },
});

/** All of a map's brushes share the sides of a ball. */
export const balls = (format: CraftedFormat, make: Maker): Structure[] =>
  [65, 256, 2000, 20_000].map((sides) =>
    make(`brushes of ${sides} shared sides`, (content) => ballBrush(format, content, sides, true)),
  );

/** Faces that share light, or edges, in formats with 20 bytes for a face: `lit` says where a face has its light, -1 for none. */
export const sharedFaces = (
  game: string,
  use: Use,
  format: CraftedFormat,
  base: () => Uint8Array,
  lighting: string,
  lit: readonly number[],
): Structure[] =>
  [false, true].map((isLit) =>
    crafted(`${game}: faces share ${isLit ? 'light' : 'edges'}`, use, format, base, (content, share) => {
      const count = Math.floor((share * SIZE) / (isLit ? 80 : 25));
      for (const at of lit) putField(content.faces!, 0, int(at), isLit ? 1 : -1);
      content.faces = repeated(content.faces!.slice(0, 20), count);
      grow(format, content, 'surfEdges', SIZE / 5);
      if (isLit) content[lighting] = joined(Uint8Array.of(4), new Uint8Array(SIZE / 2).fill(99));
      ownFaces(content, count);
    }),
  );

/** Gives model 0 all faces, in formats with 48 bytes for a model. */
export function ownFaces(content: Lumps, count: number): void {
  for (let at = 0; at < content.models!.length; at += 48) {
    putField(content.models!, at, int(40), 0);
    putField(content.models!, at, int(44), at === 0 ? count : 0);
  }
}
