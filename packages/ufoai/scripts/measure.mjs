// Measures lines with rows recorded from the engine, with levels set for every row, and boxes along the same lines: both kernels
// side by side in one run, by processor time, in several processes, because V8 now and then compiles one badly.
// After `npm run build`: node scripts/measure.mjs [map…]   (maps of the recorded rows; needs BSPKIT_MAPS or ../shared)
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { createUfoaiWorld, readUfoai } from '../dist/index.js';

const SELF = fileURLToPath(import.meta.url);
const PROCESSES = 5;
const PASSES = 7;
const KERNELS = ['js', 'wasm'];
const USUAL = ['mansion_mansion_main', 'city2_c2_main', 'asm_mansion', 'farm_f_farmhouse_a', 'arena.ufoai'];
const ACTOR = [
  [-9, -9, -24],
  [9, 9, 20],
];

/** Folders that have maps and rows: real ones, and our own. */
const shared = process.env.BSPKIT_MAPS ?? join(dirname(SELF), '../../../../shared');
const data = [
  { maps: join(shared, 'maps'), golden: join(shared, 'golden') },
  {
    maps: join(dirname(SELF), '../../fixtures/engine/maps'),
    golden: join(dirname(SELF), '../../fixtures/engine/golden'),
  },
];

const unpack = (path) => gunzipSync(readFileSync(path));

/** The bytes of a map named in rows. */
function loadMap({ maps }, { map, sha256 }) {
  const index = Object.entries(JSON.parse(readFileSync(join(maps, 'INDEX.json'), 'utf8')));
  const bySum = index.find(([, entry]) => entry.originalSha256 === sha256 || entry.sha256 === sha256);
  const found = bySum ?? index.find(([name]) => name.endsWith(map.split('/').at(-1)));
  return unpack(join(maps, found[1].file));
}

/** A world of recorded rows, its lines and their levels. */
function readRows(name) {
  const source = data.find(({ golden }) => existsSync(join(golden, 'ufoai', `${name}.lines.ndjson.gz`)));
  if (!source) throw new Error(`there are no recorded lines of ${name}; try one of ${names().join(', ')}`);
  const text = unpack(join(source.golden, 'ufoai', `${name}.lines.ndjson.gz`)).toString();
  const [header, ...rows] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [level, start, end] = ['levelmask', 'sx', 'ex'].map((column) => header.columns.indexOf(column));
  const tiles = (header.tiles ?? [header]).map(({ x, y, z, ...tile }) => ({
    file: readUfoai(loadMap(source, tile)),
    x,
    y,
    z,
  }));
  return {
    tiles,
    settings: rows.map((row) => ({ levels: row[level] })),
    starts: rows.map((row) => Float32Array.from(row.slice(start, start + 3))),
    ends: rows.map((row) => Float32Array.from(row.slice(end, end + 3))),
  };
}

function names() {
  const lists = data
    .map(({ golden }) => join(golden, 'ufoai'))
    .filter(existsSync)
    .map((path) => readdirSync(path));
  return lists.flat().flatMap((file) => /^(.+)\.lines\.ndjson\.gz$/.exec(file)?.[1] ?? []);
}

/** Queries of a world, by name: each asks everything once. */
function jobsOf(world, { settings, starts, ends }) {
  const line = world.line();
  const hit = line.createTrace();
  const box = world.box(...ACTOR);
  const ray = world.ray();
  const out = box.createTrace();
  // The first 40 units of each move: as when walking.
  const steps = starts.map((start, k) => {
    const way = start.map((x, axis) => ends[k][axis] - x);
    const length = Math.sqrt(way.reduce((sum, x) => sum + x * x, 0)) || 1;
    return start.map((x, axis) => x + (way[axis] / length) * 40);
  });
  const sweep = (tracer, ends) => () => {
    let sum = 0;
    for (let k = 0; k < starts.length; k++) sum += tracer.trace(starts[k], ends[k], out).fraction;
    return sum;
  };
  return {
    'line, blocked': () => {
      let count = 0;
      for (let k = 0; k < starts.length; k++) {
        if (line.set(settings[k]).blocked(starts[k], ends[k])) count++;
      }
      return count;
    },
    'line, place': () => {
      let count = 0;
      for (let k = 0; k < starts.length; k++) {
        if (line.set(settings[k]).trace(starts[k], ends[k], hit).blocked) count++;
      }
      return count;
    },
    'box, whole': sweep(box, ends),
    'box, step': sweep(box, steps),
    'box, still': sweep(box, starts),
    'ray, whole': sweep(ray, ends),
    'ray, step': sweep(ray, steps),
  };
}

const processorTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
};

/** Best times in nanoseconds per query, by job and kernel. */
function measure(name) {
  const rows = readRows(name);
  const worlds = KERNELS.map((kernel) => jobsOf(createUfoaiWorld(rows.tiles, { kernel }), rows));
  const results = {};
  for (const job of Object.keys(worlds[0])) {
    const sums = worlds.map((jobs) => jobs[job]());
    if (sums[0] !== sums[1]) throw new Error(`${name}, ${job}: the kernels do not agree`);
    const began = processorTime();
    worlds[0][job]();
    const repeat = Math.ceil(1e7 / (processorTime() - began + 1));
    results[job] = KERNELS.map(() => Infinity);
    for (let pass = 0; pass < PASSES; pass++) {
      for (const [k, jobs] of worlds.entries()) {
        const from = processorTime();
        for (let r = 0; r < repeat; r++) jobs[job]();
        const time = (processorTime() - from) / repeat / rows.starts.length;
        results[job][k] = Math.min(results[job][k], time);
      }
    }
  }
  return results;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

if (process.argv[2] === '--one') console.log(JSON.stringify(measure(process.argv[3])));
else {
  const asked = process.argv.slice(2);
  for (const name of asked.length > 0 ? asked : USUAL.filter((name) => names().includes(name))) {
    const runs = Array.from({ length: PROCESSES }, () =>
      JSON.parse(execFileSync(process.execPath, [SELF, '--one', name], { encoding: 'utf8' })),
    );
    console.log(`${name}: ns per query, median of ${PROCESSES} processes`);
    for (const job of Object.keys(runs[0])) {
      const [js, wasm] = KERNELS.map((_, k) => median(runs.map((run) => run[job][k])));
      const ratio = median(runs.map((run) => run[job][0] / run[job][1]));
      console.log(
        `  ${job.padEnd(14)} js ${js.toFixed(0).padStart(6)}  wasm ${wasm.toFixed(0).padStart(6)}  ${ratio.toFixed(2)} x`,
      );
    }
  }
}
