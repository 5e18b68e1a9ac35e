import type { Bounds, PolygonSource, Vec3 } from '@bspkit/core';
import { checkNumber, held, printAsString } from '@bspkit/core/format';
import { buildData, checkSameSource, type EllipsoidWorldOptions } from './build.ts';
import { type ContactPoint, NearestFinder } from './closest.ts';
import { type Memory, openMemory } from './kernel/memory.ts';
import {
  DROPPED_WORD,
  layout,
  POLYGON_CONTENTS,
  POLYGON_NUM_CORNERS,
  POLYGON_NUMBER,
  POLYGON_SURFACE,
  POLYGON_TEXTURE,
  POLYGON_WORDS,
} from './layout.ts';
import { checkSource } from './source.ts';
import { type EllipsoidOptions, EllipsoidTracer } from './tracer.ts';
import { TutorialTracer } from './tutorial.ts';

/** What a polygon of a world is: the numbers that its source gave. */
export interface EllipsoidPolygon {
  /** Its number in what the source's `polygons()` gives. */
  readonly number: number;
  readonly corners: number;
  readonly texture: number;
  readonly contents: number;
  readonly surface: number;
}

/**
 * Polygons to move ellipsoids among, of any format: everything in one buffer, `data`. It makes tracers by two methods:
 * the exact sweep, and that of the document.
 */
export class EllipsoidWorld {
  readonly data: ArrayBufferLike;
  /** Bounds of the polygons, in Quake units. */
  readonly bounds: Bounds;
  /** Number of polygons that are in the way. */
  readonly numPolygons: number;
  /** Number of polygons that were left out, as they are degenerate or not convex. */
  readonly numDropped: number;
  /** Names of the options that its tracers take: those that scenes pass on. */
  readonly traceOptions: readonly string[] = ['epsilon'];
  private readonly _source: PolygonSource | undefined;
  /** @internal */
  readonly _opened: Memory;
  private _nearest: NearestFinder | undefined;
  /** Whether the source is known to be the one that the data was made of. */
  private _isOfSource: boolean;

  private constructor(data: ArrayBufferLike, source: PolygonSource | undefined, isOfSource: boolean) {
    this.data = data;
    this._isOfSource = isOfSource;
    this._opened = openMemory(data, layout.read(data));
    this._source = source;
    const { ints, floats, places } = this._memory;
    this.numPolygons = places.polygons.count;
    this.numDropped = ints[DROPPED_WORD]!;
    const root = places.nodes.first;
    this.bounds = { mins: floats.slice(root, root + 3), maxs: floats.slice(root + 3, root + 6) };
    printAsString(this);
  }

  /** Throws `TypeError` once the world's data has been transferred. @internal */
  get _memory(): Memory {
    return held(this._opened);
  }

  /**
   * Opens a world's `data`, here or in another thread, without a copy.
   *
   * @param source - the polygons that it was made of, for the document's method, which asks it for the leafs passed; nothing else
   *   needs it. Here only the number of its leafs is compared; the rest by {@link EllipsoidWorld.tutorial}.
   * @throws BspError when it is not such data; TypeError for anything but a source; RangeError for a `numLeafs` of it that
   *   is not that of the source that it was made of.
   */
  static from(data: ArrayBufferLike, source?: PolygonSource): EllipsoidWorld {
    const world = new EllipsoidWorld(data, source, false);
    if (source !== undefined) {
      checkSource(source);
      const { count } = world._memory.places.leafs;
      if (source.numLeafs !== count) {
        throw new RangeError(`source.numLeafs must be ${count}, as in data, got ${source.numLeafs}`);
      }
    }
    return world;
  }

  /** @internal The source. Throws `TypeError` where there is none, or that of another map; compares once. */
  _checkedSource(): PolygonSource {
    const source = this._source!;
    if (!this._isOfSource) {
      checkSource(source);
      checkSameSource(this._memory, source);
    }
    this._isOfSource = true;
    return source;
  }

  /** @internal Of data that has just been made of a source. */
  static _of(data: ArrayBufferLike, source: PolygonSource): EllipsoidWorld {
    return new EllipsoidWorld(data, source, true);
  }

