import type { Bounds } from '@bspkit/core';
import { hullBounds, type Quake1Version } from '../constants.ts';
import {
  DEPTH_WORD,
  DIST_WORD,
  HULLS_WORD,
  layout,
  NORMAL_WORD,
  type Places,
  readVersionWord,
} from '../layout.ts';
import { createHullWalk, type HullWalk, setPlaneLimits } from './hull.ts';
import type { NearestWalk } from './nearest.ts';
import { createRayWalk, type RayWalk } from './ray.ts';
import type { TreeView } from './tree.ts';

/** A world's buffer as one opener sees it: views, and the memory that walks write to, which is never in the buffer. */
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
  readonly hullWalk: HullWalk;
  readonly rayWalk: RayWalk;
  /** Made when it is first needed. */
  nearestWalk: NearestWalk | undefined;
  /** A number for each node on the longest way down. */
  readonly stack: Int32Array;
  /** Rows of what leafs see, run-length coded. */
  readonly visibility: Uint8Array;
}

/** Opens a world's buffer. Throws `BspError` when it is not one. */
export function openMemory(data: ArrayBufferLike): WorldMemory {
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
  const hullWalk = createHullWalk(data, depth);
  setPlaneLimits(hullWalk, floats[NORMAL_WORD]!, floats[DIST_WORD]!);
  return {
    data,
    ints,
    floats,
    places,
    version,
    hulls: hullBounds(version).slice(0, ints[HULLS_WORD]),
    trees: [view(places.nodes), clip, clip, clip],
    hullWalk,
    rayWalk: createRayWalk(depth),
    nearestWalk: undefined,
    stack: new Int32Array(depth + 1),
    visibility: new Uint8Array(data, 4 * places.visibility.first, 4 * places.visibility.count),
  };
}
