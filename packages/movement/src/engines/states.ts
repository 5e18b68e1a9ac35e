import type { Parts } from '../commands.ts';
import type { StateFields } from '../fields.ts';
import type { PlayerState } from '../state.ts';
import { QUAKEWORLD_PARTS } from './quake1/command.ts';
import { createQuakeState, quakeStateFields } from './quake1/server-state.ts';
import { createQuakeWorldState, quakeWorldStateFields } from './quake1/state.ts';
import { createQuakeThingState, quakeThingStateFields } from './quake1/thing-state.ts';
import { QUAKE2_PARTS } from './quake2/command.ts';
import { createQuake2State, quake2StateFields } from './quake2/state.ts';
import { createQuake2ThingState, quake2ThingStateFields } from './quake2/thing-state.ts';
import { QUAKE3_PARTS } from './quake3/command.ts';
import { createQuake3State, quake3StateFields } from './quake3/state.ts';
import { createQuake3ThingState, quake3ThingStateFields } from './quake3/thing-state.ts';

// The list of all kinds of states, and of the commands that move them. Apart from the list of movers, because everyone's bundle
// would contain it there.

/** What makes a fresh state of each kind, which shows what fields there must be, and how these are read and written. */
export const writtenStates = (): { create: () => PlayerState; fields: StateFields<never> }[] => [
  { create: createQuakeState, fields: quakeStateFields },
  { create: createQuakeThingState, fields: quakeThingStateFields },
  { create: createQuakeWorldState, fields: quakeWorldStateFields },
  { create: createQuake2State, fields: quake2StateFields },
  { create: createQuake2ThingState, fields: quake2ThingStateFields },
  { create: createQuake3State, fields: quake3StateFields },
  { create: createQuake3ThingState, fields: quake3ThingStateFields },
];

/** The parts of the commands that move states of a kind; `undefined` for kinds that no mover of this package moves. */
export function partsOf(kind: string): Parts<never> | undefined {
  if (kind === 'quake3') return QUAKE3_PARTS;
  if (kind === 'quake2') return QUAKE2_PARTS;
  return kind === 'quakeworld' ? QUAKEWORLD_PARTS : undefined;
}
