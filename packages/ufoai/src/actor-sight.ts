import type { Tracer } from '@bspkit/core';
import { checkChoice, checkFinite, checkObject, failArgument } from '@bspkit/core/format';
import {
  type Cell,
  checkCell,
  EYE_CROUCHING,
  EYE_STANDING,
  isTracer,
  lineOf,
  SIGHT_FILTER,
} from './cells.ts';
import { CELL_SIZE, LEVEL_HEIGHT, WORLD_CELLS } from './constants.ts';
import { checkWorld } from './given.ts';
import { cellIndex, checkRouting, LEVEL_QUANTS, QUANT, type UfoaiRouting } from './routing/table.ts';
import type { UfoaiWorld } from './world.ts';

// From the lines that the game's dedicated server (2.5) asks for, and its answers, with which it is compared.

const f = Math.fround;

/** How an actor holds itself. */
export type Stance = 'standing' | 'crouching' | 'dead';

/** An actor that looks, or is looked at. It may have more fields than these. */
export interface SightActor {
  /** Where it is; of an actor of two by two cells, the cell with the lowest x and y. */
  readonly cell: Cell;
  /** `standing` by default. */
  readonly stance?: Stance | undefined;
  /** 1 by default; 2 for actors of two by two cells. */
  readonly size?: 1 | 2 | undefined;
  /**
   * Height that it looks from, above its middle, in Quake units; by default, that of its eyes: 15, or 3 if it is crouching. For
   * some of its decisions, the game looks from 0.
   */
  readonly eye?: number | undefined;
}

const STANCES: readonly Stance[] = ['standing', 'crouching', 'dead'];
const CROUCHING = 1;

/** Heights of the highest point that is looked at, above an actor's middle, by stance. */
const HIGHEST: readonly number[] = [20, 3, -12];
/** How much lower the next point is, by stance; of the dead, only one is looked at. */
const LOWER: readonly number[] = [20, 12, 0];
/** How far the first and the last point are from the middle, to each side. */
const ASIDE = 7;

const start = /* @__PURE__ */ new Float32Array(3);
const end = /* @__PURE__ */ new Float32Array(3);
/** A number, and its bits. */
const word = /* @__PURE__ */ (() => {
  const bits = new Int32Array(1);
  return { bits, float: new Float32Array(bits.buffer) };
})();

/**
 * How much an actor sees of another, as the game's server (2.5) counts it: lines from the eyes to three points, the first beside the
 * target's head, the last beside its feet on the other side; 0.1 if one of them is in sight, 0.5 for two, 1 for all. The dead have
 * one point: 0 or 1. Anything above 0 is what the game shows. Actors stand on the floors of their cells, which the routing table
 * has. Neither smoke, nor distance, nor where the actor looks counts here; in the game they do. Allocates nothing.
 *
 * @param world - or a tracer to look with: a line with models, `world.line({ models: doors })`, or one of a scene, whose bodies
 *   are in the way too. So are the two actors themselves if they are bodies: have the line `ignore` both.
 * @param routing - of the world, with its doors as they stand.
 * @param from - who looks.
 * @param to - who is looked at.
 * @throws RangeError for a cell outside the world, an unknown stance or size, or an eye that is not finite; TypeError for anything
 *   else that is not what it should be.
 */
export function actorSight(
  world: UfoaiWorld | Tracer,
  routing: UfoaiRouting,
  from: SightActor,
  to: SightActor,
): 0 | 0.1 | 0.5 | 1 {
  const given = isTracer(world);
  if (!given) checkWorld(world, 'a UfoaiWorld or a tracer');
  checkRouting(routing);
  const looking = checkActor(from, true);
  const stance = checkActor(to, false);
  const { eye = looking === CROUCHING ? EYE_CROUCHING : EYE_STANDING } = from;
  const tracer = given ? world : lineOf(world).set(SIGHT_FILTER);
  place(routing, from, start);
  place(routing, to, end);
  // Across the line between the two, as long as the points are beside the middle.
  const x = f(start[1]! - end[1]!);
  const y = f(end[0]! - start[0]!);
  word.float[0] = f(x * x) + f(y * y);
  // For one who is straight above the other, the server divides by 0, and answers whatever comes out. Here, it stays 0.
  if (x !== 0 || y !== 0) invertRoot();
  const scale = word.float[0]!;
  const asideX = f(ASIDE * f(x * scale));
  const asideY = f(ASIDE * f(y * scale));
  const lower = LOWER[stance]!;
  const points = lower === 0 ? 1 : 3;
  const fromX = start[0]!;
  const fromY = start[1]!;
  const fromZ = f(start[2]! + eye);
  let toX = f(end[0]! - asideX);
  let toY = f(end[1]! - asideY);
  let toZ = f(end[2]! + HIGHEST[stance]!);
  let seen = 0;
  for (let point = 0; point < points; point++) {
    // Each time anew: a collider of the caller's own may have asked what other actors see.
    start[0] = fromX;
    start[1] = fromY;
    start[2] = fromZ;
    end[0] = toX;
    end[1] = toY;
    end[2] = toZ;
    if (!tracer.blocked(start, end)) seen++;
    toX = f(toX + asideX);
    toY = f(toY + asideY);
    toZ = f(toZ - lower);
  }
  if (lower === 0) return seen as 0 | 1;
  // A fraction read from an array would be boxed; these are constants.
  return seen === 0 ? 0 : seen === 1 ? 0.1 : seen === 2 ? 0.5 : 1;
}

/** Writes an actor's middle. */
function place({ actors }: UfoaiRouting, { cell, size = 1 }: SightActor, out: Float32Array): void {
  const floor = actors[size - 1]!.floors[cellIndex(cell[0], cell[1], cell[2])]!;
  const half = WORLD_CELLS / 2;
  out[0] = (cell[0] - half) * CELL_SIZE + (CELL_SIZE / 2) * size;
  out[1] = (cell[1] - half) * CELL_SIZE + (CELL_SIZE / 2) * size;
  out[2] = cell[2] * LEVEL_HEIGHT + LEVEL_HEIGHT / 2 + QUANT * Math.max(0, Math.min(LEVEL_QUANTS, floor));
}

/** Throws for anything but an actor. Returns the number of its stance. */
function checkActor(actor: SightActor, from: boolean): number {
  checkObject(actor, from ? 'from' : 'to', 'an actor, with a cell');
  const { stance = 'standing', size = 1, eye = 0 } = actor;
  checkCell(actor.cell, from ? 'from.cell' : 'to.cell');
  checkChoice(stance, from ? 'from.stance' : 'to.stance', STANCES);
  if (size !== 1 && size !== 2) failArgument(from ? 'from.size' : 'to.size', '1 or 2', size);
  checkFinite(eye, from ? 'from.eye' : 'to.eye');
  return STANCES.indexOf(stance);
}

/**
 * Puts one over its square root in the place of a number, as the program of the game approximates it: some last bits are off. As
 * an argument or a return value, it would be boxed.
 */
function invertRoot(): void {
  const { bits, float } = word;
  const half = f(float[0]! * 0.5);
  bits[0] = 0x5f3759df - (bits[0]! >> 1);
  let root = float[0]!;
  for (let step = 0; step < 2; step++) root = f(root * f(1.5 - f(f(root * root) * half)));
  float[0] = root;
}
