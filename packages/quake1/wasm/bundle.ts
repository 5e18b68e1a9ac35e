import {
  ADDRESS_MASK,
  END,
  EXIT_PATH,
  FRAME_BEGIN,
  FRAME_BIT,
  FRAME_BYTES,
  FRAME_END,
  FRAME_END_SIDES,
  FRAME_SIDES,
  FRAME_TREELET,
  FRAMES,
  LANE_CUTS,
  LANE_ENDS,
  LANE_LASTS,
  LANE_LEASTS,
  LANE_NEXTS,
  LANE_NODES,
  MOVE_FRAMES,
  PATH,
  SIDES_UNKNOWN,
  START,
  STEP_BYTES,
  STEP_EXIT,
  STEP_SIDES,
  TREELET_DIST,
  TREELET_Y,
  TREELET_Z,
} from '../src/wasm/layout';
import { cutsAt, exitOf, measure, xOf, yOf, zOf } from './treelet';

// Four moves from one point. All of them pass the same nodes on the way down to its leaf, whatever cuts them, as the near side of
// a cut is that of the start. So they are cut node by node, each move in one lane of the vectors that hold x, y and z.

/** Finds the path to a point. */
export function findPath(head: i32, point: v128): void {
  const x = xOf(point);
  const y = yOf(point);
  const z = zOf(point);
  let step = load<i32>(PATH);
  let node = head;
  while (node >= 0) {
    const sides = i32x4.bitmask(measure(node, x, y, z));
    const exit = exitOf(node, sides);
    store<i32>(step, node);
    store<i32>(step, exit, STEP_EXIT);
    store<i32>(step, sides, STEP_SIDES);
    step += STEP_BYTES;
    node = exit & ADDRESS_MASK;
  }
  store<i32>(step, node);
}

/** Cuts the moves in the lanes at all nodes on the path to their start, and leaves them at its leaf. */
export function cutAlongPath(start: v128): void {
  const px = xOf(start);
  const py = yOf(start);
  const pz = zOf(start);
  const a = v128.load(LANE_ENDS);
  const b = v128.load(LANE_ENDS, 16);
  const c = v128.load(LANE_ENDS, 32);
  const d = v128.load(LANE_ENDS, 48);
  const lowAB = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  const lowCD = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
  const highAB = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
  const highCD = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  let ex = v128.shuffle<f32>(lowAB, lowCD, 0, 1, 4, 5);
  let ey = v128.shuffle<f32>(lowAB, lowCD, 2, 3, 6, 7);
  let ez = v128.shuffle<f32>(highAB, highCD, 0, 1, 4, 5);
  let fractions = f32x4.splat(1);
  let least = f32x4.splat(Infinity);
  const frames = load<i32>(MOVE_FRAMES);
  v128.store(LANE_LASTS, i32x4.splat(END));
  v128.store(LANE_NEXTS, i32x4(FRAMES, FRAMES + frames, FRAMES + 2 * frames, FRAMES + 3 * frames));
  let step = load<i32>(PATH);
  let treelet = load<i32>(step);
  while (treelet >= 0) {
    const sides = load<i32>(step, STEP_SIDES);
    let nodes = load<i32>(step, STEP_EXIT) & EXIT_PATH;
    do {
      const bit = nodes & -nodes;
      nodes ^= bit;
      const plane = treelet + (ctz(bit) << 2);
      const d1 = distances(plane, px, py, pz);
      let d2 = distances(plane, ex, ey, ez);
      const parts = v128.xor(d1, d2);
      const lanes = i32x4.bitmask(parts);
      if (lanes !== 0) {
        const fraction = cutsAt(d1, d2);
        const mx = between(px, ex, fraction);
        const my = between(py, ey, fraction);
        const mz = between(pz, ez, fraction);
        const mf = between(i64x2(0, 0), fractions, fraction);
        v128.store(LANE_CUTS, mx);
        v128.store(LANE_CUTS, my, 16);
        v128.store(LANE_CUTS, mz, 32);
        v128.store(LANE_CUTS, mf, 48);
        const cut = i32x4.shr_s(parts, 31);
        ex = v128.bitselect(mx, ex, cut);
        ey = v128.bitselect(my, ey, cut);
        ez = v128.bitselect(mz, ez, cut);
        fractions = v128.bitselect(mf, fractions, cut);
        storeFrames(lanes, treelet, bit, sides);
        // For moves that were not cut it stays the same.
        d2 = f32x4.pmin(f32x4.abs(d2), f32x4.abs(distances(plane, ex, ey, ez)));
      }
      least = f32x4.pmin(least, f32x4.pmin(f32x4.abs(d1), f32x4.abs(d2)));
    } while (nodes !== 0);
    step += STEP_BYTES;
    treelet = load<i32>(step);
  }
  v128.store(LANE_LEASTS, least);
  v128.store(LANE_NODES, i32x4.splat(treelet));
}

/** Distances of four points from one plane; {@link measure} has one point and four planes. */
function distances(plane: i32, x: v128, y: v128, z: v128): v128 {
  const nx = v128.load32_splat(plane);
  const ny = v128.load32_splat(plane, TREELET_Y);
  const nz = v128.load32_splat(plane, TREELET_Z);
  const xy = f32x4.add(f32x4.mul(nx, x), f32x4.mul(ny, y));
  return f32x4.sub(f32x4.add(xy, f32x4.mul(nz, z)), v128.load32_splat(plane, TREELET_DIST));
}

/** One coordinate of the points between four pairs of points. */
function between(begin: v128, end: v128, fraction: v128): v128 {
  return f32x4.add(begin, f32x4.mul(fraction, f32x4.sub(end, begin)));
}

/** Remembers the cuts of some lanes. */
function storeFrames(lanes: i32, treelet: i32, bit: i32, sides: i32): void {
  do {
    const lane = ctz(lanes) << 2;
    lanes &= lanes - 1;
    const frame = load<i32>(LANE_NEXTS + lane);
    store<f32>(frame, load<f32>(LANE_CUTS + lane));
    store<f32>(frame, load<f32>(LANE_CUTS + lane, 16), 4);
    store<f32>(frame, load<f32>(LANE_CUTS + lane, 32), 8);
    store<f32>(frame, load<f32>(LANE_CUTS + lane, 48), 12);
    store<i32>(frame, treelet, FRAME_TREELET);
    store<i32>(frame, bit, FRAME_BIT);
    store<i32>(frame, SIDES_UNKNOWN, FRAME_SIDES);
    store<i32>(frame, sides, FRAME_END_SIDES);
    store<i32>(frame, START, FRAME_BEGIN);
    store<i32>(frame, load<i32>(LANE_LASTS + lane), FRAME_END);
    store<i32>(LANE_LASTS + lane, frame);
    store<i32>(LANE_NEXTS + lane, frame + FRAME_BYTES);
  } while (lanes !== 0);
}
