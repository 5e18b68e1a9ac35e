import type { BoxWorld, KernelChoice, RayWorld, Tracer } from '@bspkit/core';
import { expect } from 'vitest';
import { expectSame, moving } from '../same.ts';
import { addSides, type CraftedFormat } from './files.ts';

// Brushes that have each side twice: a move stops at the first of the two. Kernels clip sides four at a time, so a side and
// its twin may be in two lanes, or in the same one of another four.

type Sides = readonly Uint8Array[];

/** How the twins follow the sides of a brush. */
export const TWINS: readonly [string, (own: Sides) => Sides][] = [
  ['the last first', (own) => [...own].reverse()],
  ['in the same lanes', (own) => [...own.slice(0, -own.length & 3), ...own]],
];

/** Expects both kernels to find the sides that they find without the twins. */
export function expectFirstOfTwins(
  format: CraftedFormat,
  base: Uint8Array,
  twins: (own: Sides) => Sides,
  open: (bytes: Uint8Array, kernel: KernelChoice) => RayWorld & BoxWorld,
): void {
  const { bytes, shifts } = addSides(format, base, twins);
  const tracers = (world: RayWorld & BoxWorld): Tracer[] => [
    world.ray(),
    world.box([-16, -16, -24], [16, 16, 32]),
  ];
  const expected = tracers(open(base, 'auto'));
  const found = new Set<number>();
  for (const kernel of ['wasm', 'js'] as const) {
    for (const [k, tracer] of tracers(open(bytes, kernel)).entries()) {
      for (let n = 0; n < 128; n++) {
        const end = [19 * (((37 * n) % 64) - 32), 19 * (((7 * n * n) % 61) - 30), 100 * ((n % 9) - 4)];
        const trace = expected[k]!.trace([0, 0, 64], end);
        if (trace.side >= 0) trace.side += shifts[trace.brush]!;
        found.add(trace.side);
        const who = `${tracer.shape.kind}, kernel '${kernel}'`;
        expectSame(tracer.trace([0, 0, 64], end), trace, moving([0, 0, 64], end, who));
      }
    }
  }
  expect(found.size).toBeGreaterThan(8);
}
