import {
  B_END,
  B_HEAD,
  B_START,
  boundMove,
  isOutOfWay,
  passesBy,
  R_ALL_SOLID,
  R_START_SOLID,
  S_CULL,
  S_STILL,
  traceHead,
} from '@bspkit/brushes';
import {
  BOX_GROUP_HEADS,
  BOX_GROUP_KEY,
  BOX_GROUP_WORDS,
  BOX_HEAD_BOUNDS,
  BOX_HEAD_KEY,
  BOX_HEAD_WORDS,
  TILE_BOX_GROUPS,
  TILE_MAXS,
  TILE_MINS,
  TILE_WORDS,
} from '../layout.ts';
import {
  B_CENTER,
  B_FIRST,
  B_GIVEN_END,
  B_GIVEN_MAXS,
  B_GIVEN_MINS,
  B_GIVEN_START,
  B_SECOND,
  B_STOP,
  R_TILE,
  S_ANY_ALL_SOLID,
  S_ANY_START_SOLID,
  S_SELECTION,
  S_WORLD_STILL,
} from './block.ts';
import { prepareMove, traceTree } from './box.ts';
import { clearRecord, copyRecord, type WorldMemory } from './memory.ts';

const f = Math.fround;

/** In Quake units, along any axis. */
const FAR = 64;

/** The fraction of the engine's answer when there was nothing to trace. */
export const NOTHING = 2;

/** Traces through one box head, with the whole move ahead: the head's record is the answer. */
export function traceOneHead(memory: WorldMemory, head: number): void {
  clearRecord(memory, B_HEAD);
  memory.box[B_HEAD] = 1;
  traceTree(memory, memory.ints[memory.places.boxHeads.first + BOX_HEAD_WORDS * head]!, head);
}

/**
 * Traces through the selected heads of a tile, in order: the record at `into` is the answer, with fraction 2 if there were no
 * heads. The head's record is carried over from head to head, and copied to the tile's only when the fraction drops, so that a
 * start in solid found without a hit is lost, as in the engine; `S_ANY_…` remember it.
 */
function traceTile(memory: WorldMemory, tile: number, into: number): void {
  const { ints, floats, places, box, boxState } = memory;
  const selection = boxState[S_SELECTION]!;
  clearRecord(memory, B_HEAD);
  box[B_HEAD] = 1;
  boundMove(memory);
  const cull = boxState[S_CULL] !== 0;
  const far = cull && goesFar(box);
  const range = places.tiles.first + TILE_WORDS * tile + TILE_BOX_GROUPS;
  const firstGroup = places.boxGroups.first + BOX_GROUP_WORDS * ints[range]!;
  const endGroup = firstGroup + BOX_GROUP_WORDS * ints[range + 1]!;
  // The least fraction is kept nowhere else: V8 14 boxes a variable that is NOTHING at first and a float later.
  box[into] = NOTHING;
  for (let group = firstGroup; group < endGroup; group += BOX_GROUP_WORDS) {
    if ((ints[group + BOX_GROUP_KEY]! & selection) === 0) continue;
    if (cull && isOutOfWay(floats, group, box)) {
      // If a first head was skipped, it would have found nothing, and the tile's record would have said so.
      if (box[into] === NOTHING) copyRecord(memory, B_HEAD, into);
      continue;
    }
    const first = places.boxHeads.first + BOX_HEAD_WORDS * ints[group + BOX_GROUP_HEADS]!;
    const end = first + BOX_HEAD_WORDS * ints[group + BOX_GROUP_HEADS + 1]!;
    for (let head = first; head < end; head += BOX_HEAD_WORDS) {
      if ((ints[head + BOX_HEAD_KEY]! & selection) === 0) continue;
      const bounds = head + BOX_HEAD_BOUNDS;
      const isClear = (cull && isOutOfWay(floats, bounds, box)) || (far && passesBy(floats, bounds, box));
      if (!isClear) traceHead(memory, ints[head]!);
      const fraction = box[B_HEAD]!;
      if (fraction >= box[into]!) continue;
      copyRecord(memory, B_HEAD, into);
      if (fraction === 0) {
        group = endGroup;
        break;
      }
      if (fraction < 1) boundMove(memory);
    }
  }
  rememberSolid(boxState);
  if (box[into] === NOTHING) clearRecord(memory, into);
  boxState[into + R_TILE] = tile;
}

/** Whether the move is so long that comparing it with bounds is worth more than it takes. */
function goesFar(box: Float32Array): boolean {
  for (let k = 0; k < 3; k++) if (Math.abs(box[B_END + k]! - box[B_START + k]!) > FAR) return true;
  return false;
}

