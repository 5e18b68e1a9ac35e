import { blocksPoint, isStep, noteMove } from '../../core/assembly/blockers';
import { ask, CLEAR, UNCLEAR } from '../../core/assembly/clearings';
import { SHORT } from '../../core/src/format/clearing-layout';
import {
  ADDRESS_MASK,
  END,
  EXIT_PATH,
  FLAG_ALL_SOLID,
  FLAG_BACK,
  FLAG_IN_OPEN,
  FLAG_START_SOLID,
  FLAG_STOPPED,
  FRAME_BEGIN,
  FRAME_BIT,
  FRAME_BYTES,
  FRAME_END,
  FRAME_END_SIDES,
  FRAME_SIDES,
  FRAME_TREELET,
  FRAMES,
  LEAF_BIT,
  LEAF_FLAGS,
  LEAF_FLAGS_MASK,
  MARGIN_CUT,
  MARGIN_FACTOR,
  MARGIN_LEAST,
  NOT_KNOWN,
  NUMBERS,
  PLANE_SHIFT,
  SIDES_UNKNOWN,
  START,
  STOPPED,
  TOO_FAR,
  WALK_PLAYER,
  WALK_SERVER,
} from '../src/wasm/layout';
import { between, cutsAt, exitOf, isFar, isSolid, leafAt, measure, pick, xOf, yOf, zOf } from './treelet';

// The hull trace of ../src/kernel/hull.ts, four nodes at a time. Numbers are float32 throughout, and every operation is the
// engine's, in its order, so the bits are too:
// - Axial planes are treated like any other. 1 * x + 0 * y + 0 * z is x but for the sign of a zero, and x - dist is then the
//   same: a dist of 0 is stored as -0, which makes a difference of 0 always +0. So the sign bit tells the sides apart.
// - Nodes of a treelet that the walk does not come to are measured too, but ignored.
// - Moves that go too far out are refused, so nothing overflows.

/**
 * Sides beyond a cut: of the node that made it the other one, of those above it the move's, of those below it the cut point's.
 */
function farSides(sides: i32, bit: i32, cutSides: i32): i32 {
  const above = bit - 1;
  return (sides & above) | (~sides & bit) | (cutSides & ~(above | bit));
}

/** Sum of the absolute values of both ends' coordinates, plus 1. */
function sumOf(start: v128, end: v128): f32 {
  const sums = f32x4.add(f32x4.abs(start), f32x4.abs(end));
  const pairs = f32x4.add(sums, v128.shuffle<f32>(sums, sums, 2, 3, 0, 1));
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
}

/** Loads three numbers one by one, and 0. */
function three(at: usize): v128 {
  const x = v128.load32_zero(at);
  return v128.load32_lane(at + 8, v128.load32_lane(at + 4, x, 1), 2);
}

/** Whether a move is so short along an axis that it is short in steps of the grid, too. */
function isShort(axis: usize): bool {
  return abs(load<f32>(axis, END) - load<f32>(axis, START)) < <f32>SHORT;
}

/** The solid leaf that last stopped a move: the treelet that leads to it, and the sides of its nodes. */
let stoppedIn: i32 = 0;
/** Moves that go no farther than this along any axis have short walks, and cells block few of them. */
const STEP: f32 = 128;

/** In what is passed as `any`, the bit of the hull; above these is the address of the table, 0 for none. */
const HULL_BITS = 15;

/** Whether a blocker of this hull is in the way of a move. */
export function isKnownBlocked(any: i32, start: v128, end: v128): bool {
  const table: usize = any & ~HULL_BITS;
  return table !== 0 && !isStep(start, end, STEP) && blocksPoint(table, any & HULL_BITS, start, end);
}

/** Notes what stopped the move from START to END, according to its walk. */
export function noteStop(any: i32, flags: i32): void {
  const table: usize = any & ~HULL_BITS;
  if (table === 0 || flags === TOO_FAR || (flags & FLAG_STOPPED) === 0) return;
  const start = three(START);
  const end = three(END);
  if (!isStep(start, end, STEP)) noteMove(table, stoppedIn, ctz(any & HULL_BITS), start, end);
}

/**
 * Moves START to END through the tree at `head`. Unless `any` is 0, the first thing in the way ends the move, and blockers are
 * asked before the walk if `any` includes their table. Clearings are asked first of all, unless `table` is 0. Returns `FLAG_…`
 * bits with the stopping plane's number above them, or TOO_FAR, or NOT_KNOWN.
 */
