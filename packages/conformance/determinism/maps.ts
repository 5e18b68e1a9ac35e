import { fixtureText } from '@bspkit/fixtures';
import { engineMapNames, readEngineMap } from '@bspkit/fixtures/engine';
import { FORMATS } from 'bspkit';
import type { Given } from './answers.ts';
import type { DeterminismMap } from './runs.ts';

/** What the program works on by default: all maps of ours. */
export const given = (): Given => ({ maps: determinismMaps(), sources: [fixtureText('arena')] });

/** Our own maps, as files that do not change, of every format. */
function determinismMaps(): DeterminismMap[] {
  return FORMATS.flatMap(({ id }) =>
    engineMapNames(id).flatMap((name) => {
      const bytes = readEngineMap(name);
      const map = { format: id, bytes };
      // The same room for the other game of this format, whose models can be turned: the reader accepts it too, going by the
      // version.
      return id === 'quake1' && name.endsWith('/arena.bsp')
        ? [map, { format: id, bytes: asHalfLife(bytes) }]
        : [map];
    }),
  );
}

function asHalfLife(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes);
  copy[0] = 30;
  return copy;
}
