import {
  type Bounds,
  type BoxWorld,
  type BspWorld,
  type Entity,
  entityModel,
  entityVector,
  type KernelChoice,
  type KernelName,
  type LineWorld,
  type OpenOptions,
  parseEntities,
  type RayWorld,
  type SightWorld,
  type Vec3,
  type WorldOptions,
} from '@bspkit/core';
import {
  checkFileOf,
  checkKind,
  checkMask,
  checkModelNumber,
  checkNumber,
  checkOptions,
  checkPoint,
  held,
  openKernel,
  printAsString,
  unpackTexts,
  worldOptions,
} from '@bspkit/core/format';
import { buildWorldData, type UfoaiTile } from './build.ts';
import { worldContents } from './classify.ts';
import { BOX_ALL, CELL_SIZE } from './constants.ts';
import type { UfoaiFile } from './file.ts';
import { openMemory, type WorldMemory } from './kernel/memory.ts';
import {
  TILE_CELL,
  TILE_LEAFS,
  TILE_MAXS,
  TILE_MINS,
  TILE_MODELS,
  TILE_SHIFT,
  TILE_TEXTS,
  TILE_WORDS,
} from './layout.ts';
import { LINE_OPTIONS, type LineOptions, UfoaiLineTracer } from './line-tracer.ts';
import { UfoaiModel } from './model.ts';
import { layout } from './sections.ts';
import { TRACE_OPTIONS, type TraceOptions, UfoaiTracer, worldTarget } from './tracer.ts';
import { kernelOf, wasm } from './wasm/kernel.ts';

/** A tile of a world. */
export interface TileInfo {
  /** Offset in cells, and in levels for z. */
  readonly cell: readonly [x: number, y: number, z: number];
  /** Where boxes look for it, in Quake units. */
  readonly bounds: Bounds;
  /** Number of its first leaf among all tiles' leafs: add it to the leaf of a trace. */
  readonly firstLeaf: number;
  /** Number of its first inline model, and how many it has. */
  readonly firstModel: number;
  readonly numModels: number;
}

/** A tile's texts, each read at the first call. */
interface TileTexts {
  names?: readonly string[];
  entities?: readonly Entity[];
}

