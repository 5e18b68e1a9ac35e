import { fileURLToPath } from 'node:url';
import { engineFiles, readEngineMap } from '@bspkit/fixtures/engine';
import { createQuake2World, readQuake2 } from '@bspkit/quake2';
import { parseTable } from '@bspkit/rows';
import { missingAt } from '@bspkit/testkit/browsers';
import { missingGcc } from '@bspkit/testkit/gcc';
import { afterAll, describe, expect, it } from 'vitest';
import {
  AIR_ACCELERATE,
  openServer,
  placeLine,
  playerLine,
  readPlayer,
  readTraces,
  type Server,
  type ServerEntity,
  serverPath,
  traceLine,
} from '../scripts/quake2-server.ts';
import { floats } from './expect-rows.ts';

// The rows of Quake 2 on our own maps, asked again: those in the repository must match the engine's own server.

const yardstick = fileURLToPath(new URL('../../quake2/yardstick', import.meta.url));
const missing = missingAt(serverPath(yardstick), 'BSPKIT_ENGINES') || missingGcc;

type Cells = (number | number[])[];

let server: Server | undefined;
afterAll(() => server?.free());

describe("Quake 2's dedicated server", () => {
  const files = engineFiles('quake2').filter(({ kind }) => kind !== 'things' && kind !== 'pushes');

  it.skipIf(missing).each(files)(
    `answers as recorded${missing && ` (skipped: ${missing})`}: $name`,
    (file) => {
      server ??= openServer(yardstick);
      const { header, lines } = parseTable(file.read());
      const rows = lines as Cells[];
      const map = readEngineMap(`quake2/${header.map}.bsp`);
      const world = createQuake2World(readQuake2(map));
      const at = (name: string): number => header.columns!.indexOf(name);
      const cells = (row: Cells, first: string, last: string): number[] =>
        row.slice(at(first), at(last) + 1) as number[];
      let answers: Cells[];
      if (header.kind === 'pmove') {
        const models = header.models as number[][];
        const places = models.map(([model, ...place], k) =>
          placeLine(k + 1, { model: model!, origin: place.slice(0, 3), angles: place.slice(3) }),
        );
        const told = [0, 1].map((air) => {
          const questions = rows.filter((row) => row[at('airaccelerate')] === air);
          const asked = questions.map((row) => playerLine(cells(row, 'mask', 'up')));
          return server!.ask(map, [...places, ...asked], air ? AIR_ACCELERATE : []).map(readPlayer);
        });
        const next = [0, 0];
        answers = rows.map((row) => {
          const air = row[at('airaccelerate')] as number;
          return told[air]![next[air]!++]!;
        });
      } else {
        const asked: string[] = [];
        let scene: unknown;
        for (const row of rows) {
          if (at('scene') >= 0 && row[at('scene')] !== scene) {
            scene = row[at('scene')];
            const entities = (header.scenes as ServerEntity[][])[scene as number]!;
            asked.push('clear', ...entities.map((entity, k) => placeLine(k + 1, entity)));
          }
          const pass = at('pass') < 0 ? 0 : (row[at('pass')] as number);
          asked.push(traceLine(cells(row, 'sx', 'mask'), pass));
        }
        answers = readTraces(world, server.ask(map, asked));
      }
      const first = at(header.kind === 'pmove' ? 'rox' : 'fraction');
      const recorded = rows.map((row) => floats(row.slice(first)));
      expect(answers.map((answer) => floats(answer.slice(0, rows[0]!.length - first)))).toEqual(recorded);
    },
  );
});
