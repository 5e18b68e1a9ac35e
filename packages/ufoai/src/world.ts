import {
  type Bounds,
  type BoxWorld,
  type BspWorld,
  checkNumber,
  checkPoint,
  type Entity,
  type Polygon,
  type PolygonSource,
  parseEntities,
  type RayWorld,
  type SightWorld,
  type Vec3,
} from '@bspkit/core';
import { type BoxOptions, BoxTracer, boxTarget } from './box-tracer.ts';
import { buildWorldData, type UfoaiTile } from './build.ts';
import { type Cell, type CellSightOptions, measureCellSight } from './cells.ts';
import { worldContents } from './classify.ts';
import { BOX_ALL } from './constants.ts';
import { type HeadInfo, listHeads } from './heads.ts';
import { openMemory, type WorldMemory } from './kernel.ts';
import { layout, SECTIONS, TILE_CELL, TILE_MAXS, TILE_MINS, TILE_MODELS, TILE_TEXT } from './layout.ts';
import { type LineOptions, LineTracer } from './line-tracer.ts';
import { UfoaiModel } from './model.ts';
import { leafPolygons, levelPolygons, type PolygonOptions } from './polygons.ts';

/** A tile as it lies in a world. */
export interface TileInfo {
  /** Offset in cells, and in levels for z. */
  readonly cell: readonly [x: number, y: number, z: number];
  /** Where boxes look for it, in Quake units. */
  readonly bounds: Bounds;
  /** Number of its first inline model, and how many it has. */
  readonly firstModel: number;
  readonly numModels: number;
}

