import type { LightmapOptions } from './mesh.ts';
import type { Vec3 } from './vec.ts';

// How light it is at points of a map: only types. Each format's package has the function that makes samplers.

/** How light is asked for. */
export interface LightOptions extends LightmapOptions {
  /**
   * How bright each light style is, as for lightmaps. A sampler keeps this list and reads it at every question, so a game that lets
   * lights flicker only changes the numbers in it.
   */
  readonly styles?: ArrayLike<number> | undefined;
  /**
   * Whether to interpolate between the samples of a lightmap, as today's renderers do; by default, the one sample at the point
   * counts, as in the original games. Light grids are always interpolated, as in theirs.
   */
  readonly smooth?: boolean | undefined;
}

/**
 * How light it is at a point. Made by {@link LightSampler.createSample}, owned by the caller, completely overwritten by every
 * question. Colours are red, green and blue: where white light is 1 1 1, textures have the colours of their pictures. They are as
 * bright as lightmaps, of which 1 is the 255, but are not cut off there.
 */
export interface LightSample {
  /** Light from all sides: 0 or more. */
  readonly ambient: Float32Array;
  /** Light from one side, which is added where a model faces it; 0 in formats that do not know where light comes from. */
  readonly directed: Float32Array;
  /** Where `directed` comes from: a unit vector from the point towards it; 0 0 0 if there is none. */
  readonly direction: Float32Array;
  /** The drawn surface below whose light this is, by its number in the file; -1 for none, as in formats with light grids. */
  surface: number;
}

/** Says how light it is at points of a map. */
export interface LightSampler {
  /** Whether the map has light. In one without, it is 1 1 1 everywhere: such maps are drawn at full brightness. */
  readonly isLit: boolean;
  /** A new sample: dark. Make one per caller, and pass it to every {@link LightSampler.at} as `out`. */
  createSample(): LightSample;
  /**
   * How light it is at a point, in Quake units. Allocates nothing if `out` is given, which is returned.
   * @throws TypeError unless `point` holds three numbers, and for an `out` that is no sample; RangeError unless they are finite, and
   *   for the brightness of a style that has since become negative or is not finite.
   */
  at(point: Vec3, out?: LightSample): LightSample;
}
