import type { Parts } from '../commands.ts';
import type { PlayerState } from '../state.ts';
import { QUAKEWORLD_PARTS } from './quake1/command.ts';
import { createQuakeState } from './quake1/server-state.ts';
import { createQuakeWorldState } from './quake1/state.ts';
import { createQuakeThingState } from './quake1/thing-state.ts';
import { QUAKE2_PARTS } from './quake2/command.ts';
import { createQuake2State } from './quake2/state.ts';
import { createQuake2ThingState } from './quake2/thing-state.ts';
import { QUAKE3_PARTS } from './quake3/command.ts';
import { createQuake3State } from './quake3/state.ts';
import { createQuake3ThingState } from './quake3/thing-state.ts';

// The list of all kinds of states, and of the commands that move them. Apart from the list of movers, because everyone's bundle
// would contain it there.

/** A fresh state of each kind, which shows what fields there must be. */
export const freshStates = (): PlayerState[] => [
  createQuakeState(),
  createQuakeThingState(),
  createQuakeWorldState(),
  createQuake2State(),
  createQuake2ThingState(),
  createQuake3State(),
  createQuake3ThingState(),
];

/** The parts of the commands that move states of a kind; `undefined` for kinds that no mover of this package moves. */
export function partsOf(kind: string): Parts<never> | undefined {
  if (kind === 'quake3') return QUAKE3_PARTS;
  if (kind === 'quake2') return QUAKE2_PARTS;
  return kind === 'quakeworld' ? QUAKEWORLD_PARTS : undefined;
}
