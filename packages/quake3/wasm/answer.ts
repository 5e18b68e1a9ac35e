import {
  ALL_ALL_SOLID,
  ALL_BRUSH,
  ALL_CONTENTS,
  ALL_DIST,
  ALL_END_POS,
  ALL_FRACTION,
  ALL_MODEL,
  ALL_NORMAL,
  ALL_PATCH,
  ALL_PLANE,
  ALL_SIDE,
  ALL_START_SOLID,
  ALL_SURFACE_FLAGS,
  ALL_TEXTURE,
  AXIAL_BIT,
  BRUSH,
  CONTENTS,
  DIST,
  END_POS,
  FLAGS_SIDE,
  FRACTION,
  MODEL,
  NORMAL,
  NORMAL_LANE,
  PATCH,
  PLANE,
  SET_MOVES,
  SET_NUMBER,
  SET_ROTATED,
  SET_ROWS,
  SHADER_STRIDE,
  SHADERS,
  SIDE,
  SIDE_PLANE,
  SIDE_SHADER,
  SIDE_STRIDE,
  SIDES,
  SIGN_BITS,
  SOLID,
  SURFACE_FLAGS,
  TEXTURE,
} from '../src/wasm/layout';
import { three } from './setup';

// Completes what a trace has found, once it is done.

/** Bits that a trace returns: whether the answer is anything but "nothing hit", and whether what was hit is in the way. */
export const MET = 1;
export const BLOCKED = 2;
/** And whether there are brushes to be examined that may be blockers. */
export const NOTED = 4;

/** Those bits for the trace just done. */
export function outcome(): i32 {
  // A point that touches a patch at the very end of its move has the patch's normal and nothing else. NORMAL is loaded together
  // with DIST, which follows it.
  if (load<f32>(FRACTION) < 1) return MET | BLOCKED;
  if (load<i32>(SOLID) !== 0) return MET | BLOCKED;
  return v128.any_true(v128.load(NORMAL)) ? MET : 0;
}

/** Whether there is nothing to complete. Against a model the engine computes the end even of an unhindered move. */
export function isPlainMiss(met: i32): bool {
  return met === 0 && load<i32>(SET_MOVES) === 0;
}

function sideAt(side: i32): i32 {
  return load<i32>(SIDES) + SIDE_STRIDE * side;
}

function shaderOf(side: i32): i32 {
  return load<i32>(sideAt(side), SIDE_SHADER) >> SIGN_BITS;
}

const ONE = 0x3f800000;

/** Stores normal and distance of the side that was hit, from a lane of a block or from a brush's bounds. */
function storePlane(lane: usize, side: i32): void {
  if ((lane & AXIAL_BIT) === 0) {
    store<f32>(NORMAL, load<f32>(lane));
    store<f32>(NORMAL, load<f32>(lane, 16), 4);
    store<f32>(NORMAL, load<f32>(lane, 32), 8);
    store<f32>(DIST, load<f32>(lane, 48));
    return;
  }
  const signs = load<i32>(sideAt(side), SIDE_SHADER);
  store<i32>(NORMAL, signs << 31);
  store<i32>(NORMAL, (signs << 30) & -0x80000000, 4);
  store<i32>(NORMAL, (signs << 29) & -0x80000000, 8);
  const bound = lane - AXIAL_BIT;
  // The bounds of a side and its opposite are 16 bytes apart.
  const component = NORMAL + <i32>(bound & 12);
  store<i32>(component, load<i32>(component) | ONE);
  store<f32>(DIST, load<f32>(bound));
}

/** Stores the first three numbers of a vector. */
function storeThree(at: usize, v: v128): void {
  v128.store64_lane(at, v, 0);
  v128.store32_lane(at, v, 2, 8);
}

