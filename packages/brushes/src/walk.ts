import {
  B_END,
  B_EXTENTS,
  B_HEAD,
  B_HIGH,
  B_LOW,
  B_MAXS,
  B_MINS,
  B_NUMBER,
  B_START,
  S_CULL,
  S_POINT,
  S_STILL,
} from './block.ts';
import { CULL_ROOM, ROUNDING_ROOM, SURFACE_EPSILON, sweepLeaf, touchLeaf } from './brush.ts';
import { KIND_MASK, NODE_WORDS, OBLIQUE, PLANE_WORDS } from './layout.ts';
import { BOX_FRAME_FLOATS, type BrushMemory, nextStamp } from './memory.ts';

const f = Math.fround;

/** The most leafs that the engines' position test looks at. */
const MAX_POSITION_LEAFS = 1024;
/** Bounds are trusted, and rounding stays within its room, where ends and corners along an axis add up to less. */
const CULL_LIMIT = 16384;

/** Finds whether the move in `B_START` and `B_END` is near enough to the middle of the world for bounds to be trusted. */
export function checkReach({ box, boxState }: BrushMemory): void {
  let isNear = 1;
  for (let k = 0; k < 3; k++) {
    const ends = Math.abs(box[B_START + k]!) + Math.abs(box[B_END + k]!);
    if (!(ends + Math.abs(box[B_MINS + k]!) + Math.abs(box[B_MAXS + k]!) < CULL_LIMIT)) isNear = 0;
  }
  boxState[S_CULL] = isNear;
}

/** Bounds the move up to the best fraction so far. */
export function boundMove({ box }: BrushMemory): void {
  const fraction = Math.min(box[B_HEAD]!, 1);
  const ax = box[B_START]!;
  const ay = box[B_START + 1]!;
  const az = box[B_START + 2]!;
  const bx = ax + fraction * (box[B_END]! - ax);
  const by = ay + fraction * (box[B_END + 1]! - ay);
  const bz = az + fraction * (box[B_END + 2]! - az);
  box[B_LOW] = Math.min(ax, bx) + box[B_MINS]! - CULL_ROOM;
  box[B_LOW + 1] = Math.min(ay, by) + box[B_MINS + 1]! - CULL_ROOM;
  box[B_LOW + 2] = Math.min(az, bz) + box[B_MINS + 2]! - CULL_ROOM;
  box[B_HIGH] = Math.max(ax, bx) + box[B_MAXS]! + CULL_ROOM;
  box[B_HIGH + 1] = Math.max(ay, by) + box[B_MAXS + 1]! + CULL_ROOM;
  box[B_HIGH + 2] = Math.max(az, bz) + box[B_MAXS + 2]! + CULL_ROOM;
}

/** Traces the prepared box through the tree below a node, and lowers the fraction of the head's record. */
export function traceHead(memory: BrushMemory, node: number): void {
  if (memory.boxState[S_STILL] !== 0) touchHead(memory, node);
  // As in the engine, a sweep that cannot get anywhere finds nothing, not even that it starts in solid.
  else if (memory.box[B_HEAD]! > 0) sweepHead(memory, node);
}

