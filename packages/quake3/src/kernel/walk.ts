import { boxSide } from '../classify.ts';
import {
  BOUNDS_WORD,
  CONTENTS_WORD,
  LIST_BRUSHES,
  LIST_NUM_BRUSHES,
  LIST_NUM_PATCHES,
  LIST_PATCHES,
  MODEL_LIST,
  MODEL_WORDS,
  NODE_BACK,
  NODE_DIST,
  NODE_FRONT,
  NODE_NORMAL,
  ROOT_WORD,
} from '../layout.ts';
import { isApart, isDecided, sweepBrushes } from './brush.ts';
import {
  FRAME_NUMBERS,
  type Kernel,
  Q_BOX,
  Q_CLEAR,
  Q_END,
  Q_EPSILON,
  Q_EXTENTS,
  Q_FRACTION,
  Q_MAXS,
  Q_MINS,
  Q_START,
  S_MASK,
  S_POINT,
} from './memory.ts';
import { sweepPatches } from './patch.ts';

const f = Math.fround;

/** Times this, a float32 is past the next one: what lies beyond that lies beyond the number itself when it is rounded. */
const BEYOND = 1 + 2 ** -22;

/** Leafs that the engine's position test looks at, at most. */
const MAX_POSITION_LEAFS = 1024;

/**
 * Sweeps the shape through the world's tree (tutorial `CheckNode`), nearer children first. The walk's own points drift
 * by rounding; they only decide which leafs are visited, in the engine's order, which decides ties.
 */
export function sweepWorld(kernel: Kernel): void {
  const { ints, floats, query, state, frames, frameNodes } = kernel;
  const epsilon = query[Q_EPSILON]!;
  const isPoint = state[S_POINT] !== 0;
  // The two outer loops never come round. V8 compiles a loop while it runs (on-stack replacement) the later the deeper it
  // is, and calls can get stuck in such code, which takes up to five times as long and may put numbers on the heap: they
  // did in 1 of 70 processes of the bench on oa_dm1.
  for (;;) {
    let node = ints[ROOT_WORD]!;
    let from = 0;
    let to = 1;
    let depth = 0;
    for (;;) {
      let ax = query[Q_START]!;
      let ay = query[Q_START + 1]!;
      let az = query[Q_START + 2]!;
      let bx = query[Q_END]!;
      let by = query[Q_END + 1]!;
      let bz = query[Q_END + 2]!;
      for (;;) {
        while (node >= 0) {
          let type = 0;
          let d1 = 0;
          let d2 = 0;
          // Down to where the move crosses a plane. This loop has no call and no write in it, and the ends of the piece are
          // not in an array: V8 compiles it the better for both. Rounding, which takes longer than the rest, is left until it
          // can decide.
          for (;;) {
            type = ints[node]!;
            const dist = floats[node + NODE_DIST]!;
            // Read, not computed: V8 takes sums and negatives of whole numbers for those of integers, and converts them.
            const clear = query[Q_CLEAR + type]!;
            if (type === 0) {
              d1 = ax - dist;
              d2 = bx - dist;
            } else if (type === 1) {
              d1 = ay - dist;
              d2 = by - dist;
            } else if (type === 2) {
              d1 = az - dist;
              d2 = bz - dist;
            } else {
              const nx = floats[node + NODE_NORMAL]!;
              const ny = floats[node + NODE_NORMAL + 1]!;
              const nz = floats[node + NODE_NORMAL + 2]!;
              d1 = f(f(f(nx * ax) + f(ny * ay)) + f(nz * az)) - dist;
              d2 = f(f(f(nx * bx) + f(ny * by)) + f(nz * bz)) - dist;
            }
            if (d1 >= clear && d2 >= clear) node = ints[node + NODE_FRONT]!;
            else if (-d1 > clear * BEYOND && -d2 > clear * BEYOND) node = ints[node + NODE_BACK]!;
            else {
              d1 = f(d1);
              d2 = f(d2);
              if (d1 >= clear && d2 >= clear) node = ints[node + NODE_FRONT]!;
              else if (-d1 > clear && -d2 > clear) node = ints[node + NODE_BACK]!;
              else break;
            }
            if (node < 0) break;
          }
          if (node < 0) break;
          const offset = query[Q_EXTENTS + type]!;
          let first = 0;
          let near = 1;
          let far = 0;
          if (d1 < d2) {
            first = 1;
            const inverse = f(1 / f(d1 - d2));
            far = f((f(d1 + offset) + epsilon) * inverse);
            // The engine adds the epsilon here too, where symmetry would have it taken off.
            near = f((f(d1 - offset) + epsilon) * inverse);
          } else if (d1 > d2) {
            const inverse = f(1 / f(d1 - d2));
            far = f((f(d1 - offset) - epsilon) * inverse);
            near = f((f(d1 + offset) + epsilon) * inverse);
          }
          // Zero times the inverse of a length below 2 ** -128, which is infinite, is no number. Debian's ioquake3 takes it
          // for 0.
          if (!(near >= 0)) near = 0;
          else if (near > 1) near = 1;
          if (!(far >= 0)) far = 0;
          else if (far > 1) far = 1;
          const nearChild = ints[node + NODE_FRONT + first]!;
          const farChild = ints[node + NODE_BACK - first]!;
          const dx = f(bx - ax);
          const dy = f(by - ay);
          const dz = f(bz - az);
          const length = f(to - from);
          const farFrom = f(from + f(length * far));
          // A far piece that begins past the best hit would be dropped when its turn comes. A child with nothing in it that
          // the move meets changes nothing; boxes enter many such, for the engine widens slanted planes by 2048 units.
          const farMatters = query[Q_FRACTION]! > farFrom && meets(kernel, farChild, isPoint);
          if (meets(kernel, nearChild, isPoint)) {
            if (farMatters) {
              const frame = FRAME_NUMBERS * depth;
              frames[frame] = farFrom;
              frames[frame + 1] = to;
              frames[frame + 2] = f(ax + f(far * dx));
              frames[frame + 3] = f(ay + f(far * dy));
              frames[frame + 4] = f(az + f(far * dz));
              frames[frame + 5] = bx;
              frames[frame + 6] = by;
              frames[frame + 7] = bz;
              frameNodes[depth++] = farChild;
            }
            to = f(from + f(length * near));
            bx = f(ax + f(near * dx));
            by = f(ay + f(near * dy));
            bz = f(az + f(near * dz));
            node = nearChild;
          } else if (farMatters) {
            from = farFrom;
            ax = f(ax + f(far * dx));
            ay = f(ay + f(far * dy));
            az = f(az + f(far * dz));
            node = farChild;
          } else break;
        }
        if (node < 0) {
          sweepList(kernel, -node);
          if (isDecided(kernel)) return;
        }
        do {
          if (depth === 0) return;
          from = frames[FRAME_NUMBERS * --depth]!;
        } while (query[Q_FRACTION]! <= from);
        const frame = FRAME_NUMBERS * depth;
        node = frameNodes[depth]!;
        to = frames[frame + 1]!;
        ax = frames[frame + 2]!;
        ay = frames[frame + 3]!;
        az = frames[frame + 4]!;
        bx = frames[frame + 5]!;
        by = frames[frame + 6]!;
        bz = frames[frame + 7]!;
      }
    }
  }
}

