import type { PlayerState } from '../state.ts';
import { createQuakeState } from './quake1/server-state.ts';
import { createQuakeWorldState } from './quake1/state.ts';
import { createQuake2State } from './quake2/state.ts';
import { createQuake3State } from './quake3/state.ts';

// The list of all kinds of states. Not beside that of the movers: it would weigh on everyone's bundle.

/** A fresh state of each kind, which says what fields there must be. */
export const freshStates = (): PlayerState[] => [
  createQuakeState(),
  createQuakeWorldState(),
  createQuake2State(),
  createQuake3State(),
];
