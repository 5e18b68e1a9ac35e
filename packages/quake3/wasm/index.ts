import { FRACTION, NORMAL, SET_LIST } from '../src/wasm/layout';
import { contents } from './point';
import { beginTrace, boundMove, placeMove } from './setup';
import { sweepList, sweepWorld, touchWorld } from './walk';

// Types that stand for the shapes: of the sizes in shape.ts.
type Point = u8;
type Box = u16;
type Capsule = u32;

/** Bits of what a trace returns: whether anything is in the answer but "nothing hit", and whether that is in the way. */
const MET = 1;
const BLOCKED = 2;

/** Traces the move in memory; `any` ends it at the first hit of any kind. */
function trace<S>(any: bool): i32 {
  beginTrace();
  const still = placeMove();
  boundMove<S>(still);
  const list = load<i32>(SET_LIST);
  if (list !== 0) sweepList<S>(list, still, any);
  else if (still) touchWorld<S>();
  else sweepWorld<S>(any);
  // A point that touches a patch at its very end has its normal and no more. Here that lies between its dist and its
  // fraction: the four words before SOLID and that.
  if (load<f32>(FRACTION) < 1) return MET | BLOCKED;
  if (load<i32>(NORMAL + 16) !== 0) return MET | BLOCKED;
  return v128.any_true(v128.load(NORMAL)) ? MET : 0;
}

export function tracePoint(any: bool): i32 {
  return trace<Point>(any);
}

export function traceBox(any: bool): i32 {
  return trace<Box>(any);
}

export function traceCapsule(any: bool): i32 {
  return trace<Capsule>(any);
}

export { contents };