/** Sweeps the box through a tree, nearer children first. The walk's own points only decide which leafs are visited. */
function sweepHead(memory: BrushMemory, root: number): void {
  const { ints, floats, places, rules, box, boxState, boxFrames, boxFrameNodes } = memory;
  const stamp = nextStamp(memory);
  const nodes = places.nodes.first;
  const planes = places.planes.first;
  const isPoint = boxState[S_POINT] !== 0;
  const { inDouble } = rules;
  // Where the room is infinite, nothing is ever clear of a plane, so everything is rounded.
  const room = boxState[S_CULL] !== 0 ? ROUNDING_ROOM : Infinity;
  const roomX = Math.abs(box[B_EXTENTS]!) + room;
  const roomY = Math.abs(box[B_EXTENTS + 1]!) + room;
  const roomZ = Math.abs(box[B_EXTENTS + 2]!) + room;
  // The two outer loops never repeat. V8 compiles a loop while it runs (on-stack replacement) later the deeper it is, and calls
  // can get stuck in such code, which takes up to five times as long and may put numbers on the heap: that happened in 7 of 80
  // processes of the bench on one map, and since then in none of 80.
  for (;;) {
    let node = root;
    let from = 0;
    let to = 1;
    let depth = 0;
    for (;;) {
      let ax = box[B_START]!;
      let ay = box[B_START + 1]!;
      let az = box[B_START + 2]!;
      let bx = box[B_END]!;
      let by = box[B_END + 1]!;
      let bz = box[B_END + 2]!;
      for (;;) {
        while (node >= 0) {
          let at = 0;
          let a = 0;
          let b = 0;
          let offset = 0;
          // Down to where the move may cross a plane. This loop has no calls and no writes, so V8 compiles it better. Nor is
          // anything rounded, which takes longer than the rest: a piece that is clear of a plane by more than rounding can change
          // is still clear of it when rounded.
          for (;;) {
            at = nodes + NODE_WORDS * node;
            const head = ints[at]!;
            const kind = head & KIND_MASK;
            const dist = floats[at + 1]!;
            if (kind === 0) {
              a = ax - dist;
              b = bx - dist;
              offset = roomX;
            } else if (kind === 1) {
              a = ay - dist;
              b = by - dist;
              offset = roomY;
            } else if (kind === 2) {
              a = az - dist;
              b = bz - dist;
              offset = roomZ;
            } else {
              const plane = planes + PLANE_WORDS * (head >>> 4);
              const x = floats[plane]!;
              const y = floats[plane + 1]!;
              const z = floats[plane + 2]!;
              a = x * ax + y * ay + z * az - dist;
              b = x * bx + y * by + z * bz - dist;
              offset = Math.abs(x * roomX) + Math.abs(y * roomY) + Math.abs(z * roomZ);
            }
            if (a >= offset && b >= offset) node = ints[at + 2]!;
            else if (-a > offset && -b > offset) node = ints[at + 3]!;
            else break;
            if (node < 0) break;
          }
          if (node < 0) break;
          const kind = ints[at]! & KIND_MASK;
          if (kind < OBLIQUE) offset = box[B_EXTENTS + kind]!;
          else {
            const plane = planes + PLANE_WORDS * (ints[at]! >>> 4);
            const x = floats[plane]!;
            const y = floats[plane + 1]!;
            const z = floats[plane + 2]!;
            const dist = floats[at + 1]!;
            a = f(f(f(x * ax) + f(y * ay)) + f(z * az)) - dist;
            b = f(f(f(x * bx) + f(y * by)) + f(z * bz)) - dist;
            offset = 0;
            if (!isPoint) {
              const ex = Math.abs(f(box[B_EXTENTS]! * x));
              const ey = Math.abs(f(box[B_EXTENTS + 1]! * y));
              offset = f(f(ex + ey) + Math.abs(f(box[B_EXTENTS + 2]! * z)));
            }
          }
          a = f(a);
          b = f(b);
          if (a >= offset && b >= offset) {
            node = ints[at + 2]!;
            continue;
          }
          if (-a > offset && -b > offset) {
            node = ints[at + 3]!;
            continue;
          }
          let first = 0;
          let near = 1;
          let far = 0;
          let inverse = 1;
          if (a < b) {
            first = 1;
            inverse = f(1 / f(a - b));
            far = f(a + offset) + SURFACE_EPSILON;
            // The engines add the epsilon here too; symmetry would require it to be subtracted.
            near = f(a - offset) + SURFACE_EPSILON;
          } else if (a > b) {
            inverse = f(1 / f(a - b));
            far = f(a - offset) - SURFACE_EPSILON;
            near = f(a + offset) + SURFACE_EPSILON;
          }
          // Not a choice between a double and its rounding: V8 14 boxes what is chosen.
          if (inDouble) {
            far = f(far * inverse);
            near = f(near * inverse);
          } else {
            far = f(f(far) * inverse);
            near = f(f(near) * inverse);
          }
          if (near < 0) near = 0;
          else if (near > 1) near = 1;
          if (far < 0) far = 0;
          else if (far > 1) far = 1;
          const length = f(to - from);
          const dx = f(bx - ax);
          const dy = f(by - ay);
          const dz = f(bz - az);
          const farFrom = f(from + f(length * far));
          // A far piece that begins past the best hit would be dropped when its turn comes, but not one that begins at NaN: the
          // inverse of a length below 2 ** -128 is infinite.
          if (!(box[B_HEAD]! <= farFrom)) {
            const frame = BOX_FRAME_FLOATS * depth;
            boxFrames[frame] = farFrom;
            boxFrames[frame + 1] = to;
            boxFrames[frame + 2] = f(ax + f(far * dx));
            boxFrames[frame + 3] = f(ay + f(far * dy));
            boxFrames[frame + 4] = f(az + f(far * dz));
            boxFrames[frame + 5] = bx;
            boxFrames[frame + 6] = by;
            boxFrames[frame + 7] = bz;
            boxFrameNodes[depth++] = ints[at + 3 - first]!;
          }
          to = f(from + f(length * near));
          bx = f(ax + f(near * dx));
          by = f(ay + f(near * dy));
          bz = f(az + f(near * dz));
          node = ints[at + 2 + first]!;
        }
        sweepLeaf(memory, -1 - node, stamp);
        do {
          if (depth === 0) return;
          from = boxFrames[BOX_FRAME_FLOATS * --depth]!;
        } while (box[B_HEAD]! <= from);
        const frame = BOX_FRAME_FLOATS * depth;
        node = boxFrameNodes[depth]!;
        to = boxFrames[frame + 1]!;
        ax = boxFrames[frame + 2]!;
        ay = boxFrames[frame + 3]!;
        az = boxFrames[frame + 4]!;
        bx = boxFrames[frame + 5]!;
        by = boxFrames[frame + 6]!;
        bz = boxFrames[frame + 7]!;
      }
    }
  }
}

