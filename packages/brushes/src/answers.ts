import type { Trace, Vec3 } from '@bspkit/core';
import { type Fields, float32Cell, type Verdict } from '@bspkit/core/format';

// What descriptors answer about worlds whose leafs are in clusters and areas.

interface ClusterWorld {
  leaf(point: Vec3): number;
  cluster(leaf: number): number;
  area(leaf: number): number;
  contents(point: Vec3): number;
  clusterVisible(from: number, to: number): boolean;
  sight(start: Vec3, end: Vec3): boolean;
  ray(): { trace(start: Vec3, end: Vec3): Trace };
  textureNames(): readonly string[];
}

/** What is at a point. */
export function pointFields(
  world: ClusterWorld,
  point: Vec3,
  names: { names(contents: number): readonly string[] },
): Fields {
  const leaf = world.leaf(point);
  const contents = world.contents(point);
  return {
    point: Array.from(point),
    leaf,
    cluster: world.cluster(leaf),
    area: world.area(leaf),
    contents,
    contentsNames: names.names(contents),
  };
}

/** Whether one point is seen from another, and what stops the line between them. */
export function sightVerdict(world: ClusterWorld, from: Vec3, to: Vec3): Verdict {
  const visible = world.sight(from, to);
  const fromCluster = world.cluster(world.leaf(from));
  const toCluster = world.cluster(world.leaf(to));
  const known = fromCluster >= 0 && toCluster >= 0;
  const trace = world.ray().trace(from, to);
  const fields = {
    from: Array.from(from),
    to: Array.from(to),
    visible,
    fromCluster,
    toCluster,
    potentiallyVisible: known ? world.clusterVisible(fromCluster, toCluster) : null,
    rayFraction: float32Cell(trace.fraction),
    rayEnd: Array.from(trace.endPos, float32Cell),
    rayStopsAt: world.textureNames()[trace.texture] ?? null,
  };
  return { yes: visible, fields };
}
