import { SECTIONS, TILE_BOX_GROUPS, TILE_BOX_HEADS, TILE_MAXS, TILE_MINS } from '../layout.ts';
import { boundMove, prepareMove, traceHead } from './box.ts';
import { isOutOfWay } from './brush.ts';
import {
  B_END,
  B_GIVEN_END,
  B_GIVEN_MAXS,
  B_GIVEN_MINS,
  B_GIVEN_START,
  B_HEAD,
  B_START,
  B_TILE,
  B_WORLD,
  clearRecord,
  copyRecord,
  R_ALL_SOLID,
  R_START_SOLID,
  R_TILE,
  S_ANY_ALL_SOLID,
  S_ANY_START_SOLID,
  S_CULL,
  S_HEAD,
  S_STILL,
  S_TILE,
  S_WORLD,
  S_WORLD_STILL,
  type WorldMemory,
} from './memory.ts';

const f = Math.fround;

/** The fraction of the engine's answer when there was nothing to trace. */
export const NOTHING = 2;

/** Which box heads a tracer goes through: those of some levels. */
export interface LevelSelection {
  /** Level bits as given, with any others: the engine tests whether mask and level share a bit. */
  mask: number;
  /** For each tile the first head that is selected, by its number among all tiles'; -1 for none. */
  readonly firstHead: Int32Array;
}

/** Whether a box's mask selects a level: always 0 and the clips; with a mask of 0 all. */
export function selects(mask: number, level: number): boolean {
  return level === 0 || level > 255 || mask === 0 || (level & mask) !== 0;
}

/** Room for a selection of a world's levels. */
export function createLevelSelection({ places }: WorldMemory): LevelSelection {
  return { mask: 0, firstHead: new Int32Array(places.tiles.count) };
}

/** Selects levels: finds each tile's first selected head. Allocates nothing. */
export function selectLevels({ ints, places }: WorldMemory, mask: number, out: LevelSelection): void {
  out.mask = mask;
  for (let tile = 0; tile < places.tiles.count; tile++) {
    const range = places.tiles.first + SECTIONS.tiles * tile + TILE_BOX_HEADS;
    const first = ints[range]!;
    const end = first + ints[range + 1]!;
    let head = first;
    while (head < end && !selects(mask, ints[places.boxHeads.first + SECTIONS.boxHeads * head + 1]!)) head++;
    out.firstHead[tile] = head < end ? head : -1;
  }
}

/** Traces through one box head, with the whole move ahead: the head's record is the answer. */
export function traceOneHead(memory: WorldMemory, head: number): void {
  clearRecord(memory, B_HEAD, S_HEAD, 1);
  boundMove(memory);
  traceHead(memory, memory.ints[memory.places.boxHeads.first + SECTIONS.boxHeads * head]!);
}

/**
 * Traces through the selected heads of a tile, in order: the tile's record is the answer, fraction 2 if there were no
 * heads. The head's record carries on from head to head, and the tile's is taken from it only when the fraction drops, so
 * that a start in solid found without a hit is lost, as in the engine; `S_ANY_…` remember it.
 */
export function traceTile(memory: WorldMemory, tile: number, { mask, firstHead }: LevelSelection): void {
  const { ints, floats, places, box, boxState } = memory;
  const first = firstHead[tile]!;
  clearRecord(memory, B_TILE, S_TILE, NOTHING);
  if (first < 0) return;
  clearRecord(memory, B_HEAD, S_HEAD, 1);
  boundMove(memory);
  const cull = boxState[S_CULL] !== 0;
  const range = places.tiles.first + SECTIONS.tiles * tile + TILE_BOX_GROUPS;
  const endGroup = ints[range]! + ints[range + 1]!;
  for (let group = ints[range]!; group < endGroup; group++) {
    const groupAt = places.boxGroups.first + SECTIONS.boxGroups * group;
    if (cull && isOutOfWay(floats, groupAt, box)) continue;
    const end = ints[groupAt + 6]! + ints[groupAt + 7]!;
    for (let head = ints[groupAt + 6]!; head < end; head++) {
      const at = places.boxHeads.first + SECTIONS.boxHeads * head;
      if (!selects(mask, ints[at + 1]!) || (cull && isOutOfWay(floats, at + 2, box))) continue;
      // A first head that was left out would have found nothing, and the tile's record would have said so.
      if (head !== first && box[B_TILE] === NOTHING) copyRecord(memory, B_HEAD, S_HEAD, B_TILE, S_TILE);
      traceHead(memory, ints[at]!);
      const fraction = box[B_HEAD]!;
      if (fraction >= box[B_TILE]!) continue;
      copyRecord(memory, B_HEAD, S_HEAD, B_TILE, S_TILE);
      if (fraction === 0) {
        rememberSolid(boxState);
        return;
      }
      boundMove(memory);
    }
  }
  if (box[B_TILE] === NOTHING) copyRecord(memory, B_HEAD, S_HEAD, B_TILE, S_TILE);
  rememberSolid(boxState);
}

/** Keeps what the head's record says about the start, whatever becomes of the record. */
export function rememberSolid(boxState: Int32Array): void {
  boxState[S_ANY_START_SOLID]! |= boxState[S_HEAD + R_START_SOLID]!;
  boxState[S_ANY_ALL_SOLID]! |= boxState[S_HEAD + R_ALL_SOLID]!;
}

/** Whether a tile's bounds are clear of both ends, strictly. */
function isAway({ floats, places, box }: WorldMemory, tile: number): boolean {
  const at = places.tiles.first + SECTIONS.tiles * tile;
  for (let k = 0; k < 3; k++) {
    const low = floats[at + TILE_MINS + k]!;
    const high = floats[at + TILE_MAXS + k]!;
    const mins = box[B_GIVEN_MINS + k]!;
    const maxs = box[B_GIVEN_MAXS + k]!;
    const start = box[B_GIVEN_START + k]!;
    const end = box[B_GIVEN_END + k]!;
    if (f(start + maxs) < low && f(end + maxs) < low) return true;
    if (f(start + mins) > high && f(end + mins) > high) return true;
  }
  return false;
}

/** Puts the ends as given before the box's middle, for traces through the world. */
export function enterWorld(memory: WorldMemory): void {
  const { box, boxState } = memory;
  for (let k = 0; k < 3; k++) {
    box[B_START + k] = box[B_GIVEN_START + k]!;
    box[B_END + k] = box[B_GIVEN_END + k]!;
  }
  prepareMove(memory);
  boxState[S_WORLD_STILL] = boxState[S_STILL]!;
}

/**
 * Traces through all tiles that the move comes near, or through one of them: the world's record is the answer.
 * @param only - the tile; -1 for all.
 */
export function traceTiles(memory: WorldMemory, selection: LevelSelection, only = -1): void {
  const { box, boxState, places } = memory;
  clearRecord(memory, B_WORLD, S_WORLD, NOTHING);
  for (let tile = 0; tile < places.tiles.count; tile++) {
    if ((only >= 0 && tile !== only) || isAway(memory, tile)) continue;
    traceTile(memory, tile, selection);
    if (box[B_TILE]! >= box[B_WORLD]!) continue;
    copyRecord(memory, B_TILE, S_TILE, B_WORLD, S_WORLD);
    boxState[S_WORLD + R_TILE] = tile;
    if (box[B_WORLD] === 0) return;
  }
}
