export { hitText, outcomeText } from './answers.ts';
export { type Frame, isSameModel, type ModelAt, ModelFrames } from './frames.ts';
export { isCheck, moveText, roundLines, roundName, stopOf } from './moves.ts';
export { capitalized, count, inWords, show, showFraction, showVec } from './numbers.ts';
export type { AskedModels } from './places.ts';
export { presetNotes, presetText } from './presets.ts';
export {
  clipOutcome,
  featureName,
  featureOutcome,
  leafName,
  moveEnds,
  nodeName,
  noSteps,
  outcomeName,
  planeText,
  SKIPPED,
} from './steps.ts';
