import { BspError } from '@bspkit/core';
import {
  ballPlanes,
  type CraftedFormat,
  type CraftedRange,
  chain,
  doubling,
  grow,
  joined,
  type Lumps,
  packLumps,
  planeRecords,
  putField,
  repeated,
  shareRange,
  unpackLumps,
  words,
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
export function common(
  game: string,
  use: Use,
  format: CraftedFormat,
  base: () => Uint8Array,
  size: number = SIZE,
): Structure[] {
  return [
    ...format.ranges.map((range) => ({
      name: `${game}: ${rangeName(range)}`,
      use,
      make: (share: number) => shareRange(format, base(), range, size, share),
      shares: true,
    })),
    ...format.trees.flatMap((tree) => [
      ...[Number.POSITIVE_INFINITY, 3900, 2000, 1000].map((levels) => ({
        name: `${game}: ${tree.lump}, a chain of ${levels}`,
        use,
        make: () => chain(format, base(), tree, size, levels),
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
        if (lump === 'entities') content.entities = repeated(Uint8Array.from([123, 125]), size / 2);
        else if (lump === 'visibility')
          content.visibility = joined(content.visibility!, new Uint8Array(size));
        else if (content[lump]!.length > 0) grow(format, content, lump, size);
        return packLumps(format, base(), content);
      },
      shares: false,
    })),
  ];
}

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

/** Makes one brush out of many planes around a ball, then multiplies it: `sides` lumps of two fields. */
export function ballBrush(
  format: CraftedFormat,
  content: Lumps,
  sides: number,
  side: (plane: number) => number[],
): void {
  content.planes = joined(content.planes!, planeRecords(format, ballPlanes(sides, 500)));
  const first = content.planes.length / format.lumps.planes! - sides;
  const values = Array.from({ length: sides }, (_, k) => side(first + k)).flat();
  const before = content.sides!.length / format.lumps.sides!;
  content.sides = joined(content.sides!, words(values, format.lumps.sides! === 8 ? 4 : 2));
  // All of the map's brushes become the ball.
  for (let at = 0; at < content.brushes!.length; at += 12) {
    putField(content.brushes!, at, { at: 0, size: 4 }, before);
    putField(content.brushes!, at, { at: 4, size: 4 }, sides);
  }
}
