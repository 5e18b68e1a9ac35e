// Records how Quake's server moves things and monsters on our own map, and what pushes them: that of QuakeSpasm. bspkit computes no
// part of an answer: it helps to find places in the open, where things begin, and to leave out scenes in which something meets a
// slope, where QuakeSpasm measures more precisely than the original (see quake1-double.ts).
//
// apt-get install quakespasm fteqcc gcc
// cd packages/conformance && npx esbuild scripts/record-quake1.ts --bundle --platform=node --format=esm \
//   --conditions=@bspkit/source --outfile=../fixtures/dist/record-quake1.mjs && node ../fixtures/dist/record-quake1.mjs
//
// Bundled into dist beside the maps, which are found from there. Writes packages/fixtures/engine/golden/quake1; with the
// same packages of Debian's, and the same sources here, the same bytes again.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { readEngineMap } from '@bspkit/fixtures/engine';
import { quake1Format } from '@bspkit/quake1/format';
import { numberText } from './numbers.ts';
import { doubleFormat } from './quake1-double.ts';
import { recordedPushes } from './quake1-pushes.ts';
import { openQuakeServer, type ServerScene } from './quake1-server.ts';
import { drawThings } from './quake1-things.ts';
import { openThings, type ThingKind, type ThingRow, thingColumns } from './things.ts';

// The bundle in dist is as deep in the tree as this file.
const packages = fileURLToPath(new URL('../..', import.meta.url));
const target = join(packages, 'fixtures/engine/golden/quake1');
const ENGINE = 'QuakeSpasm 0.95.1, the dedicated server of Debian 0.95.1+dfsg-2';
const MAP = 'arena';

/** What is drawn, of what seed, and how many scenes of that are recorded. */
const KINDS = [
  { kind: 'things', draw: drawThings, seed: 31, count: 5 },
  { kind: 'pushes', draw: recordedPushes, seed: 43, count: 20 },
] as const;

const map = readEngineMap(`quake1/${MAP}.bsp`);
const server = openQuakeServer(join(packages, 'movement/yardstick'));
process.once('exit', () => server.free());

const format = await quake1Format.load();
const formats = [format, doubleFormat(format)];

/** Whether it matters for any row of a scene, whatever its answer is, how slopes are measured. */
function meetsSlope(kind: ThingKind, scene: ServerScene, rows: readonly ThingRow[]): boolean {
  const tables = formats.map((one) => openThings('quake1', map, [scene], one, kind));
  return rows.some((row) => {
    const [plain, double] = tables.map((table) => JSON.stringify(table.answer([...row])));
    return plain !== double;
  });
}

const { sha256 } = JSON.parse(readFileSync(join(target, '../../maps/INDEX.json'), 'utf8'))[
  `quake1/${MAP}.bsp`
];

for (const { kind, draw, seed, count } of KINDS) {
  const scenes: ServerScene[] = [];
  const rows: ThingRow[] = [];
  let drawn = 0;
  for (const scene of draw(map, seed)) {
    drawn++;
    const answers = server.ask(map, scene);
    if (
      meetsSlope(
        kind,
        scene,
        answers.map((cells) => [0, ...cells]),
      )
    )
      continue;
    rows.push(...answers.map((cells): ThingRow => [scenes.length, ...cells]));
    if (scenes.push(scene) === count) break;
  }
  const header = { v: 1, game: 'quake1', map: MAP, sha256, engine: ENGINE, kind, seed };
  const columns = thingColumns('quake1', kind);
  const text = `${JSON.stringify({ ...header, n: rows.length, scenes, columns })}\n`;
  const lines = rows.map(
    (row) => `[${row.map((cell) => (typeof cell === 'number' ? numberText(cell) : `[${cell}]`))}]\n`,
  );
  writeFileSync(join(target, `${MAP}.${kind}.ndjson.gz`), gzipSync(text + lines.join(''), { level: 9 }));
  console.log(`${MAP} ${kind}: ${rows.length} rows of ${count} scenes, of ${drawn} drawn`);
}
