import {
  ADDRESS_MASK,
  BLOCK_BYTES,
  BRUSH_BLOCKS,
  BRUSH_FIRST_BLOCKS,
  BRUSH_POINT_CONTENTS,
  EMPTY_BIT,
  GRID,
  LIST_BRUSH_BYTES,
  LIST_HEADER,
  MOVE,
  NODE_BACK,
  NODE_DIST,
  NODE_FRONT,
  NODE_PLANES,
  NODE_TYPE,
  RECORD_BYTES,
  RECORD_CONTENTS,
  RECORD_FRONT,
  REF_ADDRESS,
  REF_BYTES,
  ROOT,
} from '../src/wasm/layout';
import { SPAN_BACK, SPAN_FRONT } from './scratch';
import { isBeyond, pack, quantise, three } from './setup';

/** How far outside a brush's bounds a point may be for its sides to be checked. */
const POINT_SLACK: f32 = 0.125;

/** Contents of the brushes that contain the point in memory, combined with OR: those of a list, or if that is 0 of the world. */
export function contents(list: i32): i32 {
  const point = three(MOVE);
  if (list === 0) {
    const leaf = leafAt(point);
    if ((leaf & EMPTY_BIT) !== 0) return 0;
    list = leaf & ADDRESS_MASK;
  }
  const opposite = f32x4.neg(point);
  const slack = f32x4.splat(POINT_SLACK);
  const grid = v128.load32_splat(GRID);
  const quanta = pack(quantise(f32x4.sub(opposite, slack), grid), quantise(f32x4.sub(point, slack), grid));
  let found = 0;
  let ref = list + LIST_HEADER;
  const end = ref + load<i32>(list, LIST_BRUSH_BYTES);
  for (; ref < end; ref += REF_BYTES) {
    if (v128.any_true(i16x8.gt_s(quanta, v128.load(ref)))) continue;
    const brush = load<i32>(ref, REF_ADDRESS);
    if (holds(brush, point, opposite)) found |= load<i32>(brush, BRUSH_POINT_CONTENTS);
  }
  return found;
}

/** The leaf or empty child that contains a point. A point on a plane counts as in front of it. */
function leafAt(point: v128): i32 {
  let node = load<i32>(ROOT);
  while (node >= 0) {
    const type = load<i32>(node, NODE_TYPE);
    let dist: f32;
    if (type < 12) dist = load<f32>(MOVE + type) - load<f32>(node, NODE_DIST);
    else {
      const plane = v128.load(node + load<i32>(NODE_PLANES));
      const products = f32x4.mul(plane, point);
      dist =
        f32x4.extract_lane(products, 0) +
        f32x4.extract_lane(products, 1) +
        f32x4.extract_lane(products, 2) -
        f32x4.extract_lane(plane, 3);
    }
    node = dist < 0 ? load<i32>(node, NODE_BACK) : load<i32>(node, NODE_FRONT);
  }
  return node;
}

function holds(brush: i32, point: v128, opposite: v128): bool {
  if (load<i32>(brush, BRUSH_FIRST_BLOCKS) !== 0 || load<i32>(brush, RECORD_CONTENTS) === 0) {
    // There are no axial sides to be checked, only the bounds.
    v128.store(SPAN_BACK, opposite);
    v128.store(SPAN_FRONT, point);
    if (isBeyond(brush, POINT_SLACK)) return false;
  } else {
    const back = f32x4.gt(opposite, v128.load(brush));
    if (v128.any_true(v128.or(back, f32x4.gt(point, v128.load(brush, RECORD_FRONT))))) return false;
  }
  const x = i32x4.shuffle(point, point, 0, 0, 0, 0);
  const y = i32x4.shuffle(point, point, 1, 1, 1, 1);
  const z = i32x4.shuffle(point, point, 2, 2, 2, 2);
  const blocks = brush + RECORD_BYTES;
  const end = blocks + load<i32>(brush, BRUSH_BLOCKS);
  for (let block = blocks; block < end; block += BLOCK_BYTES) {
    const along = f32x4.add(
      f32x4.add(f32x4.mul(x, v128.load(block)), f32x4.mul(y, v128.load(block, 16))),
      f32x4.mul(z, v128.load(block, 32)),
    );
    if (v128.any_true(f32x4.gt(along, v128.load(block, 48)))) return false;
  }
  return true;
}
