import type { Parts } from '../commands.ts';
import type { PlayerState } from '../state.ts';
import { QUAKEWORLD_PARTS } from './quake1/command.ts';
import { createQuakeState } from './quake1/server-state.ts';
import { createQuakeWorldState } from './quake1/state.ts';
import { QUAKE2_PARTS } from './quake2/command.ts';
import { createQuake2State } from './quake2/state.ts';
import { QUAKE3_PARTS } from './quake3/command.ts';
import { createQuake3State } from './quake3/state.ts';

// The list of all kinds of states, and of the commands that move them. Not beside that of the movers: it would weigh on everyone's bundle.

/** A fresh state of each kind, which says what fields there must be. */
export const freshStates = (): PlayerState[] => [
  createQuakeState(),
  createQuakeWorldState(),
  createQuake2State(),
  createQuake3State(),
];

/** What the commands consist of that move states of a kind; `undefined` for kinds that are moved by none of this package. */
export function partsOf(kind: string): Parts<never> | undefined {
  if (kind === 'quake3') return QUAKE3_PARTS;
  if (kind === 'quake2') return QUAKE2_PARTS;
  return kind === 'quakeworld' ? QUAKEWORLD_PARTS : undefined;
}
