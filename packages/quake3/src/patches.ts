import type { WorldMemory } from './kernel.ts';
import { FACET_WORDS, PATCH_WORDS, SURFACE_WORDS } from './layout.ts';

/** What a curved patch collides with, for inspection and drawing. */
export interface Quake3Patch {
  /** Surface, by its number in the file. */
  readonly surface: number;
  /** Control points across and down. */
  readonly width: number;
  readonly height: number;
  readonly contents: number;
  readonly surfaceFlags: number;
  /** mins, then maxs, in Quake units. */
  readonly bounds: Float32Array;
  /** Four numbers a plane: normal, dist. */
  readonly planes: Float32Array;
  /** Flat pieces; planes are numbers into `planes`. */
  readonly facets: readonly {
    readonly plane: number;
    /** Planes around the piece, the surface plane itself, turned, as the last one. */
    readonly borders: readonly number[];
    /** For each border whether the piece lies in front of the plane instead of behind it. */
    readonly inward: readonly boolean[];
  }[];
}

/** The patches of a world, in the order of their surfaces. */
export function listPatches({ ints, floats, places }: WorldMemory): Quake3Patch[] {
  return Array.from({ length: places.patches.count }, (_, number) => {
    const at = places.patches.first + PATCH_WORDS * number;
    const surface = ints[at + 12]!;
    const size = places.surfaces.first + SURFACE_WORDS * surface + 6;
    return {
      surface,
      width: ints[size]!,
      height: ints[size + 1]!,
      contents: ints[at + 6]!,
      surfaceFlags: ints[at + 7]!,
      bounds: Float32Array.from([0, 2, 4, 1, 3, 5], (k) =>
        k % 2 === 0 ? -floats[at + k]! : floats[at + k]!,
      ),
      planes: floats.slice(ints[at + 8]!, ints[at + 8]! + 4 * ints[at + 9]!),
      facets: Array.from({ length: ints[at + 11]! }, (_, k) => {
        const facet = ints[at + 10]! + FACET_WORDS * k;
        const borders = [...ints.subarray(ints[facet + 1]!, ints[facet + 1]! + ints[facet + 2]!)];
        return {
          plane: ints[facet]!,
          borders: borders.map((word) => word >> 1),
          inward: borders.map((word) => (word & 1) !== 0),
        };
      }),
    };
  });
}
