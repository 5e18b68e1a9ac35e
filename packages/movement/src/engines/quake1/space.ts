import { copyTrace, type Pose, type Trace, type Vec3 } from '@bspkit/core';
import {
  checkCallback,
  checkFilled,
  checkKind,
  checkObject,
  checkPoint,
  checkTracer,
  checkWhole,
} from '@bspkit/core/format';
import {
  type BoxSource,
  type BoxTracer,
  checkHalves,
  checkReach,
  entityOf,
  hasHalves,
  startsElsewhere,
} from '../../space.ts';

/** Rules of a hull's trace for the movement of players. */
type Rules = 'quakeworld' | 'halflife-player';

interface HullOptions {
  readonly rules?: Rules | undefined;
}

/** Of a scene's hull. */
interface MovedHullOptions extends HullOptions {
  readonly ignore?: number | undefined;
}

/** Makes tracers of hulls: a world, or a scene of one. */
export interface HullSource {
  hull(number: number, options?: MovedHullOptions): BoxTracer;
}

/** Gives contents as hull traces see them: a world. */
export interface HullContents {
  readonly hulls: readonly { readonly mins: Vec3; readonly maxs: Vec3 }[];
  hullContents(hull: number, point: Vec3): number;
}

/** What players move in, if it consists of two objects: a scene and its world. */
export interface HullSpace {
  readonly trace: HullSource;
  readonly contents: HullContents;
}

/** What things move in, if it consists of two objects: a scene and its world. */
export interface QuakeThingSpace {
  readonly trace: BoxSource;
  readonly contents: Pick<HullContents, 'hullContents'>;
}

/** An obstacle for players in addition to the world: an inline model, a box entity. */
export interface PlayerObstacle {
  hull?(number: number, options?: HullOptions): ObstacleTracer;
  box?(mins: Vec3, maxs: Vec3, options?: HullOptions): ObstacleTracer;
}

interface ObstacleTracer extends BoxTracer {
  place(pose: Pose): unknown;
}

/** Throws `TypeError` for anything but a world with hulls, or the two halves of one. */
export function checkHullSpace(space: HullSpace | (HullSource & HullContents)): HullSpace {
  const halves = checkHalves(space, 'a world with hulls', 'hull', 'hullContents');
  const { hulls } = halves.contents;
  const name = `${hasHalves(space) ? 'space.contents' : 'space'}.hulls`;
  checkKind(Array.isArray(hulls), hulls, name, "the boxes of all hulls, as a world's");
  // Hull 0 is a point; players have another one.
  if (hulls.length < 2) {
    throw new RangeError(`${name} must have one for players too: this map was made without clip nodes`);
  }
  for (const [k, hull] of hulls.entries()) {
    checkObject(hull, `${name}[${k}]`, 'a box');
    checkPoint(hull.mins, `${name}[${k}].mins`);
    checkPoint(hull.maxs, `${name}[${k}].maxs`);
  }
  return halves;
}

/**
 * What a player's hull is moved through: the world, then obstacles in the order in which they were added. The nearest hit is the
 * answer; of equally near ones, the first.
 */
export class HullProbe {
  /** What the latest trace hit: 0 for the world, an obstacle's number, -1 for nothing. */
  entity = -1;
  /** The player's feet: the least z of its hull. */
  readonly feet: number;
  /** The middle of its height. */
  readonly waist: number;
  /** The player's own body in a scene, which stops no trace; -1 for none. */
  private _ignore = -1;
  private readonly _hull: number;
  private readonly _rules: Rules;
  private readonly _contents: HullContents;
  private readonly _source: HullSource;
  private _world: BoxTracer;
  private readonly _names: boolean;
  private readonly _obstacles: ObstacleTracer[] = [];
  private readonly _scratch: Trace;
  private readonly _changes = { ignore: -1 };

  constructor({ trace, contents }: HullSpace, hull: number, rules: Rules) {
    this._hull = hull;
    this._rules = rules;
    this._contents = contents;
    this._source = trace;
    this._world = this._make({ rules });
    this._scratch = this.createTrace();
    this._names = 'entity' in this._scratch;
    const { mins, maxs } = contents.hulls[hull]!;
    this.feet = Math.fround(mins[2]!);
    this.waist = Math.fround(this.feet + Math.fround(maxs[2]!)) / 2;
  }

  private _make(options: MovedHullOptions): BoxTracer {
    const tracer = this._source.hull(this._hull, options);
    checkTracer(tracer, 'what hull() makes');
    return tracer;
  }

  createTrace(): Trace {
    return this._world.createTrace();
  }

  /** Adds an obstacle; returns its number, from 1. */
  add(obstacle: PlayerObstacle, origin: Vec3): number {
    const { _hull: hull, _rules: rules, _contents: contents } = this;
    checkObject(obstacle, 'obstacle', 'a model or a box entity');
    checkPoint(origin, 'origin');
    const { mins, maxs } = contents.hulls[hull]!;
    if (!obstacle.hull) checkCallback(obstacle.box, 'obstacle.box');
    const tracer = obstacle.hull?.(hull, { rules }) ?? obstacle.box!(mins, maxs, { rules });
    // A whole world has hulls too, but cannot be placed.
    checkKind(typeof tracer?.place === 'function', obstacle, 'obstacle', 'a model or a box entity');
    tracer.place({ origin });
    return this._obstacles.push(tracer);
  }

  /** Moves an obstacle. */
  place(number: number, origin: Vec3): void {
    checkWhole(number, 'obstacle', 1, this._obstacles.length);
    checkPoint(origin, 'origin');
    this._obstacles[number - 1]!.place({ origin });
  }

  /** Removes all obstacles. */
  clear(): void {
    this._obstacles.length = 0;
  }

  set ignore(entity: number) {
    if (entity === this._ignore) return;
    if (this._names) {
      this._changes.ignore = entity;
      if (this._world.set) this._world.set(this._changes);
      else this._world = this._make({ rules: this._rules, ignore: entity });
    }
    // Only now: if `set` throws, the tracer has not taken it.
    this._ignore = entity;
  }

  trace(start: Vec3, end: Vec3, out: Trace): void {
    const { _obstacles: obstacles, _scratch: scratch } = this;
    checkReach(end);
    checkFilled(this._world.trace(start, end, out), out);
    this.entity = entityOf(out);
    // Of what stops a move at once, only the first counts, whatever else it starts in.
    if (out.startSolid && startsElsewhere(out)) {
      out.startSolid = false;
      out.allSolid = false;
    }
    for (let k = 0; k < obstacles.length; k++) {
      checkFilled(obstacles[k]!.trace(start, end, scratch), scratch);
      if (scratch.fraction >= out.fraction) continue;
      copyTrace(scratch, out);
      this.entity = k + 1;
    }
  }

  /** Whether the player's hull is free of solid at a point. */
  isFree(point: Vec3): boolean {
    const { _obstacles: obstacles, _scratch: scratch } = this;
    checkFilled(this._world.trace(point, point, scratch), scratch);
    if (scratch.startSolid) return false;
    for (let k = 0; k < obstacles.length; k++) {
      checkFilled(obstacles[k]!.trace(point, point, scratch), scratch);
      if (scratch.startSolid) return false;
    }
    return true;
  }

  /** Contents of the world at a point. */
  contents(point: Vec3): number {
    return this._contents.hullContents(0, point);
  }
}
