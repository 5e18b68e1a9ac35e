import {
  type Bounds,
  type BoxWorld,
  type BspWorld,
  checkNumber,
  checkPoint,
  checkRadius,
  type Entity,
  type PointClassifier,
  type Polygon,
  type PolygonSource,
  parseEntities,
  type RayWorld,
  type SightWorld,
  type SphereClassifier,
  type Vec3,
} from '@bspkit/core';
import { buildWorldData } from './build.ts';
import { ballIsInside, type InsideOptions, isOutside, leafAt, outsideMask } from './classify.ts';
import type { Quake1Version } from './constants.ts';
import type { Quake1File } from './file.ts';
import { LEAF_WORDS, MODEL_HEADS, packedContents, packedLeaf, VIS_LEAFS_WORD } from './layout.ts';
import { distanceToOutside } from './nearest.ts';
import { type OpenWorld, openWorld } from './open.ts';
import { contentsAt } from './trace-hull.ts';
import { Quake1Model, Traceable } from './traceable.ts';
import { checkHull } from './tracer-hull.ts';
import type { PreciseRayTracer } from './tracer-ray.ts';
import { rowHasLeaf } from './vis.ts';

/**
 * A Quake 1 or Half-Life map made ready for tracing. Points are in Quake units, Z up. Tracers of one world share
 * working memory: they may be used in turn, not from within each other, and each thread opens the data for itself.
 */
