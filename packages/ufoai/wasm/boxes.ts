import { boundMove, CULL_ROOM, point } from '../../brushes/assembly/move';
import { walk } from '../../brushes/assembly/walk';
import {
  B_END,
  B_HEAD,
  B_HIGH,
  B_LOW,
  B_MAXS,
  B_MINS,
  B_START,
  R_ALL_SOLID,
  R_START_SOLID,
} from '../../brushes/src/block';
import { isStep } from '../../core/assembly/blockers';
import {
  B_FIRST,
  B_GIVEN_END,
  B_GIVEN_MAXS,
  B_GIVEN_MINS,
  B_GIVEN_START,
  B_SECOND,
  R_TILE,
  S_ANY_ALL_SOLID,
  S_ANY_START_SOLID,
  S_SELECTION,
} from '../src/kernel/block';
import {
  QUAD_BYTES,
  QUAD_END,
  QUAD_FIRST,
  QUAD_KEYS,
  QUAD_MAXS,
  TILE_BYTES,
  TILE_GROUPS,
  TILES,
  TILES_END,
} from '../src/wasm/layout';
import { enterWorld, stop } from './move';
import { aim, limitTo, meets } from './slabs';

// Tiles and their heads, as in `kernel/tiles.ts`, where the comments say what they do and why. Epsilons are doubles in
// the engine.

const TOUCH: f64 = 0.001;
/** Moves are short that go no farther than this along any axis. */
const SHORT: f32 = 64;
/** The fraction of the engine's answer if there was nothing to trace. */
export const NOTHING: f32 = 2;
/** The other kernel has to be asked. */
export const UNSURE = -1;

function clearRecord(at: usize, fraction: f32): void {
  v128.store(at, f32x4(fraction, 0, 0, 0));
  v128.store(at, i64x2(0, 0), 16);
  v128.store(at, i32x4(0, 0, -1, -1), 32);
  v128.store(at, i64x2(0, 0), 48);
}

function copyRecord(from: usize, to: usize): void {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
  v128.store(to, v128.load(from, 32), 32);
  v128.store(to, v128.load(from, 48), 48);
}

function rememberSolid(): void {
  const start = load<i32>(4 * S_ANY_START_SOLID) | load<i32>(4 * (B_HEAD + R_START_SOLID));
  store<i32>(4 * S_ANY_START_SOLID, start);
  const all = load<i32>(4 * S_ANY_ALL_SOLID) | load<i32>(4 * (B_HEAD + R_ALL_SOLID));
  store<i32>(4 * S_ANY_ALL_SOLID, all);
}

/** Whether bounds are compared with the move itself; those of a short one are compared with the box around it. */
let isLong: bool = false;

/** Which of four heads or groups have a selected key, a bit each. */
function chosenOf(quad: usize, selection: i32): i32 {
  const common = v128.and(v128.load(quad, QUAD_KEYS), i32x4.splat(selection));
  return i32x4.bitmask(i32x4.ne(common, i64x2(0, 0)));
}

/** Which of them the move comes near. */
function nearOf(quad: usize): i32 {
  if (isLong) {
    limitTo(load<f32>(4 * B_HEAD));
    return meets(quad);
  }
  return i32x4.bitmask(v128.or(v128.or(isApart(quad, 0), isApart(quad, 4)), isApart(quad, 8))) ^ 15;
}

/** Whether their bounds lie beyond the move's, along an axis, given as where it is in a vector, in bytes. */
function isApart(quad: usize, axis: usize): v128 {
  const after = f32x4.gt(v128.load(quad + 4 * axis), v128.load32_splat(axis, 4 * B_HIGH));
  const before = f32x4.lt(v128.load(quad + 4 * axis, QUAD_MAXS), v128.load32_splat(axis, 4 * B_LOW));
  return v128.or(after, before);
}

/** Takes aim with the move that has entered the world. */
function aimMove(): void {
  const start = v128.load(4 * B_START);
  const way = f32x4.sub(v128.load(4 * B_END), start);
  isLong = !isStep(start, v128.load(4 * B_END), SHORT);
  const room = f32x4.splat(CULL_ROOM);
  const greatest = f32x4.add(f32x4.add(start, v128.load(4 * B_MAXS)), room);
  const least = f32x4.sub(f32x4.add(start, v128.load(4 * B_MINS)), room);
  aim(greatest, least, way);
}

/**
 * Which of four to look at: those that the move comes near, and, if nothing has been looked at in the tile, the first. Even if that
 * is skipped, it would have found nothing, and the tile's record would have said so.
 */
function lanesOf(chosen: i32, near: i32, best: f32): i32 {
  return best === NOTHING ? near | (chosen & -chosen) : near;
}

