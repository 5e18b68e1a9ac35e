import { fileURLToPath } from 'node:url';
import { engineFiles, readEngineMap } from '@bspkit/fixtures/engine';
import { missingAt } from '@bspkit/testkit/browsers';
import { missingGcc } from '@bspkit/testkit/gcc';
import { expect, it } from 'vitest';
import { QUAKE3_GAME, recordThings } from '../scripts/quake3-things.ts';

// The rows of missiles and items on our own map, recorded again: those in the repository must be what the engine's own game does.

const packages = fileURLToPath(new URL('../..', import.meta.url));
const missing = missingAt(QUAKE3_GAME, 'BSPKIT_ENGINES') || missingGcc;

it.skipIf(missing)(
  `Quake 3's game moves missiles and items as recorded${missing && ` (skipped: ${missing})`}`,
  () => {
    const file = engineFiles('quake3').find(({ name }) => name.includes('things'))!;
    const [header, ...lines] = file.read().trimEnd().split('\n');
    const { seed, n } = JSON.parse(header!);
    const map = readEngineMap('quake3/arena.bsp');
    // More launches than rows would change what is drawn.
    expect(recordThings(packages, map, seed, 1500)).toEqual(lines);
    expect(lines.length).toBe(n);
  },
);
