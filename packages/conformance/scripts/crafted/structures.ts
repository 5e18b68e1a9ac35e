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

// What structures of all games are made of.

/** Bytes of the files. */
export const SIZE: number = Number(process.env.BSPKIT_CRAFTED_BYTES ?? 4_000_000);

/** Does something and says what it was. */
export type Phase = (name: string, work: () => unknown) => void;

/** Everything that a game offers on a file, one phase each. */
export type Use = (bytes: Uint8Array, phase: Phase) => void;

/** Makes a file in which records share what they list, if they do, to some part of it. */
type Make = (share: number) => Uint8Array;

/** What a file is made of too much of. */
export interface Structure {
  readonly name: string;
  readonly use: Use;
  readonly make: Make;
  readonly shares: boolean;
}

/** Moves through all of a map, one of them straight down an axis, and a position. */
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

/** Does what may be too much for a map that can be traced all the same. */
export function upToLimit(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof BspError && error.code === 'limit')) throw error;
  }
}

/** Draws a map, or finds that it cannot be drawn. */
export function draw(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof BspError)) throw error;
  }
}

/** A function that does its work at the first call only: maps take a while to compile. */
export function once<T>(work: () => T): () => T {
  let done: T | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

const rangeName = ({ lump, of }: CraftedRange): string => `${lump} share ${of}`;

/** What all formats have: ranges that are shared, trees that are deep or have many ways down. */
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

/** A structure that changes a sound map's lumps. */
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