/** Traces through the selected heads of a group, into a record. Returns the best fraction so far, or -1 if unsure. */
function traceGroup(group: usize, selection: i32, best: f32, into: usize): f32 {
  const last: usize = load<i32>(group, QUAD_END);
  for (let heads: usize = load<i32>(group, QUAD_FIRST); heads < last; heads += QUAD_BYTES) {
    const chosen = chosenOf(heads, selection);
    if (chosen === 0) continue;
    const near = nearOf(heads) & chosen;
    for (let lanes = lanesOf(chosen, near, best); lanes !== 0; lanes &= lanes - 1) {
      const lane: usize = ctz(lanes);
      if (((near >> <i32>lane) & 1) !== 0 && !walk<f64>(load<i32>(heads + 4 * lane, QUAD_FIRST), 0, TOUCH))
        return -1;
      const fraction = load<f32>(4 * B_HEAD);
      if (fraction >= best) continue;
      copyRecord(4 * B_HEAD, into);
      best = fraction;
      if (fraction === 0) return 0;
    }
  }
  return best;
}

/** Traces through the selected heads of a tile, into a record. Returns false if unsure. */
function traceTile(tile: usize, number: i32, into: usize): bool {
  const selection = load<i32>(4 * S_SELECTION);
  clearRecord(4 * B_HEAD, 1);
  boundMove();
  let best = NOTHING;
  const last: usize = load<i32>(tile, TILE_GROUPS + 4);
  for (let groups: usize = load<i32>(tile, TILE_GROUPS); groups < last && best !== 0; groups += QUAD_BYTES) {
    const chosen = chosenOf(groups, selection);
    if (chosen === 0) continue;
    const near = nearOf(groups) & chosen;
    for (let lanes = lanesOf(chosen, near, best); lanes !== 0 && best !== 0; lanes &= lanes - 1) {
      const lane: usize = ctz(lanes);
      if (((near >> <i32>lane) & 1) !== 0) best = traceGroup(groups + 4 * lane, selection, best, into);
      else {
        copyRecord(4 * B_HEAD, into);
        best = 1;
      }
      if (best < 0) return false;
    }
  }
  rememberSolid();
  if (best === NOTHING) clearRecord(into, NOTHING);
  store<i32>(into, number, 4 * R_TILE);
  return true;
}

/** Whether a tile's bounds are clear of both ends as given; touching is not clear. */
function isAway(tile: usize): bool {
  const start = point(4 * B_GIVEN_START);
  const end = point(4 * B_GIVEN_END);
  const mins = v128.load(4 * B_GIVEN_MINS);
  const maxs = v128.load(4 * B_GIVEN_MAXS);
  const high = f32x4.pmax(f32x4.add(start, maxs), f32x4.add(end, maxs));
  const low = f32x4.pmin(f32x4.add(start, mins), f32x4.add(end, mins));
  return v128.any_true(v128.or(f32x4.lt(high, v128.load(tile)), f32x4.gt(low, v128.load(tile, 16))));
}

/**
 * Traces the move as given through all tiles that it comes near, or through one of them. Returns the place of the record that is
 * the answer, or -1 if the other kernel has to be asked. `everywhere`: through tiles near or not.
 */
export function traceTiles(only: i32, everywhere: i32): i32 {
  store<i32>(4 * S_ANY_START_SOLID, 0);
  store<i32>(4 * S_ANY_ALL_SOLID, 0);
  let best: usize = 4 * B_FIRST;
  let next: usize = 4 * B_SECOND;
  let fraction = NOTHING;
  let entered = false;
  let number = 0;
  const last: usize = load<i32>(TILES_END);
  for (let tile: usize = load<i32>(TILES); tile < last; tile += TILE_BYTES, number++) {
    if (only >= 0 && number !== only) continue;
    if (everywhere === 0 && isAway(tile)) continue;
    if (!entered) {
      if (!enterWorld()) return UNSURE;
      aimMove();
    }
    entered = true;
    if (!traceTile(tile, number, next)) return UNSURE;
    if (everywhere !== 0 && only >= 0) {
      stop(load<f32>(next));
      return <i32>next >> 2;
    }
    if (load<f32>(next) >= fraction) continue;
    fraction = load<f32>(next);
    const worse = best;
    best = next;
    next = worse;
    if (fraction === 0) break;
  }
  if (fraction === NOTHING) clearRecord(best, NOTHING);
  else stop(fraction);
  return <i32>best >> 2;
}

/** Traces the prepared move through a tree, into the head's record. -1 if the other kernel has to be asked. */
export function traceTree(root: i32): i32 {
  boundMove();
  return walk<f64>(root, 0, TOUCH) ? 0 : UNSURE;
}
