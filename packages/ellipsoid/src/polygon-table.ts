import type { Polygon } from '@bspkit/core';

/** A corner's coordinate that is being compared, and its bits. */
const number: Float32Array = /* @__PURE__ */ new Float32Array(1);
const bits: Int32Array = /* @__PURE__ */ new Int32Array(number.buffer);

/** How many places are looked at per polygon, on average, before texts are used: in maps it is one or two. */
const MOST_LOOKS = 32;

/**
 * Finds polygons in a list by surface and corners: sources may create new objects every time. Of equal ones, it finds the last. A
 * table of hashes, because with text keys a large world took twice as long to make. Whoever makes a map can have many polygons with
 * one hash: then it is text keys after all.
 */
export class PolygonTable {
  private readonly _polygons: readonly Polygon[];
  /** Numbers of polygons, -1 where there is none; a power of two of places, half of them free. */
  private readonly _places: Int32Array;
  /** How many places may still be looked at. */
  private _looks = 0;
  private _numbers: Map<string, number> | undefined;

  constructor(polygons: readonly Polygon[]) {
    this._polygons = polygons;
    this._places = new Int32Array(2 << (32 - Math.clz32(polygons.length))).fill(-1);
    for (let k = 0; k < polygons.length && this._looks >= 0; k++)
      this._places[this._placeOf(polygons[k]!)] = k;
  }

  /** A polygon's number in the list; -1 if it is not there. */
  find(polygon: Polygon): number {
    if (this._looks >= 0) return this._places[this._placeOf(polygon)]!;
    this._numbers ??= new Map(this._polygons.map((each, k) => [textOf(each), k]));
    return this._numbers.get(textOf(polygon)) ?? -1;
  }

  /** Where a polygon is in the table, or would be. */
  private _placeOf(polygon: Polygon): number {
    const mask = this._places.length - 1;
    this._looks += MOST_LOOKS;
    for (let place = hashOf(polygon) & mask; ; place = (place + 1) & mask) {
      const found = this._places[place]!;
      this._looks--;
      if (found < 0 || isSame(this._polygons[found]!, polygon)) return place;
    }
  }
}

/** Both zeros are the same here too. */
const textOf = ({ surface, vertices }: Polygon): string => `${surface}:${vertices}`;

function hashOf({ surface, vertices }: Polygon): number {
  let hash = surface | 0;
  for (let k = 0; k < vertices.length; k++) {
    // Both zeros are the same.
    number[0] = vertices[k]! + 0;
    hash = Math.imul(hash ^ bits[0]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

function isSame(one: Polygon, other: Polygon): boolean {
  if (one === other) return true;
  if (one.surface !== other.surface || one.vertices.length !== other.vertices.length) return false;
  for (let k = 0; k < one.vertices.length; k++) if (one.vertices[k] !== other.vertices[k]) return false;
  return true;
}
