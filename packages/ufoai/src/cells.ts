import type { Tracer, Vec3 } from '@bspkit/core';
import {
  checkFinite,
  checkKind,
  checkList,
  checkNumber,
  checkOptions,
  checkPoint,
} from '@bspkit/core/format';
import { ALL_LEVELS, CELL_SIZE, LEVEL_COUNT, LEVEL_HEIGHT, WORLD_CELLS } from './constants.ts';
import { checkWorld } from './given.ts';
import { LINE_FILTER, type LineFilter, type UfoaiLineTracer } from './line-tracer.ts';
import type { UfoaiWorld } from './world.ts';

/** A cell: x and y in 0..255, z (its level, counted from 0) in 0..7. */
export type Cell = readonly [x: number, y: number, z: number];

/** A box around the traced point, in Quake units. */
export interface ActorBox {
  readonly mins: readonly [number, number, number];
  readonly maxs: readonly [number, number, number];
}

const actorBox = (height: number): ActorBox => ({ mins: [-9, -9, -24], maxs: [9, 9, height] });

/** A standing actor's box around its middle, which is that of its cell plus the height of the floor, in Quake units. */
export const ACTOR_STANDING: ActorBox = /* @__PURE__ */ actorBox(20);
/** A crouching actor's box around its middle, in Quake units. */
export const ACTOR_CROUCHING: ActorBox = /* @__PURE__ */ actorBox(5);
/** Height of a standing actor's eyes above its middle, in Quake units. */
export const EYE_STANDING = 15;
/** Height of a crouching actor's eyes above its middle, in Quake units. */
export const EYE_CROUCHING = 3;
/** Half the width of the torso that path finding moves for an actor of one cell, in Quake units. */
export const TORSO_HALF_WIDTH: number = 16 - 5 - 1 / 32;
/** Half the width of the torso that path finding moves for an actor of two by two cells, in Quake units. */
export const BIG_TORSO_HALF_WIDTH: number = 32 - 5 - 1 / 32;
/** Half the width of the feet that path finding moves, in Quake units. */
export const FEET_HALF_WIDTH: number = 2 - 1 / 32;

/**
 * The middle of a cell, in Quake units.
 * @throws RangeError for a cell outside the world.
 */
export function cellToWorld(cell: ArrayLike<number>): [number, number, number] {
  checkCell(cell, 'cell');
  const half = WORLD_CELLS / 2;
  return [
    (cell[0]! - half) * CELL_SIZE + CELL_SIZE / 2,
    (cell[1]! - half) * CELL_SIZE + CELL_SIZE / 2,
    cell[2]! * LEVEL_HEIGHT + LEVEL_HEIGHT / 2,
  ];
}

/**
 * The cell that contains a point; for points outside the world, the nearest cell.
 * @throws RangeError for a point that is not finite.
 */
export function worldToCell(point: Vec3): [number, number, number] {
  checkPoint(point, 'point');
  const within = (value: number, count: number): number =>
    Math.max(0, Math.min(count - 1, Math.floor(value)));
  const half = WORLD_CELLS / 2;
  return [
    within(point[0]! / CELL_SIZE + half, WORLD_CELLS),
    within(point[1]! / CELL_SIZE + half, WORLD_CELLS),
    within(point[2]! / LEVEL_HEIGHT, LEVEL_COUNT),
  ];
}

/**
 * The level (1 to 8) at a height in Quake units; heights below belong to level 1, heights above to level 8. Throws
 * `RangeError` unless it is finite.
 */
export function levelOf(z: number): number {
  checkFinite(z, 'z');
  return Math.max(1, Math.min(LEVEL_COUNT, Math.floor(z / LEVEL_HEIGHT) + 1));
}

/** The mask of all levels that a move between two heights passes, including those of both ends. */
export function levelsBetween(z0: number, z1: number): number {
  checkFinite(z0, 'z0');
  checkFinite(z1, 'z1');
  const [low, high] = [levelOf(Math.min(z0, z1)), levelOf(Math.max(z0, z1))];
  return ((1 << high) - 1) & ~((1 << (low - 1)) - 1) & ALL_LEVELS;
}

/**
 * How an eye looks at a target. Heights are above the middle of a cell, in Quake units. If you pass a tracer, it has its own
 * filter.
 */
