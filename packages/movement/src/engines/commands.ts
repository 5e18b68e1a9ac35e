import type { Parts } from '../commands.ts';
import { QUAKEWORLD_PARTS } from './quake1/command.ts';
import { QUAKE2_PARTS } from './quake2/command.ts';
import { QUAKE3_PARTS } from './quake3/command.ts';

// The list of commands, by the kind of the state that they move. Not beside that of the movers, as that of the states.

/** What the commands consist of that move states of a kind; `undefined` if these are none of this package's. */
export function partsOf(kind: string): Parts<never> | undefined {
  if (kind === 'quake3') return QUAKE3_PARTS;
  if (kind === 'quake2') return QUAKE2_PARTS;
  return kind === 'quakeworld' ? QUAKEWORLD_PARTS : undefined;
}
