import type { CompareStage } from '@bspkit/compare';
import { withEllipsoids } from '@bspkit/ellipsoid';
import { serveWork, type WorkQuestion } from '../serve.ts';
import { type Contest, runContest } from './contest.ts';

interface CompareQuestion extends WorkQuestion {
  readonly contest: Contest;
}

/** The stages that there are here, in their order. */
const STAGES: readonly CompareStage[] = ['answers', 'timing', 'work'];

serveWork<CompareQuestion, CompareStage>((format, { bytes, contest }, report) =>
  runContest(withEllipsoids(format), bytes, contest, (stage, part) =>
    report((Math.max(0, STAGES.indexOf(stage)) + part) / STAGES.length, stage),
  ),
);
