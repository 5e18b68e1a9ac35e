import { isWithinReach, point } from '../../brushes/assembly/move';
import { B_END, B_START, S_CULL, S_STILL } from '../../brushes/src/block';
import { B_CENTER, B_GIVEN_END, B_GIVEN_START, B_STOP, S_WORLD_STILL } from '../src/kernel/block';

// What precedes and follows a walk, as in `kernel/tiles.ts`.

/** The engine takes numbers that are closer than this to be equal. */
const EQUAL: f32 = 1e-10;
/** Moves the ends as given to the box's middle. Returns false if they are too far out for the bounds. */
export function enterWorld(): bool {
  const center = v128.load(4 * B_CENTER);
  const start = f32x4.add(point(4 * B_GIVEN_START), center);
  const end = f32x4.add(point(4 * B_GIVEN_END), center);
  v128.store(4 * B_START, start);
  v128.store(4 * B_END, end);
  if (!isWithinReach(start, end)) return false;
  const still = i32x4.bitmask(f32x4.lt(f32x4.abs(f32x4.sub(start, end)), f32x4.splat(EQUAL))) === 15;
  store<i32>(4 * S_STILL, still ? 1 : 0);
  store<i32>(4 * S_WORLD_STILL, still ? 1 : 0);
  store<i32>(4 * S_CULL, 1);
  return true;
}

/** Stores where the point as given stops, if a move through the world stops at this fraction. */
export function stop(fraction: f32): void {
  if (load<i32>(4 * S_WORLD_STILL) !== 0) {
    v128.store(4 * B_STOP, point(4 * B_GIVEN_START));
    return;
  }
  const start = v128.load(4 * B_START);
  let end = v128.load(4 * B_END);
  if (fraction < 1) end = f32x4.add(start, f32x4.mul(f32x4.splat(fraction), f32x4.sub(end, start)));
  v128.store(4 * B_STOP, f32x4.sub(end, v128.load(4 * B_CENTER)));
}
