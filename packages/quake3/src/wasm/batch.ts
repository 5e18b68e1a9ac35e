import type { TraceBatch } from '@bspkit/core';
import { findMissed, type Moves } from '@bspkit/core/format';
import { enter, type WasmTracer } from './kernel.ts';

// Batches in WebAssembly, some hundreds of moves per call.

/** Traces moves into the arrays that a batch has. */
export function traceMoves(tracer: WasmTracer, out: TraceBatch<never>, moves: Moves): void {
  passMoves(tracer, moves, 0, (first, count) => tracer.hot.copyAnswers(out, first, count));
}

/** Tests moves. */
export function testMoves(tracer: WasmTracer, out: Uint8Array, moves: Moves): void {
  const { blockers, tests } = tracer.hot;
  passMoves(tracer, moves, 1, (first, count) => {
    blockers.find();
    out.set(tests.subarray(0, count), first);
  });
}

function passMoves(
  tracer: WasmTracer,
  moves: Moves,
  any: 0 | 1,
  take: (first: number, count: number) => void,
): void {
  const { hot, shape } = tracer;
  const { clearings } = tracer.kernel.target.memory;
  if (hot.current !== tracer) enter(tracer);
  moves.passTo(hot, (first, count) => {
    hot.exports.batch(shape, any, count);
    if (clearings) findMissed(clearings, moves.segments, first, count);
    take(first, count);
  });
}