/** Works out the parts of the answer that follow from the rest, for a move as given. */
export function complete(move: usize): void {
  const fraction = load<f32>(FRACTION);
  const start = three(move);
  let end = three(move + 12);
  // The computed end of an unhindered move may differ from its end by rounding.
  if (fraction !== 1 || load<i32>(SET_MOVES) !== 0) {
    end = f32x4.add(start, f32x4.mul(f32x4.splat(fraction), f32x4.sub(end, start)));
  }
  storeThree(END_POS, end);
  const flagsSide = load<i32>(FLAGS_SIDE);
  const lane = load<i32>(NORMAL_LANE);
  if (lane >= 0) storePlane(lane, flagsSide);
  if (load<i32>(SET_ROTATED) !== 0 && fraction !== 1) {
    const x = f32x4.mul(v128.load(SET_ROWS), v128.load32_splat(NORMAL));
    const y = f32x4.mul(v128.load(SET_ROWS + 16), v128.load32_splat(NORMAL + 4));
    const z = f32x4.mul(v128.load(SET_ROWS + 32), v128.load32_splat(NORMAL + 8));
    storeThree(NORMAL, f32x4.add(f32x4.add(x, y), z));
  }
  if (flagsSide >= 0) {
    store<i32>(SURFACE_FLAGS, load<i32>(load<i32>(SHADERS) + SHADER_STRIDE * shaderOf(flagsSide)));
  }
  const side = load<i32>(SIDE);
  const patch = load<i32>(PATCH);
  store<i32>(MODEL, (load<i32>(BRUSH) & patch) === -1 ? -1 : load<i32>(SET_NUMBER));
  let plane = -1;
  if (side >= 0) {
    plane = load<i32>(sideAt(side), SIDE_PLANE);
    store<i32>(TEXTURE, shaderOf(side));
  } else if (patch < 0) store<i32>(TEXTURE, -1);
  store<i32>(PLANE, plane);
}

/** Stores the completed answer in a batch's arrays. */
export function storeHit(number: i32): void {
  const word = 4 * number;
  const vector = 12 * number;
  store<f32>(word, load<f32>(FRACTION), ALL_FRACTION);
  storeThree(vector + ALL_END_POS, three(END_POS));
  storeThree(vector + ALL_NORMAL, three(NORMAL));
  store<f32>(word, load<f32>(DIST), ALL_DIST);
  const solid = load<i32>(SOLID);
  store<u8>(number, solid !== 0 ? 1 : 0, ALL_START_SOLID);
  store<u8>(number, solid === 3 ? 1 : 0, ALL_ALL_SOLID);
  store<i32>(word, load<i32>(CONTENTS), ALL_CONTENTS);
  store<i32>(word, load<i32>(SURFACE_FLAGS), ALL_SURFACE_FLAGS);
  store<i32>(word, load<i32>(MODEL), ALL_MODEL);
  store<i32>(word, load<i32>(BRUSH), ALL_BRUSH);
  store<i32>(word, load<i32>(SIDE), ALL_SIDE);
  store<i32>(word, load<i32>(TEXTURE), ALL_TEXTURE);
  store<i32>(word, load<i32>(PATCH), ALL_PATCH);
  store<i32>(word, load<i32>(PLANE), ALL_PLANE);
}

/** Fills this many words of memory, rounded up to a multiple of four. */
function fill(at: usize, words: i32, v: v128): void {
  const end = at + 4 * words;
  for (; at < end; at += 16) v128.store(at, v);
}

/** Sets the answers of a batch to "nothing hit", except for where the moves end. Most of a player's steps need no more. */
export function clearAnswers(count: i32): void {
  const zero = i32x4.splat(0);
  const none = i32x4.splat(-1);
  fill(ALL_FRACTION, count, f32x4.splat(1));
  fill(ALL_NORMAL, 3 * count, zero);
  fill(ALL_DIST, count, zero);
  fill(ALL_CONTENTS, count, zero);
  fill(ALL_SURFACE_FLAGS, count, zero);
  fill(ALL_MODEL, count, none);
  fill(ALL_BRUSH, count, none);
  fill(ALL_SIDE, count, none);
  fill(ALL_TEXTURE, count, none);
  fill(ALL_PATCH, count, none);
  fill(ALL_PLANE, count, none);
  fill(ALL_START_SOLID, (count + 3) >> 2, zero);
  fill(ALL_ALL_SOLID, (count + 3) >> 2, zero);
}

/** Stores the end of a move that met nothing. */
export function storeEnd(number: i32, move: usize): void {
  storeThree(12 * number + ALL_END_POS, three(move + 12));
}
