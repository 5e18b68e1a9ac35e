import { findLeaf } from '@bspkit/brushes';
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
import { clusterHas, clusterRow, headHas, leafContents, PHS, PVS } from './classify.ts';
import type { Quake2File } from './file.ts';
import { openMemory, Target } from './kernel/memory.ts';
import { AREA_MASK, CLUSTER_SHIFT, CLUSTERS_WORD, MODEL_HEAD } from './layout.ts';
import { linkTree, nodeOfBox } from './leafs.ts';
import { modelBounds, Quake2Model } from './model.ts';
import { layout } from './sections.ts';
import { Traceable } from './traceable.ts';
import { type Quake2Tracer, TRACE_OPTIONS, type TraceOptions } from './tracer.ts';
import { kernelOf, wasm } from './wasm/kernel.ts';

/** A Quake 2 map ready for tracing. Made by {@link createQuake2World} from a file or by `from` from another's data. */
export class Quake2World
  extends Traceable<TraceOptions, Quake2Tracer>
  implements BspWorld, PointClassifier, SightWorld, VisibilityWorld
{
  readonly format = 'quake2';
  /** Names of the options that its tracers take: those that scenes pass on. */
  readonly traceOptions: readonly string[] = TRACE_OPTIONS;
  /** Everything about the world in one buffer, laid out as `layout.ts` says: hand it to a worker and open it there. */
  readonly data: ArrayBufferLike;
  /** Bounds of the world model, one unit wider than stored, as the engine keeps them. */
  readonly bounds: Bounds;
  /** Number of inline models besides the world: `*1` to `*numModels`. */
  readonly numModels: number;
  readonly numLeafs: number;
  readonly numNodes: number;
  /** Number of clusters that leafs have; in a map without visibility data, all of them see each other. */
  readonly numClusters: number;
  /** Number of areas, including that of solid leafs (0). In a map without any, 0: all leafs are in area 0 then. */
  readonly numAreas: number;
  /**
   * Highest number that {@link setAreaPortal} takes: as in the engine, the number of records of area portals in the file, two for
   * each portal and an empty first one.
   */
  readonly numAreaPortals: number;
  /** @internal */
  readonly _target: Target;
  private _entities: readonly Entity[] | undefined;
  private _textureNames: readonly string[] | undefined;
  private _ray: Quake2Tracer | undefined;
  private readonly _areas: Areas;
  private readonly _leafs: LeafTree;

  private constructor(data: ArrayBufferLike, kernel: KernelChoice) {
    super();
    const memory = openMemory(data, layout.read(data), kernel);
    const { ints, places } = memory;
    this.data = data;
    this._target = new Target(memory, {
      model: 0,
      root: 0,
      number: 0,
      moves: false,
      turns: false,
      inFile: true,
    });
    this.bounds = modelBounds(memory, 0);
    this.numModels = places.models.count - 1;
    this.numLeafs = places.leafs.count;
    this.numNodes = places.nodes.count;
    this.numClusters = ints[CLUSTERS_WORD]!;
    this.numAreas = places.areas.count;
    this.numAreaPortals = places.areaPortals.count;
    this._areas = new Areas(memory);
    this._leafs = linkTree(memory);
    printAsString(this);
  }

  /**
   * Opens a world's `data`, here or in another thread. Costs next to nothing: the data is used as it is.
   * @throws BspError when it is not the data of a Quake 2 world of this version of the package; otherwise as
   * {@link OpenOptions} says.
   */
  static from(data: ArrayBufferLike, options: OpenOptions = {}): Quake2World {
    return new Quake2World(data, openKernel(options, wasm));
  }

  /** Which kernel traces in this world. */
  get kernel(): KernelName {
    return kernelOf(this._target.memory);
  }

  /** Entities of the map; parsed on the first call and kept. Throws `BspError` when their text does not parse. */
  entities(): readonly Entity[] {
    this._entities ??= parseEntities(this._readTexts()[0]!, 'quake2');
    return this._entities;
  }

  /** Names of the textures, by the number that a trace gives as `texture`; read on the first call and kept. */
  textureNames(): readonly string[] {
    this._textureNames ??= this._readTexts().slice(1);
    return this._textureNames;
  }

  private _readTexts(): string[] {
    const { ints, places } = this._target.memory;
    const { first } = places.texts;
    return unpackTexts(new Uint8Array(this.data, 4 * first + 4, ints[first]!));
  }

  /** An inline model. Throws `RangeError` unless the number is in `1 .. numModels`. */
  model(number: number): Quake2Model {
    checkModelNumber(number, this.numModels);
    return new Quake2Model(this._target.memory, number);
  }

  /** Number of the leaf that contains a point; every finite point has one. Throws `RangeError` for any other. */
  leaf(point: Vec3): number {
    checkPoint(point, 'point');
    return findLeaf(this._target.memory, 0, point);
  }

  /**
   * Contents of the leaf that contains a point. As in the engine, brushes are not looked at: clip brushes and details do not
   * split the tree, so their contents count everywhere in the leafs that they reach into.
   * @throws RangeError for a point that is not finite.
   */
  contents(point: Vec3): number {
    return leafContents(this._target.memory, this.leaf(point));
  }

  /**
   * Cluster of a leaf: -1 in solid, and outside a sealed map that was compiled with visibility; outside other maps, leafs
   * have clusters too. Throws `RangeError` when there is no such leaf.
   */
  cluster(leaf: number): number {
    return this._leafInfo(leaf, 'leaf') >> CLUSTER_SHIFT;
  }

  /** Area of a leaf, as area portals divide the map: 0 in solid. Throws `RangeError` when there is no such leaf. */
  area(leaf: number): number {
    return this._leafInfo(leaf, 'leaf') & AREA_MASK;
  }

  private _leafInfo(leaf: number, name: string): number {
    checkNumber(leaf, name, this.numLeafs);
    const { ints, places } = this._target.memory;
    return ints[places.leafInfos.first + leaf]!;
  }

  /**
   * Leafs that a box touches, in tree order, front before back, as the engine finds those of an entity.
   * @throws RangeError when a corner is not finite, or `mins` is above `maxs`.
   */
  boxLeafs(mins: Vec3, maxs: Vec3): number[];
  /** Writes them to `out`, as many as fit, and returns how many there are. Allocates nothing. */
  boxLeafs(mins: Vec3, maxs: Vec3, out: Int32Array): number;
  boxLeafs(mins: Vec3, maxs: Vec3, out?: Int32Array): number[] | number {
    return leafsInBox(this._leafs, this._head, mins, maxs, out);
  }

  /**
   * The node that divides a box: the first one that has it on both sides; -1 if there is none, as the box is in one leaf: ask
   * {@link visible} then, as -1 means leaf 0 to {@link headVisible}. The engine asks that for entities that touch many leafs.
   * Throws `RangeError` when a corner is not finite.
   */
  headNode(mins: Vec3, maxs: Vec3): number {
    return nodeOfBox(this._leafs, this._head, mins, maxs);
  }

  /** Where the engine begins to look for a box's leafs; for moves and points it begins at node 0. */
  private get _head(): number {
    const { ints, places } = this._target.memory;
    return ints[places.models.first + MODEL_HEAD]!;
  }

  /**
   * The potentially visible set of a cluster: bit b stands for cluster b. Nothing for cluster -1; everything in a map
   * without visibility data. Throws `RangeError` when there is no such cluster.
   */
  clusterPvs(cluster: number): UnsharedBytes {
    return this._row(cluster, PVS);
  }

  /**
   * The potentially hearable set of a cluster, that is, what is visible from anything that it sees: bit b stands for
   * cluster b. Nothing for cluster -1; everything in a map without visibility data. Throws `RangeError` when there is no
   * such cluster.
   */
  clusterPhs(cluster: number): UnsharedBytes {
    return this._row(cluster, PHS);
  }

  private _row(cluster: number, kind: number): UnsharedBytes {
    checkWhole(cluster, 'cluster', -1, this.numClusters - 1);
    return clusterRow(this._target.memory, cluster, kind);
  }

  /**
   * Whether cluster `to` is in the potentially visible set of cluster `from`; always true in a map without visibility
   * data, except for cluster -1, which sees nothing and is never seen. Throws `RangeError` when there is no such cluster.
   */
  clusterVisible(from: number, to: number): boolean {
    return this._has(from, to, PVS);
  }

  /**
   * Whether cluster `to` is in the potentially hearable set of cluster `from`; always true in a map without visibility
   * data, except for cluster -1, which hears nothing and is never heard. Throws `RangeError` when there is no such
   * cluster.
   */
  clusterHearable(from: number, to: number): boolean {
    return this._has(from, to, PHS);
  }

  private _has(from: number, to: number, kind: number): boolean {
    checkWhole(from, 'from', -1, this.numClusters - 1);
    checkWhole(to, 'to', -1, this.numClusters - 1);
    return clusterHas(this._target.memory, from, to, kind);
  }

  /**
   * Whether leaf `to` may be seen from leaf `from`: whether its cluster is in the potentially visible set of the other's. From a
   * leaf without a cluster, in solid or outside the map, everything may be seen, as when the engine draws from there; such a leaf
   * itself may not be seen from anywhere else. Areas are ignored: see {@link areasConnected}.
   *
   * @throws RangeError when there is no such leaf.
   */
  visible(from: number, to: number): boolean {
    return this._leafHas(from, to, PVS);
  }

  /**
   * Whether leaf `to` may be heard from leaf `from`: whether its cluster is in the potentially hearable set of the other's. From
   * a leaf without a cluster, in solid or outside the map, everything may be heard; such a leaf itself may not be heard from
   * anywhere else. Areas are ignored: see {@link areasConnected}.
   *
   * @throws RangeError when there is no such leaf.
   */
  hearable(from: number, to: number): boolean {
    return this._leafHas(from, to, PHS);
  }

  private _leafHas(from: number, to: number, kind: number): boolean {
    const a = this._leafInfo(from, 'from') >> CLUSTER_SHIFT;
    const b = this._leafInfo(to, 'to') >> CLUSTER_SHIFT;
    return a < 0 || clusterHas(this._target.memory, a, b, kind);
  }

  /**
   * Whether anything below a node, or in leaf -1 - node, may be seen from a cluster: what the engine asks for large
   * entities. Throws `RangeError` when there is no such node, leaf or cluster.
   */
  headVisible(node: number, cluster: number): boolean {
    return this._headHas(node, cluster, PVS);
  }

  /**
   * Whether anything below a node, or in leaf -1 - node, may be heard from a cluster: what the engine asks for large
   * entities. Throws `RangeError` when there is no such node, leaf or cluster.
   */
  headHearable(node: number, cluster: number): boolean {
    return this._headHas(node, cluster, PHS);
  }

  private _headHas(node: number, cluster: number, kind: number): boolean {
    checkWhole(node, 'node', -this.numLeafs, this.numNodes - 1);
    return headHas(this._target.memory, node, this._row(cluster, kind));
  }

  /**
   * Opens or closes an area portal, as doors do. Its number is the `style` of the entity `func_areaportal` that the door
   * targets. All are closed at first. The state belongs to this world object, not to its data.
   * @throws RangeError when there is no such portal, TypeError unless `open` is a boolean.
   */
  setAreaPortal(portal: number, open: boolean): void {
    this._areas.set(portal, open);
  }

  /**
   * Whether open portals connect two areas. Area 0 is connected only with itself. Throws `RangeError` when there is no such area.
   */
  areasConnected(a: number, b: number): boolean {
    return this._areas.connected(a, b);
  }

  /**
   * Areas connected with one, as bits: bit i is for area i. For area 0 all bits are set. Throws `RangeError` when there is no
   * such area.
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
    if (from >= 0 && to >= 0 && !clusterHas(this._target.memory, from, to, PVS)) return false;
    this._ray ??= this.ray();
    return !this._ray.blocked(start, end);
  }

  /** @internal */
  override toString(): string {
    const count = (number: number): string => number.toLocaleString('en-US');
    const models = `${count(this.numModels)} ${this.numModels === 1 ? 'model' : 'models'}`;
    return `Quake2World { ${count(this.numLeafs)} leafs, ${models} }`;
  }
}

/**
 * Builds a world for tracing from a map file.
 * @throws RangeError for an unknown `kernel`; TypeError for anything but such a file, an unknown option, and `shared` where there
 *   is no `SharedArrayBuffer`; Error where the kernel `wasm` is not available.
 */
export function createQuake2World(file: Quake2File, options: WorldOptions = {}): Quake2World {
  checkFileOf(file, 'quake2', 'readQuake2');
  const { shared, kernel } = worldOptions(options, wasm);
  return Quake2World.from(buildWorldData(file, shared), { kernel });
}
