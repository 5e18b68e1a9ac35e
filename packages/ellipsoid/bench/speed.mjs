// Times moves of a player-sized ellipsoid, next to Rapier's castShape with a capsule of that size, and writes the table into the
// README. After `npm run build` at the root, on a quiet machine:
//
//   node bench/speed.mjs [--print] [--moves 2000] [MAP.bsp[.gz] …]     by default, three maps in BSPKIT_MAPS or ../shared
//
// Moves: 16 units long, from places where the ellipsoid stands on something. With --print nothing is written.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { createEllipsoidWorld, createSlide, createTutorialMove, EllipsoidSlider } from '@bspkit/ellipsoid';
import { quake1Format } from '@bspkit/quake1/format';
import { quake3Format } from '@bspkit/quake3/format';
import { ufoaiFormat } from '@bspkit/ufoai/format';
import RAPIER from '@dimforge/rapier3d-compat';
import { writeFigures } from '../../../scripts/figures.mjs';
import { realMaps } from '../../../scripts/real-maps.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { print: { type: 'boolean', default: false }, moves: { type: 'string', default: '2000' } },
});
const USUAL = ['quake1/e1m1', 'quake3/oa_dm1', 'ufoai/farm_f_farmhouse_a'];
const FILES = positionals.length > 0 ? positionals : USUAL.map((name) => join(realMaps(), `${name}.bsp.gz`));
const COUNT = Number(values.moves);
const LENGTH = 16;
const ROUNDS = 5;
const RADII = [15, 15, 28];

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

/** Moves in any direction, from places to which a free ellipsoid falls. */
function movesIn(world) {
  const random = randomNumbers(1);
  const tracer = world.ellipsoid(RADII, { epsilon: 0.125 });
  const { mins, maxs } = world.bounds;
  const moves = new Float32Array(6 * COUNT);
  for (let k = 0; k < COUNT; ) {
    const at = [0, 1, 2].map((axis) => mins[axis] + random() * (maxs[axis] - mins[axis]));
    if (tracer.blocked(at, at)) continue;
    const { fraction, endPos, startSolid } = tracer.trace(at, [at[0], at[1], mins[2] - 100]);
    if (fraction === 1 || startSolid) continue;
    const way = [random() - 0.5, random() - 0.5, random() - 0.5];
    const length = Math.hypot(...way);
    moves.set(endPos, 6 * k);
    moves.set(
      way.map((x, axis) => endPos[axis] + (LENGTH * x) / length),
      6 * k + 3,
    );
    k++;
  }
  return moves;
}

/** The arguments of castShape, made once. */
function rapierCast(source, moves) {
  const corners = source
    .polygons()
    .filter((polygon) => source.isSolid(polygon))
    .flatMap(({ vertices }) => {
      const triangles = [];
      for (let k = 3; k + 5 < vertices.length; k += 3) {
        triangles.push(...vertices.subarray(0, 3), ...vertices.subarray(k, k + 6));
      }
      return triangles;
    });
  const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
  const indexes = Uint32Array.from({ length: corners.length / 3 }, (_, k) => k);
  const collider = world.createCollider(RAPIER.ColliderDesc.trimesh(Float32Array.from(corners), indexes));
  world.step();
  const shape = new RAPIER.Capsule(RADII[2] - RADII[0], RADII[0]);
  const upright = { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };
  const still = { x: 0, y: 0, z: 0 };
  const position = { x: 0, y: 0, z: 0 };
  const move = { x: 0, y: 0, z: 0 };
  return (k) => {
    const at = 6 * k;
    position.x = moves[at];
    position.y = moves[at + 1];
    position.z = moves[at + 2];
    move.x = moves[at + 3] - position.x;
    move.y = moves[at + 4] - position.y;
    move.z = moves[at + 5] - position.z;
    collider.castShape(still, shape, position, upright, move, 0, 1, true);
  };
}

/** Median microseconds of each way to move, by its name. */
async function measure(file) {
  const raw = readFileSync(file);
  const bytes = raw[0] === 0x1f && raw[1] === 0x8b ? gunzipSync(raw) : raw;
  const entry = [quake1Format, quake3Format, ufoaiFormat].find((format) => format.detect(bytes));
  if (!entry) throw new Error(`${file} is a map of no format that is known here`);
  const format = await entry.load();
  const source = format.polygons(format.createWorld([format.read(bytes)]));
  const world = createEllipsoidWorld(source);
  const moves = movesIn(world);
  const starts = Array.from({ length: COUNT }, (_, k) => moves.subarray(6 * k, 6 * k + 3));
  const ends = Array.from({ length: COUNT }, (_, k) => moves.subarray(6 * k + 3, 6 * k + 6));
  const tracer = world.ellipsoid(RADII);
  const trace = tracer.createTrace();
  const slider = new EllipsoidSlider(world, RADII);
  const slide = createSlide();
  const tutorial = world.tutorial(RADII);
  const move = createTutorialMove();
  const runs = {
    'exact sweep': (k) => tracer.trace(starts[k], ends[k], trace),
    slide: (k) => slider.slide(starts[k], ends[k], slide),
    "the tutorial's `move`": (k) => tutorial.move(starts[k], ends[k], undefined, move),
    [`Rapier ${RAPIER.version()} \`castShape\``]: rapierCast(source, moves),
  };
  const times = Object.fromEntries(
    Object.keys(runs).map((name) => [name, new Float64Array(COUNT).fill(Infinity)]),
  );
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(runs)) {
      for (let k = 0; k < COUNT; k++) {
        const start = performance.now();
        run(k);
        times[name][k] = Math.min(times[name][k], performance.now() - start);
      }
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([name, list]) => [name, 1000 * list.sort()[list.length >> 1]]),
  );
}

await RAPIER.init();
const columns = [];
for (const file of FILES) columns.push({ map: basename(file).split('.')[0], times: await measure(file) });
const line = (cells) => `| ${cells.join(' | ')} |`;
const text = [
  `Median of ${COUNT.toLocaleString('en')} moves, each the fastest of ${ROUNDS} rounds, on ${cpus()[0].model.trim()} with Node ${process.versions.node.split('.')[0]}:`,
  '',
  line(['µs per move', ...columns.map(({ map }) => map)]),
  line(['---', ...columns.map(() => '---:')]),
  ...Object.keys(columns[0].times).map((name) =>
    line([name, ...columns.map(({ times }) => times[name].toFixed(1))]),
  ),
].join('\n');
if (values.print) console.log(text);
else writeFigures(new URL('../README.md', import.meta.url), 'speed.mjs', text);
