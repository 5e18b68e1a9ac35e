import { between, createRandom, direction, type Random } from '@bspkit/geometry';
import { hullBrush, type SourceBrush } from '../src/index.ts';

/** A box rotated at random, its corners rounded to eighths: some sides lie nearly, but not quite, in one plane. */
export function roundedBox(random: Random, reach = 1000): SourceBrush | undefined {
  const x = direction(random);
  const other = direction(random);
  const dot = x[0] * other[0] + x[1] * other[1] + x[2] * other[2];
  const raw = other.map((v, k) => v - dot * x[k]!);
  const length = Math.hypot(...raw);
  if (length < 0.1) return undefined;
  const y = raw.map((v) => v / length) as [number, number, number];
  const z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
  const center = [0, 1, 2].map(() => between(random, -reach, reach));
  const half = [0, 1, 2].map(() => 4 + 60 * random());
  const corners = Array.from({ length: 8 }, (_, i) =>
    [0, 1, 2].map((k) => {
      const at =
        center[k]! +
        (i & 1 ? 1 : -1) * half[0]! * x[k]! +
        (i & 2 ? 1 : -1) * half[1]! * y[k]! +
        (i & 4 ? 1 : -1) * half[2]! * z[k]!;
      return Math.round(at * 8) / 8;
    }),
  );
  return hullBrush(corners);
}

/** Rounded boxes within `reach` units of the origin. */
export function roundedBoxes(seed: number, count: number, reach = 1000): SourceBrush[] {
  const random = createRandom(seed);
  const brushes: SourceBrush[] = [];
  while (brushes.length < count) {
    const brush = roundedBox(random, reach);
    if (brush) brushes.push(brush);
  }
  return brushes;
}
