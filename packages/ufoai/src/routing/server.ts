import { P_ROWS, turnBack } from '@bspkit/brushes';
import { CELL_SIZE, LEVEL_COUNT, LEVEL_HEIGHT, WORLD_CELLS } from '../constants.ts';
import { type Body, WORLD_EDGE } from '../kernel/body.ts';
import { type Router, SIZES } from './router.ts';
import { DIRECTIONS, DX, DY } from './table.ts';

// What the game's dedicated server (2.5) computes again when a door moves. From its tables, with which it is compared.

const f = Math.fround;

/** Columns of a model, and the level of its highest point; `maxX` is below `minX` if there are none. */
export interface ServerBox {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
  top: number;
}

/** Middle and half size of a model, turned with it. */
const turnedMiddle = /* @__PURE__ */ new Float32Array(3);
const turnedHalf = /* @__PURE__ */ new Float32Array(3);

/**
 * Writes the columns that a body is in, as the server has it: those of the box between its turned lowest and highest corners, so
 * that parts of it may stick out. None for one that was taken off the map, which the game no longer asks about.
 */
export function columnsAsServer({ engineBounds: bounds, origin, placement }: Body, box: ServerBox): void {
  for (let k = 0; k < 3; k++) {
    turnedMiddle[k] = f(bounds[k]! + bounds[3 + k]!) * 0.5;
    turnedHalf[k] = bounds[3 + k]! - turnedMiddle[k]!;
  }
  if (placement.rotated) {
    turnBack(placement.floats, P_ROWS, turnedMiddle, 0);
    turnBack(placement.floats, P_ROWS, turnedHalf, 0);
  }
  let isGone = false;
  for (let k = 0; k < 3; k++) {
    const size = Math.abs(turnedHalf[k]!);
    const low = f((placement.rotated ? f(turnedMiddle[k]! - size) : bounds[k]!) + origin[k]!);
    const high = f((placement.rotated ? f(turnedMiddle[k]! + size) : bounds[3 + k]!) + origin[k]!);
    isGone ||= low >= WORLD_EDGE || high <= -WORLD_EDGE;
    if (k === 2) {
      box.top = Math.max(0, Math.min(LEVEL_COUNT - 1, Math.trunc(high / LEVEL_HEIGHT)));
    } else {
      box[k === 0 ? 'minX' : 'minY'] = columnOf(low);
      box[k === 0 ? 'maxX' : 'maxY'] = columnOf(high);
    }
  }
  if (isGone) box.maxX = box.minX - 1;
}

/** Rounds towards 0, as the server does. */
const columnOf = (coordinate: number): number =>
  Math.max(
    0,
    Math.min(
      WORLD_CELLS - 1,
      Math.trunc((Math.trunc(coordinate) + (WORLD_CELLS / 2) * CELL_SIZE) / CELL_SIZE),
    ),
  );

/**
 * Computes some columns again: floors from the level above `top` down, and steps that lead into these columns, without regard to
 * the map's bounds.
 */
export function rerouteAsServer(router: Router, { minX, minY, maxX, maxY, top }: ServerBox): void {
  if (maxX < minX) return;
  const last = WORLD_CELLS - 1;
  for (const size of SIZES) {
    const low = size - 1;
    for (let y = Math.max(0, minY - low); y <= Math.min(last, maxY + low); y++) {
      for (let x = Math.max(0, minX - low); x <= Math.min(last, maxX + low); x++) {
        router.floors(size, x, y, Math.min(LEVEL_COUNT - 1, top + 1));
      }
    }
  }
  for (const size of SIZES) {
    const low = size - 1;
    for (let y = Math.max(0, minY - size); y <= Math.min(last, maxY + size); y++) {
      for (let x = Math.max(0, minX - size); x <= Math.min(last, maxX + size); x++) {
        for (let direction = 0; direction < DIRECTIONS; direction++) {
          const dx = DX[direction]!;
          const dy = DY[direction]!;
          const leadsAway =
            (x < minX - low && dx <= 0) ||
            (x > maxX && dx >= 0) ||
            (y < minY - low && dy <= 0) ||
            (y > maxY && dy >= 0);
          if (!leadsAway) router.steps(size, x, y, direction);
        }
      }
    }
  }
}
