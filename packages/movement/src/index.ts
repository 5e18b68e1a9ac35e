export * from './engines/index.ts';
export type { BoxSource, BoxTracer, ContentsSource, PlayerSpace } from './space.ts';
export {
  copyState,
  equalStates,
  firstDifference,
  type PlayerState,
  packState,
  stateBytes,
  unpackState,
} from './state.ts';
