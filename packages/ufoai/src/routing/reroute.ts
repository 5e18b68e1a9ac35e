import { P_ROWS } from '@bspkit/brushes';
import { checkList, checkOptions, printAsString } from '@bspkit/core/format';
import { CELL_SIZE, WORLD_CELLS } from '../constants.ts';
import { checkModels, checkWorld } from '../given.ts';
import { type Body, createBody, moveBody, WORLD_EDGE } from '../kernel/body.ts';
import type { UfoaiModel } from '../model.ts';
import { isEngine } from '../tracer.ts';
import type { UfoaiWorld } from '../world.ts';
import { originOfWorld } from './origin.ts';
import { Probe } from './probe.ts';
import { type ColumnBox, columnsOf, Router } from './router.ts';
import { columnsAsServer, rerouteAsServer } from './server.ts';
import { checkRouting, checkThere, type UfoaiRouting } from './table.ts';
import { WorkCount } from './work.ts';

/** Numbers of a pose, and of a box of columns. */
const POSE = 6;
const BOX = 5;

/** How a rerouter computes. */
export interface RerouterOptions {
  /**
   * `engine`: the table becomes that of the game's server, oddities included, if it goes through the same updates: call `update`
   * after each model that moves. The guide about paths says how to begin, and how the tables differ.
   */
  readonly compat?: 'engine' | undefined;
}

/**
 * Keeps a routing table up to date with the models of a world, where they are: doors, and everything that can break. Made by
 * {@link createRerouter}.
 */
export class UfoaiRerouter {
  /** The table that is kept up to date: changed in place, so what was made from it sees the changes. */
  readonly routing: UfoaiRouting;
  private readonly _models: readonly UfoaiModel[];
  /** What is traced: the models' bodies, or others like them that are looked for where the server does. */
  private readonly _bodies: readonly Body[];
  private readonly _engine: boolean;
  private readonly _router: Router;
  private readonly _within: ColumnBox;
  /** Pose and columns of each model, as the table has them. */
  private readonly _poses: Float32Array;
  private readonly _boxes: Int32Array;
  private readonly _box: { minX: number; minY: number; maxX: number; maxY: number; top: number };

  /** @internal */
  constructor(world: UfoaiWorld, models: readonly UfoaiModel[], routing: UfoaiRouting, engine: boolean) {
    this.routing = routing;
    this._models = [...models];
    this._engine = engine;
    this._bodies = models.map(({ number, _body }) => (engine ? createBody(world._memory, number) : _body));
    // By default with all levels, and models where they stand; in the game, a door that moves opens walls of raised tiles around it.
    this._router = new Router(new Probe(world, { bodies: this._bodies }, engine), routing.bytes);
    this._within = columnsOf(routing.mins, routing.maxs);
    if (!engine) this._router.keep(this._within);
    // NaN is equal to no pose.
    this._poses = new Float32Array(POSE * models.length).fill(Number.NaN);
    this._boxes = new Int32Array(BOX * models.length);
    this._box = { minX: 0, minY: 0, maxX: -1, maxY: -1, top: 0 };
    this._checkWork(world);
    printAsString(this);
  }

  /**
   * Computes again what the models that have moved may have changed: around where they are, and around where they were. At the
   * first call, all of them count as moved. Allocates nothing.
   * @returns how many have moved.
   * @throws TypeError once the table's bytes have been transferred.
   */
  update(): number {
    checkThere(this.routing.bytes, 'bytes of the routing');
    let count = 0;
    // All of them may be in the way of what is computed for one.
    for (let k = 0; k < this._models.length; k++) {
      if (!this._hasMoved(k)) continue;
      count++;
      if (this._engine) this._follow(k);
    }
    for (let k = 0; k < this._models.length; k++) {
      if (!this._hasMoved(k)) continue;
      this._reroute(k);
      this._remember(k, this._bodies[k]!);
      this._reroute(k);
    }
    return count;
  }

  /** Throws unless the first update can be done in a reasonable time: for each model, what is around it is computed again. */
  private _checkWork(world: UfoaiWorld): void {
    const { minX, minY, maxX, maxY } = this._within;
    const { _box: box } = this;
    const work = new WorkCount(world, this._bodies);
    for (const body of this._bodies) {
      columnsOfBody(body, box);
      work.add({
        minX: Math.max(minX, box.minX),
        minY: Math.max(minY, box.minY),
        maxX: Math.min(maxX, box.maxX),
        maxY: Math.min(maxY, box.maxY),
      });
    }
  }

  private _follow(model: number): void {
    const { origin, angles } = this._models[model]!;
    const body = this._bodies[model]!;
    moveBody(body, origin, angles);
    body.engineReach.set(body.cube);
  }

