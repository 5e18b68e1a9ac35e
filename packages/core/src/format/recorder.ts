import { BspError } from '../error.ts';
import type { Recorder, TraceStep } from '../explain.ts';

/**
 * Most steps of an explanation: some 30 to 80 MB. Moves through a map that there is take 13,000 at most, and some times that
 * through many tiles; in a crafted file every brush may lie on top of all others.
 */
const MAX_STEPS = 2 ** 17;

/** Collects the steps of an explanation; `record` throws `BspError` ('limit') at more of them than anyone reads. */
export function createRecorder(format: string): {
  readonly steps: readonly TraceStep[];
  readonly record: Recorder;
} {
  const steps: TraceStep[] = [];
  const record: Recorder = (step) => {
    if (steps.length === MAX_STEPS) {
      throw new BspError('limit', { format }, `the explanation has more than ${MAX_STEPS} steps`);
    }
    steps.push(step);
  };
  return { steps, record };
}
