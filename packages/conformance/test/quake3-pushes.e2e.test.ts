import { fileURLToPath } from 'node:url';
import { engineFiles, readEngineMap } from '@bspkit/fixtures/engine';
import { quake3Format } from '@bspkit/quake3/format';
import type { RowLine } from '@bspkit/rows';
import { missingAt } from '@bspkit/testkit/browsers';
import { missingGcc } from '@bspkit/testkit/gcc';
import { describe, expect, it } from 'vitest';
import { recordPushes } from '../scripts/quake3-pushes.ts';
import { QUAKE3_GAME } from '../scripts/quake3-things.ts';
import { openThings } from '../scripts/things.ts';
import { expectRows } from './expect-rows.ts';

// The rows of movers on our own map, recorded again: those in the repository must be what the engine's own game does. And more scenes.
// In one of about 7,000 scenes something is so close to something else that the last bits of a trace decide, which that server has
// otherwise than the engine's source: see scripts/record-quake3.ts.

const packages = fileURLToPath(new URL('../..', import.meta.url));
const missing = missingAt(QUAKE3_GAME, 'BSPKIT_ENGINES') || missingGcc;
const skipped = missing && ` (skipped: ${missing})`;

describe("Quake 3's own game", () => {
  it.skipIf(missing)(`carries and pushes as recorded${skipped}`, () => {
    const file = engineFiles('quake3').find(({ kind }) => kind === 'pushes')!;
    const [header, ...lines] = file.read().trimEnd().split('\n');
    const { seed, scenes } = JSON.parse(header!);
    const recorded = recordPushes(packages, 'arena', readEngineMap('quake3/arena.bsp'), seed, scenes.length);
    expect(recorded).toEqual({ scenes, rows: lines });
  });

  it.skipIf(missing).each(['arena', 'torture'])(`carries and pushes as here${skipped}: %s`, async (name) => {
    const map = readEngineMap(`quake3/${name}.bsp`);
    const { scenes, rows } = recordPushes(packages, name, map, 8, 60);
    const table = openThings('quake3', map, scenes, await quake3Format.load(), 'pushes');
    expectRows(
      table,
      rows.map((row) => JSON.parse(row) as RowLine),
    );
  });
});
