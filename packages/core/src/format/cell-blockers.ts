import { CELL_NUMBER_BITS, FARTHEST, WITHIN } from './blocker-layout.ts';
import { type Blocker, type BlockerRoom, blockerSets, type Noted, STEPS_PER_NODE } from './blockers.ts';
import { findPlace, high, low, setLimit, type Work } from './places.ts';

// Where leafs themselves are solid, each of them is a blocker: a cell behind and in front of the planes on the way to it. What
// lies a unit inside of all of these is in no other leaf for any walk. A plane that others make needless need not be asked: what
// lies a unit inside of these lies as far inside of it, as all normals are of length 1.

/** A tree whose leafs are solid or not. */
export interface SolidTree {
  /**
   * A node's plane, as normal xyz and dist, and its children; without a plane moves go through both of them. `undefined` for a
   * leaf.
   */
  split(
    child: number,
  ):
    | { readonly plane: ArrayLike<number> | undefined; readonly front: number; readonly back: number }
    | undefined;
  isSolid(leaf: number): boolean;
}

/** What records of cells take at most, and for each word of a tree; words of a tree for each set. */
const MOST_BYTES = 2 ** 17;
const BYTES_PER_WORD = 4;
const WORDS_PER_SET = 256;

/** Room for the cells of trees that take so many words of 32 bits. */
export const cellRoom = (words: number): BlockerRoom => ({
  words: 1 << CELL_NUMBER_BITS,
  bytes: Math.min(MOST_BYTES, BYTES_PER_WORD * words),
  sets: blockerSets(words / WORDS_PER_SET),
});

/** Epsilon and rounding come to less than a unit on so many nodes. */
const MOST_DEPTH = 96;

/** Shorter pieces of a move, in Quake units, tell nothing of a cell's inside. */
const LEAST_PIECE = 3 * WITHIN;

/** A plane that a cell lies behind, or for -1 in front of. */
interface Side {
  readonly plane: ArrayLike<number>;
  readonly side: 1 | -1;
}

/** The first cell that a move comes deeply into, below a root, as a blocker; `undefined` where there is none. */
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
  /** Leaves the way to the cell in `path` where there is one. */
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

/** How far beyond a plane the others may leave a cell for the plane to be left out. */
const SPARE = 0.02;

/** The axis that a plane faces along exactly, either way; -1 for none. */
function axisOf(plane: ArrayLike<number>): number {
  for (let k = 0; k < 3; k++) {
    if (Math.abs(plane[k]!) === 1 && plane[(k + 1) % 3] === 0 && plane[(k + 2) % 3] === 0) return k;
  }
  return -1;
}

function cellOf(path: readonly Side[], work: Work): Pick<Blocker, 'mins' | 'maxs' | 'sides'> | undefined {
  low.fill(-FARTHEST);
  high.fill(FARTHEST);
  // Most planes on the way are not the cell's: of axial ones those count that leave the least.
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
  /** How far the cell would reach beyond a plane without it, in the box or where it lies farthest. */
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
  // Nothing may be inside, or too little.
  if (!findPlace(oblique.length, work)) return undefined;
  const sides = oblique.flatMap(({ plane, side }) => [0, 1, 2, 3].map((k) => side * plane[k]!));
  return { mins, maxs, sides: Float32Array.from(sides) };
}
