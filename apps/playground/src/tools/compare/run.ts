import type { CompareStage, Comparison } from '@bspkit/compare';
import { type Form, Run } from '../run.ts';
import type { ToolContext } from '../tool.ts';
import type { Contest, Entrant } from './contest.ts';

/** A comparison that goes on or is done. */
export class CompareRun extends Run<Comparison, CompareStage> {
  readonly entrants: readonly Entrant[];
  /** The tracer whose differences are shown: at first one that differs. */
  shown: number | undefined;

  constructor(map: ToolContext['map'], contest: Contest, form: Form) {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'compare' });
    super(map, form, 'the comparison', worker, { contest });
    this.entrants = contest.entrants;
  }
}
