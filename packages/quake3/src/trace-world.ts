import { boxSide } from './classify.ts';
import {
  FRAME_FLOATS,
  type Kernel,
  leafPlace,
  Q_BOX,
  Q_END,
  Q_EPSILON,
  Q_EXTENTS,
  Q_FRACTION,
  Q_MAXS,
  Q_MINS,
  Q_START,
} from './kernel.ts';
import { MODEL_WORDS, ROOT_WORD } from './layout.ts';
import { isDecided, sweepBrushes, touchBrushes } from './trace-brush.ts';
import { sweepPatches, touchPatches } from './trace-patch.ts';

const f = Math.fround;

/** Leafs that the engine's position test looks at, at most. */
const MAX_POSITION_LEAFS = 1024;

/**
 * Sweeps the shape through the world's tree (tutorial `CheckNode`), nearer children first. The walk's own points drift
 * by rounding; they only decide which leafs are visited, in the engine's order, which decides ties.
 */
export function sweepWorld(kernel: Kernel): void {
  const { ints, floats, places, query, frames, frameNodes } = kernel;
  const epsilon = query[Q_EPSILON]!;
  let node = ints[ROOT_WORD]!;
  let from = 0;
  let to = 1;
  let ax = query[Q_START]!;
  let ay = query[Q_START + 1]!;
  let az = query[Q_START + 2]!;
  let bx = query[Q_END]!;
  let by = query[Q_END + 1]!;
  let bz = query[Q_END + 2]!;
  let depth = 0;
  for (;;) {
    while (node >= 0) {
      const type = ints[node]!;
      const dist = floats[node + 4]!;
      let d1: number;
      let d2: number;
      // Read, not chosen among constants and numbers, which would make V8 box it.
      const offset = query[Q_EXTENTS + type]!;
      if (type === 0) {
        d1 = f(ax - dist);
        d2 = f(bx - dist);
      } else if (type === 1) {
        d1 = f(ay - dist);
        d2 = f(by - dist);
      } else if (type === 2) {
        d1 = f(az - dist);
        d2 = f(bz - dist);
      } else {
        const nx = floats[node + 1]!;
        const ny = floats[node + 2]!;
        const nz = floats[node + 3]!;
        d1 = f(f(f(f(nx * ax) + f(ny * ay)) + f(nz * az)) - dist);
        d2 = f(f(f(f(nx * bx) + f(ny * by)) + f(nz * bz)) - dist);
      }
      const clear = f(offset + 1);
      if (d1 >= clear && d2 >= clear) {
        node = ints[node + 5]!;
        continue;
      }
      if (d1 < -clear && d2 < -clear) {
        node = ints[node + 6]!;
        continue;
      }
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
      if (near < 0) near = 0;
      else if (near > 1) near = 1;
      if (far < 0) far = 0;
      else if (far > 1) far = 1;
      const length = f(to - from);
      const dx = f(bx - ax);
      const dy = f(by - ay);
      const dz = f(bz - az);
      const farFrom = f(from + f(length * far));
      // A far piece that begins past the best hit would be dropped when its turn comes.
      if (query[Q_FRACTION]! > farFrom) {
        const frame = FRAME_FLOATS * depth;
        frames[frame] = farFrom;
        frames[frame + 1] = to;
        frames[frame + 2] = f(ax + f(far * dx));
        frames[frame + 3] = f(ay + f(far * dy));
        frames[frame + 4] = f(az + f(far * dz));
        frames[frame + 5] = bx;
        frames[frame + 6] = by;
        frames[frame + 7] = bz;
        frameNodes[depth++] = ints[node + 6 - first]!;
      }
      to = f(from + f(length * near));
      bx = f(ax + f(near * dx));
      by = f(ay + f(near * dy));
      bz = f(az + f(near * dz));
      node = ints[node + 5 + first]!;
    }
    const leaf = leafPlace(places, node);
    if (ints[leaf + 1] !== 0) sweepBrushes(kernel, ints[leaf]!, ints[leaf + 1]!);
    if (ints[leaf + 3] !== 0 && query[Q_FRACTION] !== 0)
      sweepPatches(kernel, ints[leaf + 2]!, ints[leaf + 3]!);
    if (isDecided(kernel)) return;
    do {
      if (depth === 0) return;
      from = frames[FRAME_FLOATS * --depth]!;
    } while (query[Q_FRACTION]! <= from);
    const frame = FRAME_FLOATS * depth;
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

/** Sweeps the shape against an inline model, which has no tree. */
export function sweepModel(kernel: Kernel, model: number): void {
  const { ints, query } = kernel;
  const at = kernel.places.models.first + MODEL_WORDS * model;
  sweepBrushes(kernel, ints[at + 6]!, ints[at + 7]!);
  if (query[Q_FRACTION] !== 0) sweepPatches(kernel, ints[at + 8]!, ints[at + 9]!);
}

/** Position test in the world: the leafs that the box around the shape touches, one unit to spare, in tree order. */
export function touchWorld(kernel: Kernel): void {
  const { ints, places, query, frameNodes } = kernel;
  for (let k = 0; k < 3; k++) {
    query[Q_BOX + k] = f(query[Q_START + k]! + query[Q_MINS + k]!) - 1;
    query[Q_BOX + 3 + k] = f(query[Q_START + k]! + query[Q_MAXS + k]!) + 1;
  }
  let node = ints[ROOT_WORD]!;
  let depth = 0;
  for (let leafs = 0; leafs < MAX_POSITION_LEAFS; ) {
    while (node >= 0) {
      const side = boxSide(kernel, node, query, Q_BOX);
      if (side === 3) frameNodes[depth++] = ints[node + 6]!;
      node = side === 2 ? ints[node + 6]! : ints[node + 5]!;
    }
    leafs++;
    const leaf = leafPlace(places, node);
    if (touchBrushes(kernel, ints[leaf]!, ints[leaf + 1]!)) return;
    if (touchPatches(kernel, ints[leaf + 2]!, ints[leaf + 3]!)) return;
    if (depth === 0) return;
    node = frameNodes[--depth]!;
  }
}

/** Position test against an inline model. */
export function touchModel(kernel: Kernel, model: number): void {
  const { ints } = kernel;
  const at = kernel.places.models.first + MODEL_WORDS * model;
  if (!touchBrushes(kernel, ints[at + 6]!, ints[at + 7]!)) touchPatches(kernel, ints[at + 8]!, ints[at + 9]!);
}
