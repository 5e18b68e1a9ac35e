import type { PolygonSource, Vec3 } from '@bspkit/core';
import { checkKind, checkObject, checkWhole, held } from '@bspkit/core/format';
import type { EllipsoidWorld } from './world.ts';

/**
 * Most leafs that a source may have: as many as fit into a map of 450 MB if it holds nothing else. Numbers beyond it are
 * mistakes, which would fill the memory.
 */
const MOST_LEAFS = 2 ** 24;

/**
 * Throws `TypeError` unless `world` is a world of this package, whose data is still there; those of maps have memory too,
 * laid out differently.
 */
export function checkWorld(world: EllipsoidWorld): void {
  checkKind(world?._source !== undefined, world, 'world', 'a world that createEllipsoidWorld has made');
  held(world._memory);
}

/** Throws `TypeError` unless something gives polygons and leafs, `RangeError` for a number of leafs that cannot be. */
export function checkSource(source: PolygonSource): void {
  checkObject(source, 'source', 'a source of polygons, as the polygons() of a format gives it');
  for (const name of ['polygons', 'leafPolygons', 'boxLeafs', 'isSolid'] as const) {
    const isThere = typeof source[name] === 'function';
    checkKind(
      isThere,
      source[name],
      `source.${name}`,
      'a function (for a world, pass format.polygons(world))',
    );
  }
  checkWhole(source.numLeafs, 'source.numLeafs', 0, MOST_LEAFS);
}

/**
 * Leafs that a box touches, written into `leafs`, which has room for all that there are; returns how many. Throws `RangeError`
 * or `TypeError` where a source gives anything but a count, or a leaf that is not one of them.
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