/** Tests the standing box against the leafs that it reaches, front children first. */
function touchHead(memory: BrushMemory, root: number): void {
  const { ints, places, boxFrameNodes } = memory;
  const stamp = nextStamp(memory);
  let leafs = 0;
  let depth = 0;
  let node = root;
  for (;;) {
    while (node >= 0) {
      const at = places.nodes.first + NODE_WORDS * node;
      const sides = sidesTouched(memory, at);
      if (sides === 0) boxFrameNodes[depth++] = ints[at + 3]!;
      node = ints[at + (sides < 0 ? 3 : 2)]!;
    }
    if (++leafs > MAX_POSITION_LEAFS || touchLeaf(memory, -1 - node, stamp) || depth === 0) return;
    node = boxFrameNodes[--depth]!;
  }
}

/** 1 if the standing box is in front of a node's plane, -1 if it is behind it, 0 if it is on both sides, or too close to tell. */
function sidesTouched({ ints, floats, places, rules, box }: BrushMemory, node: number): number {
  const kind = ints[node]! & KIND_MASK;
  const dist = floats[node + 1]!;
  const { touchMargin, touchEpsilon } = rules;
  let front: boolean;
  let back: boolean;
  if (kind < OBLIQUE) {
    const start = box[B_START + kind]!;
    const high = f(f(start + box[B_MAXS + kind]!) + touchMargin);
    const low = f(f(start + box[B_MINS + kind]!) - touchMargin);
    // Compared exactly, a box of no thickness that is on the plane is in front of it.
    front = high > dist + touchEpsilon || (touchEpsilon === 0 && low >= dist);
    back = low < dist - touchEpsilon;
  } else {
    const plane = places.planes.first + PLANE_WORDS * (ints[node]! >>> 4);
    measureHeight(floats, plane, box, B_MAXS, B_MINS, touchMargin);
    front = f(box[B_NUMBER]! - dist) >= touchEpsilon;
    measureHeight(floats, plane, box, B_MINS, B_MAXS, touchMargin);
    back = f(box[B_NUMBER]! - dist) < touchEpsilon;
  }
  return front === back ? 0 : front ? 1 : -1;
}

/**
 * How far along a normal the corner of the standing box is that takes `up` where the normal is positive, else `down`. The box is
 * widened by `margin`, a whole number, lest V8 box it.
 */
function measureHeight(
  floats: Float32Array,
  plane: number,
  box: Float32Array,
  up: number,
  down: number,
  margin: number,
): void {
  const x = floats[plane]!;
  const y = floats[plane + 1]!;
  const z = floats[plane + 2]!;
  // Added or subtracted, not negated: the negative of a whole 0 is -0, which V8 does not expect.
  const isHigh = up === B_MAXS;
  const ex = f(box[B_START]! + box[x < 0 ? down : up]!);
  const ey = f(box[B_START + 1]! + box[(y < 0 ? down : up) + 1]!);
  const ez = f(box[B_START + 2]! + box[(z < 0 ? down : up) + 2]!);
  const cx = f(x < 0 !== isHigh ? ex + margin : ex - margin);
  const cy = f(y < 0 !== isHigh ? ey + margin : ey - margin);
  const cz = f(z < 0 !== isHigh ? ez + margin : ez - margin);
  box[B_NUMBER] = f(f(x * cx) + f(y * cy)) + f(z * cz);
}
