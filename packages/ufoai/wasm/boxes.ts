import { boundMove, isOutOfWay, point } from '../../brushes/assembly/move';
import { walk } from '../../brushes/assembly/walk';
import { B_HEAD, R_ALL_SOLID, R_START_SOLID } from '../../brushes/src/block';
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
  ENTRY_BYTES,
  ENTRY_END,
  ENTRY_FIRST,
  ENTRY_KEY,
  TILE_BYTES,
  TILE_GROUPS,
  TILES,
  TILES_END,
} from '../src/wasm/layout';
import { enterWorld, stop } from './move';

// Tiles and their heads, as in `kernel/tiles.ts`, where the comments say what they do and why. Epsilons are doubles in
// the engine.

const TOUCH: f64 = 0.001;
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

/** Traces through the selected heads of a tile, into a record. Returns false if unsure. */
function traceTile(tile: usize, number: i32, into: usize): bool {
  const selection = load<i32>(4 * S_SELECTION);
  clearRecord(4 * B_HEAD, 1);
  boundMove();
  const lastGroup: usize = load<i32>(tile, TILE_GROUPS + 4);
  let best = NOTHING;
  for (let group: usize = load<i32>(tile, TILE_GROUPS); group < lastGroup; group += ENTRY_BYTES) {
    if ((load<i32>(group, ENTRY_KEY) & selection) === 0) continue;
    if (isOutOfWay(group)) {
      if (best === NOTHING) {
        copyRecord(4 * B_HEAD, into);
        best = 1;
      }
      continue;
    }
    const last: usize = load<i32>(group, ENTRY_END);
    for (let head: usize = load<i32>(group, ENTRY_FIRST); head < last; head += ENTRY_BYTES) {
      if ((load<i32>(head, ENTRY_KEY) & selection) === 0) continue;
      if (!isOutOfWay(head) && !walk<f64>(load<i32>(head, ENTRY_FIRST), 0, TOUCH)) return false;
      const fraction = load<f32>(4 * B_HEAD);
      if (fraction >= best) continue;
      copyRecord(4 * B_HEAD, into);
      best = fraction;
      if (fraction === 0) {
        group = lastGroup;
        break;
      }
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
 * the answer, or -1 if the other kernel has to be asked. `always`: through that one tile, near or not.
 */
export function traceTiles(only: i32, always: i32): i32 {
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
    if (always === 0 && isAway(tile)) continue;
    if (!entered && !enterWorld()) return UNSURE;
    entered = true;
    if (!traceTile(tile, number, next)) return UNSURE;
    if (always !== 0) {
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
