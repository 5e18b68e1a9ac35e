import { BspError, type TraceStep } from '@bspkit/core';
import { ask } from './agreement.ts';
import { type CompareEntry, WORK_KINDS, type Work, type WorkKind } from './report.ts';

/**
 * Counts the steps that a tracer's `explain` reports, for at most `most` of the queries, spread evenly. Those of which the
 * explanation would be too long are left out. Other errors get the tracer's name and the query.
 */
export function countWork(
  name: string,
  explain: NonNullable<CompareEntry['explain']>,
  queries: Float32Array,
  most: number,
): Work {
  const count = queries.length / 6;
  const chosen = Math.min(count, most);
  let explained = 0;
  const sums: Record<WorkKind, number> = countsOf(() => 0);
  for (let k = 0; k < chosen; k++) {
    ask(`${name}, explain`, queries, Math.floor((k * count) / chosen), (start, end) => {
      try {
        for (const step of explain(start, end).steps) addStep(sums, step);
        explained++;
      } catch (error) {
        if (!(error instanceof BspError && error.code === 'limit')) throw error;
      }
    });
  }
  return { queries: explained, ...countsOf((kind) => (explained > 0 ? sums[kind] / explained : 0)) };
}

const countsOf = (count: (kind: WorkKind) => number): Record<WorkKind, number> =>
  Object.fromEntries(WORK_KINDS.map((kind) => [kind, count(kind)])) as Record<WorkKind, number>;

function addStep(sums: Record<WorkKind, number>, step: TraceStep): void {
  switch (step.kind) {
    case 'node':
      sums.nodes++;
      break;
    case 'leaf':
      sums.leafs++;
      break;
    case 'brush':
      if (step.outcome !== 'again') sums.brushes++;
      break;
    case 'side':
      sums.sides++;
      break;
    case 'facet':
      sums.facets++;
      break;
    case 'polygon':
      sums.polygons++;
      break;
    case 'feature':
      sums.features++;
  }
}
