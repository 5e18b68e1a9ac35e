import type { Polygon } from '@bspkit/core';
import { leafAt, type TreeView } from './classify.ts';
import { CONTENTS_EMPTY } from './constants.ts';
import {
  FACE_WORDS,
  LEAF_WORDS,
  MODEL_FACES,
  MODEL_HEADS,
  MODEL_WORDS,
  PLANE_WORDS,
  type Places,
  packedContents,
} from './layout.ts';

/** How far off a face its two sides are looked at, in Quake units. */
const ASIDE = 0.125;

/** A map's drawn faces as polygons, made when first asked for and kept. */
export class FacePolygons {
  private readonly _view: TreeView;
  private readonly _places: Places;
  private readonly _polygons: (Polygon | null)[] = [];

  constructor(view: TreeView, places: Places) {
    this._view = view;
    this._places = places;
  }

  /** The faces of a model. */
  ofModel(model: number): readonly Polygon[] {
    const { ints } = this._view;
    const at = this._places.models.first + MODEL_WORDS * model + MODEL_FACES;
    return this._list(ints[at + 1]!, (k) => ints[at]! + k);
  }

  /** The faces that a leaf's marks list: those that lie in it or touch it. */
  ofLeaf(leaf: number): readonly Polygon[] {
    const { ints } = this._view;
    const at = this._places.leafs.first + LEAF_WORDS * leaf;
    const first = this._places.markSurfaces.first + ints[at + 2]!;
    return this._list(ints[at + 3]!, (k) => ints[first + k]!);
  }

  private _list(count: number, faceOf: (k: number) => number): Polygon[] {
    const polygons: Polygon[] = [];
    for (let k = 0; k < count; k++) {
      const polygon = this._face(faceOf(k));
      if (polygon !== null) polygons.push(polygon);
    }
    return polygons;
  }

  /** A face by its number; null for one with fewer than three corners. */
  private _face(face: number): Polygon | null {
    let polygon = this._polygons[face];
    if (polygon === undefined) {
      polygon = this._make(face);
      this._polygons[face] = polygon;
    }
    return polygon;
  }

  private _make(face: number): Polygon | null {
    const { ints, floats } = this._view;
    const at = this._places.faces.first + FACE_WORDS * face;
    const count = ints[at + 2]!;
    if (count < 3) return null;
    const vertices = new Float32Array(3 * count);
    for (let k = 0; k < count; k++) {
      // Quake lists corners clockwise as seen from the front.
      const vertex = ints[this._places.corners.first + ints[at + 1]! + count - 1 - k]!;
      const from = this._places.vertexes.first + 3 * vertex;
      vertices.set(floats.subarray(from, from + 3), 3 * k);
    }
    const plane = this._view.planes + PLANE_WORDS * (ints[at]! >> 1);
    const isBehind = (ints[at]! & 1) === 1;
    const facing = (component: number): number => (isBehind ? 0 - component : component);
    const normal = floats.slice(plane, plane + 3).map(facing);
    return {
      vertices,
      normal,
      dist: facing(floats[plane + 3]!),
      texture: ints[at + 3]!,
      contents: this._contentsBehind(face, vertices, normal),
      surface: face,
    };
  }

  /** What lies behind a face; for one that looks out of water, say, into the open, what lies in front. */
  private _contentsBehind(face: number, vertices: Float32Array, normal: Float32Array): number {
    const head = this._headOfFace(face);
    const center = [0, 1, 2].map((axis) => {
      let sum = 0;
      for (let k = axis; k < vertices.length; k += 3) sum += vertices[k]!;
      return (3 * sum) / vertices.length;
    });
    const contentsAside = (by: number): number =>
      packedContents(
        leafAt(
          this._view,
          head,
          center.map((c, k) => c + by * normal[k]!),
        ),
      );
    const behind = contentsAside(-ASIDE);
    return behind === CONTENTS_EMPTY ? contentsAside(ASIDE) : behind;
  }

  /** Head of the node tree of the model that a face belongs to; the world's where it belongs to none. */
  private _headOfFace(face: number): number {
    const { ints } = this._view;
    const { first, count } = this._places.models;
    for (let k = 0; k < count; k++) {
      const at = first + MODEL_WORDS * k;
      const begin = ints[at + MODEL_FACES]!;
      if (face >= begin && face < begin + ints[at + MODEL_FACES + 1]!) return ints[at + MODEL_HEADS]!;
    }
    return ints[first + MODEL_HEADS]!;
  }
}