/**
 * Whether the move meets anything in a child: some contents of its mask, and its bounds, which for points take longer to
 * ask than they save.
 */
function meets({ ints, floats, query, state }: Kernel, child: number, isPoint: boolean): boolean {
  const place = child < 0 ? -child : child;
  return (
    (ints[place + CONTENTS_WORD]! & state[S_MASK]!) !== 0 &&
    (isPoint || !isApart(floats, place + BOUNDS_WORD, query))
  );
}

/** Sweeps the shape against what the list of a leaf or model holds. */
function sweepList(kernel: Kernel, at: number): void {
  const { ints, query } = kernel;
  if (ints[at + LIST_NUM_BRUSHES] !== 0) {
    sweepBrushes(kernel, ints[at + LIST_BRUSHES]!, ints[at + LIST_NUM_BRUSHES]!);
  }
  if (ints[at + LIST_NUM_PATCHES] !== 0 && query[Q_FRACTION] !== 0) {
    sweepPatches(kernel, ints[at + LIST_PATCHES]!, ints[at + LIST_NUM_PATCHES]!);
  }
}

/** Sweeps the shape against an inline model, which has no tree, or tests its position there. */
export function sweepModel(kernel: Kernel, model: number): void {
  sweepList(kernel, kernel.places.models.first + MODEL_WORDS * model + MODEL_LIST);
}

/** Position test in the world: the leafs that the box around the shape touches, one unit to spare, in tree order. */
export function touchWorld(kernel: Kernel): void {
  const { ints, query, frameNodes } = kernel;
  for (let k = 0; k < 3; k++) {
    query[Q_BOX + k] = f(f(query[Q_START + k]! + query[Q_MINS + k]!) - 1);
    query[Q_BOX + 3 + k] = f(f(query[Q_START + k]! + query[Q_MAXS + k]!) + 1);
  }
  let node = ints[ROOT_WORD]!;
  let depth = 0;
  for (let leafs = 0; leafs < MAX_POSITION_LEAFS; leafs++) {
    while (node >= 0) {
      const side = boxSide(kernel, node, query, Q_BOX);
      if (side === 3) frameNodes[depth++] = ints[node + NODE_BACK]!;
      node = ints[node + (side === 2 ? NODE_BACK : NODE_FRONT)]!;
    }
    sweepList(kernel, -node);
    if (query[Q_FRACTION] === 0 || depth === 0) return;
    node = frameNodes[--depth]!;
  }
}
