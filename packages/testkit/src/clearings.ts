import type { Tracer } from '@bspkit/core';

/** A tracer of a world of the arena, and in how many areas of that world clearings have been looked for. */
export interface Asked {
  readonly tracer: Tracer;
  areas(): number;
}

const START = [300, -250, 100];
const NEAR = [301, -251, 102];
const FAR = [0, 0, 0];
/** More often than a clearing has to be asked for before it is looked for. */
const ASKS = 30;

/**
 * For each way to ask for a short move, and for a long one, in how many areas clearings are looked for after it has been asked
 * for often.
 */
export function clearingsLookedFor(open: () => Asked): Record<string, number> {
  const segment = Float32Array.of(...START, ...NEAR);
  const ways: Record<string, (tracer: Tracer) => void> = {
    trace: (tracer) => tracer.trace(START, NEAR),
    blocked: (tracer) => tracer.blocked(START, NEAR),
    traceBatch: (tracer) => tracer.traceBatch(segment),
    blockedBatch: (tracer) => tracer.blockedBatch(segment),
    long: (tracer) => tracer.trace(START, FAR),
  };
  return Object.fromEntries(
    Object.entries(ways).map(([name, ask]) => {
      const { tracer, areas } = open();
      for (let k = 0; k < ASKS; k++) ask(tracer);
      return [name, areas()];
    }),
  );
}

/** What that returns if clearings are looked for as they should be: once, where the short move starts. */
export const LOOKED_FOR: Readonly<Record<string, number>> = {
  trace: 1,
  blocked: 1,
  traceBatch: 1,
  blockedBatch: 1,
  long: 0,
};
