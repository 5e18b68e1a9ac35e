export {
  createQuake2Command,
  packQuake2Command,
  type Quake2Command,
  type Quake2CommandDraft,
  quake2Angle,
  unpackQuake2Command,
} from './command.ts';
export { Quake2Flag, Quake2Type } from './constants.ts';
export { createQuake2Mover, type Quake2Mover, type Quake2MoverOptions } from './mover.ts';
export {
  createQuake2Pusher,
  type Quake2Pusher,
  type Quake2PusherPart,
} from './pusher.ts';
export { createQuake2State, type Quake2State } from './state.ts';
export {
  createQuake2ThingMover,
  type Quake2Enemy,
  type Quake2Goal,
  type Quake2ThingMover,
  type Quake2ThingOptions,
  type Quake2ThingVariables,
} from './thing.ts';
export { createQuake2ThingState, Quake2MoveType, type Quake2ThingState } from './thing-state.ts';
