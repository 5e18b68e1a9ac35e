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
export { createQuake2State, type Quake2State } from './state.ts';
