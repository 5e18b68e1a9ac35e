import type { Bounds, BspWorld, Tracer, Vec3 } from '@bspkit/core';
import { type BspFormat, bodyPreset, type TracerPreset, tracerKind, tracerOf } from '@bspkit/core/format';
import {
  addScaled,
  type BodyPlanes,
  bodyFaces,
  dot,
  normalize,
  pushOut,
  subtract,
  type Vec,
  windingCenter,
} from '@bspkit/geometry';
import { createMoveState, step } from '@bspkit/movement';
import { BoxTree } from './box-tree.ts';
import { type BrushBody, boundsOf } from './brush-body.ts';
import { farthest, isAhead, normalsAt, partsAhead, partsOutside, placesOn } from './brush-places.ts';
import { cells } from './numbers.ts';

type Point = readonly number[];

/** Where the box of a player can be whose traced point is this near to some bounds. */
const reachOf = ({ mins, maxs }: Bounds, near: number, box: Bounds): Bounds => ({
  mins: [0, 1, 2].map((k) => mins[k]! + box.mins[k]! - near),
  maxs: [0, 1, 2].map((k) => maxs[k]! + box.maxs[k]! + near),
});

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

/** How many places are tried for each brush. */
const MOST_TRIES = 256;
/** How many times it is looked whether a wall is touched at such a place, for each brush. */
const MOST_LOOKS = 65_536;
/**
 * How much all brushes of a map may cost together, in planes that something is compared with: so much per brush, and some more.
 * Real maps need an eighth of it at most. If thousands of brushes are in one place, each of them is in the way of each.
 */
const COST_PER_BRUSH = 2048;
const COST = 2 ** 26;
/** Of brushes with more others around them than this, none counts as more crowded than another. */
const MOST_AROUND = 1024;
/** What it costs to see how a player moves, in looks at what is around. */
const MOVE_LOOKS = 8;
/** How far away from such a place moves begin and end. */
const AWAY = 2;
/** How fast players run along walls, in units per second. */
const SPEED = 320;

/** The bodies of a model, and which of them are where. */
interface ModelBodies {
  readonly bodies: readonly BrushBody[];
  readonly tree: BoxTree;
}

/** The brushes around one, for a player's traced point, and how many planes they have together. */
interface Walls {
  readonly bodies: readonly BodyPlanes[];
  readonly planes: number;
}

/** Finds out where players are stopped, by tracing them. */
export class StopFinder {
  private readonly _format: BspFormat;
  private readonly _world: BspWorld;
  private readonly _bodies: readonly BrushBody[];
  private readonly _preset: TracerPreset<BspWorld> | undefined;
  /** By model. */
  private readonly _players = new Map<number, Tracer | undefined>();
  /** By model: made when it is first asked which bodies are near another. */
  private readonly _models = new Map<number, ModelBodies>();
  /** The planes of bodies, moved outward by a player's box. */
  private readonly _walls = new Map<BrushBody, BodyPlanes>();
  /** How much finding may still cost. */
  private _left: number;

  constructor(format: BspFormat, world: BspWorld, bodies: readonly BrushBody[]) {
    this._format = format;
    this._world = world;
    this._bodies = bodies;
    this._preset = bodyPreset(format, world);
    this._left = COST_PER_BRUSH * bodies.length + COST;
  }

  /**
   * The bodies, in the order in which to look for their stops: those with the fewest others around them first, so that what finding
   * may cost is used up by those in a crowd, and not by those before all others in the file.
   */
  leastCrowdedFirst(): BrushBody[] {
    const around = new Map(this._bodies.map((body) => [body, this._countAround(body)]));
    return [...this._bodies].sort((a, b) => around.get(a)! - around.get(b)!);
  }

