import type { BspWorld, Tracer, Vec3 } from '@bspkit/core';
import { type BspFormat, bodyPreset, tracerKind, tracerOf } from '@bspkit/core/format';
import {
  addScaled,
  type BodyPlanes,
  bodyFaces,
  missingBevels,
  normalize,
  pushOut,
  subtract,
  type Vec,
  type Winding,
  windingCenter,
} from '@bspkit/geometry';
import { cells } from './numbers.ts';

type Point = readonly number[];

/** A move of a player, in the frame of a brush's model, that the brush stops before they touch. */
export interface Stop {
  /** How far apart they are where it ends. */
  readonly gap: number;
  readonly from: Point;
  readonly to: Point;
  readonly end: Point;
  /** Normal of the plane that the brush would need. */
  readonly normal: Point;
}

/** Into how many parts edges are divided to find places where a player can run into them. */
const PARTS = 16;
/** How many places are tried for each brush. */
const MOST_TRIES = 256;
/** How far away from such a place moves begin and end. */
const AWAY = 2;

/** A place where a brush stops players, how far in front of it that is, and in which direction. */
interface Place {
  readonly point: Vec;
  readonly far: number;
  readonly normal: Vec;
}

/** Finds out where players are stopped, by tracing them. */
export class StopFinder {
  private readonly _format: BspFormat;
  private readonly _world: BspWorld;
  /** By model. */
  private readonly _players = new Map<number, Tracer | undefined>();

  constructor(format: BspFormat, world: BspWorld) {
    this._format = format;
    this._world = world;
  }

  /**
   * A move that begins in the open, goes some way, and is stopped by a brush that is more than `gap` away. Where other brushes
   * are in such places, as where walls meet, there is none: nobody notices. `undefined`, too, where players are no boxes.
   */
  find(
    brush: { readonly brush: number; readonly model: number },
    planes: BodyPlanes,
    faces: readonly (Winding | undefined)[],
    gap: number,
  ): Stop | undefined {
    const missing = missingBevels(planes, faces);
    if (missing.length === 0) return undefined;
    const player = this._player(brush.model);
    if (player?.shape.kind !== 'box') return undefined;
    const { mins, maxs } = player.shape;
    const bevels = pushOut(missing, mins, maxs);
    const pushed = bodyFaces(pushOut(planes, mins, maxs)).flatMap((face) => (face ? [face] : []));
    const middle = windingCenter(pushed.flat());
    const places = placesOn(pushed, bevels, gap).sort((a, b) => b.far - a.far);
    const trace = player.createTrace();
    for (const { point, normal } of places.slice(0, MOST_TRIES)) {
      for (const way of [normal, normalize(subtract(point, middle)) ?? normal]) {
        const from = Float32Array.from(addScaled(point, AWAY, way));
        const to = Float32Array.from(addScaled(point, -AWAY, way));
        const { startSolid, fraction, endPos } = player.trace(from, to, trace);
        if (startSolid || fraction === 0 || fraction === 1 || trace.brush !== brush.brush) continue;
        const end = farthest(bevels, endPos);
        if (end.far <= gap || (brush.model === 0 && this._isOutside(from))) continue;
        return {
          gap: end.far,
          from: cells(from),
          to: cells(to),
          end: cells(endPos),
          normal: cells(end.normal),
        };
      }
    }
    return undefined;
  }

  /** Whether a place that is not solid is outside the map, where leafs belong to no cluster. */
  private _isOutside(point: Vec3): boolean {
    return this._format.point(this._world, point).cluster === -1;
  }

  /** What players are to the world, or to an inline model that is where its brushes are in the file. */
  private _player(model: number): Tracer | undefined {
    if (this._players.has(model)) return this._players.get(model);
    const preset = bodyPreset(this._format, this._world);
    const hasModels = preset && tracerKind(this._format, preset.kind).options.includes('model');
    const place = model > 0 && { model, origin: [0, 0, 0] };
    const player =
      preset && (model === 0 || hasModels)
        ? tracerOf(this._format, this._world, { ...preset, options: { ...preset.options, ...place } })
        : undefined;
    this._players.set(model, player);
    return player;
  }
}

/** Places on the edges of faces, not far from each other, that are farther than `gap` in front of one of the planes. */
function placesOn(faces: readonly Winding[], planes: BodyPlanes, gap: number): Place[] {
  const places: Place[] = [];
  for (const face of faces) {
    const corners = Array.from({ length: face.length / 3 }, (_, k) => {
      const point: Vec = [face[3 * k]!, face[3 * k + 1]!, face[3 * k + 2]!];
      return { point, ...farthest(planes, point) };
    });
    for (const [k, corner] of corners.entries()) {
      const next = corners[(k + 1) % corners.length]!;
      // What is between two corners is no farther away than the farther one.
      if (corner.far <= gap && next.far <= gap) continue;
      for (let part = 0; part < PARTS; part++) {
        const point = addScaled(corner.point, part / PARTS, subtract(next.point, corner.point));
        const place = { point, ...farthest(planes, point) };
        if (place.far > gap) places.push(place);
      }
    }
  }
  return places;
}

/** The plane that a point is farthest in front of. */
function farthest(planes: BodyPlanes, point: ArrayLike<number>): Omit<Place, 'point'> {
  let far = Number.NEGATIVE_INFINITY;
  let normal: Vec = [0, 0, 0];
  for (let at = 0; at < planes.length; at += 4) {
    const d =
      planes[at]! * point[0]! + planes[at + 1]! * point[1]! + planes[at + 2]! * point[2]! - planes[at + 3]!;
    if (d <= far) continue;
    far = d;
    normal = [planes[at]!, planes[at + 1]!, planes[at + 2]!];
  }
  return { far, normal };
}
