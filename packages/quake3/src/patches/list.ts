import { checkWorld } from '../given.ts';
import {
  FACET_WORDS,
  NUM_SIDES,
  PATCH_CONTENTS,
  PATCH_FACETS,
  PATCH_FLAGS,
  PATCH_NUM_FACETS,
  PATCH_NUM_PLANES,
  PATCH_PLANES,
  PATCH_SURFACE,
  PATCH_WORDS,
  PLANE_WORDS,
  SIDE_PLANE,
  SIDE_WORDS,
  SURFACE_HEIGHT,
  SURFACE_WIDTH,
  SURFACE_WORDS,
} from '../layout.ts';
import type { Quake3World } from '../world.ts';

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
  /** Four numbers per plane: normal, dist. */
  readonly planes: Float32Array;
  /** Flat pieces; planes are numbers into `planes`. */
  readonly facets: readonly {
    readonly plane: number;
    /** Planes around the piece; the last one is the surface plane itself, facing the other way. */
    readonly borders: readonly number[];
    /** For each border, whether the piece is in front of the plane instead of behind it. */
    readonly inward: readonly boolean[];
  }[];
}

/** The patches of a world as they are collided with, in the order of their surfaces. Read again on each call. */
export function patches(world: Quake3World): Quake3Patch[] {
  checkWorld(world);
  const { ints, floats, places } = world._target.memory;
  return Array.from({ length: places.patches.count }, (_, number) => {
    const at = places.patches.first + PATCH_WORDS * number;
    const surface = ints[at + PATCH_SURFACE]!;
    const size = places.surfaces.first + SURFACE_WORDS * surface;
    const plane = ints[at + PATCH_PLANES]!;
    return {
      surface,
      width: ints[size + SURFACE_WIDTH]!,
      height: ints[size + SURFACE_HEIGHT]!,
      contents: ints[at + PATCH_CONTENTS]!,
      surfaceFlags: ints[at + PATCH_FLAGS]!,
      bounds: Float32Array.from([0, 2, 4, 1, 3, 5], (k) =>
        k % 2 === 0 ? -floats[at + k]! : floats[at + k]!,
      ),
      planes: floats.slice(plane, plane + PLANE_WORDS * ints[at + PATCH_NUM_PLANES]!),
      facets: Array.from({ length: ints[at + PATCH_NUM_FACETS]! }, (_, k) => {
        const facet = ints[at + PATCH_FACETS]! + FACET_WORDS * k;
        const [plane, ...borders] = Array.from(
          { length: ints[facet + NUM_SIDES]! },
          (_, side) => ints[ints[facet]! + SIDE_WORDS * side + SIDE_PLANE]!,
        );
        return {
          plane: plane!,
          borders: borders.map((number) => (number < 0 ? -1 - number : number)),
          inward: borders.map((number) => number < 0),
        };
      }),
    };
  });
}