  /**
   * A move from the open that a brush stops more than `gap` away from it, and that could go on by `gap` but for that: where walls
   * meet, others would stop it. Where there is no room for any other, it is one along a wall. `undefined` if none is found, and
   * where players are no boxes; `crowded` if that was not found out, as those before it have used up what finding may cost.
   */
  find(body: BrushBody, gap: number): Stop | 'crowded' | undefined {
    const { brush, model } = body.brush;
    if (body.bevels.length === 0 || (body.brush.contents & this._bits(body)) === 0) return undefined;
    const player = this._player(model);
    if (player?.shape.kind !== 'box') return undefined;
    const box = player.shape;
    const bevels = pushOut(body.bevels, box.mins, box.maxs);
    const faces = bodyFaces(pushOut(body.planes, box.mins, box.maxs)).flatMap((face) => (face ? [face] : []));
    const parts = partsAhead(faces, bevels, gap);
    if (parts.length === 0) return undefined;
    if (this._left < 0) return 'crowded';
    const around = this._around(body, boundsOf(parts)!, AWAY + gap, box);
    const walls = around.bodies;
    /** What it costs to look at all that is around once. */
    const look = around.planes + (body.planes.length + bevels.length) / 4;
    this._left -= look;
    const outside = partsOutside(parts, walls, (planes) => {
      this._left -= planes;
    });
    const places = placesOn(outside, bevels, gap).sort((a, b) => b.far - a.far);
    this._left -= (places.length * bevels.length) / 4;
    if (places.length === 0) return undefined;
    const middle = windingCenter(faces.flat());
    const trace = player.createTrace();
    const stopOf = (point: Vec, way: Vec): Stop | undefined => {
      const from = Float32Array.from(addScaled(point, AWAY, way));
      const to = Float32Array.from(addScaled(point, -AWAY, way));
      const { startSolid, fraction, endPos } = player.trace(from, to, trace);
      if (startSolid || fraction === 1 || trace.brush !== brush) return undefined;
      const end = farthest(bevels, endPos);
      if (end.far <= gap || (model === 0 && this._isOutside(from))) return undefined;
      const next = addScaled(endPos, -gap, way);
      if (walls.some((planes) => !isAhead(planes, next, 0))) return undefined;
      return {
        gap: end.far,
        from: cells(from),
        to: cells(to),
        box: [...box.mins, ...box.maxs],
        mask: this._mask === undefined ? null : String(this._mask),
        end: cells(endPos),
        normal: cells(end.normal),
      };
    };
    const tried = places.slice(0, MOST_TRIES).map(({ point, normal }) => {
      const ways = [normal, normalize(subtract(point, middle)) ?? normal];
      return { point, ways };
    });
    for (const { point, ways } of tried) {
      for (const way of ways) {
        if (this._left < 0) return 'crowded';
        this._left -= look;
        const stop = stopOf(point, way);
        if (stop) return stop;
      }
    }
    const beside: ((typeof tried)[number] & { normals: Vec[] })[] = [];
    for (const place of tried.slice(0, Math.ceil(MOST_LOOKS / (walls.length + 1)))) {
      if (this._left < 0) return 'crowded';
      this._left -= look;
      beside.push({ ...place, normals: normalsAt(walls, place.point) });
    }
    // Who runs along a wall, or falls along it.
    for (const part of [level, upright]) {
      for (const { point, ways, normals } of beside) {
        for (const way of waysAlong(normals, ways.map(part))) {
          if (this._left < 0) return 'crowded';
          this._left -= look;
          const stop = stopOf(point, way);
          if (!stop) continue;
          this._left -= MOVE_LOOKS * look;
          if (isHeld(player, stop.from, way)) return stop;
        }
      }
    }
    return undefined;
  }

  /** What stops players, if their tracer has a mask. */
  private get _mask() {
    return this._preset?.options?.mask;
  }

  /** The contents of brushes that stop whoever a brush may stop: players by their tracer's mask, or by its own without one. */
  private _bits({ brush }: BrushBody): number {
    const { _mask: mask } = this;
    return mask === undefined ? brush.contents : this._format.contents.bits(mask);
  }

  /** The other brushes of a model that players can touch this near to some bounds: their planes for a player's traced point. */
  private _around(body: BrushBody, bounds: Bounds, near: number, box: Bounds): Walls {
    const bits = this._bits(body);
    const { tree, bodies } = this._modelOf(body.brush.model);
    const others = tree
      .meeting(reachOf(bounds, near, box))
      .map((number) => bodies[number]!)
      .filter((other) => other !== body && (other.brush.contents & bits) !== 0)
      .map((other) => this._wall(other, box));
    return { bodies: others, planes: others.reduce((sum, { length }) => sum + length / 4, 0) };
  }

  /** About how many bodies of its model are as near to one as a player is large. */
  private _countAround({ bounds, brush: { model } }: BrushBody): number {
    const player = bounds && this._player(model);
    if (player?.shape.kind !== 'box') return 0;
    return this._modelOf(model).tree.countMeeting(reachOf(bounds!, AWAY, player.shape), MOST_AROUND);
  }

  /** The bodies of a model. */
  private _modelOf(model: number): ModelBodies {
    if (this._models.size === 0) {
      const lists = new Map<number, BrushBody[]>();
      for (const body of this._bodies) {
        const list = lists.get(body.brush.model);
        if (list) list.push(body);
        else lists.set(body.brush.model, [body]);
      }
      for (const [number, bodies] of lists) {
        this._models.set(number, { bodies, tree: new BoxTree(bodies.map(({ bounds }) => bounds)) });
      }
    }
    return this._models.get(model)!;
  }

  /** The planes behind which the traced point of a player is that touches a body. */
  private _wall(body: BrushBody, { mins, maxs }: Bounds): BodyPlanes {
    let wall = this._walls.get(body);
    if (!wall) {
      wall = pushOut(Float64Array.from([...body.planes, ...body.bevels]), mins, maxs);
      this._walls.set(body, wall);
    }
    return wall;
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

const level = ([x, y]: Vec): Vec => [x, y, 0];
const upright = ([, , z]: Vec): Vec => [0, 0, z];

/** The same directions along each of the walls. */
const waysAlong = (normals: readonly Vec[], ways: readonly Vec[]): Vec[] =>
  normals.flatMap((normal) =>
    ways.flatMap((way) => {
      const along = normalize(addScaled(way, -dot(way, normal), normal));
      return along ? [along] : [];
    }),
  );

/**
 * Whether a player who runs or falls along a wall, against a direction, loses most of its speed. What sticks out of the wall a
 * little only leads players around it.
 */
function isHeld(player: Tracer, from: Point, way: Vec): boolean {
  const state = createMoveState();
  state.position.set(from);
  state.velocity.set(addScaled([0, 0, 0], -SPEED, way));
  step(player, state, (2 * AWAY) / SPEED);
  return dot(state.velocity, way) > -SPEED / 4;
}
