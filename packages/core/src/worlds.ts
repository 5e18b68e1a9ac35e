import type { Entity } from './entities.ts';
import type { CapsuleSize } from './shape.ts';
import type { Trace } from './trace.ts';
import type { Tracer } from './tracer.ts';
import type { Bounds, Pose, Vec3 } from './vec.ts';

// What a world can do is which of these it implements; code that needs a shape asks for it by type.

/** A map ready for tracing. */
export interface BspWorld {
  /** Format the map came from, by the name of its package. */
  readonly format: string;
  /** The kernel that traces in it: `js` where a format has no other. */
  readonly kernel: KernelName;
  /** Bounds of the world model, in Quake units. Tools draw points from them: they include the space in which things move. */
  readonly bounds: Bounds;
  /** Everything about the world in one buffer: pass it to a worker and open it there with the class's `from`. */
  readonly data: ArrayBufferLike;
  /** Number of inline models, not counting the world: `*1` to `*numModels`. */
  readonly numModels: number;
  /** Entities of the map; parsed at the first call and kept. Throws `BspError` when their text does not parse. */
  entities(): readonly Entity[];
  /** Names of the textures, by the number that a trace gives as `texture`; read at the first call and kept. */
  textureNames(): readonly string[];
}

/** Can be traced with rays. `O` is the format's option type. */
export interface RayWorld<O = unknown> {
  ray(options?: O): Tracer;
}

/** Can be traced with spheres. */
export interface SphereWorld<O = unknown> {
  /** @param radius - in Quake units, 0 or more; otherwise `RangeError`. */
  sphere(radius: number, options?: O): Tracer;
}

/** Can be traced with axis-aligned boxes. */
export interface BoxWorld<O = unknown> {
  /** Corners in Quake units relative to the traced point; `RangeError` when `mins` is above `maxs`. */
  box(mins: Vec3, maxs: Vec3, options?: O): Tracer;
}

/** Can be traced with upright capsules. */
export interface CapsuleWorld<O = unknown> {
  /** By the box around the capsule: corners in Quake units, relative to the traced point. */
  capsule(mins: Vec3, maxs: Vec3, options?: O): Tracer;
  /** By its size, centred on the traced point. */
  capsule(size: CapsuleSize, options?: O): Tracer;
}

/** Can be traced with the hulls that the map was compiled for. */
export interface HullWorld<O = unknown> {
  /** The box of each hull, relative to the traced point. */
  readonly hulls: readonly Bounds[];
  /** @param hull - its number, from 0; `RangeError` when the map has no such hull. */
  hull(hull: number, options?: O): Tracer;
}

/** Has special traces for lines of sight and fire, in addition to rays. */
export interface LineWorld<O = unknown> {
  line(options?: O): Tracer;
}

/** Tells what is at a point. Throws `RangeError` for points that are not finite, `TypeError` for anything but three numbers. */
export interface PointClassifier {
  /** Number of the leaf that holds the point. */
  leaf(point: Vec3): number;
  /** Contents at the point, as the format codes them. */
  contents(point: Vec3): number;
}

/** Tells whether a sphere is in the open. */
export interface SphereClassifier {
  /** True if no solid is within `radius` of `center`. Near corners, false may be wrong; true never is. */
  sphereInside(center: Vec3, radius: number): boolean;
}

/**
 * The code that traces in a world: in WebAssembly or in JavaScript. Both give the same bits; WebAssembly is faster.
 */
export type KernelName = 'wasm' | 'js';

/** Which kernel traces: `auto` uses WebAssembly where it is available. */
export type KernelChoice = 'auto' | KernelName;

/** What a world can be opened with. */
export interface OpenOptions {
  /**
   * What traces: `wasm`, a kernel in WebAssembly, or `js`, the same in JavaScript, with bit-identical answers. `auto`, the
   * default, takes WebAssembly where it is available: not without SIMD, nor where a content security policy forbids it. There
   * `wasm` throws `Error`. Queries too rare or too short to gain from it always run in JavaScript.
   */
  readonly kernel?: KernelChoice | undefined;
}

/** What a world can be built with. */
export interface WorldOptions extends OpenOptions {
  /** Put the world's data into a `SharedArrayBuffer`, so that workers can trace in it without a copy. */
  readonly shared?: boolean | undefined;
}

/** Tells whether there is a line of sight between two points. */
export interface SightWorld {
  sight(start: Vec3, end: Vec3): boolean;
}

/** Has a potentially visible set. */
export interface VisibilityWorld {
  /** Number of leafs, by which {@link VisibilityWorld.visible} is asked. */
  readonly numLeafs: number;
  /** Whether leaf `to` may be seen from leaf `from`. Throws `RangeError` when there is no such leaf. */
  visible(from: number, to: number): boolean;
  /**
   * Leafs that a box touches, in tree order, front before back, as the engine finds them for an entity, in float32. If one
   * leaf represents everything solid, it is left out.
   * @throws RangeError when a corner is not finite, or `mins` is above `maxs`.
   */
  boxLeafs(mins: Vec3, maxs: Vec3): number[];
  /** Writes them into `out`, as many as fit, and returns how many there are. Allocates nothing. */
  boxLeafs(mins: Vec3, maxs: Vec3, out: Int32Array): number;
}

/** A flat convex polygon of a map. */
export interface Polygon {
  /** Corners, three numbers each, in order around the normal (counter-clockwise seen from its front). */
  readonly vertices: Float32Array;
  /** Unit normal of its plane. */
  readonly normal: Float32Array;
  /** Distance of its plane from the origin along the normal, in Quake units. */
  readonly dist: number;
  /** Texture or shader, by its number in the file; -1 for none. */
  readonly texture: number;
  /** Contents behind the polygon, as the format codes them. */
  readonly contents: number;
  /** Face or surface it came from, by its number in the file; -1 for none. */
  readonly surface: number;
}

/** The surfaces of a world of any format, as polygons. */
export interface PolygonSource {
  /** All polygons of the world model. */
  polygons(): readonly Polygon[];
  /** The polygons that lie in, or touch, a leaf. Throws `RangeError` when there is no such leaf. */
  leafPolygons(leaf: number): readonly Polygon[];
  /** Number of leafs for {@link PolygonSource.leafPolygons}. */
  readonly numLeafs: number;
  /**
   * Finds the leafs that a box touches: writes their numbers into `out`, as many as fit, and returns how many there
   * are. A box that touches a plane is on both sides of it. If one leaf represents everything solid, it is left out.
   * Allocates nothing.
   * @throws RangeError when a corner is not finite, or `mins` is above `maxs`.
   */
  boxLeafs(mins: Vec3, maxs: Vec3, out: Int32Array): number;
  /** Whether a polygon of this source stops players: false for the surfaces of liquids, flames and the like. */
  isSolid(polygon: Polygon): boolean;
}

/** What a trace hit, as the map describes it. */
export interface Surface {
  /** Texture or shader, by its number in the file; -1 for none. */
  readonly texture: number;
  /** Name of the texture or shader; empty for none. */
  readonly name: string;
  /** Surface flags, as the format codes them. */
  readonly flags: number;
  /** The polygon that contains the point of contact; `undefined` if no drawn surface does, as for clip brushes. */
  readonly polygon: Polygon | undefined;
}

/**
 * Finds what a trace hit: {@link Surface}, or `undefined` for a trace that hit nothing. `pose` is where the model that was hit was,
 * by default where it was built; formats whose traces tell enough do without it.
 */
export type SurfaceFinder<W = BspWorld> = (
  world: W,
  trace: Trace,
  pose?: Pose | undefined,
) => Surface | undefined;
