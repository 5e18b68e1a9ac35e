import {
  type Bounds,
  type BspWorld,
  checkNumber,
  checkPoint,
  type Entity,
  type PointClassifier,
  type Polygon,
  type PolygonSource,
  parseEntities,
  type SightWorld,
  type Vec3,
} from '@bspkit/core';
import { buildWorldData } from './build.ts';
import {
  clusterRow,
  clusterSees,
  findLeaf,
  leafsInBox,
  modelContents,
  placeOfLeaf,
  worldContents,
} from './classify.ts';
import type { Quake3File } from './file.ts';
import { openMemory, type WorldMemory } from './kernel.ts';
import { CLUSTERS_WORD, layout, MODEL_WORDS } from './layout.ts';
import { listPatches, type Quake3Patch } from './patches.ts';
import { leafPolygons, modelPolygons, type PolygonOptions } from './polygons.ts';
import { createPose, intoFrame, setAngles, setOrigin } from './pose.ts';
import { Traceable } from './traceable.ts';
import type { PoseOptions, Quake3Tracer, Target, TraceOptions } from './tracer.ts';

/** An inline model (`*1` and up): a door, a lift. Its tracers take `origin` and `angles`, and `set` moves them. */
export class Quake3Model extends Traceable<TraceOptions & PoseOptions> {
  /** k of `*k`. */
  readonly number: number;
  /** Where it was built, one unit wider than stored, as the engine keeps it. Its pose moves and turns this. */
  readonly bounds: Bounds;
  /** @internal */
  protected readonly _target: Target;

  /** @internal */
  constructor(memory: WorldMemory, number: number) {
    super();
    this.number = number;
    this.bounds = modelBounds(memory, number);
    this._target = { memory, model: number, number, moves: true, turns: true, inFile: true };
  }

  /**
   * Contents of the model's brushes that hold a point, or-ed, with the model standing as `pose` tells.
   * Throws `RangeError` when a number is not finite.
   */
  contents(point: Vec3, pose: PoseOptions = {}): number {
    checkPoint(point, 'point');
    const frame = createPose();
    if (pose.origin) checkPoint(pose.origin, 'origin');
    if (pose.angles) checkPoint(pose.angles, 'angles');
    setOrigin(frame, pose.origin ?? [0, 0, 0]);
    setAngles(frame, pose.angles ?? [0, 0, 0]);
    const local = Float32Array.from(point);
    intoFrame(frame, local, 0);
    return modelContents(this._target.memory, this.number, local);
  }

  /** The model's drawn surfaces as triangles, where it was built. Throws `RangeError` for a wrong `patchLevel`. */
  polygons(options?: PolygonOptions): Polygon[] {
    return modelPolygons(this._target.memory, this.number, options);
  }
}

function modelBounds({ floats, places }: WorldMemory, number: number): Bounds {
  const at = places.models.first + MODEL_WORDS * number;
  return { mins: floats.slice(at, at + 3), maxs: floats.slice(at + 3, at + 6) };
}