export class Quake1World
  extends Traceable
  implements BspWorld, RayWorld, BoxWorld, PointClassifier, SphereClassifier, SightWorld, PolygonSource
{
  readonly format = 'quake1';
  readonly version: Quake1Version;
  /** Everything that tracing reads, in one buffer: hand it to a worker and open it there with `Quake1World.from`. */
  readonly data: ArrayBufferLike;
  readonly numLeafs: number;
  /** Leafs that have a row of what they see: 1 to this. Those above belong to inline models. */
  readonly numVisLeafs: number;
  /** How many inline models there are besides the world: `*1` to `*numModels`. */
  readonly numModels: number;
  /** What each hull moves, relative to the traced point: 1 to 4 of them. */
  readonly hulls: readonly Bounds[];
  private readonly _root: number;
  private readonly _sight: PreciseRayTracer;

  private constructor(open: OpenWorld) {
    super(open, 0);
    this.version = open.version;
    this.data = open.data;
    this.hulls = open.hulls;
    this.numLeafs = open.places.leafs.count;
    this.numVisLeafs = open.ints[VIS_LEAFS_WORD]!;
    this.numModels = open.places.models.count - 1;
    this._root = open.places.nodes.first;
    this._sight = this.ray({ precise: true });
  }

  /**
   * Opens a world's `data`, here or in another thread, at no cost but a little working memory.
   * @throws BspError when the buffer is not a world of this package's layout version.
   */
  static from(data: ArrayBufferLike): Quake1World {
    return new Quake1World(openWorld(data));
  }

  /** Entities of the map, parsed anew at each call. Throws `BspError` when their text does not parse. */
  entities(): Entity[] {
    const { first } = this._open.places.text;
    const bytes = new Uint8Array(this.data, 4 * first + 4, this._open.ints[first]);
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return parseEntities(text, this.format);
  }

  /** An inline model, or the world as model 0. Throws `RangeError` unless the number is in `0 .. numModels`. */
  model(number: number): Quake1Model {
    checkNumber(number, this.numModels + 1, 'number');
    return new Quake1Model(this._open, number);
  }

  /** Number of the leaf at a point; a point on a plane is behind it. Throws `RangeError` unless it is finite. */
  leaf(point: Vec3): number {
    checkPoint(point, 'point');
    return packedLeaf(leafAt(this._open.nodes, this._root, point));
  }

  /** Contents of the leaf at a point: {@link Quake1World.leafContents}. */
  contents(point: Vec3): number {
    return this.leafContents(point);
  }

  /**
   * Contents of the leaf at a point: a point on a plane is behind it. {@link Quake1World.hullContents} has it in
   * front, so on a floor this is solid and that is open; both are the engine's.
   */
  leafContents(point: Vec3): number {
    checkPoint(point, 'point');
    return packedContents(leafAt(this._open.nodes, this._root, point));
  }

  /**
   * Contents at a point as traces see them: a point on a plane is in front of it. Hulls 1 and up are the map grown by
   * the mover's box, and most maps have only empty (-1) and solid (-2) there. Throws `RangeError` for a hull that the
   * map does not have, or a point that is not finite.
   */
  hullContents(hull: number, point: Vec3): number {
    checkHull(hull, this.hulls.length);
    checkPoint(point, 'point');
    const { hullWalk, ints, places } = this._open;
    for (let k = 0; k < 3; k++) hullWalk.points[k] = Math.fround(point[k]!);
    return contentsAt(hullWalk, ints[places.models.first + MODEL_HEADS + hull]!);
  }

  /**
   * Whether a point is inside the map: anywhere but in solid, or in what `options` calls outside.
   * Source: Note on Quake BSP Algorithms, point_is_inside.
   */
  isInside(point: Vec3, options?: InsideOptions): boolean {
    checkPoint(point, 'point');
    return !isOutside(leafAt(this._open.nodes, this._root, point), outsideMask(options));
  }

  /**
   * Whether a ball keeps clear of everything outside, by the note's quick test: yes is certain, no may be wrong near
   * edges and corners. A ball that touches a wall is not inside.
   *
   * @param radius - 0 or more; else `RangeError`.
   */
  sphereInside(center: Vec3, radius: number, options?: InsideOptions): boolean {
    checkPoint(center, 'center');
    checkRadius(radius);
    const { nodes, stack } = this._open;
    return ballIsInside(nodes, this._root, center, radius, outsideMask(options), stack);
  }

  /** Whether a ball keeps clear of everything outside, exactly: {@link Quake1World.distanceToSolid} above `radius`. */
  sphereInsideExact(center: Vec3, radius: number, options?: InsideOptions): boolean {
    checkRadius(radius);
    return this.distanceToSolid(center, radius, options) > radius;
  }

  /**
   * Distance from a point to the nearest solid, or what `options` calls outside, in double precision: 0 within it,
   * `Infinity` when there is none as near as `max`. Throws `RangeError` when `max` is below 0 or NaN.
   */
  distanceToSolid(center: Vec3, max: number = Number.POSITIVE_INFINITY, options?: InsideOptions): number {
    checkPoint(center, 'center');
    if (!(max >= 0)) throw new RangeError(`max must be 0 or more, got ${max}`);
    const { nodes, nearestWalk } = this._open;
    return distanceToOutside(nodes, this._root, center, max, outsideMask(options), nearestWalk);
  }

  /**
   * Whether leaf `to` is in the potentially visible set of leaf `from`. Leaf 0, and a leaf or map that was not vised,
   * sees all. Leaf 0 and the leafs of inline models are in no set.
   *
   * @throws RangeError when there is no such leaf.
   */
  visible(from: number, to: number): boolean {
    checkNumber(from, this.numLeafs, 'from');
    checkNumber(to, this.numLeafs, 'to');
    const { ints, places, visibility } = this._open;
    const offset = ints[places.leafs.first + LEAF_WORDS * from + 1]!;
    if (from === 0 || from > this.numVisLeafs || offset === -1 || visibility.length === 0) return true;
    if (to === 0 || to > this.numVisLeafs) return false;
    return rowHasLeaf(visibility, offset, to);
  }

  /** Whether nothing solid is between two points: the note's path_unblocked, a precise ray. */
  pathUnblocked(a: Vec3, b: Vec3): boolean {
    return !this._sight.blocked(a, b);
  }

  /**
   * Whether two points see each other: their leafs by the visibility rows, which costs next to nothing, then
   * {@link Quake1World.pathUnblocked}. Where a point has no row, on a wall say, the ray alone decides.
   */
  sight(a: Vec3, b: Vec3): boolean {
    const from = this.leaf(a);
    const to = this.leaf(b);
    if (to !== 0 && to <= this.numVisLeafs && !this.visible(from, to)) return false;
    return this.pathUnblocked(a, b);
  }

  /** The drawn faces that a leaf's marks list. Throws `RangeError` when there is no such leaf. */
  leafPolygons(leaf: number): readonly Polygon[] {
    checkNumber(leaf, this.numLeafs, 'leaf');
    return this._open.faces.ofLeaf(leaf);
  }
}

export interface WorldOptions {
  /** Puts the world's data in a `SharedArrayBuffer`, so that workers can open it too. Default false. */
  readonly shared?: boolean;
}

/**
 * Makes a map ready for tracing.
 * @throws BspError when the file does not hang together; one that `readQuake1` gave does.
 */
export function createQuake1World(file: Quake1File, options: WorldOptions = {}): Quake1World {
  return Quake1World.from(buildWorldData(file, options.shared === true));
}
