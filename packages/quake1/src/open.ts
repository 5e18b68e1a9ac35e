import type { Bounds } from '@bspkit/core';
import type { TreeView } from './classify.ts';
import { hullBounds, type Quake1Version } from './constants.ts';
import {
  DEPTH_WORD,
  DIST_WORD,
  HULLS_WORD,
  layout,
  NORMAL_WORD,
  type Places,
  readVersionWord,
} from './layout.ts';
import { createNearestWalk, type NearestWalk } from './nearest.ts';
import { FacePolygons } from './polygons.ts';
import { createHullWalk, type HullWalk, setPlaneLimits } from './trace-hull.ts';
import { createRayWalk, type RayWalk } from './trace-ray.ts';

/** A world's buffer as one opener sees it: views, and the memory that walks write to, which is never in the buffer. */
export interface OpenWorld {
  readonly data: ArrayBufferLike;
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly places: Places;
  readonly version: Quake1Version;
  /** What each hull of the map moves. */
  readonly hulls: readonly Bounds[];
  /** Tree of nodes and leafs. */
  readonly nodes: TreeView;
  readonly hullWalk: HullWalk;
  readonly rayWalk: RayWalk;
  readonly nearestWalk: NearestWalk;
  /** A number for each node on the longest way down. */
  readonly stack: Int32Array;
  readonly faces: FacePolygons;
  /** Rows of what leafs see, run-length coded. */
  readonly visibility: Uint8Array;
}

/** Opens a world's buffer. Throws `BspError` when it is not one. */
export function openWorld(data: ArrayBufferLike): OpenWorld {
  const places = layout.read(data);
  const ints = new Int32Array(data);
  const floats = new Float32Array(data);
  const version = readVersionWord(ints);
  const depth = ints[DEPTH_WORD]!;
  const nodes: TreeView = { ints, floats, planes: places.planes.first, first: places.nodes.first };
  const hullWalk = createHullWalk(data, depth);
  setPlaneLimits(hullWalk, floats[NORMAL_WORD]!, floats[DIST_WORD]!);
  return {
    data,
    ints,
    floats,
    places,
    version,
    hulls: hullBounds(version).slice(0, ints[HULLS_WORD]),
    nodes,
    hullWalk,
    rayWalk: createRayWalk(depth),
    nearestWalk: createNearestWalk(depth),
    stack: new Int32Array(depth + 1),
    faces: new FacePolygons(nodes, places),
    visibility: new Uint8Array(data, 4 * places.visibility.first, 4 * places.visibility.count),
  };
}
