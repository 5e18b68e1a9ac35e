export {
  createQuakeWorldCommand,
  packQuakeWorldCommand,
  type QuakeWorldCommand,
  type QuakeWorldCommandDraft,
  unpackQuakeWorldCommand,
} from './command.ts';
export {
  createQuakeWorldMover,
  type QuakeWorldMover,
  type QuakeWorldMoverOptions,
  type QuakeWorldVariables,
} from './mover.ts';
export { createQuakePusher, type QuakePusher, type QuakePusherPart, quakePushTime } from './pusher.ts';
export { createQuakeMover, type QuakeMover } from './server.ts';
export { createQuakeState, type QuakeState } from './server-state.ts';
export type { HullContents, HullSource, HullSpace, PlayerObstacle, QuakeThingSpace } from './space.ts';
export { createQuakeWorldState, type QuakeWorldState } from './state.ts';
export {
  createQuakeThingMover,
  type QuakeGoal,
  type QuakeThingMover,
  type QuakeThingVariables,
} from './thing.ts';
export { createQuakeThingState, QuakeMoveType, type QuakeThingState } from './thing-state.ts';
