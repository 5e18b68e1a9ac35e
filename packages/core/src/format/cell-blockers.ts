import { CELL_NUMBER_BITS, FARTHEST, WITHIN } from './blocker-layout.ts';
import { type Blocker, type BlockerRoom, blockerSets, type Noted, STEPS_PER_NODE } from './blockers.ts';
import { findPlace, high, low, setLimit, type Work } from './places.ts';

// Where leafs themselves are solid, each of them is a blocker: a cell behind or in front of each plane on the way to it. What
// lies a unit inside all of these planes is in no other leaf for any walk. Planes that the others make redundant can be left out:
// what lies a unit inside the others lies as far inside the redundant one, as all normals are of length 1.

/** A tree in which a leaf is either solid or not. */
export interface SolidTree {
  /**
   * A node's plane, as normal xyz and dist, and its children; without a plane, moves go through both children. `undefined` for a
   * leaf.
   */
  split(
    child: number,
  ):
    | { readonly plane: ArrayLike<number> | undefined; readonly front: number; readonly back: number }
    | undefined;
  isSolid(leaf: number): boolean;
}

/** The most bytes that records of cells take, in all and per word of a tree; and words of a tree per set. */
const MOST_BYTES = 2 ** 17;
const BYTES_PER_WORD = 4;
const WORDS_PER_SET = 256;

/** Room for the cells of trees of this many 32-bit words. */
export const cellRoom = (words: number): BlockerRoom => ({
  words: 1 << CELL_NUMBER_BITS,
  bytes: Math.min(MOST_BYTES, BYTES_PER_WORD * words),
  sets: blockerSets(words / WORDS_PER_SET),
});

/** On this many nodes, epsilons and rounding add up to less than a unit. */
const MOST_DEPTH = 96;

/** Shorter pieces of a move, in Quake units, say nothing about the inside of a cell. */
const LEAST_PIECE = 3 * WITHIN;

/** A plane that a cell is behind, or in front of if `side` is -1. */
interface Side {
  readonly plane: ArrayLike<number>;
  readonly side: 1 | -1;
}

/** The first cell below a root that a move goes deep into, as a blocker; `undefined` if there is none. */
export function findCell(
  tree: SolidTree,
  root: number,
  { start, end }: Noted,
  work: Work,
): Pick<Blocker, 'mins' | 'maxs' | 'sides'> | undefined {
  const way = [0, 1, 2].map((k) => end[k]! - start[k]!);
  const length = Math.sqrt(way.reduce((sum, x) => sum + x * x, 0));
  const path: Side[] = [];
  const distance = (plane: ArrayLike<number>, at: number): number => {
    let sum = -plane[3]!;
    for (let k = 0; k < 3; k++) sum += plane[k]! * (start[k]! + at * way[k]!);
    return sum;
  };
  /** Leaves the planes on the way to the cell in `path` if it returns true. */
  const walk = (child: number, from: number, to: number): boolean => {
    work.left -= STEPS_PER_NODE;
    if (work.left < 0 || (to - from) * length < LEAST_PIECE) return false;
    const node = tree.split(child);
    if (!node) return tree.isSolid(child);
    const { plane, front, back } = node;
    if (!plane) return walk(front, from, to) || walk(back, from, to);
    if (path.length === MOST_DEPTH) return false;
    const [d1, d2] = [distance(plane, from), distance(plane, to)];
    const enter = (next: number, side: 1 | -1, begin: number, last: number): boolean => {
      path.push({ plane, side });
      if (walk(next, begin, last)) return true;
      path.pop();
      return false;
    };
    if (d1 >= 0 && d2 >= 0) return enter(front, -1, from, to);
    if (d1 < 0 && d2 < 0) return enter(back, 1, from, to);
    const cut = from + (to - from) * (d1 / (d1 - d2));
    return d1 >= 0
      ? enter(front, -1, from, cut) || enter(back, 1, cut, to)
      : enter(back, 1, from, cut) || enter(front, -1, cut, to);
  };
  return walk(root, 0, 1) ? cellOf(path, work) : undefined;
}

/** A plane can be left out if the cell would reach at most this far beyond it without it. */
const SPARE = 0.02;

/** The axis that a plane is exactly perpendicular to, facing either way; -1 for none. */
function axisOf(plane: ArrayLike<number>): number {
  for (let k = 0; k < 3; k++) {
    if (plane[(k + 1) % 3] === 0 && plane[(k + 2) % 3] === 0) return k;
  }
  return -1;
}

function cellOf(path: readonly Side[], work: Work): Pick<Blocker, 'mins' | 'maxs' | 'sides'> | undefined {
  low.fill(-FARTHEST);
  high.fill(FARTHEST);
  // Most planes on the way do not bound the cell: of the axial ones, only the innermost do.
  let oblique: Side[] = [];
  for (const side of path) {
    const { plane } = side;
    if (!setLimit(0, plane, side.side, 0)) return undefined;
    const axis = axisOf(plane);
    if (axis < 0) oblique.push(side);
    else if (side.side * plane[axis]! > 0) high[axis] = Math.min(high[axis]!, plane[3]! / plane[axis]!);
    else low[axis] = Math.max(low[axis]!, plane[3]! / plane[axis]!);
  }
  if (![0, 1, 2].every((k) => high[k]! - low[k]! > 2 * WITHIN)) return undefined;
  const limit = (sides: readonly Side[], room: number): void => {
    for (const [k, { plane, side }] of sides.entries()) setLimit(k, plane, side, room);
  };
  /** How far the cell would reach beyond a plane without it: at a corner of the box, or at the farthest place found. */
  const beyond = ({ plane, side }: Side, place: ArrayLike<number>): number => {
    let sum = -plane[3]!;
    for (let k = 0; k < 3; k++) sum += plane[k]! * place[k]!;
    return side * sum;
  };
  oblique = oblique.filter((side) => {
    const corner = [0, 1, 2].map((k) => (side.side * side.plane[k]! > 0 ? high[k]! : low[k]!));
    return beyond(side, corner) > SPARE;
  });
  for (const tried of [...oblique]) {
    const others = oblique.filter((side) => side !== tried);
    limit(others, 0);
    const aim = [0, 1, 2].map((k) => tried.side * tried.plane[k]!);
    const place = findPlace(others.length, work, aim);
    if (!place) return undefined;
    if (beyond(tried, place) <= SPARE) oblique = others;
  }
  const [mins, maxs] = [low.slice(), high.slice()];
  if (oblique.length > 0) {
    limit(oblique, 0);
    for (let k = 0; k < 3; k++) {
      const aim = [0, 0, 0];
      aim[k] = 1;
      const most = findPlace(oblique.length, work, aim);
      aim[k] = -1;
      const least = findPlace(oblique.length, work, aim);
      if (!(most && least)) return undefined;
      mins[k] = Math.max(mins[k]!, least[k]!);
      maxs[k] = Math.min(maxs[k]!, most[k]!);
    }
  }
  limit(oblique, -WITHIN);
  for (let k = 0; k < 3; k++) {
    low[k] = mins[k]! + WITHIN;
    high[k] = maxs[k]! - WITHIN;
    if (!(low[k]! < high[k]!)) return undefined;
  }
  // There may be no inside, or too little of it.
  if (!findPlace(oblique.length, work)) return undefined;
  const sides = oblique.flatMap(({ plane, side }) => [0, 1, 2, 3].map((k) => side * plane[k]!));
  return { mins, maxs, sides: Float32Array.from(sides) };
}
