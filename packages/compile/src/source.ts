import type { Vec3 } from '@bspkit/core';
import type { Flags } from './flags.ts';

/**
 * How a texture lies on a side: texture coordinates in texels are
 * `s = dot(point, s[0..2]) + s[3]` and `t = dot(point, t[0..2]) + t[3]`.
 */
export interface TextureAxes {
  readonly s: readonly [number, number, number, number];
  readonly t: readonly [number, number, number, number];
}

/** One side of a brush: a plane whose front is outside the brush. */
export interface SourceSide {
  /** Outward normal; it need not be of unit length. */
  readonly normal: Vec3;
  /** Distance of the plane from the origin along the unit normal, in Quake units. */
  readonly dist: number;
  /** Material name; that of the brush when left out. */
  readonly material?: string | undefined;
  /** How the texture lies; one texel a unit along the nearest axes when left out. */
  readonly texture?: TextureAxes | undefined;
  /** Contents that replace the material's. */
  readonly contents?: Flags | undefined;
  /** Surface flags besides the material's. */
  readonly surface?: Flags | undefined;
  /** Light or sound value (UFO:AI). */
  readonly value?: number | undefined;
  /** Line of the map text. */
  readonly line?: number | undefined;
}

/** A convex piece of the world: all points behind every side. */
export interface SourceBrush {
  /** Four or more. */
  readonly sides: readonly SourceSide[];
  /** Material of the sides that name none. Default `default`, which is plain solid. */
  readonly material?: string | undefined;
  /** Contents of the brush; by default those of its sides' materials. */
  readonly contents?: Flags | undefined;
  /** Drawn and solid, but without say in how the world is split up (Quake 3). */
  readonly detail?: boolean | undefined;
  /** UFO:AI level bits, 0 to 255: bit k is set for a brush that is seen on level k + 1. Default 255. */
  readonly levels?: number | undefined;
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

/** An entity: its keys and values, and what it is built of. */
export interface SourceEntity {
  readonly properties: Readonly<Record<string, string>>;
  readonly brushes?: readonly SourceBrush[] | undefined;
  readonly patches?: readonly SourcePatch[] | undefined;
  readonly line?: number | undefined;
}

/** A map: entities, the world (`worldspawn`) first. Every other entity with brushes becomes an inline model. */
export interface MapSource {
  readonly entities: readonly SourceEntity[];
}