/** Keeps what the head's record says about the start, whatever happens to the record. */
export function rememberSolid(boxState: Int32Array): void {
  boxState[S_ANY_START_SOLID]! |= boxState[B_HEAD + R_START_SOLID]!;
  boxState[S_ANY_ALL_SOLID]! |= boxState[B_HEAD + R_ALL_SOLID]!;
}

/** Whether both ends are strictly beyond the same side of a tile's bounds. */
function isAway({ floats, places, box }: WorldMemory, tile: number): boolean {
  const at = places.tiles.first + TILE_WORDS * tile;
  return isAxisAway(floats, at, box, 0) || isAxisAway(floats, at, box, 1) || isAxisAway(floats, at, box, 2);
}

function isAxisAway(floats: Float32Array, tile: number, box: Float32Array, axis: number): boolean {
  const low = floats[tile + TILE_MINS + axis]!;
  const high = floats[tile + TILE_MAXS + axis]!;
  const mins = box[B_GIVEN_MINS + axis]!;
  const maxs = box[B_GIVEN_MAXS + axis]!;
  const start = box[B_GIVEN_START + axis]!;
  const end = box[B_GIVEN_END + axis]!;
  return (f(start + maxs) < low && f(end + maxs) < low) || (f(start + mins) > high && f(end + mins) > high);
}

/** Puts the ends as given in front of the box's middle, for traces through the world. */
export function enterWorld(memory: WorldMemory): void {
  const { box, boxState } = memory;
  box[B_START] = box[B_GIVEN_START]!;
  box[B_START + 1] = box[B_GIVEN_START + 1]!;
  box[B_START + 2] = box[B_GIVEN_START + 2]!;
  box[B_END] = box[B_GIVEN_END]!;
  box[B_END + 1] = box[B_GIVEN_END + 1]!;
  box[B_END + 2] = box[B_GIVEN_END + 2]!;
  prepareMove(memory);
  boxState[S_WORLD_STILL] = boxState[S_STILL]!;
}

/**
 * Traces the move as given through tiles with whichever kernel runs; returns the place of the record that is the answer.
 * @param only - the tile; -1 for all.
 * @param everywhere - trace through tiles even if the move does not come near them.
 */
export function traceWorld(memory: WorldMemory, only: number, everywhere: boolean): number {
  const { hotBoxes, boxState } = memory;
  if (hotBoxes) {
    const record = hotBoxes.traceTiles(only, everywhere ? 1 : 0);
    if (record >= 0) return record;
  }
  boxState[S_ANY_START_SOLID] = 0;
  boxState[S_ANY_ALL_SOLID] = 0;
  let record = B_FIRST;
  if (everywhere && only >= 0) {
    enterWorld(memory);
    traceTile(memory, only, record);
  } else record = traceTiles(memory, only, everywhere);
  stopInWorld(memory, record);
  return record;
}

/**
 * Writes where the move through the world stopped, according to a record. The engine moves the middle of the box, so even the end
 * of a free move may come back changed by rounding.
 */
export function stopInWorld({ box, boxState }: WorldMemory, record: number): void {
  const fraction = box[record]!;
  const still = boxState[S_WORLD_STILL] !== 0;
  for (let k = 0; k < 3; k++) {
    const center = box[B_CENTER + k]!;
    const start = box[B_START + k]!;
    const end = box[B_END + k]!;
    const stop = fraction >= 1 ? end : f(start + f(fraction * f(end - start)));
    box[B_STOP + k] = still ? box[B_GIVEN_START + k]! : stop - center;
  }
}

/**
 * Traces the move as given through all tiles, or one of them, that it comes near, or `everywhere`; returns the place of the record
 * that is the answer.
 * @param only - the tile; -1 for all.
 */
function traceTiles(memory: WorldMemory, only: number, everywhere: boolean): number {
  const { box, places } = memory;
  let best = B_FIRST;
  let next = B_SECOND;
  box[best] = NOTHING;
  let entered = false;
  for (let tile = 0; tile < places.tiles.count; tile++) {
    if ((only >= 0 && tile !== only) || (!everywhere && isAway(memory, tile))) continue;
    if (!entered) enterWorld(memory);
    entered = true;
    traceTile(memory, tile, next);
    if (box[next]! >= box[best]!) continue;
    best = next;
    next = B_FIRST + B_SECOND - best;
    if (box[best] === 0) break;
  }
  if (box[best] === NOTHING) clearRecord(memory, best);
  return best;
}
