import {
  type Bounds,
  type BspWorld,
  type Entity,
  type KernelChoice,
  type KernelName,
  type OpenOptions,
  type PointClassifier,
  parseEntities,
  type SightWorld,
  type UnsharedBytes,
  type Vec3,
  type VisibilityWorld,
  type WorldOptions,
} from '@bspkit/core';
import {
  checkFileOf,
  checkModelNumber,
  checkMove,
  checkNumber,
  checkPoint,
  checkWhole,
  type LeafTree,
  leafsInBox,
  openKernel,
  printAsString,
  unpackTexts,
  worldOptions,
} from '@bspkit/core/format';
import { Areas } from './areas.ts';
import { buildWorldData } from './build.ts';
import { clusterRow, clusterSees, findLeaf, worldContents } from './classify.ts';
import type { Quake3File } from './file.ts';
import { openMemory, Target } from './kernel/memory.ts';
import { CLUSTERS_WORD, LEAF_AREA, LEAF_CLUSTER, ROOT_WORD } from './layout.ts';
import { linkTree } from './leafs.ts';
import { modelBounds, Quake3Model } from './model.ts';
import { layout, leafAt } from './sections.ts';
import { Traceable } from './traceable.ts';
import { type Quake3Tracer, TRACE_OPTIONS, type TraceOptions } from './tracer.ts';
import { contentsAt, hotOf, kernelOf, wasm } from './wasm/kernel.ts';