export function walk(head: i32, rules: i32, any: i32, table: i32): i32 {
  if (table !== 0 && isShort(0) && isShort(4) && isShort(8)) {
    const none = i32x4.splat(0);
    const known = ask(table, three(START), three(END), none, none);
    if (known !== UNCLEAR) return known === CLEAR ? FLAG_IN_OPEN : NOT_KNOWN;
  }
  if (any !== 0 && isKnownBlocked(any, three(START), three(END))) return FLAG_START_SOLID;
  const flags = walkFrom(head, END, FRAMES, f32x4.splat(Infinity), head, rules, any !== 0);
  if (any !== 0) noteStop(any, flags);
  return flags;
}

/**
 * The same from a treelet that both ends lie below; or from the leaf at the start, with what is left of the move up to `end` and
 * its cuts in `frames`. `least` has the least distances of both ends from planes on the way there.
 */
export function walkFrom(
  node: i32,
  end: i32,
  frames: i32,
  least: v128,
  head: i32,
  rules: i32,
  any: bool,
): i32 {
  // Number by number, as they were written: a load of 16 bytes waits until all of them have arrived, so those are only for what
  // can wait.
  let bx = v128.load32_splat(START);
  let by = v128.load32_splat(START, 4);
  let bz = v128.load32_splat(START, 8);
  let ex = v128.load32_splat(END);
  let ey = v128.load32_splat(END, 4);
  let ez = v128.load32_splat(END, 8);
  if (isFar(v128.load(START), v128.load(END))) return TOO_FAR;
  let db = bx;
  let de = ex;
  let flags = FLAG_ALL_SOLID;
  let begin = START;
  let cut = 0;
  let next = frames;
  let wasSolid: bool = false;
  let treelet = 0;
  let sides = 0;
  let endSides = 0;
  // Nodes on the way that have the ends of the piece on different sides.
  let parting = 0;
  let exit = node;
  while (true) {
    // Down to a leaf, or to a treelet whose nodes cut the piece: one branch for both, as neither can be predicted.
    while ((parting | (node & LEAF_BIT)) === 0) {
      treelet = node;
      db = measure(treelet, bx, by, bz);
      de = measure(treelet, ex, ey, ez);
      least = f32x4.pmin(least, f32x4.pmin(f32x4.abs(db), f32x4.abs(de)));
      sides = i32x4.bitmask(db);
      endSides = i32x4.bitmask(de);
      exit = exitOf(treelet, sides);
      parting = (sides ^ endSides) & exit;
      node = exit & ADDRESS_MASK;
    }
    while (parting !== 0) {
      // The first of them cuts the piece.
      const bit = parting & -parting;
      const m = between(v128.load(begin), v128.load(end), pick(cutsAt(db, de), bit));
      ex = xOf(m);
      ey = yOf(m);
      ez = zOf(m);
      de = measure(treelet, ex, ey, ez);
      least = f32x4.pmin(least, f32x4.abs(de));
      const cutSides = i32x4.bitmask(de);
      v128.store(next, m);
      store<i32>(next, treelet, FRAME_TREELET);
      store<i32>(next, bit, FRAME_BIT);
      store<i32>(next, farSides(sides, bit, cutSides), FRAME_SIDES);
      store<i32>(next, endSides, FRAME_END_SIDES);
      store<i32>(next, begin, FRAME_BEGIN);
      store<i32>(next, end, FRAME_END);
      end = next;
      next += FRAME_BYTES;
      endSides = cutSides;
      parting = (sides ^ endSides) & exit & ~(bit | (bit - 1));
    }
    while (node < 0 && parting === 0) {
      const solid = isSolid(node);
      if (!solid) {
        flags = (flags & ~FLAG_ALL_SOLID) | ((node >> LEAF_FLAGS) & LEAF_FLAGS_MASK);
      } else if (cut === 0) {
        flags |= FLAG_START_SOLID;
        if (any) return flags;
      } else {
        // After nothing but solid there is no plane to report.
        if ((flags & FLAG_ALL_SOLID) !== 0) return flags;
        const sum = sumOf(v128.load(START), v128.load(END));
        const cuts = f32((cut - frames) / FRAME_BYTES + 1);
        const margin =
          sum * (load<f32>(MARGIN_FACTOR) + cuts * load<f32>(MARGIN_CUT)) + load<f32>(MARGIN_LEAST);
        const sure = !wasSolid && !v128.any_true(f32x4.lt(least, f32x4.splat(margin)));
        if (any) stoppedIn = treelet | (sides & exit & EXIT_PATH);
        return flags | stop(head, cut, rules, any, sure);
      }
      if (end === END) return flags;
      // The near side is done: the far side of the node that cut last begins at its cut point.
      wasSolid = solid;
      cut = end;
      begin = end;
      next = end + FRAME_BYTES;
      end = load<i32>(begin, FRAME_END);
      treelet = load<i32>(begin, FRAME_TREELET);
      sides = load<i32>(begin, FRAME_SIDES);
      endSides = load<i32>(begin, FRAME_END_SIDES);
      const bit = load<i32>(begin, FRAME_BIT);
      bx = v128.load32_splat(begin);
      by = v128.load32_splat(begin, 4);
      bz = v128.load32_splat(begin, 8);
      ex = v128.load32_splat(end);
      ey = v128.load32_splat(end, 4);
      ez = v128.load32_splat(end, 8);
      if (sides === SIDES_UNKNOWN) {
        db = measure(treelet, bx, by, bz);
        de = measure(treelet, ex, ey, ez);
        least = f32x4.pmin(least, f32x4.pmin(f32x4.abs(db), f32x4.abs(de)));
        sides = farSides(endSides, bit, i32x4.bitmask(db));
        endSides = i32x4.bitmask(de);
        store<i32>(begin, sides, FRAME_SIDES);
      }
      exit = exitOf(treelet, sides);
      parting = (sides ^ endSides) & exit & ~(bit | (bit - 1));
      node = exit & ADDRESS_MASK;
    }
    if (parting !== 0) {
      db = measure(treelet, bx, by, bz);
      de = measure(treelet, ex, ey, ez);
    }
  }
}

