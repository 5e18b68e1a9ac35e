import {
  type Bounds,
  type BoxWorld,
  type BspWorld,
  type Entity,
  type HullWorld,
  type KernelChoice,
  type KernelName,
  type OpenOptions,
  type PointClassifier,
  parseEntities,
  type RayWorld,
  type SightWorld,
  type SphereClassifier,
  type Vec3,
  type VisibilityWorld,
  type WorldOptions,
} from '@bspkit/core';
import {
  type Clearings,
  checkFileOf,
  checkModelNumber,
  checkMove,
  checkNumber,
  checkOptions,
  checkPoint,
  checkRadius,
  type LeafTree,
  leafsInBox,
  openKernel,
  printAsString,
  rowHasBit,
  unpackTexts,
  worldOptions,
} from '@bspkit/core/format';
import { buildWorldData } from './build.ts';
import { type InsideOptions, outsideMask } from './classify.ts';
import { clearingsOf } from './clearings.ts';
import type { Quake1Version } from './constants.ts';
import type { Quake1File } from './file.ts';
import { VERSION_NAMES } from './identity.ts';
import { openMemory } from './kernel/memory.ts';
import { isOutside, isSphereInside, leafAt } from './kernel/tree.ts';
import { LEAF_WORDS, TEXTURES_WORD, VIS_LEAFS_WORD } from './layout.ts';
import { linkTree } from './leafs.ts';
import { Quake1Model, Traceable } from './model.ts';
import { type PreciseOptions, type PreciseTracer, Quake1PreciseTracer } from './precise-tracer.ts';
import { packedContents, packedLeaf } from './sections.ts';
import {
  checkHull,
  type HullTracer,
  Quake1Tracer,
  type SizedHullTracer,
  TRACE_OPTIONS,
  type TraceOptions,
} from './tracer.ts';
import { kernelName, wasm } from './wasm/kernel.ts';

/**
 * A Quake 1 or Half-Life map ready for tracing. Points are in Quake units, Z up. Tracers of one world share working memory: they
 * may be used in turn, but not from within each other, and each thread opens the data for itself.
 */