/** A Quake 3 map ready for tracing. Made by {@link createQuake3World} from a file or by `from` from another's data. */
export class Quake3World
  extends Traceable<TraceOptions>
  implements BspWorld, PointClassifier, SightWorld, PolygonSource
{
  readonly format = 'quake3';
  /** Everything about the world in one buffer, laid out as `layout.ts` tells: hand it to a worker and open it there. */
  readonly data: ArrayBufferLike;
  /** Bounds of the world model, one unit wider than stored, as the engine keeps them. */
  readonly bounds: Bounds;
  /** How many inline models there are besides the world: `*1` to `*numModels`. */
  readonly numModels: number;
  readonly numLeafs: number;
  /** Clusters of the visibility data; 0 where the map was not vised. */
  readonly numClusters: number;
  /** @internal */
  protected readonly _target: Target;
  private readonly _memory: WorldMemory;
  private _sight: Quake3Tracer | undefined;

  private constructor(data: ArrayBufferLike) {
    super();
    this.data = data;
    this._memory = openMemory(data, layout.read(data));
    this._target = { memory: this._memory, model: 0, number: 0, moves: false, turns: false, inFile: true };
    this.bounds = modelBounds(this._memory, 0);
    this.numModels = this._memory.places.models.count - 1;
    this.numLeafs = this._memory.places.leafs.count;
    this.numClusters = this._memory.ints[CLUSTERS_WORD]!;
  }

  /**
   * Opens a world's `data`, here or in another thread. Costs next to nothing: the data is used as it is.
   * @throws BspError when it is not the data of a Quake 3 world of this version of the package.
   */
  static from(data: ArrayBufferLike): Quake3World {
    return new Quake3World(data);
  }

  /** Entities of the map, parsed anew at each call. Throws `BspError` when their text does not parse. */
  entities(): Entity[] {
    return parseEntities(this._texts()[0]!, 'quake3');
  }

  /** Names of the shaders, by the number that a trace gives as `texture`. */
  shaderNames(): string[] {
    return this._texts().slice(1);
  }

  private _texts(): string[] {
    const { first } = this._memory.places.text;
    const bytes = new Uint8Array(this.data, 4 * first + 4, this._memory.ints[first]!);
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return text.split('\0').slice(0, -1);
  }

  /** An inline model. Throws `RangeError` unless the number is in `1 .. numModels`. */
  model(number: number): Quake3Model {
    checkNumber(number, this.numModels + 1, 'number');
    if (number === 0) throw new RangeError('number must be 1 or more: 0 is the world itself');
    return new Quake3Model(this._memory, number);
  }

  /** The world's drawn surfaces as triangles. Throws `RangeError` for a wrong `patchLevel`. */
  polygons(options?: PolygonOptions): Polygon[] {
    return modelPolygons(this._memory, 0, options);
  }

  /**
   * The same for the surfaces that a leaf lists; one that reaches into several leafs is in each of them whole.
   * Throws `RangeError` when there is no such leaf.
   */
  leafPolygons(leaf: number, options?: PolygonOptions): Polygon[] {
    checkNumber(leaf, this.numLeafs, 'leaf');
    return leafPolygons(this._memory, leaf, options);
  }

  /** The curved patches as they were made to collide with. */
  patches(): Quake3Patch[] {
    return listPatches(this._memory);
  }

  /** Number of the leaf that holds a point; every finite point has one. Throws `RangeError` for any other. */
  leaf(point: Vec3): number {
    checkPoint(point, 'point');
    return findLeaf(this._memory, point);
  }

  /** Contents of the world's brushes that hold a point, or-ed; being on a side counts. Patches hold no points. */
  contents(point: Vec3): number {
    checkPoint(point, 'point');
    return worldContents(this._memory, point);
  }

  /** Cluster of a leaf: -1 for leafs in solid or outside the map. Throws `RangeError` when there is no such leaf. */
  cluster(leaf: number): number {
    return this._memory.ints[placeOfLeaf(this._memory, leaf) + 4]!;
  }

  /** Area of a leaf, as area portals divide the map: -1 in solid. Throws `RangeError` when there is no such leaf. */
  area(leaf: number): number {
    return this._memory.ints[placeOfLeaf(this._memory, leaf) + 5]!;
  }

  /** Leafs that a box touches, in tree order, front before back. Throws `RangeError` when a corner is not finite. */
  boxLeafs(mins: Vec3, maxs: Vec3): number[] {
    return leafsInBox(this._memory, mins, maxs);
  }

  /**
   * The potentially visible set of a cluster: bit b tells about cluster b. Undefined where the map was not vised.
   * As in the engine, a cluster that does not exist gets the row of cluster 0.
   */
  clusterPvs(cluster: number): Uint8Array | undefined {
    return clusterRow(this._memory, cluster);
  }

  /**
   * Whether cluster b may be seen from cluster a. True for all clusters of a map that was not vised.
   * Throws `RangeError` when there is no such cluster.
   */
  visible(a: number, b: number): boolean {
    if (this.numClusters === 0) return true;
    checkNumber(a, this.numClusters, 'a');
    checkNumber(b, this.numClusters, 'b');
    return clusterSees(this._memory, a, b);
  }

  /**
   * Whether nothing solid is between two points: first the potentially visible set is asked, which settles most
   * far pairs, then a ray. For another mask than `MASK_SOLID` ask `ray({ mask }).blocked(a, b)`.
   */
  sight(a: Vec3, b: Vec3): boolean {
    const [from, to] = [this.cluster(this.leaf(a)), this.cluster(this.leaf(b))];
    if (from >= 0 && to >= 0 && !clusterSees(this._memory, from, to)) return false;
    this._sight ??= this.ray();
    return !this._sight.blocked(a, b);
  }
}

/** What a world can be built with. */
export interface WorldOptions {
  /** Put the world's data into a `SharedArrayBuffer`, so that workers can trace in it without a copy. */
  readonly shared?: boolean;
}

/**
 * Builds a world for tracing from a map file.
 * @throws BspError for a patch that the engine could not hold.
 */
export function createQuake3World(file: Quake3File, options: WorldOptions = {}): Quake3World {
  return Quake3World.from(buildWorldData(file, options.shared ?? false));
}
