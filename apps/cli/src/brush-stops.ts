import type { Bounds, BspWorld, Tracer, Vec3 } from '@bspkit/core';
import {
  type BspFormat,
  bodyPreset,
  type FileBrush,
  type TracerPreset,
  tracerKind,
  tracerOf,
} from '@bspkit/core/format';
import {
  addScaled,
  type BodyPlanes,
  bodyFaces,
  missingBevels,
  normalize,
  pushOut,
  subtract,
  unitPlanes,
  type Vec,
  type Winding,
  windingCenter,
} from '@bspkit/geometry';
import { cells } from './numbers.ts';

type Point = readonly number[];

/** A brush as a body in space. */
export class BrushBody {
  readonly brush: FileBrush;
  readonly planes: BodyPlanes;
  /** By plane. */
  readonly faces: readonly (Winding | undefined)[];
  /** The box around it; `undefined` if it has no corners. */
  readonly bounds: Bounds | undefined;
  private _bevels: BodyPlanes | undefined;

  constructor(brush: FileBrush, mostSides: number) {
    this.brush = brush;
    this.planes = unitPlanes(
      brush.planes.flatMap(({ normal, dist }) => [normal[0]!, normal[1]!, normal[2]!, dist]),
    );
    this.faces = brush.planes.length > mostSides ? [] : bodyFaces(this.planes);
    this.bounds = boundsOf(this.faces.flatMap((face) => face ?? []));
  }

  /** The planes that it lacks to stop boxes where they touch it. */
  get bevels(): BodyPlanes {
    this._bevels ??= missingBevels(this.planes, this.faces);
    return this._bevels;
  }

  /** How far it is from a box around a point; below 0 where they overlap. */
  distance(point: ArrayLike<number>, { mins, maxs }: Bounds): number {
    const planes = farthest(pushOut(this.planes, mins, maxs), point).far;
    return Math.max(planes, farthest(pushOut(this.bevels, mins, maxs), point).far);
  }
}

function boundsOf(corners: readonly number[]): Bounds | undefined {
  if (corners.length === 0) return undefined;
  const along = (k: number): number[] => corners.filter((_, i) => i % 3 === k);
  return {
    mins: [0, 1, 2].map((k) => Math.min(...along(k))),
    maxs: [0, 1, 2].map((k) => Math.max(...along(k))),
  };
}

/** A move of a player, in the frame of a brush's model, that the brush stops before they touch. */
export interface Stop {
  /** How far apart they are where it ends. */
  readonly gap: number;
  readonly from: Point;
  readonly to: Point;
  /** The player's box, two corners, and what it is traced by: `null` for all that has no mask. */
  readonly box: Point;
  readonly mask: string | null;
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
  private readonly _bodies: readonly BrushBody[];
  private readonly _preset: TracerPreset<BspWorld> | undefined;
  /** By model. */
  private readonly _players = new Map<number, Tracer | undefined>();

  constructor(format: BspFormat, world: BspWorld, bodies: readonly BrushBody[]) {
    this._format = format;
    this._world = world;
    this._bodies = bodies;
    this._preset = bodyPreset(format, world);
  }

  /**
   * A move from the open that a brush stops more than `gap` away from it, and that could go on by `gap` but for that: where walls
   * meet, others would stop it. `undefined` if none is found, and where players are no boxes.
   */
  find(body: BrushBody, gap: number): Stop | undefined {
    if (body.bevels.length === 0) return undefined;
    const { brush, model } = body.brush;
    const player = this._player(model);
    if (player?.shape.kind !== 'box') return undefined;
    const box = player.shape;
    const bevels = pushOut(body.bevels, box.mins, box.maxs);
    const pushed = bodyFaces(pushOut(body.planes, box.mins, box.maxs)).flatMap((face) =>
      face ? [face] : [],
    );
    const places = placesOn(pushed, bevels, gap).sort((a, b) => b.far - a.far);
    if (places.length === 0) return undefined;
    const corners = pushed.flat();
    const middle = windingCenter(corners);
    const trace = player.createTrace();
    let others: readonly BrushBody[] | undefined;
    for (const { point, normal } of places.slice(0, MOST_TRIES)) {
      for (const way of [normal, normalize(subtract(point, middle)) ?? normal]) {
        const from = Float32Array.from(addScaled(point, AWAY, way));
        const to = Float32Array.from(addScaled(point, -AWAY, way));
        const { startSolid, fraction, endPos } = player.trace(from, to, trace);
        if (startSolid || fraction === 1 || trace.brush !== brush) continue;
        const end = farthest(bevels, endPos);
        if (end.far <= gap || (model === 0 && this._isOutside(from))) continue;
        others ??= this._around(body, boundsOf(corners)!, box);
        const next = addScaled(endPos, -gap, way);
        if (others.some((other) => other.distance(next, box) < 0)) continue;
        return {
          gap: end.far,
          from: cells(from),
          to: cells(to),
          box: [...box.mins, ...box.maxs],
          mask: this._mask === undefined ? null : String(this._mask),
          end: cells(endPos),
          normal: cells(end.normal),
        };
      }
    }
    return undefined;
  }

  /** What stops players, if their tracer has a mask. */
  private get _mask() {
    return this._preset?.options?.mask;
  }

  /** The other brushes of a model that players may run into where their traced point is within some bounds. */
  private _around({ brush }: BrushBody, { mins, maxs }: Bounds, box: Bounds): BrushBody[] {
    const { _mask: mask } = this;
    const bits = mask === undefined ? brush.contents : this._format.contents.bits(mask);
    return this._bodies.filter(
      ({ brush: other, bounds }) =>
        other.model === brush.model &&
        other !== brush &&
        (other.contents & bits) !== 0 &&
        bounds !== undefined &&
        [0, 1, 2].every(
          (k) => bounds.mins[k]! <= maxs[k]! + box.maxs[k]! && bounds.maxs[k]! >= mins[k]! + box.mins[k]!,
        ),
    );
  }

  /** Whether a place that is not solid is outside the map, where leafs belong to no cluster. */
  private _isOutside(point: Vec3): boolean {
    return this._format.point(this._world, point).cluster === -1;
  }

  /** What players are to the world, or to an inline model that is where its brushes are in the file. */
  private _player(model: number): Tracer | undefined {
    if (this._players.has(model)) return this._players.get(model);
    const preset = this._preset;
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
