import type { Vec3 } from '@bspkit/core';
import { ANY_BODY, type Bodies } from './bodies.ts';
import { sortBodies } from './sort.ts';
import { TREE_QUERY, type TreeQuery } from './tree.ts';

/** Writes two corners one after the other. All numbers are read before the first is written: reading them may run a getter that asks. */
export function readCorners(mins: Vec3, maxs: Vec3, out: Float32Array | Float64Array): void {
  const x0 = mins[0]!;
  const y0 = mins[1]!;
  const z0 = mins[2]!;
  const x1 = maxs[0]!;
  const y1 = maxs[1]!;
  const z1 = maxs[2]!;
  out[0] = x0;
  out[1] = y0;
  out[2] = z0;
  out[3] = x1;
  out[4] = y1;
  out[5] = z1;
}

/** Finds the bodies of a scene that are in an area. */
export abstract class AreaFinder {
  protected readonly _bodies: Bodies;
  /** Where to look: it must contain all that {@link AreaFinder._meets} may accept. */
  protected readonly _query: TreeQuery = new Float64Array(TREE_QUERY);
  private _found: Int32Array = new Int32Array(0);

  constructor(bodies: Bodies) {
    this._bodies = bodies;
  }

  /** Whether a body is in the area. */
  protected abstract _meets(body: number): boolean;

  /**
   * Writes the bodies, including triggers, that are in the area and have at least one of these contents, by number or by `keys`:
   * as many as `out` has room for. Returns how many there are.
   */
  protected _find(mask: number, out: Int32Array, keys?: Float64Array): number {
    const { _bodies: bodies, _query: query } = this;
    if (this._found.length < bodies.capacity) this._found = new Int32Array(bodies.capacity);
    const found = this._found;
    const near = bodies.turned.collect(query, found, bodies.tree.collect(query, found));
    let count = 0;
    for (let k = 0; k < near; k++) {
      const body = found[k]!;
      if ((bodies.classes[body]! & ANY_BODY) === 0 || !bodies.shares(body, mask)) continue;
      if (this._meets(body)) found[count++] = body;
    }
    sortBodies(found, count, keys);
    for (let k = 0; k < count && k < out.length; k++) out[k] = found[k]!;
    return count;
  }
}
