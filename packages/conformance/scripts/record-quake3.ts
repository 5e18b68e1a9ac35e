// Records what becomes of missiles and items in Quake 3's game, each frame, and what its movers push: that of ioquake3, on its own
// dedicated server, through packages/movement/yardstick/record-quake3.c and record-quake3-pushes.c. bspkit computes no part of an
// answer. Each row of a flight has what the server answered when the game traced the way, as that server is compiled with
// -ffast-math: about one answer in 600 differs in its last bits from what the engine's source says, and from what its other rows
// here have.
//
// apt-get install ioquake3-server gcc
// cd packages/conformance && npx esbuild scripts/record-quake3.ts --bundle --platform=node --format=esm \
//   --conditions=@bspkit/source --outfile=../fixtures/dist/record-quake3.mjs && node ../fixtures/dist/record-quake3.mjs
//
// Bundled into dist beside the maps, which are found from there. Writes packages/fixtures/engine/golden/quake3; with the
// same package of Debian's, and the same sources here, the same bytes again.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { readEngineMap } from '@bspkit/fixtures/engine';
import { recordPushes } from './quake3-pushes.ts';
import { recordThings } from './quake3-things.ts';
import { thingColumns } from './things.ts';

// The bundle in dist is as deep in the tree as this file.
const packages = fileURLToPath(new URL('../..', import.meta.url));
const target = join(packages, 'fixtures/engine/golden/quake3');
const ENGINE = 'ioquake3, the dedicated server and the game of Debian 1.36+u20221123.70d07d9+dfsg-1';
const MAP = 'arena';
const SEED = 41;

const SCENES = 26;
const PUSH_SEED = 61;

const { sha256 } = JSON.parse(readFileSync(join(target, '../../maps/INDEX.json'), 'utf8'))[
  `quake3/${MAP}.bsp`
];

/** Writes a file of rows. */
function write(file: string, kind: string, seed: number, rows: readonly string[], columns: object): void {
  const header = {
    ...{ v: 1, game: 'quake3', map: MAP, sha256, engine: ENGINE, kind, seed, n: rows.length },
    ...columns,
  };
  writeFileSync(file, gzipSync([JSON.stringify(header), ...rows, ''].join('\n'), { level: 9 }));
  console.log(`${rows.length} rows of ${kind}`);
}

/** How many rows of things, the file and the seed: other ones make a proof run. */
const [count = '1500', file = join(target, `${MAP}.things.ndjson.gz`), seed = SEED] = process.argv.slice(2);
const map = readEngineMap(`quake3/${MAP}.bsp`);

write(file, 'things', Number(seed), recordThings(packages, map, Number(seed), Number(count)), {
  columns: thingColumns('quake3'),
});
if (process.argv.length === 2) {
  const { scenes, rows } = recordPushes(packages, MAP, map, PUSH_SEED, SCENES);
  write(join(target, `${MAP}.pushes.ndjson.gz`), 'pushes', PUSH_SEED, rows, {
    scenes,
    columns: thingColumns('quake3', 'pushes'),
  });
}
