import type { Bounds } from '@bspkit/core';
import { checkArrayOf, checkBounds, checkMask, checkObject, checkRoomOf } from '@bspkit/core/format';
import { AreaFinder, readCorners } from './area.ts';
import { T_HIGH, T_LOW } from './tree.ts';

/** The box in the world to which a body is linked, or its own box, in Quake units. */
export interface LinkedBounds {
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
}

/** How far rounding may move a side of a box, as a part of its coordinate. */
const ROUNDING = 1 / 4_194_304;

const createLinkedBounds = (): LinkedBounds => ({ mins: new Float32Array(3), maxs: new Float32Array(3) });

/** Knows how the bodies of a scene are linked to its world. */
export class Linker extends AreaFinder {
  /** In float32, as the boxes are with which it is compared. */
  private readonly _area: Float32Array = new Float32Array(6);
  private readonly _box: LinkedBounds = createLinkedBounds();

  bounds(body: number, out: LinkedBounds = createLinkedBounds()): LinkedBounds {
    this._check(body, out);
    this._bodies.readLinked(body, out.mins, out.maxs);
    return out;
  }

  own(body: number, out: LinkedBounds = createLinkedBounds()): LinkedBounds {
    this._check(body, out);
    const { sizes } = this._bodies;
    for (let k = 0; k < 3; k++) {
      out.mins[k] = sizes[6 * body + k]!;
      out.maxs[k] = sizes[6 * body + 3 + k]!;
    }
    return out;
  }

  linked(area: Bounds, mask: number, out: Int32Array): number {
    const { _bodies: bodies, _query: query } = this;
    checkMask(mask, 'mask');
    checkArrayOf(out, Int32Array, 'out', 'an');
    this._setArea(area);
    const { _area: box } = this;
    const widest = bodies.widest.find()[0]!;
    for (let k = 0; k < 3; k++) {
      query[T_LOW + k] = box[k]! - widest - Math.abs(box[k]!) * ROUNDING;
      query[T_HIGH + k] = box[3 + k]! + widest + Math.abs(box[3 + k]!) * ROUNDING;
    }
    return this._find(mask, out, bodies.rules.keys);
  }

  private _check(body: number, out: LinkedBounds): void {
    this._bodies.check(body);
    checkObject(out, 'out', 'an object with arrays for mins and maxs');
    checkRoomOf(out.mins, Float32Array, 3, 'out.mins');
    checkRoomOf(out.maxs, Float32Array, 3, 'out.maxs');
  }

  private _setArea(area: Bounds): void {
    checkObject(area, 'area', 'a box');
    const { mins, maxs } = area;
    checkBounds(mins, maxs);
    readCorners(mins, maxs, this._area);
  }

  /** Boxes that only touch meet, as in the engines. */
  protected override _meets(body: number): boolean {
    const { _area: area, _box: box } = this;
    this._bodies.readLinked(body, box.mins, box.maxs);
    for (let k = 0; k < 3; k++) {
      if (box.mins[k]! > area[3 + k]! || box.maxs[k]! < area[k]!) return false;
    }
    return true;
  }
}
