import { B_END, B_HEAD, B_HIGH, B_LOW, B_MAXS, B_MINS, B_START } from '../src/block';
import { QUANTA } from '../src/hot-layout';

// What precedes a walk, as in `walk.ts`.

/** Room around the move: the surface epsilon, and more than rounding to float32 can add to it within the limit below. */
export const CULL_ROOM: f32 = 0.125;
const CULL_LIMIT: f32 = 16384;
/** Bounds of references are in quarters of a unit. */
const GRID: f32 = 4;

/** Loads three numbers one by one: they were written that way, and a load of 16 bytes would wait until all have arrived. */
export function point(at: usize): v128 {
  let v = v128.load32_zero(at);
  v = v128.load_lane<f32>(at, v, 1, 4);
  return v128.load_lane<f32>(at, v, 2, 8);
}

/** Whether a move is near enough to the middle of the world for bounds to be trusted. */
export function isWithinReach(start: v128, end: v128): bool {
  const mins = f32x4.abs(v128.load(4 * B_MINS));
  const maxs = f32x4.abs(v128.load(4 * B_MAXS));
  const reach = f32x4.add(f32x4.add(f32x4.abs(start), f32x4.abs(end)), f32x4.add(mins, maxs));
  return i32x4.bitmask(f32x4.lt(reach, f32x4.splat(CULL_LIMIT))) === 15;
}

/** Bounds the move up to the best fraction so far. */
export function boundMove(): void {
  const start = v128.load(4 * B_START);
  const fraction = f32x4.splat(min<f32>(load<f32>(4 * B_HEAD), 1));
  const end = f32x4.add(start, f32x4.mul(fraction, f32x4.sub(v128.load(4 * B_END), start)));
  const room = f32x4.splat(CULL_ROOM);
  const low = f32x4.sub(f32x4.add(f32x4.pmin(start, end), v128.load(4 * B_MINS)), room);
  const high = f32x4.add(f32x4.add(f32x4.pmax(start, end), v128.load(4 * B_MAXS)), room);
  v128.store(4 * B_LOW, low);
  v128.store(4 * B_HIGH, high);
  const grid = f32x4.splat(GRID);
  const front = i32x4.neg(i32x4.trunc_sat_f32x4_s(f32x4.ceil(f32x4.mul(high, grid))));
  const back = i32x4.trunc_sat_f32x4_s(f32x4.floor(f32x4.mul(low, grid)));
  const least = i32x4.splat(-0x8000);
  const first = v128.shuffle<i32>(front, back, 0, 1, 2, 4);
  const second = v128.shuffle<i32>(back, least, 1, 2, 4, 4);
  v128.store(QUANTA, i16x8.narrow_i32x4_s(first, second));
}
