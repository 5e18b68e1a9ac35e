import { type Bounds, checkBounds, type Polygon, type Vec3 } from '@bspkit/core';
import { treePolygons } from './hull-polygons.ts';
import { MODEL_HEADS, MODEL_WORDS } from './layout.ts';
import type { OpenWorld } from './open.ts';
import {
  type BoxTracer,
  checkHull,
  type HullOptions,
  type HullSource,
  type HullTracer,
  SourceTracer,
} from './tracer-hull.ts';
import { type PreciseRayOptions, type PreciseRayTracer, SourceRayTracer } from './tracer-ray.ts';

/** What hulls and rays can be traced through: the world, or an inline model. */
export abstract class Traceable {
  /** As the engine keeps them, one unit wider than stored, in Quake units. */
  readonly bounds: Bounds;
  /** @internal */
  protected readonly _open: OpenWorld;
  private readonly _number: number;
  private readonly _heads: Int32Array;

  protected constructor(open: OpenWorld, number: number) {
    const at = open.places.models.first + MODEL_WORDS * number;
    this.bounds = {
      mins: open.floats.slice(at, at + 3).map((least) => least - 1),
      maxs: open.floats.slice(at + 3, at + 6).map((greatest) => greatest + 1),
    };
    this._open = open;
    this._number = number;
    this._heads = open.ints.slice(at + MODEL_HEADS, at + MODEL_HEADS + 4);
  }

  /**
   * Moves a hull's box (0 is a point) through it, as the engine does: the traced point is the mover's origin,
   * a player's 24 units above its feet. Stops 1/32 before what it hits.
   *
   * @param hull - 0, 1, 2; in Half-Life also 3. Sizes are in `hullBounds`.
   * @throws RangeError when the map has no such hull.
   */
  hull(hull: number, options?: HullOptions): HullTracer {
    return new SourceTracer(this._source(), hull, options);
  }

  /**
   * Moves the hull that the engine takes for a box of this size: `tracer.hull` says which and `tracer.shape` what is
   * truly moved, which keeps the box's least corner and has the hull's size, not the box's.
   *
   * @throws RangeError when a corner is not finite, `mins` is above `maxs`, or the map has no such hull.
   */
  box(mins: Vec3, maxs: Vec3, options?: HullOptions): BoxTracer {
    checkBounds(mins, maxs);
    return new SourceTracer(this._source(), { mins, maxs }, options);
  }

  /** A ray: the engine's point hull or, with `precise`, the note's ray in double precision without epsilon. */
  ray(options?: HullOptions & { readonly precise?: false }): HullTracer;
  ray(options: PreciseRayOptions): PreciseRayTracer;
  ray(
    options?: PreciseRayOptions | (HullOptions & { readonly precise?: false }),
  ): HullTracer | PreciseRayTracer {
    if (options?.precise !== true) return this.hull(0, options);
    const { nodes, rayWalk } = this._open;
    const source = { tree: nodes, walk: rayWalk, model: this._number, head: this._heads[0]! };
    return new SourceRayTracer(source, options);
  }

  /** The drawn faces. */
  polygons(): readonly Polygon[] {
    return this._open.faces.ofModel(this._number);
  }

  /**
   * The faces between solid and open of a hull's tree: the map grown by the hull's box, as the mover's origin feels
   * it. Made anew by every call.
   *
   * @throws RangeError when the map has no such hull.
   */
  hullPolygons(hull: number): Polygon[] {
    checkHull(hull, this._open.hulls.length);
    return treePolygons(this._open.nodes, this._heads[hull]!);
  }

  private _source(): HullSource {
    const { hullWalk, places, version, hulls } = this._open;
    const { nodes, clipNodes } = places;
    return {
      walk: hullWalk,
      planes: places.planes.first,
      trees: [nodes.first, clipNodes.first, clipNodes.first, clipNodes.first],
      version,
      bounds: hulls,
      model: this._number,
      heads: this._heads,
    };
  }
}

/** An inline model (`*1` and up): a door, a lift. Its tracers take `origin`, and `set` moves them. */
export class Quake1Model extends Traceable {
  /** k of `*k`; 0 for the world. */
  readonly number: number;
  /** As the file has it: 0 0 0 in Quake maps, whatever the entity's origin says. */
  readonly origin: Float32Array;

  /** @internal */
  constructor(open: OpenWorld, number: number) {
    super(open, number);
    const at = open.places.models.first + MODEL_WORDS * number + 6;
    this.number = number;
    this.origin = open.floats.slice(at, at + 3);
  }
}
