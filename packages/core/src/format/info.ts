import type { Entity } from '../entities.ts';
import type { Bounds } from '../vec.ts';

/** What is in a map. */
export interface MapInfo {
  readonly version: string;
  readonly bounds: Bounds;
  /** Figures that only this format has, by name. */
  readonly facts: Readonly<Record<string, number | string>>;
  readonly lumps: readonly LumpInfo[];
  readonly models: readonly ModelInfo[];
  readonly entities: readonly Entity[];
  /** The combinations of contents that occur, and how many of `what` have each. */
  readonly contents: { readonly what: string; readonly counts: ReadonlyMap<number, number> };
  /** Size of the world made for tracing, and of the lumps it was made from, in bytes. */
  readonly memory: { readonly world: number; readonly lumps: number };
}

/** A lump of a file. */
export interface LumpInfo {
  readonly name: string;
  /** Its size. */
  readonly bytes: number;
  /** Number of records; `undefined` where the lump is not a list. */
  readonly records: number | undefined;
}

/** The world, a part of it, or an inline model. Figures by name. */
export interface ModelInfo {
  readonly name: string;
  readonly bounds: Bounds;
  readonly figures: Readonly<Record<string, number>>;
}

/** The lumps of a file; `recordBytes` has the size of each lump's records: 1 where a lump is not a list. */
export function listLumps<L extends string>(
  lumps: Readonly<Record<L, Uint8Array>>,
  recordBytes: Readonly<Record<L, number>>,
): LumpInfo[] {
  return (Object.keys(lumps) as L[]).map((name) => {
    const bytes = lumps[name].length;
    const size = recordBytes[name];
    return { name, bytes, records: size === 1 ? undefined : bytes / size };
  });
}

/** Counts how often each value occurs. */
export function countValues(values: Iterable<number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
