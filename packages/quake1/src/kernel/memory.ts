import type { Bounds, KernelChoice } from '@bspkit/core';
import type { ClearingGrid, Clearings } from '@bspkit/core/format';
import { hullBounds, type Quake1Version } from '../constants.ts';
import { DEPTH_WORD, DIST_WORD, HULLS_WORD, MODEL_HEADS, MODEL_WORDS, NORMAL_WORD } from '../layout.ts';
import { layout, type Places, readVersionWord } from '../sections.ts';
import { type HullKernel, HullWalk, setPlaneLimits } from './hull.ts';
import type { NearestWalk } from './nearest.ts';
import { createRayWalk, type RayWalk } from './ray.ts';
import type { TreeView } from './tree.ts';

/** A world's buffer as one opener of it sees it: views, and the memory that walks write to, which is never in the buffer. */
export interface WorldMemory {
  readonly data: ArrayBufferLike;
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly places: Places;
  readonly version: Quake1Version;
  /** What each hull of the map moves. */
  readonly hulls: readonly Bounds[];
  /** The tree of each hull; hull 0's has the leafs. */
  readonly trees: readonly [TreeView, TreeView, TreeView, TreeView];
  /** Four heads of trees per model, by hull, the world's first: nodes or packed leafs. */
  readonly heads: Int32Array;
  /** Which kernel moves hulls. */
  readonly kernel: KernelChoice;
  /** That kernel, made when it is first needed: see `hullKernel`. */
  hullKernel: HullKernel | undefined;
  /** The grid for the clearings of all hulls, made when it is first needed. */
  grid: ClearingGrid | undefined;
  /** Clearings of the world's hulls, made when they are first needed; `null` if there can be none. */
  clearings: (Clearings | null | undefined)[];
  readonly rayWalk: RayWalk;
  /** Made when it is first needed. */
  nearestWalk: NearestWalk | undefined;
  /** A number for each node on the longest way down. */
  readonly stack: Int32Array;
  /** Rows of what leafs see, run-length coded. */
  readonly visibility: Uint8Array;
}

/** Opens a world's buffer. Throws `BspError` if it is not one. */
export function openMemory(data: ArrayBufferLike, kernel: KernelChoice): WorldMemory {
  const places = layout.read(data);
  const ints = new Int32Array(data);
  const floats = new Float32Array(data);
  const version = readVersionWord(ints);
  const depth = ints[DEPTH_WORD]!;
  const planes = places.planes.first;
  const view = ({ first, count }: Places['nodes']): TreeView => ({
    ints,
    floats,
    planes,
    first,
    end: first + count,
  });
  const clip = view(places.clipNodes);
  const heads = new Int32Array(4 * places.models.count);
  for (let k = 0; k < places.models.count; k++) {
    const at = places.models.first + MODEL_WORDS * k + MODEL_HEADS;
    heads.set(ints.subarray(at, at + 4), 4 * k);
  }
  return {
    data,
    ints,
    floats,
    places,
    version,
    hulls: hullBounds(version).slice(0, ints[HULLS_WORD]),
    trees: [view(places.nodes), clip, clip, clip],
    heads,
    kernel,
    hullKernel: undefined,
    grid: undefined,
    clearings: [],
    rayWalk: createRayWalk(depth),
    nearestWalk: undefined,
    stack: new Int32Array(depth + 1),
    visibility: new Uint8Array(data, 4 * places.visibility.first, 4 * places.visibility.count),
  };
}

/** The walk of this folder through a world's trees. */
export function createHullWalk({ data, heads, ints, floats }: WorldMemory): HullWalk {
  const walk = new HullWalk(data, heads, ints[DEPTH_WORD]!);
  setPlaneLimits(walk, floats[NORMAL_WORD]!, floats[DIST_WORD]!);
  return walk;
}