/** A Quake 3 map ready for tracing. Made by {@link createQuake3World} from a file or by `from` from another's data. */
export class Quake3World
  extends Traceable<TraceOptions, Quake3Tracer>
  implements BspWorld, PointClassifier, SightWorld, VisibilityWorld
{
  readonly format = 'quake3';
  /** Names of the options that its tracers take: those that scenes pass on. */
  readonly traceOptions: readonly string[] = TRACE_OPTIONS;
  /** Everything about the world in one buffer, laid out as `layout.ts` says: hand it to a worker and open it there. */
  readonly data: ArrayBufferLike;
  /** Bounds of the world model, one unit wider than stored, as the engine keeps them. */
  readonly bounds: Bounds;
  /** Number of inline models besides the world: `*1` to `*numModels`. */
  readonly numModels: number;
  readonly numLeafs: number;
  /** Number of clusters in the visibility data; 0 if there is none. */
  readonly numClusters: number;
  /** Number of areas: one more than the highest number of any. The outside of the map may be one too. */
  readonly numAreas: number;
  /** @internal */
  readonly _target: Target;
  private _entities: readonly Entity[] | undefined;
  private _textureNames: readonly string[] | undefined;
  private _ray: Quake3Tracer | undefined;
  private readonly _leafs: LeafTree;
  private readonly _areas: Areas;

  private constructor(data: ArrayBufferLike, kernel: KernelChoice) {
    super();
    const memory = openMemory(data, layout.read(data), kernel);
    const { ints, places } = memory;
    this.data = data;
    this._target = new Target(memory, { model: 0, number: 0, moves: false, turns: false, inFile: true });
    this.bounds = modelBounds(memory, 0);
    this.numModels = places.models.count - 1;
    this.numLeafs = places.leafs.count;
    this.numClusters = ints[CLUSTERS_WORD]!;
    this._leafs = linkTree(memory);
    this._areas = new Areas(memory);
    this.numAreas = this._areas.count;
    printAsString(this);
  }

  /**
   * Opens a world's `data`, here or in another thread. Costs next to nothing: the data is used as it is.
   * @throws BspError when it is not the data of a Quake 3 world of this version of the package; otherwise as
   * {@link OpenOptions} says.
   */
  static from(data: ArrayBufferLike, options: OpenOptions = {}): Quake3World {
    return new Quake3World(data, openKernel(options, wasm));
  }

  /** Which kernel traces in this world. */
  get kernel(): KernelName {
    return kernelOf(this._target.memory);
  }

  /** Entities of the map; parsed on the first call and kept. Throws `BspError` when their text does not parse. */
  entities(): readonly Entity[] {
    this._entities ??= parseEntities(this._readTexts()[0]!, 'quake3');
    return this._entities;
  }

  /** Names of the shaders, by the number that a trace gives as `texture`; read on the first call and kept. */
  textureNames(): readonly string[] {
    this._textureNames ??= this._readTexts().slice(1);
    return this._textureNames;
  }

  /** The entities' text, then the names of the shaders. */
  private _readTexts(): string[] {
    const { ints, places } = this._target.memory;
    const { first } = places.texts;
    return unpackTexts(new Uint8Array(this.data, 4 * first + 4, ints[first]!));
  }

  /** An inline model. Throws `RangeError` unless the number is in `1 .. numModels`. */
  model(number: number): Quake3Model {
    checkModelNumber(number, this.numModels);
    return new Quake3Model(this._target.memory, number);
  }

  /** Number of the leaf that contains a point; every finite point has one. Throws `RangeError` for any other. */
  leaf(point: Vec3): number {
    checkPoint(point, 'point');
    return findLeaf(this._target.memory, point);
  }

  /**
   * Contents of the world's brushes that contain a point, combined with OR. Patches contain no points. A point on a node's plane
   * belongs to the leaf in front, so on a wall or floor the brush is usually not found; if the leaf lists it, a point on a side
   * counts as inside.
   * @throws RangeError for a point that is not finite.
   */
  contents(point: Vec3): number {
    checkPoint(point, 'point');
    const { memory } = this._target;
    const hot = hotOf(memory);
    return hot ? contentsAt(hot, 0, point) : worldContents(memory, point);
  }

  /**
   * Cluster of a leaf: -1 in solid, and in most leafs outside a sealed map that was compiled with visibility; outside
   * other maps, leafs have clusters too. Throws `RangeError` when there is no such leaf.
   */
  cluster(leaf: number): number {
    return this._leafWord(leaf, LEAF_CLUSTER, 'leaf');
  }

  /** Area of a leaf, as area portals divide the map: -1 in solid. Throws `RangeError` when there is no such leaf. */
  area(leaf: number): number {
    return this._leafWord(leaf, LEAF_AREA, 'leaf');
  }

  private _leafWord(leaf: number, word: number, name: string): number {
    checkNumber(leaf, name, this.numLeafs);
    const { memory } = this._target;
    return memory.ints[leafAt(memory.places, leaf) + word]!;
  }

  /**
   * Leafs that a box touches, in tree order, front before back, as the engine finds those of an entity.
   * @throws RangeError when a corner is not finite, or `mins` is above `maxs`.
   */
  boxLeafs(mins: Vec3, maxs: Vec3): number[];
  /** Writes them to `out`, as many as fit, and returns how many there are. Allocates nothing. */
  boxLeafs(mins: Vec3, maxs: Vec3, out: Int32Array): number;
  boxLeafs(mins: Vec3, maxs: Vec3, out?: Int32Array): number[] | number {
    return leafsInBox(this._leafs, this._target.memory.ints[ROOT_WORD]!, mins, maxs, out);
  }

  /**
   * The potentially visible set of a cluster: bit b stands for cluster b. `undefined` if the map has no visibility data. As in
   * the engine, a cluster that does not exist gets the row of cluster 0.
   * @throws RangeError unless `cluster` is a whole number of 32 bits.
   */
  clusterPvs(cluster: number): UnsharedBytes | undefined {
    checkWhole(cluster, 'cluster', -0x80000000, 0x7fffffff);
    return clusterRow(this._target.memory, cluster);
  }

  /**
   * Whether cluster `to` is in the potentially visible set of cluster `from`; true for a map without visibility data.
   * Throws `RangeError` when there is no such cluster.
   */
  clusterVisible(from: number, to: number): boolean {
    if (this.numClusters === 0) return true;
    checkNumber(from, 'from', this.numClusters);
    checkNumber(to, 'to', this.numClusters);
    return clusterSees(this._target.memory, from, to);
  }

  /**
   * Whether leaf `to` may be seen from leaf `from`: whether its cluster is in the potentially visible set of the other's. From a
   * leaf without a cluster, in solid or outside the map, everything may be seen, as when the engine draws from there; such a leaf
   * itself may not be seen from anywhere else. In a map without visibility data, all leafs see each other. Areas are ignored: see
   * {@link areasConnected}.
   *
   * @throws RangeError when there is no such leaf.
   */
  visible(from: number, to: number): boolean {
    const a = this._leafWord(from, LEAF_CLUSTER, 'from');
    const b = this._leafWord(to, LEAF_CLUSTER, 'to');
    return this.numClusters === 0 || a < 0 || (b >= 0 && clusterSees(this._target.memory, a, b));
  }

  /**
   * Counts one more or one fewer open portal between two areas, as a game does when a door between them begins to open and when
   * it has closed. At first none is open. With area -1, which is no area, nothing changes. The state belongs to this world
   * object, not to its data.
   * @throws RangeError when there is no such area, and when no portal between the two is open to be closed; TypeError unless
   *   `open` is a boolean.
   */
  adjustAreaPortal(a: number, b: number, open: boolean): void {
    this._areas.adjust(a, b, open);
  }

  /**
   * Whether open portals connect two areas. Area -1 is connected with nothing. Throws `RangeError` when there is no such
   * area.
   */
  areasConnected(a: number, b: number): boolean {
    return this._areas.connected(a, b);
  }

  /**
   * The areas that are connected with one, as bits: bit i % 8 of byte i / 8 is for area i. For area -1, all bits are set. Throws
   * `RangeError` when there is no such area.
   */
  areaBits(area: number): UnsharedBytes {
    return this._areas.bits(area);
  }

  /**
   * Whether nothing solid is between two points: first the potentially visible set is checked, which settles most distant pairs,
   * then a ray is traced. For a mask other than `MASK_SOLID`, use `ray({ mask }).blocked(start, end)`.
   * @throws RangeError when a coordinate is not finite.
   */
  sight(start: Vec3, end: Vec3): boolean {
    checkMove(start, end);
    const from = this.cluster(this.leaf(start));
    const to = this.cluster(this.leaf(end));
    if (from >= 0 && to >= 0 && !clusterSees(this._target.memory, from, to)) return false;
    this._ray ??= this.ray();
    return !this._ray.blocked(start, end);
  }

  /** @internal */
  override toString(): string {
    const count = (number: number): string => number.toLocaleString('en-US');
    const models = `${count(this.numModels)} ${this.numModels === 1 ? 'model' : 'models'}`;
    return `Quake3World { ${count(this.numLeafs)} leafs, ${models} }`;
  }
}

/**
 * Builds a world for tracing from a map file.
 * @throws BspError for a patch that the engine could not hold; RangeError for an unknown `kernel`; TypeError for anything
 *   but such a file, an unknown option, and `shared` where there is no `SharedArrayBuffer`; Error where the kernel `wasm`
 *   is not available.
 */
export function createQuake3World(file: Quake3File, options: WorldOptions = {}): Quake3World {
  checkFileOf(file, 'quake3', 'readQuake3');
  const { shared, kernel } = worldOptions(options, wasm);
  return Quake3World.from(buildWorldData(file, shared), { kernel });
}
