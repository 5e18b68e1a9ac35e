import { BspError } from '../error.ts';
import type { Recorder, TraceStep } from '../explain.ts';

/**
 * The most steps of an explanation: some 30 to 80 MB. A move through an existing map takes 13,000 at most where brushes stop it, and
 * a few times that through many tiles; among a large map's polygons it may take more than these, and in a crafted file every brush
 * may overlap all others.
 */
const MAX_STEPS = 2 ** 17;

/** Collects the steps of an explanation; `record` throws `BspError` ('limit') once there are more than anyone would read. */
export function createRecorder(format: string): {
  readonly steps: readonly TraceStep[];
  readonly record: Recorder;
} {
  const steps: TraceStep[] = [];
  const record: Recorder = (step) => {
    if (steps.length === MAX_STEPS) {
      throw new BspError(
        'limit',
        { format },
        `the explanation has more than ${MAX_STEPS} steps: ask about a shorter move`,
      );
    }
    steps.push(step);
  };
  return { steps, record };
}
