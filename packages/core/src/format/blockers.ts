import {
  BLOCK_BYTES,
  LEAST_EPSILON,
  MOST_EPSILON,
  MOST_WANTED,
  NUM_WANTED,
  RECORD_BLOCKS,
  RECORD_BYTES,
  RECORD_CONTENTS,
  RECORD_END,
  RECORD_HIGH,
  SET_BYTES,
  SETS,
  SETS_MASK,
  WANTED,
  WANTED_BYTES,
  WITHIN,
  WORDS,
} from './blocker-layout.ts';
import type { Work } from './places.ts';

// Whoever asks what is in sight asks again and again for moves that the same few solids block: the floors and walls around. The
// latest of these are kept in a table, in sets for moves that begin near each other and go the same way. Kernels in WebAssembly
// ask a move's set before they walk through the tree (`assembly/blockers.ts`): a move that goes through the inside of a blocker
// is blocked, and `blocked` needs to know nothing else. Where few moves are blocked, sets are not asked, as that would take
// longer than it saves. Which solids are kept, and when they are asked, affects nothing but time. Once a candidate, a brush or a
// solid leaf as the format has them, has blocked some moves, it is examined (`brush-blockers.ts`, `cell-blockers.ts`).
//
// The inside of a solid begins a unit behind all of its sides. For every point of a move, until something is hit, a walk comes to
// a leaf; and the point is on the same sides of the planes above as that leaf is, apart from an epsilon of at most 1/8, and from
// rounding: within 32,768 units of the middle of the world, less than 0.0085 for each node on the way.

/**
 * How far a shape may reach along each axis if its moves are to have blockers, in Quake units. Engines that widen oblique planes
 * of nodes by the same 2,048 for all boxes thereby widen them enough for the corners of these.
 */
const MOST_REACH = 1024;

/** The part of that unit that is left for rounding where planes of solids are compared. */
export const ROOM = 0.1;

/** The least and the most sets of a world. */
const LEAST_SETS = 16;
const MOST_SETS = 1024;

/** The most steps that examining a world's solids may take, and what a node of its tree costs. */
const MOST_STEPS = 2 ** 24;
export const STEPS_PER_NODE = 32;

/** A solid that is certain to block every move through its inside. */
export interface Blocker {
  /** The number of its word in the table. */
  readonly number: number;
  /** It blocks moves whose mask has any of these bits. */
  readonly contents: number;
  /** The box that contains it; infinite where that is not known. */
  readonly mins: ArrayLike<number>;
  readonly maxs: ArrayLike<number>;
  /** Its sides other than those of the box, normal xyz and dist; or the addresses where the blocks of its sides begin and end. */
  readonly sides: Float32Array | readonly [first: number, end: number];
}

/** What a kernel noted: whatever identifies the solid, and the move that met it if the kernel recorded it. */
export interface Noted {
  readonly what: number;
  readonly number: number;
  readonly start: Float32Array;
  readonly end: Float32Array;
}

/** A world's blockers. */
export interface Blockers {
  /** Where the table begins in the kernel's memory. */
  readonly address: number;
  /** Examines the solids that the kernel noted. */
  find(): void;
}

/** Room in a table: solids that are distinguished, bytes for those that become blockers, and sets. */
export interface BlockerRoom {
  readonly words: number;
  readonly bytes: number;
  readonly sets: number;
}

/** About this many sets: the next power of two, within the limits. */
export function blockerSets(about: number): number {
  let sets = LEAST_SETS;
  while (sets < MOST_SETS && sets < about) sets *= 2;
  return sets;
}

/** Whether walks that stop this far from what they hit can have blockers. */
export const hasBlockers = (epsilon: number): boolean => epsilon >= LEAST_EPSILON && epsilon <= MOST_EPSILON;

/**
 * Whether moves of a box can have blockers, by its corners: three numbers each, from `mins` and from `maxs` on. The box must
 * contain the point that moves. Then it hits whatever the point would, since engines move the planes of solids outwards for the
 * box. And walks come to all leafs that it reaches into, so that it meets blockers that are boxes themselves just as it would if
 * it met them alone.
 */
export function isAround(numbers: ArrayLike<number>, mins: number, maxs: number): boolean {
  for (let k = 0; k < 3; k++) {
    const low = numbers[mins + k]!;
    const high = numbers[maxs + k]!;
    if (!(low <= 0 && high >= 0 && -low <= MOST_REACH && high <= MOST_REACH)) return false;
  }
  return true;
}

/** Bytes before the records, and before the sets. */
const wordsEnd = ({ words }: BlockerRoom): number => WORDS + 16 * Math.ceil(words / 4);
const recordsEnd = (room: BlockerRoom): number => wordsEnd(room) + 16 * Math.ceil(room.bytes / 16);

/** Bytes that a table takes: a multiple of 16. */
export const blockerBytes = (room: BlockerRoom): number => recordsEnd(room) + SET_BYTES * room.sets;

/** The blockers of a world, none of them known yet, in a table of {@link blockerBytes} zeros that begins at a multiple of 16. */
export function createBlockers(
  buffer: ArrayBufferLike,
  address: number,
  room: BlockerRoom,
  look: (noted: Noted, work: Work) => Blocker | undefined,
): Blockers {
  const ints = new Int32Array(buffer);
  const floats = new Float32Array(buffer);
  let next = address + wordsEnd(room);
  const end = address + recordsEnd(room);
  ints[(address + SETS) / 4] = end;
  ints[(address + SETS_MASK) / 4] = room.sets - 1;
  const work = { left: MOST_STEPS };
  const keep = ({ number, contents, mins, maxs, sides }: Blocker): void => {
    const own = sides instanceof Float32Array;
    const behind = next + RECORD_BYTES + (own ? BLOCK_BYTES * Math.ceil(sides.length / 16) : 0);
    if (behind > end) return;
    for (let k = 0; k < 3; k++) {
      floats[next / 4 + k] = mins[k]! + WITHIN;
      floats[(next + RECORD_HIGH) / 4 + k] = maxs[k]! - WITHIN;
    }
    if (own) writeBlocks(floats.subarray((next + RECORD_BYTES) / 4, behind / 4), sides);
    ints[(next + RECORD_CONTENTS) / 4] = contents;
    ints[(next + RECORD_BLOCKS) / 4] = own ? next + RECORD_BYTES : sides[0];
    ints[(next + RECORD_END) / 4] = own ? behind : sides[1];
    ints[(address + WORDS) / 4 + number] = next;
    next = behind;
  };
  return {
    address,
    find() {
      const count = Math.min(ints[(address + NUM_WANTED) / 4]!, MOST_WANTED);
      ints[(address + NUM_WANTED) / 4] = 0;
      for (let k = 0, at = (address + WANTED) / 4; k < count; k++, at += WANTED_BYTES / 4) {
        const noted = {
          what: ints[at]!,
          number: ints[at + 1]!,
          start: floats.slice(at + 2, at + 5),
          end: floats.slice(at + 5, at + 8),
        };
        const blocker = look(noted, work);
        if (blocker && blocker.contents !== 0) keep(blocker);
      }
    },
  };
}

/** Writes sides as blocks of four. In unused lanes, everything is behind the plane. */
function writeBlocks(blocks: Float32Array, sides: Float32Array): void {
  for (let at = 0; at < blocks.length; at += 16) blocks.fill(Infinity, at + 12, at + 16);
  for (let side = 0; 4 * side < sides.length; side++) {
    for (let k = 0; k < 4; k++) blocks[16 * (side >> 2) + 4 * k + (side & 3)] = sides[4 * side + k]!;
  }
}