export interface CellSightOptions extends LineFilter {
  /** Height of the eye; `EYE_STANDING`, 15, by default. */
  readonly eye?: number | undefined;
  /** Heights of the target that are looked at; by default head, middle and legs of a standing actor: 15, -2, -20. */
  readonly heights?: readonly number[] | undefined;
}

const LOOK_OPTIONS: readonly string[] = ['eye', 'heights'] satisfies (keyof CellSightOptions)[];
const SIGHT_OPTIONS: readonly string[] = [...LOOK_OPTIONS, ...LINE_FILTER];

/** Head, middle and legs of a standing actor. */
const TARGET_HEIGHTS: readonly number[] = [EYE_STANDING, -2, -20];

/** One tracer per world, made at the first call. */
const tracers: WeakMap<UfoaiWorld, UfoaiLineTracer> = /* @__PURE__ */ new WeakMap();

/**
 * Whether an actor in one cell sees one in another: the share of the target's heights that the eye sees, 0 to 1. All levels are
 * looked at by default, as in the game: walls do not always have the level that they stand on, so with a mask of the levels
 * between the two, one could see through some. The game itself looks at other points, and counts them otherwise:
 * {@link actorSight} is its test. Its actors stand on the floors of their cells, which this does not know: add their heights to
 * `eye` and `heights`.
 *
 * @param world - or a tracer to look with: a line with models, `world.line({ models: doors })`, or one of a scene, whose bodies
 *   are in the way too. So are the two actors themselves if they are bodies: have the line `ignore` both.
 * @throws RangeError for a cell outside the world, levels that are not a number of 32 bits, or no heights; TypeError for filter
 *   options together with a tracer, which has its own.
 */
export function cellSight(
  world: UfoaiWorld | Tracer,
  from: Cell,
  to: Cell,
  options: CellSightOptions = {},
): number {
  const given = isTracer(world);
  if (!given) checkWorld(world, 'a UfoaiWorld or a tracer');
  checkOptions(options, given ? LOOK_OPTIONS : SIGHT_OPTIONS);
  const { eye = EYE_STANDING, heights = TARGET_HEIGHTS } = options;
  checkFinite(eye, 'eye');
  checkList(heights, 'heights');
  for (const [k, height] of heights.entries()) checkFinite(height, `heights[${k}]`);
  if (heights.length === 0) throw new RangeError('heights must be one or more');
  checkCell(from, 'from');
  checkCell(to, 'to');
  const tracer = given ? world : lineOf(world).set(filterOf(options));
  const start = cellToWorld(from);
  start[2] += eye;
  const end = cellToWorld(to);
  const middle = end[2];
  let seen = 0;
  for (const height of heights) {
    end[2] = middle + height;
    if (!tracer.blocked(start, end)) seen++;
  }
  return seen / heights.length;
}

export const isTracer = (world: UfoaiWorld | Tracer): world is Tracer =>
  typeof (world as Partial<Tracer> | undefined)?.blocked === 'function';

/** What stops sight if nothing else is said. */
export const SIGHT_FILTER: Required<LineFilter> = {
  levels: ALL_LEVELS,
  actorClip: false,
  weaponClip: false,
  lightClip: false,
};

const filterOf = ({
  levels = ALL_LEVELS,
  actorClip = false,
  weaponClip = false,
  lightClip = false,
}: LineFilter): LineFilter => ({ levels, actorClip, weaponClip, lightClip });

/** The line of a world that is kept for sight; its filter is that of the latest use. */
export function lineOf(world: UfoaiWorld): UfoaiLineTracer {
  let tracer = tracers.get(world);
  if (!tracer) {
    tracer = world.line();
    tracers.set(world, tracer);
  }
  return tracer;
}

/** Throws `TypeError` for anything but three numbers, and `RangeError` for a cell outside the world. */
export function checkCell(cell: ArrayLike<number>, name: string): void {
  checkKind(typeof cell === 'object' && cell !== null, cell, name, 'three numbers');
  for (let k = 0; k < 3; k++) {
    const count = k === 2 ? LEVEL_COUNT : WORLD_CELLS;
    const number = cell[k]!;
    // Names are only needed in errors.
    if (!(Number.isInteger(number) && number >= 0 && number < count))
      checkNumber(number, `${name}[${k}]`, count);
  }
}