  private _hasMoved(model: number): boolean {
    const { origin, angles } = this._models[model]!;
    const at = POSE * model;
    for (let k = 0; k < 3; k++) {
      if (this._poses[at + k] !== origin[k] || this._poses[at + 3 + k] !== angles[k]) return true;
    }
    return false;
  }

  private _remember(model: number, body: Body): void {
    const { _box: box } = this;
    this._poses.set(body.origin, POSE * model);
    this._poses.set(body.angles, POSE * model + 3);
    if (this._engine) columnsAsServer(body, box);
    else columnsOfBody(body, box);
    const at = BOX * model;
    this._boxes[at] = box.minX;
    this._boxes[at + 1] = box.minY;
    this._boxes[at + 2] = box.maxX;
    this._boxes[at + 3] = box.maxY;
    this._boxes[at + 4] = box.top;
  }

  /** Computes what is around the columns that the table has for a model; none at first. */
  private _reroute(model: number): void {
    const { _box: box, _boxes: boxes } = this;
    const at = BOX * model;
    if (Number.isNaN(this._poses[POSE * model])) return;
    box.minX = boxes[at]!;
    box.minY = boxes[at + 1]!;
    box.maxX = boxes[at + 2]!;
    box.maxY = boxes[at + 3]!;
    box.top = boxes[at + 4]!;
    if (this._engine) rerouteAsServer(this._router, box);
    else this._router.around(box, this._within);
  }

  /** @internal */
  toString(): string {
    return `UfoaiRerouter { models: ${this._models.length} }`;
  }
}

/**
 * The probe's boxes are turned with a body, and then reach this much farther than the cells of their actor, in Quake units: up to
 * 45.1 from their middle.
 */
const TURNED_REACH = 14;

/** Writes the columns that actors' boxes may meet a body in. */
function columnsOfBody(body: Body, box: { -readonly [side in keyof ColumnBox]: number }): void {
  const { bounds, origin, placement, reach } = body;
  for (let k = 0; k < 2; k++) {
    let low = reach[k]!;
    let high = reach[3 + k]!;
    if (placement.rotated) {
      let middle: number = origin[k]!;
      let half = TURNED_REACH;
      for (let axis = 0; axis < 3; axis++) {
        // The rows are forward, right and up; a body's own axes are forward, left and up.
        const part = placement.floats[P_ROWS + 3 * axis + k]! * (axis === 1 ? -0.5 : 0.5);
        middle += part * (bounds[3 + axis]! + bounds[axis]!);
        half += Math.abs(part) * (bounds[3 + axis]! - bounds[axis]!);
      }
      low = middle - half;
      high = middle + half;
    }
    box[k === 0 ? 'minX' : 'minY'] = columnOf(low);
    box[k === 0 ? 'maxX' : 'maxY'] = columnOf(high);
  }
}

/** The column at a coordinate; for one far beyond the world, a column that is beyond it too. */
const columnOf = (coordinate: number): number =>
  Math.floor(Math.max(-2 * WORLD_EDGE, Math.min(2 * WORLD_EDGE, coordinate)) / CELL_SIZE) + WORLD_CELLS / 2;

/**
 * Creates a rerouter, which keeps a routing table up to date with models that stand in soldiers' way: call `update` after placing
 * them. It writes what computing the whole table with all of them, where they stand, would give; in an assembly, whose table is
 * joined from those of its tiles, around the models. If a model is turned by pitch or roll, the boxes of actors turn with it.
 *
 * @param world - the models' world.
 * @param models - those that stand in the way: doors and breakables, not rescue zones. The list is copied.
 * @param routing - of the world: the table of its file, or of the joined tiles. It is changed in place.
 * @param options - whether to compute as the game's server does, for tables with the same bytes.
 * @throws TypeError for models of another world; for a table of another map, or one decoded from bytes that do not say which
 *   map it is of; and for anything other than a world, list or table. BspError (`limit`) where so many brushes are around the
 *   models that the first update would take hours.
 */
export function createRerouter(
  world: UfoaiWorld,
  models: readonly UfoaiModel[],
  routing: UfoaiRouting,
  options: RerouterOptions = {},
): UfoaiRerouter {
  checkWorld(world);
  checkList(models, 'models');
  checkModels(models, world._memory);
  checkRouting(routing);
  checkOptions(options, ['compat']);
  const engine = isEngine(options.compat);
  checkOrigin(world, routing);
  return new UfoaiRerouter(world, models, routing, engine);
}

/** Throws `TypeError` for a table of another map, or one that does not say which it is of. */
function checkOrigin(world: UfoaiWorld, { _origin: origin }: UfoaiRouting): void {
  if (origin === originOfWorld(world)) return;
  const got = origin === undefined ? 'one that does not say which map it is of' : 'that of another map';
  throw new TypeError(`routing must be the table of the world, got ${got}`);
}
