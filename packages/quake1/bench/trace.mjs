// Times hull traces by hull, and what else a world does, on maps given as files:
//
// node bench/trace.mjs [--kernel=js] MAP.bsp[.gz] …
// node bench/trace.mjs --compare[=5] MAP.bsp[.gz] …    how many times as fast the kernel in WebAssembly moves hulls as the
//                                                      one in JavaScript: medians of this many processes each, in turn
//
// Run `npm run build` first. Queries: 100,000 distinct moves per map from open leafs, 8 to 4096 units long. Times are CPU
// time per call. apps/bench compares with others, and with C.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createHullTrace, createQuake1World, readQuake1, sphereInsideExact } from '@bspkit/quake1';

const COUNT = 100_000;
const ROUNDS = 15;

/** sfc32: the same moves on every run. */
function randomNumbers(seed) {
  let [a, b, c, d] = [seed, 0x9e3779b9, 0x243f6a88, 1];
  return () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return (t >>> 0) / 2 ** 32;
  };
}

/** Moves that begin in the box of an open leaf, most of them open in the hull too: start and end, six numbers each. */
function drawMoves(file, world, hull) {
  const random = randomNumbers(7 + hull);
  const { mins, maxs, contents } = file.leafs;
  const open = [...contents.keys()].filter((leaf) => leaf <= world.numVisLeafs && contents[leaf] !== -2);
  const moves = new Float32Array(6 * COUNT);
  const start = new Float32Array(3);
  for (let i = 0; i < COUNT; i++) {
    const free = random() < 0.95;
    for (let attempt = 0; attempt < 200; attempt++) {
      const leaf = open[Math.floor(random() * open.length)];
      for (let k = 0; k < 3; k++) {
        const [low, high] = [mins[3 * leaf + k], maxs[3 * leaf + k]];
        start[k] = low + random() * (high - low);
      }
      if (!free || world.hullContents(hull, start) !== -2) break;
    }
    const length = 8 * 2 ** (9 * random());
    const up = random() * 2 - 1;
    const turn = random() * 2 * Math.PI;
    const flat = Math.sqrt(1 - up * up);
    moves.set(start, 6 * i);
    moves[6 * i + 3] = start[0] + length * flat * Math.cos(turn);
    moves[6 * i + 4] = start[1] + length * flat * Math.sin(turn);
    moves[6 * i + 5] = start[2] + length * up;
  }
  return moves;
}

/** Least nanoseconds of CPU time per call over the rounds. */
function time(moves, ask) {
  const [start, end] = [new Float32Array(3), new Float32Array(3)];
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const begin = process.cpuUsage();
    for (let i = 0; i < moves.length; i += 6) {
      start[0] = moves[i];
      start[1] = moves[i + 1];
      start[2] = moves[i + 2];
      end[0] = moves[i + 3];
      end[1] = moves[i + 4];
      end[2] = moves[i + 5];
      ask(start, end);
    }
    const { user, system } = process.cpuUsage(begin);
    least = Math.min(least, (1000 * (user + system)) / (moves.length / 6));
  }
  return Math.round(least);
}

function load(path) {
  const stored = readFileSync(path);
  return path.endsWith('.gz') ? gunzipSync(stored) : stored;
}

function measure(path, kernel) {
  const bytes = load(path);
  let [reading, building] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let file;
  let world;
  for (let round = 0; round < 20; round++) {
    const begin = performance.now();
    file = readQuake1(bytes);
    const read = performance.now();
    world = createQuake1World(file, { kernel });
    reading = Math.min(reading, read - begin);
    building = Math.min(building, performance.now() - read);
  }
  const lumps = Object.entries(file.lumps).filter(([name]) => !/textures|lighting|texInfos/.test(name));
  const source = lumps.reduce((sum, [, { length }]) => sum + length, 0);
  const name = basename(path);
  console.log(
    `${name}: read ${reading.toFixed(2)} ms, build ${building.toFixed(2)} ms, ` +
      `${world.data.byteLength} bytes from ${source} bytes of lumps`,
  );
  const out = createHullTrace();
  for (let hull = 0; hull < world.hulls.length; hull++) {
    const tracer = world.hull(hull);
    const moves = drawMoves(file, world, hull);
    const trace = time(moves, (start, end) => tracer.trace(start, end, out));
    const blocked = time(moves, (start, end) => tracer.blocked(start, end));
    console.log(`${name}: hull ${hull}, kernel ${world.kernel}: trace ${trace} ns, blocked ${blocked} ns`);
  }
  const moves = drawMoves(file, world, 0);
  const precise = world.preciseRay();
  const plain = precise.createTrace();
  console.log(
    `${name}: precise ray ${time(moves, (start, end) => precise.trace(start, end, plain))} ns, ` +
      `sight ${time(moves, (start, end) => world.sight(start, end))} ns, ` +
      `leaf ${time(moves, (start) => world.leaf(start))} ns, ` +
      `sphereInside ${time(moves, (start) => world.sphereInside(start, 16))} ns, ` +
      `sphereInsideExact ${time(moves.subarray(0, 60_000), (start) => sphereInsideExact(world, start, 16))} ns`,
  );
}

/** Nanoseconds per trace in each hull, by one kernel in this process alone. */
function measureHulls(path, kernel) {
  const file = readQuake1(load(path));
  const world = createQuake1World(file, { kernel });
  const out = createHullTrace();
  return world.hulls.map((_, hull) => {
    const tracer = world.hull(hull);
    return time(drawMoves(file, world, hull), (start, end) => tracer.trace(start, end, out));
  });
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Prints, for each hull, what each kernel takes: the median of this many processes, one kernel after the other. */
function compare(path, processes) {
  const times = { wasm: [], js: [] };
  for (let k = 0; k < processes; k++) {
    for (const kernel of ['wasm', 'js']) {
      const command = [process.argv[1], '--hulls', `--kernel=${kernel}`, path];
      times[kernel].push(JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8' })));
    }
  }
  for (const hull of times.wasm[0].keys()) {
    const [wasm, js] = [times.wasm, times.js].map((runs) => median(runs.map((run) => run[hull])));
    console.log(
      `${basename(path)}: hull ${hull}: wasm ${wasm} ns, js ${js} ns, ${(js / wasm).toFixed(2)} times`,
    );
  }
}

const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const option = (name) => process.argv.find((argument) => argument.split('=')[0] === `--${name}`);
const kernel = option('kernel')?.split('=')[1];
for (const path of paths) {
  if (option('hulls')) console.log(JSON.stringify(measureHulls(path, kernel)));
  else if (option('compare')) compare(path, Number(option('compare').split('=')[1] ?? 5));
  else measure(path, kernel);
}
