import { FARTHEST, WITHIN } from './blocker-layout.ts';
import { type Blocker, type BlockerRoom, MOST_DEPTH, type Noted, STEPS_PER_NODE } from './blockers.ts';
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

/** Kernels tell so many cells from each other, by their numbers; of others, some are taken for these. */
const CELLS = 4096;
/** What records of cells take at most, and for each word of a tree. */
const MOST_BYTES = 2 ** 17;
const BYTES_PER_WORD = 4;

/** Room for the cells of trees that take so many words of 32 bits. */
export const cellRoom = (words: number): BlockerRoom => ({
  words: CELLS,
  bytes: Math.min(MOST_BYTES, BYTES_PER_WORD * words),
});

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
  const length = Math.hypot(end[0]! - start[0]!, end[1]! - start[1]!, end[2]! - start[2]!);
  const path: Side[] = [];
  const distance = (plane: ArrayLike<number>, at: number): number => {
    let sum = -plane[3]!;
    for (let k = 0; k < 3; k++) sum += plane[k]! * (start[k]! + at * (end[k]! - start[k]!));
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

function cellOf(path: readonly Side[], work: Work): Pick<Blocker, 'mins' | 'maxs' | 'sides'> | undefined {
  low.fill(-FARTHEST);
  high.fill(FARTHEST);
  /** Whether planes are such that they can be trusted, all of which are made limits with so much room. */
  const limit = (sides: readonly Side[], room: number): boolean =>
    sides.every(({ plane, side }, k) => setLimit(k, plane, side, room));
  if (!limit(path, 0)) return undefined;
  // Most planes on the way are not the cell's.
  let sides = path;
  for (const tried of path) {
    const others = sides.filter((side) => side !== tried);
    limit(others, 0);
    const { plane, side } = tried;
    const aim = [side * plane[0]!, side * plane[1]!, side * plane[2]!];
    const place = findPlace(others.length, work, aim);
    if (!place) return undefined;
    const along = aim.reduce((sum, x, k) => sum + x * place[k]!, 0);
    if (along <= side * plane[3]! + SPARE) sides = others;
  }
  limit(sides, 0);
  const [mins, maxs] = [low.slice(), high.slice()];
  for (let k = 0; k < 3; k++) {
    const aim = [0, 1, 2].map((axis) => (axis === k ? 1 : 0));
    const most = findPlace(sides.length, work, aim);
    const least = findPlace(
      sides.length,
      work,
      aim.map((x) => -x),
    );
    if (!(most && least)) return undefined;
    mins[k] = least[k]!;
    maxs[k] = most[k]!;
  }
  const oblique = sides.filter(({ plane, side }) => {
    const axis = [0, 1, 2].find(
      (k) => Math.abs(plane[k]!) === 1 && plane[(k + 1) % 3] === 0 && plane[(k + 2) % 3] === 0,
    );
    if (axis === undefined) return true;
    // Exactly there, where a place may be a little beyond its limits.
    const at = plane[3]! / plane[axis]!;
    if (side * plane[axis]! > 0) maxs[axis] = Math.min(maxs[axis]!, at);
    else mins[axis] = Math.max(mins[axis]!, at);
    return false;
  });
  limit(sides, -WITHIN);
  // Nothing may be inside, or too little.
  if (!findPlace(sides.length, work)) return undefined;
  if (![0, 1, 2].every((k) => maxs[k]! - mins[k]! > 2 * WITHIN)) return undefined;
  return {
    mins,
    maxs,
    sides: Float32Array.from(oblique.flatMap(({ plane, side }) => [0, 1, 2, 3].map((k) => side * plane[k]!))),
  };
}
