export {
  createQuake3Command,
  packQuake3Command,
  type Quake3Command,
  type Quake3CommandDraft,
  quake3Angle,
  unpackQuake3Command,
} from './command.ts';
export { Quake3Button, Quake3Event, Quake3Flag, Quake3Type } from './constants.ts';
export {
  createQuake3Mover,
  createQuake3Slide,
  type Quake3Mover,
  type Quake3MoverOptions,
  type Quake3Slide,
} from './mover.ts';
export { createQuake3Pusher, type Quake3Pusher, type Quake3PusherPart } from './pusher.ts';
export { createQuake3State, type Quake3State } from './state.ts';
export { createQuake3ThingMover, type Quake3ThingMover } from './thing.ts';
export {
  createQuake3ThingState,
  Quake3Bounce,
  Quake3Path,
  type Quake3ThingState,
  Quake3ThingType,
} from './thing-state.ts';
export {
  type Quake3Trajectory,
  quake3PathPosition,
  quake3ThingPosition,
  quake3ThingVelocity,
} from './trajectory.ts';
