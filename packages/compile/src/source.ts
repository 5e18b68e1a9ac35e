import type { Vec3 } from '@bspkit/core';
import type { Flags } from './flags.ts';

/**
 * How a texture lies on a side: texture coordinates in texels are
 * `s = dot(point, s[0..2]) + s[3]` and `t = dot(point, t[0..2]) + t[3]`.
 */
export interface TextureAxes {
  readonly s: readonly [number, number, number, number];
  readonly t: readonly [number, number, number, number];
  /** Whether coordinates count whole textures, whatever their size, instead of texels. False by default. */
  readonly repeats?: boolean | undefined;
}

/** One side of a brush: a plane whose front is outside the brush. */
export interface SourceSide {
  /** Outward normal; it need not be of unit length. */
  readonly normal: Vec3;
  /** Distance of the plane from the origin along the unit normal, in Quake units. */
  readonly dist: number;
  /** Material name; by default the brush's. */
  readonly material?: string | undefined;
  /** How the texture lies; by default one texel per unit along the nearest axes. */
  readonly texture?: TextureAxes | undefined;
  /** Contents in place of the material's. */
  readonly contents?: Flags | undefined;
  /** Surface flags in addition to the material's. */
  readonly surface?: Flags | undefined;
  /** Light or sound value, in formats that have one. */
  readonly value?: number | undefined;
  /** Line of the map text. */
  readonly line?: number | undefined;
}

/** A convex piece of the world: all points that are behind every side. */
export interface SourceBrush {
  /** Four or more. */
  readonly sides: readonly SourceSide[];
  /** Material of the sides without one. Default `default`, which is plain solid. */
  readonly material?: string | undefined;
  /** Contents of the brush; by default those of its sides' materials. */
  readonly contents?: Flags | undefined;
  /** Drawn and solid, but without influence on how the world is divided, in formats that distinguish this. */
  readonly detail?: boolean | undefined;
  /** Levels of a building that the brush is seen on, in formats that have them: bit k is level k + 1. Default 255. */
  readonly levels?: number | undefined;
  /**
   * Where the brush carries those in it or on it, in formats with currents: bits 1 along x, 2 along y, 4 against x, 8 against y,
   * 16 up and 32 down. Default 0, nowhere.
   */
  readonly currents?: number | undefined;
  /** Line of the map text. */
  readonly line?: number | undefined;
}

/** A curved patch: quadratic Bézier pieces over a grid of control points. */
export interface SourcePatch {
  readonly material: string;
  /** Control points in a row; odd, 3 or more. */
  readonly width: number;
  /** Rows; odd, 3 or more. */
  readonly height: number;
  /** Row by row, `[x, y, z, s, t]`. */
  readonly points: readonly (readonly [number, number, number, number, number])[];
  readonly line?: number | undefined;
}

/** An entity: its keys and values, and what it is built from. */
export interface SourceEntity {
  /** Keys and values; a key whose value is `undefined` does not exist. */
  readonly properties: Readonly<Record<string, string | undefined>>;
  readonly brushes?: readonly SourceBrush[] | undefined;
  readonly patches?: readonly SourcePatch[] | undefined;
  readonly line?: number | undefined;
}

/** A map: entities, the world (`worldspawn`) first. Every other entity with brushes becomes an inline model. */
export interface MapSource {
  readonly entities: readonly SourceEntity[];
}

/** The most entities of a map: our readers accept no more. */
export const MOST_ENTITIES = 65_536;

/** The keys that an entity has, with their values; without a prototype, so that any key can be used. */
export function propertiesOf({ properties }: SourceEntity): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  for (const [key, value] of Object.entries(properties)) if (value !== undefined) found[key] = value;
  return found;
}