/**
 * The move is stopped at the node that made the cut. The engine then checks, from the head down, whether the cut point is in
 * solid after all, and backs off by parts of the piece until it is not.
 */
function stop(head: i32, cut: i32, rules: i32, any: bool, sure: bool): i32 {
  let point = v128.load(cut);
  const treelet = load<i32>(cut, FRAME_TREELET);
  const bit = load<i32>(cut, FRAME_BIT);
  const side = (load<i32>(cut, FRAME_SIDES) & bit) === 0 ? FLAG_BACK : 0;
  const plane = load<i32>(load<i32>(NUMBERS) + (treelet >> 3) + (ctz(bit) << 2));
  const decided = any && f32x4.extract_lane(point, 3) < 1;
  if (!decided && !(sure && isWhereLeft(cut, point)) && isSolid(leafAt(head, point))) {
    const end = load<i32>(cut, FRAME_END);
    const b = v128.load(load<i32>(cut, FRAME_BEGIN));
    const e = v128.load(end);
    const db = measure(treelet, xOf(b), yOf(b), zOf(b));
    const de = measure(treelet, xOf(e), yOf(e), zOf(e));
    let fraction = f32x4.extract_lane(pick(cutsAt(db, de), bit), 0);
    const step = rules === WALK_SERVER ? f64(f32(0.1)) : rules === WALK_PLAYER ? 0.05 : 0.1;
    do {
      fraction = f32(f64(fraction) - step);
      // Backed up past the start of the piece: the last point stays.
      if (!(fraction >= 0)) break;
      point = between(b, e, f32x4.splat(fraction));
    } while (isSolid(leafAt(head, point)));
  }
  v128.store(STOPPED, point);
  return FLAG_STOPPED | side | (plane << PLANE_SHIFT);
}

/**
 * Whether a cut point, from which all measured distances are above the margin, certainly lies in the leaf through which its near
 * side was left. It does if it is on the walk's side of every node above. That is known of nodes that have both ends of a piece
 * on one side, and of nodes that cut it while their near side is walked: begin and cut point of the piece are on their near side.
 * Nodes whose far side is walked are asked, as that begins at a point on the other side.
 */
function isWhereLeft(cut: i32, point: v128): bool {
  const x = xOf(point);
  const y = yOf(point);
  const z = zOf(point);
  for (let far = load<i32>(cut, FRAME_BEGIN); far !== START; far = load<i32>(far, FRAME_BEGIN)) {
    const sides = i32x4.bitmask(measure(load<i32>(far, FRAME_TREELET), x, y, z));
    if (((sides ^ load<i32>(far, FRAME_SIDES)) & load<i32>(far, FRAME_BIT)) !== 0) return false;
  }
  return true;
}