export class Quake1World
  extends Traceable
  implements
    BspWorld,
    RayWorld<TraceOptions>,
    BoxWorld<TraceOptions>,
    HullWorld<TraceOptions>,
    PointClassifier,
    SphereClassifier,
    SightWorld,
    VisibilityWorld
{
  readonly format = 'quake1';
  /**
   * The file's version. It decides which hulls there are and whose rules traces follow, so the world keeps it. Files of other
   * games have versions that decide nothing once they are read, and their worlds have none.
   */
  readonly version: Quake1Version;
  /** Names of the options that its tracers take: those that scenes pass on. */
  readonly traceOptions: readonly string[] = TRACE_OPTIONS;
  /** Everything about the world in one buffer: pass it to a worker and open it there with `Quake1World.from`. */
  readonly data: ArrayBufferLike;
  readonly numLeafs: number;
  /** Number of leafs with a row of what they see, numbered from 1. Those above belong to inline models. */
  readonly numVisLeafs: number;
  /** Number of inline models, not counting the world: `*1` to `*numModels`. */
  readonly numModels: number;
  /** What each hull moves, relative to the traced point: 1 to 4 of them. */
  readonly hulls: readonly Bounds[];
  private readonly _root: number;
  private readonly _sight: PreciseTracer;
  private readonly _leafs: LeafTree;
  private _entities: readonly Entity[] | undefined;
  private _textureNames: readonly string[] | undefined;

  private constructor(data: ArrayBufferLike, kernel: KernelChoice) {
    const memory = openMemory(data, kernel);
    super(memory, 0);
    this.version = memory.version;
    this.data = data;
    this.hulls = memory.hulls;
    this.numLeafs = memory.places.leafs.count;
    this.numVisLeafs = memory.ints[VIS_LEAFS_WORD]!;
    this.numModels = memory.places.models.count - 1;
    this._root = memory.places.nodes.first;
    this._sight = this.preciseRay();
    this._leafs = linkTree(memory);
    printAsString(this);
  }

  /**
   * Opens a world's `data`, here or in another thread, at no cost except a little working memory.
   * @throws BspError when the buffer is not a world of this package's layout version; otherwise as {@link OpenOptions} says.
   */
  static from(data: ArrayBufferLike, options: OpenOptions = {}): Quake1World {
    return new Quake1World(data, openKernel(options, wasm));
  }

  /** @internal */
  _clearings(hull: number): Clearings | null {
    return clearingsOf(this._memory, hull);
  }

  /** Which kernel moves hulls through this world. */
  get kernel(): KernelName {
    return kernelName(this._memory);
  }

  /** Entities of the map, parsed at the first call and kept. Throws `BspError` when their text does not parse. */
  entities(): readonly Entity[] {
    this._entities ??= parseEntities(this._readTexts()[0]!, this.format);
    return this._entities;
  }

  /**
   * Names of the textures in the order of the file, read at the first call and kept; empty for those that the file leaves out.
   * Traces do not name a texture: `surfaceAt` finds it.
   */
  textureNames(): readonly string[] {
    this._textureNames ??= this._readTexts().slice(1);
    return this._textureNames;
  }

  /** An inline model. Throws `RangeError` unless the number is in `1 .. numModels`. */
  model(number: number): Quake1Model {
    checkModelNumber(number, this.numModels);
    return new Quake1Model(this._memory, number, this);
  }

  /**
   * Moves a hull's box (0 is a point) through the world, as the engine does: the traced point is the mover's origin, a player's
   * 24 units above its feet. Stops 1/32 before what it hits.
   *
   * @param hull - 0, 1, 2; in Half-Life also 3. Sizes are in {@link Quake1World.hulls}.
   * @throws RangeError when the map has no such hull; TypeError for an unknown option.
   */
  hull(hull: number, options: TraceOptions = {}): HullTracer {
    checkOptions(options, TRACE_OPTIONS);
    checkHull(hull, this.hulls.length);
    return new Quake1Tracer(this, hull, options.rules);
  }

  /**
   * Moves the hull that the engine takes for a box of this size: `tracer.hull` says which, and `tracer.shape` what is really
   * moved: a box with the given lowest corner and the hull's size.
   *
   * @throws RangeError when a corner is not finite, `mins` is above `maxs`, or the map has no such hull; TypeError for an
   *   unknown option.
   */
  box(mins: Vec3, maxs: Vec3, options: TraceOptions = {}): SizedHullTracer {
    checkOptions(options, TRACE_OPTIONS);
    return new Quake1Tracer(this, { mins, maxs }, options.rules);
  }

  /** A ray: the engine's point hull. */
  ray(options: TraceOptions = {}): HullTracer {
    return this.hull(0, options);
  }

  /**
   * The note's ray, in double precision and, unless one is given, without epsilon: its end is on the wall. Contents that
   * `options` set to `false` stop it, as solid does.
   *
   * @throws RangeError for an epsilon below 0; TypeError for an unknown option.
   */
  preciseRay(options: PreciseOptions = {}): PreciseTracer {
    return new Quake1PreciseTracer(this, 0, options);
  }

  /**
   * Moves a hull's box like {@link Quake1World.preciseRay}, but stops 1/32 before what it hits. Unlike the engine's
   * {@link Quake1World.hull}, it is never stopped by rounding in empty space, so answers differ from the game's.
   *
   * @throws RangeError when the map has no such hull, or for an epsilon below 0; TypeError for an unknown option.
   */
  preciseHull(hull: number, options: PreciseOptions = {}): PreciseTracer {
    return new Quake1PreciseTracer(this, hull, options);
  }

  /** Number of the leaf at a point; a point on a plane is behind it. Throws `RangeError` unless it is finite. */
  leaf(point: Vec3): number {
    checkPoint(point, 'point');
    return packedLeaf(leafAt(this._memory.trees[0], this._root, point));
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
    return packedContents(leafAt(this._memory.trees[0], this._root, point));
  }

  /**
   * Contents at a point as traces see them: a point on a plane is in front of it. Hulls 1 and up are the map grown by
   * the mover's box, and most maps have only empty (-1) and solid (-2) there. Throws `RangeError` for a hull that the
   * map does not have, or a point that is not finite.
   */
  hullContents(hull: number, point: Vec3): number {
    checkHull(hull, this.hulls.length);
    checkPoint(point, 'point');
    const kernel = this._kernel;
    // All three are read before the first is written: reading them may run a getter that asks.
    const x = point[0]!;
    const y = point[1]!;
    const z = point[2]!;
    kernel.points[0] = Math.fround(x);
    kernel.points[1] = Math.fround(y);
    kernel.points[2] = Math.fround(z);
    return kernel.contentsAt(hull);
  }

  /**
   * Whether a point is inside the map: anywhere except in solid, or in what `options` make outside. Source: Note on Quake BSP
   * Algorithms, point_is_inside.
   */
  isInside(point: Vec3, options?: InsideOptions): boolean {
    checkPoint(point, 'point');
    return !isOutside(leafAt(this._memory.trees[0], this._root, point), outsideMask(options));
  }

  /**
   * Whether a sphere stays clear of everything outside, by the note's quick test: true is certain, false may be wrong near edges
   * and corners. A sphere that touches a wall is not inside.
   *
   * @param radius - in Quake units, 0 or more; otherwise `RangeError`.
   */
  sphereInside(center: Vec3, radius: number, options?: InsideOptions): boolean {
    checkPoint(center, 'center');
    checkRadius(radius);
    const { trees, stack } = this._memory;
    return isSphereInside(trees[0], this._root, center, radius, outsideMask(options), stack);
  }

  /**
   * Whether leaf `to` is in the potentially visible set of leaf `from`. Leaf 0, and a leaf or map without visibility data, sees
   * everything. Leaf 0 and the leafs of inline models are in no set.
   *
   * @throws RangeError when there is no such leaf.
   */
  visible(from: number, to: number): boolean {
    checkNumber(from, 'from', this.numLeafs);
    checkNumber(to, 'to', this.numLeafs);
    const { ints, places, visibility } = this._memory;
    const offset = ints[places.leafs.first + LEAF_WORDS * from + 1]!;
    if (from === 0 || from > this.numVisLeafs || offset === -1 || visibility.length === 0) return true;
    if (to === 0 || to > this.numVisLeafs) return false;
    return rowHasBit(visibility, offset, to - 1);
  }

  /**
   * Leafs that a box touches, in tree order, front before back, as the engine finds those of an entity; solid ones, of
   * which most maps have only leaf 0, are left out.
   * @throws RangeError when a corner is not finite, or `mins` is above `maxs`.
   */
  boxLeafs(mins: Vec3, maxs: Vec3): number[];
  /** Writes them into `out`, as many as fit, and returns how many there are. Allocates nothing. */
  boxLeafs(mins: Vec3, maxs: Vec3, out: Int32Array): number;
  boxLeafs(mins: Vec3, maxs: Vec3, out?: Int32Array): number[] | number {
    const { places } = this._memory;
    return leafsInBox(this._leafs, places.nodes.first, mins, maxs, out);
  }

  /** Whether nothing solid is between two points: the note's path_unblocked, a precise ray. */
  pathUnblocked(start: Vec3, end: Vec3): boolean {
    return !this._sight.blocked(start, end);
  }

  /**
   * Whether there is a line of sight between two points: first by the visibility of their leafs, which costs next to nothing,
   * then by {@link Quake1World.pathUnblocked}. If a point has no visibility row, as on a wall, only the ray decides.
   * @throws RangeError when a coordinate is not finite.
   */
  sight(start: Vec3, end: Vec3): boolean {
    checkMove(start, end);
    const from = this.leaf(start);
    const to = this.leaf(end);
    if (to !== 0 && to <= this.numVisLeafs && !this.visible(from, to)) return false;
    return this.pathUnblocked(start, end);
  }

  /** @internal */
  override toString(): string {
    const count = (number: number, what: string): string =>
      `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
    const { version, numLeafs, numModels, hulls } = this;
    const parts = [count(numLeafs, 'leaf'), count(numModels, 'model'), count(hulls.length, 'hull')];
    return `Quake1World { ${[VERSION_NAMES[version], ...parts].join(', ')} }`;
  }

  /** The entities' text, then the names of all textures. */
  private _readTexts(): string[] {
    const { ints, places } = this._memory;
    const { first, count } = places.texts;
    const bytes = new Uint8Array(this.data, 4 * first, 4 * count);
    return unpackTexts(bytes).slice(0, 1 + ints[TEXTURES_WORD]!);
  }
}

/**
 * Makes a map ready for tracing.
 * @throws BspError when the file is inconsistent, which one from `readQuake1` never is; RangeError for an unknown `kernel`;
 *   TypeError for anything but such a file, an unknown option, and `shared` where there is no `SharedArrayBuffer`; Error where
 *   the kernel `wasm` is not available.
 */
export function createQuake1World(file: Quake1File, options: WorldOptions = {}): Quake1World {
  checkFileOf(file, 'quake1', 'readQuake1');
  const { shared, kernel } = worldOptions(options, wasm);
  return Quake1World.from(buildWorldData(file, shared), { kernel });
}