/** One or more UFO:AI tiles ready for tracing. Made by {@link createUfoaiWorld}, or by `from` from another's data. */
export class UfoaiWorld
  implements BspWorld, RayWorld<BoxOptions>, BoxWorld<BoxOptions>, SightWorld, PolygonSource
{
  readonly format = 'ufoai';
  /** Everything about the world in one buffer, laid out as `layout.ts` tells: hand it to a worker and open it there. */
  readonly data: ArrayBufferLike;
  /** Bounds of all tiles. */
  readonly bounds: Bounds;
  readonly tiles: readonly TileInfo[];
  /** How many inline models the tiles have together: `*1` to `*numModels`. */
  readonly numModels: number;
  /** Leafs of all tiles together. */
  readonly numLeafs: number;
  /** @internal */
  readonly _memory: WorldMemory;
  private _sight: LineTracer | undefined;
  private _cellSight: LineTracer | undefined;

  private constructor(data: ArrayBufferLike) {
    this.data = data;
    this._memory = openMemory(data, layout.read(data));
    const { places } = this._memory;
    this.numModels = places.models.count;
    this.numLeafs = places.leafs.count;
    this.tiles = Array.from({ length: places.tiles.count }, (_, tile) => tileInfo(this._memory, tile));
    const corners = (pick: (bounds: Bounds) => Vec3, choose: (...values: number[]) => number): Float32Array =>
      Float32Array.from([0, 1, 2], (k) => choose(...this.tiles.map((tile) => pick(tile.bounds)[k]!)));
    this.bounds = {
      mins: corners(({ mins }) => mins, Math.min),
      maxs: corners(({ maxs }) => maxs, Math.max),
    };
  }

  /**
   * Opens a world's `data`, here or in another thread. Costs next to nothing: the data is used as it is.
   * @throws BspError when it is not the data of a UFO:AI world of this version of the package.
   */
  static from(data: ArrayBufferLike): UfoaiWorld {
    return new UfoaiWorld(data);
  }

  /**
   * Lines of sight and fire: `blocked` tests, `trace` finds the place of impact.
   * @throws RangeError for levels that are not a mask of ten bits.
   */
  line(options: LineOptions = {}): LineTracer {
    return new LineTracer(this._memory, options);
  }

  /** Whether nothing blocks the line between two points: all levels, no clips, no models. */
  sight(a: Vec3, b: Vec3): boolean {
    this._sight ??= this.line();
    return !this._sight.blocked(a, b);
  }

  /**
   * Whether an actor in one cell sees one in another: the share of the target's heights that the eye sees, 0 to 1.
   * All levels are looked at unless told, as the game does: walls do not always carry the level that they stand in, so
   * a mask of the levels between the two would see through some.
   * @throws RangeError for a cell outside the world, or no heights.
   */
  cellSight(from: Cell, to: Cell, options: CellSightOptions = {}): number {
    this._cellSight ??= this.line();
    return measureCellSight(this._cellSight, from, to, options);
  }

  /**
   * Boxes, for walking and path finding: through all tiles, or one, or one of its heads; with models, if wished.
   * Corners in Quake units, relative to the traced point.
   * @throws RangeError when a corner is not finite, `mins` is above `maxs`, or there is no such tile or head.
   */
  box(mins: Vec3, maxs: Vec3, options: BoxOptions = {}): BoxTracer {
    return new BoxTracer(boxTarget(this._memory, options), { kind: 'box', mins, maxs }, options);
  }

  /** {@link UfoaiWorld.box} for a box without size: a ray by brushes, with contents, side and texture of what it hits. */
  point(options: BoxOptions = {}): BoxTracer {
    return new BoxTracer(boxTarget(this._memory, options), { kind: 'ray' }, options);
  }

  /** {@link UfoaiWorld.point} by the name it has in other formats. */
  ray(options: BoxOptions = {}): BoxTracer {
    return this.point(options);
  }

  /**
   * An inline model, where its entity stands. Each call makes a body of its own to move and turn.
   * @throws RangeError unless the number is in `1 .. numModels`.
   */
  model(number: number): UfoaiModel {
    checkNumber(number, this.numModels + 1, 'number');
    if (number === 0) throw new RangeError('number must be 1 or more: 0 is the world itself');
    return new UfoaiModel(this._memory, number);
  }

  /** All inline models, in order, each a new body. */
  models(): UfoaiModel[] {
    return Array.from({ length: this.numModels }, (_, k) => new UfoaiModel(this._memory, k + 1));
  }

  /**
   * Entities of a tile, parsed anew at each call; origins are those in the file, without the tile's offset.
   * @throws RangeError when there is no such tile.
   */
  entities(tile: number = 0): Entity[] {
    return parseEntities(this._texts(tile)[0]!, 'ufoai');
  }

  /** Names of a tile's textures, by the number that a trace gives. Throws `RangeError` when there is no such tile. */
  textureNames(tile: number = 0): string[] {
    return this._texts(tile).slice(1);
  }

  private _texts(tile: number): string[] {
    checkNumber(tile, this.tiles.length, 'tile');
    const { ints, places } = this._memory;
    const at = places.tiles.first + SECTIONS.tiles * tile + TILE_TEXT;
    const bytes = new Uint8Array(this.data, 4 * ints[at]!, ints[at + 1]!);
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return text.split('\0').slice(0, -1);
  }

  /** The trees that lines are traced through, tile by tile: levels, clips, and what inline models leave. */
  heads(): HeadInfo[] {
    return listHeads(this._memory);
  }

  /**
   * Contents of the leafs that hold a point, of all trees of some levels (`BOX_ALL` unless told), or-ed.
   * @throws RangeError for a point that is not finite.
   */
  contents(point: Vec3, levels: number = BOX_ALL): number {
    checkPoint(point, 'point');
    return worldContents(this._memory, point, levels);
  }

  /** Faces of the brushes of some levels, facing away from them: what boxes collide with, bevel sides left out. */
  polygons(options: PolygonOptions = {}): Polygon[] {
    if (options.tile !== undefined) checkNumber(options.tile, this.tiles.length, 'tile');
    return levelPolygons(this._memory, options);
  }

  /** The same for the brushes that a leaf lists, numbered through all tiles. Throws `RangeError` for no such leaf. */
  leafPolygons(leaf: number): Polygon[] {
    checkNumber(leaf, this.numLeafs, 'leaf');
    return leafPolygons(this._memory, leaf);
  }
}

function tileInfo({ ints, floats, places }: WorldMemory, tile: number): TileInfo {
  const at = places.tiles.first + SECTIONS.tiles * tile;
  return {
    cell: [ints[at + TILE_CELL]!, ints[at + TILE_CELL + 1]!, ints[at + TILE_CELL + 2]!],
    bounds: {
      mins: floats.slice(at + TILE_MINS, at + TILE_MINS + 3),
      maxs: floats.slice(at + TILE_MAXS, at + TILE_MAXS + 3),
    },
    firstModel: ints[at + TILE_MODELS]! + 1,
    numModels: ints[at + TILE_MODELS + 1]!,
  };
}

/** What a world can be built with. */
export interface WorldOptions {
  /** Put the world's data into a `SharedArrayBuffer`, so that workers can trace in it without a copy. */
  readonly shared?: boolean;
}

/**
 * Builds a world for tracing from one or more tiles. Later tiles' models are numbered on from those of earlier ones.
 * @throws RangeError for no or more than 64 tiles, or an offset outside -127 to 127 cells or 0 to 7 levels.
 */
export function createUfoaiWorld(tiles: readonly UfoaiTile[], options: WorldOptions = {}): UfoaiWorld {
  return UfoaiWorld.from(buildWorldData(tiles, options.shared ?? false));
}
