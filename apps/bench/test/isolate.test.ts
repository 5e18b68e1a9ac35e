import { defineTracer } from '@bspkit/compare';
import { afterEach, expect, it, vi } from 'vitest';
import { CLOCKS } from '../src/clock.ts';
import { inIsolate } from '../src/peers/isolate.ts';
import type { MeasuredShape } from '../src/shapes.ts';

afterEach(() => vi.restoreAllMocks());

it('a library in an isolate is charged what it takes there, by wall-clock time too', () => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const tracer = defineTracer({ shape: { kind: 'ray' }, trace: (_start, _end, out) => out });
  const peer = {
    ...{ name: 'library', buildMs: 1, bytes: 1, builtFrom: 'bytes' as const },
    prepare: () => ({ tracer, run: () => 0 }),
  };
  const isolate = { ask: () => ({ took: 7, allocated: 0 }), free: () => {} };
  const shape = { preset: { name: 'ray' }, shape: { kind: 'ray' } } as MeasuredShape;
  const { run } = inIsolate(peer, isolate, 'wall').prepare(shape)!;
  const began = CLOCKS.wall();
  run!(new Float32Array(6), 0, 1);
  expect(CLOCKS.wall() - began).toBe(7);
});
