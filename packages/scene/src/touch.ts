import type { Bounds, Vec3 } from '@bspkit/core';
import {
  checkArrayOf,
  checkBounds,
  checkMask,
  checkObject,
  checkPoint,
  checkRadius,
  setRotation,
} from '@bspkit/core/format';
import { AreaFinder, readCorners } from './area.ts';
import { RADIUS } from './body.ts';
import { T_HIGH, T_LOW } from './tree.ts';

const f = Math.fround;

/** A sphere at a place, in Quake units. */
export interface TouchSphere {
  readonly center: Vec3;
  readonly radius: number;
}

/** Where to look for bodies: a box given by its corners in the world, or a sphere. */
export type TouchArea = Bounds | TouchSphere;

/** Finds the bodies of a scene that an area touches. */
export class Toucher extends AreaFinder {
  /** The area as a rounded box. */
  private readonly _area: Float64Array = new Float64Array(RADIUS + 1);
  /** The same for a body. */
  private readonly _body: Float64Array = new Float64Array(RADIUS + 1);
  private readonly _rotation: Float32Array = new Float32Array(9);

  touching(area: TouchArea, mask: number, out: Int32Array): number {
    const { _query: query, _area: box } = this;
    checkMask(mask, 'mask');
    checkArrayOf(out, Int32Array, 'out', 'an');
    this._setArea(area);
    const radius = box[RADIUS]!;
    for (let k = 0; k < 3; k++) {
      // Rounded as the bounds in the tree are, which keeps what touches in touch.
      query[T_LOW + k] = f(box[k]! - radius);
      query[T_HIGH + k] = f(box[3 + k]! + radius);
    }
    return this._find(mask, out);
  }

  private _setArea(area: TouchArea): void {
    checkObject(area, 'area', 'a box or a sphere');
    const isSphere = 'radius' in area || ('center' in area && !('mins' in area));
    const mins = isSphere ? area.center : area.mins;
    const maxs = isSphere ? mins : area.maxs;
    const radius = isSphere ? area.radius : 0;
    if (isSphere) {
      checkPoint(mins, 'center');
      checkRadius(radius);
    } else checkBounds(mins, maxs);
    readCorners(mins, maxs, this._area);
    this._area[RADIUS] = radius;
  }

  /** Bodies of `createBody` by their own shapes, all others by their bounds, or by the box around these if they are turned. */
  private _setBody(body: number): void {
    const { colliders, origins, sizes } = this._bodies;
    const box = this._body;
    const collider = colliders[body]!;
    const solid = (collider as { readonly _solid?: Float32Array })._solid;
    box[RADIUS] = solid ? solid[RADIUS]! : 0;
    if (this._bodies.isTurned(body)) this._setTurned(body);
    else {
      const from = solid ?? sizes;
      const at = solid ? 0 : 6 * body;
      for (let k = 0; k < 6; k++) box[k] = from[at + k]!;
    }
    for (let k = 0; k < 6; k++) box[k]! += origins[3 * body + (k % 3)]!;
  }

  private _setTurned(body: number): void {
    const { angles, sizes } = this._bodies;
    const { _body: box, _rotation: rows } = this;
    setRotation(rows, 0, angles, 3 * body);
    for (let k = 0; k < 3; k++) {
      box[k] = 0;
      box[3 + k] = 0;
      for (let axis = 0; axis < 3; axis++) {
        const a = rows[3 * axis + k]! * sizes[6 * body + axis]!;
        const b = rows[3 * axis + k]! * sizes[6 * body + 3 + axis]!;
        box[k]! += Math.min(a, b);
        box[3 + k]! += Math.max(a, b);
      }
    }
  }

  protected override _meets(body: number): boolean {
    this._setBody(body);
    const { _area: a, _body: b } = this;
    const reach = a[RADIUS]! + b[RADIUS]!;
    // Counted down from the square, which is a double from the start.
    let left = reach * reach;
    for (let k = 0; k < 3; k++) {
      const apart = Math.max(a[k]! - b[3 + k]!, b[k]! - a[3 + k]!, 0);
      left -= apart * apart;
    }
    return left >= 0;
  }
}
