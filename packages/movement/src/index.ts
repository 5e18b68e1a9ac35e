export { angleVectors } from './angle-vectors.ts';
export * from './character/index.ts';
export * from './engines/index.ts';
export type { PusherPart, PusherScene } from './engines/pusher-parts.ts';
export {
  type CommandMover,
  type PendingCommand,
  Predictor,
  type PredictorOptions,
  Recorder,
  replay,
} from './prediction.ts';
export type { BoxSource, BoxTracer, ContentsSource, PlayerSpace } from './space.ts';
export {
  cloneState,
  copyState,
  equalStates,
  firstDifference,
  type PlayerState,
  packState,
  stateBytes,
  unpackState,
} from './state.ts';
