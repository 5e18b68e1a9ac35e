import { BRUSH_CONTENTS, BRUSH_WORDS, SHADER_WORDS, SIDE_SHADER } from '../layout.ts';
import {
  type Kernel,
  Q_FRACTION,
  S_ALL_SOLID,
  S_BRUSH,
  S_CONTENTS,
  S_PATCH,
  S_SIDE,
  S_START_SOLID,
  S_SURFACE_FLAGS,
} from './memory.ts';

// What was hit goes into the answer.

/** The move starts in a brush, and perhaps stays in it. */
export function recordInside(kernel: Kernel, brush: number, stays: boolean): void {
  const { query, state } = kernel;
  state[S_START_SOLID] = 1;
  if (!stays) return;
  state[S_ALL_SOLID] = 1;
  query[Q_FRACTION] = 0;
  recordBrush(kernel, brush, -1);
}

/** Makes a side of a brush what was hit. */
export function recordSide(kernel: Kernel, brush: number, side: number): void {
  const { ints, places, state } = kernel;
  state[S_SURFACE_FLAGS] = ints[places.shaders.first + SHADER_WORDS * ints[side + SIDE_SHADER]!]!;
  recordBrush(kernel, brush, side);
}

function recordBrush({ ints, places, state }: Kernel, brush: number, side: number): void {
  state[S_CONTENTS] = ints[places.brushes.first + BRUSH_WORDS * brush + BRUSH_CONTENTS]!;
  state[S_BRUSH] = brush;
  state[S_SIDE] = side;
  state[S_PATCH] = -1;
}