  /**
   * A tracer that sweeps an ellipsoid exactly.
   *
   * @param radii - along x, y and z, in Quake units: 0.001 to 1,000,000 each.
   * @throws RangeError for radii, or an `epsilon`, out of range; TypeError for radii that are not three numbers, and for
   *   an unknown option.
   */
  ellipsoid(radii: Vec3, options?: EllipsoidOptions): EllipsoidTracer {
    return new EllipsoidTracer(this, radii, options);
  }

  /**
   * {@link EllipsoidWorld.ellipsoid} for a ball: a sphere whose edges and corners are truly round.
   *
   * @param radius - in Quake units, 0.001 to 1,000,000; otherwise `RangeError`.
   */
  sphere(radius: number, options?: EllipsoidOptions): EllipsoidTracer {
    return new EllipsoidTracer(this, [radius, radius, radius], options, true);
  }

  /**
   * A tracer by the document's method, its errors corrected: the polygons of the leafs passed, the one of the lowest
   * facing value first. Its `move` reports what it slides along.
   *
   * The first makes the planes around all polygons, which take 1 to 1.5 times as much memory as `data`. The first of a world
   * that {@link EllipsoidWorld.from} opened also compares the polygons of the source with the data, which
   * takes about a third of the time that making the world took.
   *
   * @throws RangeError as {@link EllipsoidWorld.ellipsoid}; TypeError where the world was opened without a source, or with that of
   *   another map.
   */
  tutorial(radii: Vec3): TutorialTracer {
    return new TutorialTracer(this, radii);
  }

  /**
   * The point of the polygons that is nearest to a point, and how far it is: in double precision, from any distance.
   *
   * @param most - how far to look, in Quake units; anywhere by default.
   * @returns undefined when there is none within `most`.
   * @throws RangeError when a number is not finite, or `most` is below 0.
   */
  closest(point: Vec3, most: number = Infinity): ContactPoint | undefined {
    return this._finder().closest(point, most);
  }

  /**
   * How far an ellipsoid is from the polygons: both nearest points, the distance, and which polygon. The distance is 0
   * where they touch or overlap; both points then are where it reaches deepest. In double precision, from any distance.
   *
   * It takes several times as long as {@link EllipsoidWorld.closest}, and longer still for flat and long ellipsoids.
   *
   * @returns undefined when nothing is within `most`.
   * @param radii - along x, y and z, in Quake units: 0.001 to 1,000,000 each.
   * @param most - how far to look, in Quake units; anywhere by default.
   * @throws RangeError when a coordinate is not finite, a radius is out of range, or `most` is below 0.
   */
  distance(center: Vec3, radii: Vec3, most: number = Infinity): ContactPoint | undefined {
    return this._finder().distance(center, radii, most);
  }

  private _finder(): NearestFinder {
    const { _memory: memory } = this;
    this._nearest ??= new NearestFinder(memory);
    return this._nearest;
  }

  /** The polygon with a trace's `polygon` number. Throws `RangeError` if there is no such polygon. */
  polygon(polygon: number): EllipsoidPolygon {
    checkNumber(polygon, 'polygon', this.numPolygons);
    const { ints, places } = this._memory;
    const at = places.polygons.first + POLYGON_WORDS * polygon;
    return {
      number: ints[at + POLYGON_NUMBER]!,
      corners: ints[at + POLYGON_NUM_CORNERS]!,
      texture: ints[at + POLYGON_TEXTURE]!,
      contents: ints[at + POLYGON_CONTENTS]!,
      surface: ints[at + POLYGON_SURFACE]!,
    };
  }

  /** @internal */
  toString(): string {
    const { numPolygons } = this;
    return `EllipsoidWorld { ${numPolygons.toLocaleString('en')} ${numPolygons === 1 ? 'polygon' : 'polygons'} }`;
  }
}

/**
 * Makes a world of ellipsoids from polygons: `createEllipsoidWorld(format.polygons(world))`.
 *
 * @throws RangeError when no polygon is left, a number is not finite, `texture`, `contents` or `surface` is not of 32 bits, a
 *   normal is not of unit length, a polygon has more than 1,024 corners, `source.numLeafs` is not from 0 to 2^24, leafs list
 *   far more polygons together than there are or, where broken polygons are to be refused, one is degenerate or not convex;
 *   TypeError for an invalid source or polygon.
 */
export function createEllipsoidWorld(source: PolygonSource, options?: EllipsoidWorldOptions): EllipsoidWorld {
  return EllipsoidWorld._of(buildData(source, options), source);
}
