import { leafTree } from '@bspkit/brushes';
import type { Polygon, Vec3 } from '@bspkit/core';
import { boxLeafs } from '@bspkit/core/format';
import { MASK_PLAYERSOLID } from './constants.ts';
import type { Quake2World } from './world.ts';

/** The walk through a world's tree by which {@link PolygonSource} finds leafs. */
export function leafWalk({ _target }: Quake2World): (mins: Vec3, maxs: Vec3, out: Int32Array) => number {
  const tree = leafTree(_target.memory);
  const roots = [0];
  return (mins, maxs, out) => boxLeafs(tree, roots, mins, maxs, out);
}

/** Whether a polygon stops players. */
export const isSolid = ({ contents }: Polygon): boolean => (contents & MASK_PLAYERSOLID) !== 0;
