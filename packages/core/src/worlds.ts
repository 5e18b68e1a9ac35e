import type { Tracer } from './tracer.ts';
import type { Bounds, Vec3 } from './vec.ts';

// What a world can do is which of these it implements; code that needs a shape asks for it by type.

/** A map made ready for tracing. */
export interface BspWorld {
  /** Format the map came from, as in the package name: `quake3`. */
  readonly format: string;
  /** Bounds of the world model, in Quake units. */
  readonly bounds: Bounds;
}

/** A world that rays can be traced through. `O` are the format's options. */
export interface RayWorld<O = unknown> {
  ray(options?: O): Tracer;
}

/** A world that spheres can be swept through. */
export interface SphereWorld<O = unknown> {
  /** @param radius - in Quake units, 0 or more; else `RangeError`. */
  sphere(radius: number, options?: O): Tracer;
}

/** A world that axis-aligned boxes can be swept through. */
export interface BoxWorld<O = unknown> {
  /** Corners in Quake units relative to the traced point; `RangeError` when `mins` is above `maxs`. */
  box(mins: Vec3, maxs: Vec3, options?: O): Tracer;
}

/** A world that upright capsules can be swept through. */
export interface CapsuleWorld<O = unknown> {
  /** Corners of the box around the capsule, in Quake units relative to the traced point. */
  capsule(mins: Vec3, maxs: Vec3, options?: O): Tracer;
}

/** A world that knows what is at a point. */
export interface PointClassifier {
  /** Number of the leaf that holds the point. */
  leaf(point: Vec3): number;
  /** Contents at the point, as the format codes them. */
  contents(point: Vec3): number;
}

/** A world that knows whether a ball is in the open. */
export interface SphereClassifier {
  /** Whether no solid comes within `radius` of `center`; may say no near corners, never yes wrongly. */
  sphereInside(center: Vec3, radius: number): boolean;
}

/** A world that knows whether two points see each other. */
export interface SightWorld {
  sight(a: Vec3, b: Vec3): boolean;
}

/** A flat convex polygon of a map. */
export interface Polygon {
  /** Corners, three numbers each, in order around the normal (counter-clockwise seen from its front). */
  readonly vertices: Float32Array;
  readonly normal: Float32Array;
  readonly dist: number;
  /** Texture or shader, by its number in the file; -1 for none. */
  readonly texture: number;
  /** Contents of what the polygon bounds, as the format codes them. */
  readonly contents: number;
  /** Face or surface it came from, by its number in the file; -1 for none. */
  readonly surface: number;
}

/** A world that can give its surfaces as polygons. */
export interface PolygonSource {
  /** All polygons of the world model. */
  polygons(): readonly Polygon[];
  /** The polygons that lie in, or touch, a leaf. Throws `RangeError` when there is no such leaf. */
  leafPolygons(leaf: number): readonly Polygon[];
}