/** One or more UFO:AI tiles ready for tracing. Made by {@link createUfoaiWorld}, or by `from` from another world's data. */
export class UfoaiWorld
  implements BspWorld, RayWorld<TraceOptions>, BoxWorld<TraceOptions>, LineWorld<LineOptions>, SightWorld
{
  readonly format = 'ufoai';
  /** Everything about the world in one buffer: pass it to a worker and open it there with `UfoaiWorld.from`. */
  readonly data: ArrayBufferLike;
  /** Bounds of all tiles. */
  readonly bounds: Bounds;
  /** What the game's server divides among its entities: the same, less a row of cells at the far sides, in x and y. */
  readonly linkBounds: Bounds;
  readonly tiles: readonly TileInfo[];
  /** Number of inline models of all tiles together: `*1` to `*numModels`. */
  readonly numModels: number;
  /** Number of leafs of all tiles together. */
  readonly numLeafs: number;
  /** Names of the options that its tracers take: those that scenes pass on. */
  readonly traceOptions: readonly string[] = [...TRACE_OPTIONS, ...LINE_OPTIONS];
  private readonly _held: WorldMemory;
  private _sight: UfoaiLineTracer | undefined;
  private readonly _texts: readonly TileTexts[];
  private _entities: readonly Entity[] | undefined;

  private constructor(data: ArrayBufferLike, kernel: KernelChoice) {
    this.data = data;
    const memory = openMemory(data, layout.read(data), kernel);
    const { places } = memory;
    this._held = memory;
    this.numModels = places.models.count;
    this.numLeafs = places.leafs.count;
    this.tiles = Array.from({ length: places.tiles.count }, (_, tile) => tileInfo(memory, tile));
    this._texts = this.tiles.map(() => ({}));
    const mins = new Float32Array(3).fill(Infinity);
    const maxs = new Float32Array(3).fill(-Infinity);
    for (const { bounds } of this.tiles) {
      for (let k = 0; k < 3; k++) {
        mins[k] = Math.min(mins[k]!, bounds.mins[k]!);
        maxs[k] = Math.max(maxs[k]!, bounds.maxs[k]!);
      }
    }
    this.bounds = { mins, maxs };
    this.linkBounds = { mins, maxs: maxs.map((max, k) => (k < 2 ? max - CELL_SIZE : max)) };
    printAsString(this);
  }

  /**
   * Opens a world's `data`, here or in another thread. Costs next to nothing: the data is used as it is.
   * @throws BspError when it is not the data of a UFO:AI world of this version of the package; otherwise as {@link OpenOptions}
   *   says.
   */
  static from(data: ArrayBufferLike, options: OpenOptions = {}): UfoaiWorld {
    return new UfoaiWorld(data, openKernel(options, wasm));
  }

  /** Throws `TypeError` once the world's data has been transferred. @internal */
  get _memory(): WorldMemory {
    return held(this._held);
  }

  /** Which kernel traces in this world. */
  get kernel(): KernelName {
    return kernelOf(this._memory);
  }

  /**
   * Lines of sight and fire: `blocked` tests, `trace` finds the place of impact.
   * @throws RangeError for levels that are not a number of 32 bits; TypeError for an unknown option.
   */
  line(options: LineOptions = {}): UfoaiLineTracer {
    return new UfoaiLineTracer(this._memory, options);
  }

  /**
   * Whether nothing blocks the line between two points: all levels, no clips, no models. Throws `RangeError` when a
   * coordinate is not finite.
   */
  sight(start: Vec3, end: Vec3): boolean {
    this._sight ??= this.line();
    return !this._sight.blocked(start, end);
  }

  /**
   * Boxes, for walking and path finding: through all tiles, or one, or one of its heads; with models if wanted.
   * Corners in Quake units, relative to the traced point.
   * @throws RangeError when a corner is not finite, `mins` is above `maxs`, or there is no such tile or head.
   */
  box(mins: Vec3, maxs: Vec3, options: TraceOptions = {}): UfoaiTracer {
    return new UfoaiTracer(
      this._memory,
      worldTarget(this._memory, options),
      { kind: 'box', mins, maxs },
      options,
    );
  }

  /**
   * {@link UfoaiWorld.box} for a box of no size: a ray against brushes, with contents, side and texture of what it hits. By
   * default it stops at solid and windows, and passes actor clip.
   */
  ray(options: TraceOptions = {}): UfoaiTracer {
    return new UfoaiTracer(this._memory, worldTarget(this._memory, options), { kind: 'ray' }, options);
  }

  /**
   * An inline model, where its entity is. Each call makes a body of its own to move and turn.
   * @throws RangeError unless the number is in `1 .. numModels`.
   */
  model(number: number): UfoaiModel {
    checkModelNumber(number, this.numModels);
    return new UfoaiModel(this._memory, number);
  }

  /** All inline models, in order, each a new body. */
  models(): UfoaiModel[] {
    return Array.from({ length: this.numModels }, (_, k) => this.model(k + 1));
  }

  /**
   * Entities of all tiles, as the game puts them together: origins where they stand, models by their numbers among all tiles'. One
   * that names a model which its tile does not have names one that no tile has. Those of one tile, if given, are as in its file.
   * Parsed at the first call and kept.
   * @throws RangeError when there is no such tile.
   */
  entities(tile?: number): readonly Entity[] {
    if (tile === undefined) {
      this._entities ??= this.tiles.flatMap((_, k) => this._placedEntities(k));
      return this._entities;
    }
    const texts = this._textsOf(tile);
    texts.entities ??= parseEntities(this._readTexts(tile)[0]!, 'ufoai');
    return texts.entities;
  }

  /**
   * Names of a tile's textures, by the number that a trace gives; read at the first call and kept.
   * @throws RangeError when there is no such tile.
   */
  textureNames(tile: number = 0): readonly string[] {
    const texts = this._textsOf(tile);
    texts.names ??= this._readTexts(tile).slice(1);
    return texts.names;
  }

  /**
   * Contents of the leafs that contain a point, in all trees of some levels (`BOX_ALL` by default) whose brushes reach that far,
   * combined with OR. Clips have trees of their own, which belong to every level.
   * @throws RangeError for a point that is not finite, or levels that are not a number of 32 bits.
   */
  contents(point: Vec3, levels: number = BOX_ALL): number {
    checkPoint(point, 'point');
    checkMask(levels, 'levels');
    return worldContents(this._memory, point, levels);
  }

  private _placedEntities(tile: number): Entity[] {
    const { floats, places } = this._memory;
    const shift = places.tiles.first + TILE_WORDS * tile + TILE_SHIFT;
    const { firstModel, numModels } = this.tiles[tile]!;
    return this.entities(tile).map((entity) => {
      const placed: Record<string, string> = Object.assign(Object.create(null), entity);
      const origin = entityVector(entity, 'origin');
      const model = entityModel(entity);
      if (origin) placed.origin = origin.map((x, k) => x + floats[shift + k]!).join(' ');
      if (model)
        placed.model = `*${model + (model > numModels ? this.numModels - numModels : firstModel - 1)}`;
      return placed;
    });
  }

  private _textsOf(tile: number): TileTexts {
    checkNumber(tile, 'tile', this.tiles.length);
    return this._texts[tile]!;
  }

  private _readTexts(tile: number): string[] {
    const { ints, places } = this._memory;
    const at = places.tiles.first + TILE_WORDS * tile + TILE_TEXTS;
    return unpackTexts(new Uint8Array(this.data, 4 * ints[at]!, ints[at + 1]!));
  }

  /** @internal */
  toString(): string {
    const count = (number: number, what: string): string =>
      `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
    const { tiles, numLeafs, numModels } = this;
    return `UfoaiWorld { ${count(tiles.length, 'tile')}, ${count(numLeafs, 'leaf')}, ${count(numModels, 'model')} }`;
  }
}

function tileInfo({ ints, floats, places }: WorldMemory, tile: number): TileInfo {
  const at = places.tiles.first + TILE_WORDS * tile;
  return {
    cell: [ints[at + TILE_CELL]!, ints[at + TILE_CELL + 1]!, ints[at + TILE_CELL + 2]!],
    bounds: {
      mins: floats.slice(at + TILE_MINS, at + TILE_MINS + 3),
      maxs: floats.slice(at + TILE_MAXS, at + TILE_MAXS + 3),
    },
    firstLeaf: ints[at + TILE_LEAFS]!,
    firstModel: ints[at + TILE_MODELS]! + 1,
    numModels: ints[at + TILE_MODELS + 1]!,
  };
}

const TILE_OPTIONS: readonly string[] = ['file', 'x', 'y', 'z'] satisfies (keyof UfoaiTile)[];

/**
 * Builds a world for tracing: from a single map, or from an assembly of tiles. The numbers of later tiles' models continue those
 * of earlier ones.
 * @throws RangeError for no or more than 64 tiles, an offset outside -127 to 127 cells or 0 to 7 levels, or an unknown
 *   `kernel`; TypeError for anything but a map or such tiles, an unknown option, and `shared` where there is no
 *   `SharedArrayBuffer`; Error where the kernel `wasm` is not available.
 */
export function createUfoaiWorld(
  maps: UfoaiFile | readonly UfoaiTile[],
  options: WorldOptions = {},
): UfoaiWorld {
  const isList = Array.isArray(maps);
  checkKind(isList || typeof maps === 'object', maps, 'maps', 'a map or an array of tiles');
  const tiles = (isList ? maps : [{ file: maps }]) as readonly UfoaiTile[];
  for (const [k, tile] of tiles.entries()) {
    const isTile = typeof tile?.file === 'object';
    checkKind(isTile, tile, `maps[${k}]`, '{ file, x, y, z }, with a map that readUfoai has read as file');
    checkOptions(tile, TILE_OPTIONS, `maps[${k}]`);
    checkFileOf(tile.file, 'ufoai', 'readUfoai');
  }
  const { shared, kernel } = worldOptions(options, wasm);
  return UfoaiWorld.from(buildWorldData(tiles, shared), { kernel });
}
