// How much of its surroundings each point of a floor sees: ambient occlusion, baked on one core, then on all of them.
import { readFileSync } from 'node:fs';
import { openBsp } from 'bspkit';
import { createTracePool } from 'bspkit/pool';

const [path = 'arena.bsp', step = '8'] = process.argv.slice(2);

/** The floor of the demo's hall from above, and how far apart points are, in Quake units. */
const [MINS, MAXS, FLOOR] = [[-512, -512], [512, 512], 0];
const STEP = Number(step);
/** Rays per point, and how far they go. */
const [RAYS, REACH] = [128, 256];

const columns = Math.floor((MAXS[0] - MINS[0]) / STEP);
const rows = Math.floor((MAXS[1] - MINS[1]) / STEP);

/** Directions spread evenly over the upper half of a sphere: each a golden angle further than the one before. */
const directions = Array.from({ length: RAYS }, (_, k) => {
  const z = (k + 0.5) / RAYS;
  const [radius, turn] = [Math.sqrt(1 - z * z), k * Math.PI * (3 - Math.sqrt(5))];
  return [radius * Math.cos(turn), radius * Math.sin(turn), z];
});

/** All rays: start and end, six numbers each. In shared memory, workers read them in place; nothing is copied. */
const segments = new Float32Array(new SharedArrayBuffer(24 * RAYS * columns * rows));
let at = 0;
for (let row = 0; row < rows; row++) {
  for (let column = 0; column < columns; column++) {
    // North is up; a unit above the floor, or the rays would start in it.
    const [x, y, z] = [MINS[0] + STEP * (column + 0.5), MAXS[1] - STEP * (row + 0.5), FLOOR + 1];
    for (const [dx, dy, dz] of directions) {
      segments.set([x, y, z, x + REACH * dx, y + REACH * dy, z + REACH * dz], at);
      at += 6;
    }
  }
}

/** Runs something and says how long it took. */
async function timed(/** @type {string} */ what, /** @type {() => Uint8Array | Promise<Uint8Array>} */ run) {
  const begin = performance.now();
  const blocked = await run();
  console.log(`${what}: ${blocked.length} rays in ${Math.round(performance.now() - begin)} ms`);
  return blocked;
}

const world = await openBsp(readFileSync(path), { shared: true });
const ray = world.ray();
const alone = await timed('one thread', () => ray.blockedBatch(segments));

const pool = createTracePool(); // a worker per core
const pooled = await pool.open(world);
const tracer = { kind: 'ray' }; // plain data, as it goes to the workers
const together = await timed(`${pool.threads} threads`, () =>
  pool.blockedBatch({ world: pooled, tracer, segments }),
);
await pool.close();

const differing = alone.reduce((sum, hit, k) => sum + Math.abs(hit - together[k]), 0);
console.log(`${differing} answers differ`);

// From points that see nothing to points that see everything. Letters are about twice as high as wide.
const SHADES = '█▓▒░ ';
for (let row = 0; row < rows; row += 4) {
  let line = '';
  for (let column = 0; column < columns; column += 2) {
    const first = RAYS * (row * columns + column);
    const hits = together.subarray(first, first + RAYS).reduce((sum, hit) => sum + hit, 0);
    line += SHADES[Math.min(4, Math.floor((5 * (RAYS - hits)) / RAYS))];
  }
  console.log(line.trimEnd());
}
