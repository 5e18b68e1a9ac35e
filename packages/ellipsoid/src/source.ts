import type { PolygonSource, Vec3 } from '@bspkit/core';
import { checkKind, checkObject, checkWhole, held } from '@bspkit/core/format';
import type { EllipsoidWorld } from './world.ts';

/**
 * The most leafs that a source may have: as many as fit into a map of 450 MB that contains nothing else. Higher numbers are
 * mistakes, which would fill the memory.
 */
const MOST_LEAFS = 2 ** 24;

/** Where sources come from: packages of formats have functions of the same name, which give arrays. */
const HOW = "for a map, pass format.polygons(map), with the format from bspkit's formatOf(map)";

/**
 * Throws `TypeError` unless `world` is a world from this package whose data is still there; worlds of maps have memory too, laid
 * out differently.
 */
export function checkWorld(world: EllipsoidWorld): void {
  checkKind(world?._opened !== undefined, world, 'world', 'a world that createEllipsoidWorld has made');
  held(world._memory);
}

/** Throws `TypeError` unless a source gives polygons and leafs, `RangeError` for an impossible number of leafs. */
export function checkSource(source: PolygonSource): void {
  checkObject(source, 'source', `a source of polygons: ${HOW}`);
  for (const name of ['polygons', 'leafPolygons', 'boxLeafs', 'isSolid'] as const) {
    const isThere = typeof source[name] === 'function';
    checkKind(isThere, source[name], `source.${name}`, `a function; ${HOW}`);
  }
  checkWhole(source.numLeafs, 'source.numLeafs', 0, MOST_LEAFS);
}

/**
 * Writes the leafs that a box touches into `leafs`, which has room for all that exist; returns how many. Throws `RangeError` or
 * `TypeError` if a source returns anything but a count, or a leaf that does not exist.
 */
export function findLeafs(source: PolygonSource, mins: Vec3, maxs: Vec3, leafs: Int32Array): number {
  const touched = source.boxLeafs(mins, maxs, leafs);
  checkWhole(touched, 'source.boxLeafs()', 0, MOST_LEAFS);
  const found = Math.min(touched, leafs.length);
  for (let k = 0; k < found; k++) {
    const leaf = leafs[k]!;
    if (leaf < 0 || leaf >= leafs.length)
      throw new RangeError(`source.boxLeafs() gave leaf ${leaf}, but the world has ${leafs.length}`);
  }
  return found;
}
