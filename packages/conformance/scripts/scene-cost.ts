// What bodies cost: traces through a scene of 1,000 against those through the bare world, on the same moves.
//
// cd packages/conformance && npx esbuild scripts/scene-cost.ts --bundle --platform=node --format=esm \
//   --conditions=@bspkit/source --outfile=../fixtures/dist/scene-cost.mjs && node ../fixtures/dist/scene-cost.mjs
//
// Bundled, because a test runner's modules are slower; in dist beside the maps, which are found from there.
// Measures the maps that are named; by default our own arena, and some real ones where there are such (BSPKIT_MAPS). With
// --write, the least and the most go into the scene package's README. --moves 500 is for a first look.

import { parseArgs } from 'node:util';
import { createTrace } from '@bspkit/core';
import { readEngineMap } from '@bspkit/fixtures/engine';
import { findRealData, readRealMap } from '@bspkit/fixtures/real';
import { between, createRandom } from '@bspkit/geometry';
import { boxEntity, createQuake3World, MASK_PLAYERSOLID, type Quake3World, readQuake3 } from '@bspkit/quake3';
import { type Collider, createBody, createScene, createSceneTrace } from '@bspkit/scene';
import { writeFigures } from '../../../scripts/figures.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, moves: { type: 'string', default: '20000' } },
});

const BODIES = 1000;
const MOVES = Number(values.moves);
const ROUNDS = 9;
const player = [
  [-15, -15, -24],
  [15, 15, 32],
] as const;

const random = createRandom(12345);

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

/** Processor time per call, which other work on the machine affects less than wall-clock time. */
function nanoseconds(work: (k: number) => void): number {
  const begin = process.cpuUsage();
  for (let k = 0; k < MOVES; k++) work(k);
  const { user, system } = process.cpuUsage(begin);
  return (1000 * (user + system)) / MOVES;
}

/**
 * The traces of players who walk among the bodies, 100 steps each: 16 units ahead, which takes a twentieth of a second, and 16
 * down; in a new direction after every bump.
 */
function walks(world: Quake3World, open: () => Float32Array, origins: readonly Float32Array[]) {
  const scene = createScene(world);
  const body = boxEntity(...player);
  for (const origin of origins) scene.add(body, { origin });
  const walk = scene.box(...player, { mask: MASK_PLAYERSOLID });
  const starts: Float32Array[] = [];
  const steps: Float32Array[] = [];
  const step = (start: Float32Array, x: number, y: number, z: number) => {
    const end = Float32Array.of(start[0]! + x, start[1]! + y, start[2]! + z);
    starts.push(start);
    steps.push(end);
    return walk.trace(start, end);
  };
  while (starts.length < MOVES) {
    let at = open();
    if (walk.trace(at, at).startSolid) continue;
    let yaw = 2 * Math.PI * random();
    for (let k = 0; k < 50; k++) {
      const ahead = step(at, 16 * Math.cos(yaw), 16 * Math.sin(yaw), 0);
      if (ahead.fraction < 1) yaw = 2 * Math.PI * random();
      at = step(ahead.endPos, 0, 0, -16).endPos;
    }
  }
  return { starts, steps };
}

/** How many times as long walking and shooting take as in the bare world, in each kind of scene. */
function measure(name: string, bytes: Uint8Array): { walk: number; shot: number }[] {
  const world = createQuake3World(readQuake3(bytes));
  const { mins, maxs } = world.bounds;
  const options = { mask: MASK_PLAYERSOLID };
  const bare = world.box(...player, options);
  const open = (): Float32Array => {
    for (;;) {
      const at = Float32Array.from([0, 1, 2], (k) => between(random, mins[k]!, maxs[k]!));
      const leaf = world.leaf(at);
      if (world.cluster(leaf) >= 0 && !bare.trace(at, at).startSolid) return at;
    }
  };
  const far = (at: Float32Array, others: readonly Float32Array[]): boolean =>
    others.every((other) => at.some((x, k) => Math.abs(x - other[k]!) > player[1][k]! - player[0][k]!));
  const origins: Float32Array[] = [];
  while (origins.length < BODIES) {
    const at = open();
    if (far(at, origins)) origins.push(at);
  }
  const { starts, steps } = walks(world, open, origins);
  const shots = starts.map((start) => start.map((x) => x + (random() - 0.5) * 4000));
  const costs: { walk: number; shot: number }[] = [];
  for (const kind of ['boxEntity for all', 'boxEntity each', 'body for all', 'body each'] as const) {
    const [scene, moving] = [createScene(world), createScene(world)];
    const make = (): Collider =>
      kind.startsWith('body')
        ? createBody({ kind: 'box', mins: player[0], maxs: player[1] })
        : boxEntity(...player);
    const one = make();
    for (const origin of origins) scene.add(kind.endsWith('each') ? make() : one, { origin });
    const bodies = origins.map((origin) => moving.add(one, { origin }));
    const walk = scene.box(...player, options);
    const shoot = scene.ray(options);
    const line = world.ray(options);
    const [out, sceneOut] = [createTrace(), createSceneTrace()];
    const times: Record<string, number[]> = {};
    const time = (what: string, work: (k: number) => void): void => {
      times[what] ??= [];
      times[what].push(nanoseconds(work));
    };
    const at = new Float32Array(3);
    const pose = { origin: at };
    let hits = 0;
    for (let round = 0; round < ROUNDS; round++) {
      time('world walk', (k) => bare.trace(starts[k]!, steps[k]!, out));
      time('scene walk', (k) => {
        if (walk.trace(starts[k]!, steps[k]!, sceneOut).entity > 0) hits++;
      });
      time('world shot', (k) => line.trace(starts[k]!, shots[k]!, out));
      time('scene shot', (k) => void shoot.trace(starts[k]!, shots[k]!, sceneOut));
      time('move by 8', (k) => {
        const start = starts[k % BODIES]!;
        for (let a = 0; a < 3; a++) at[a] = start[a]! + (k & 7);
        moving.move(bodies[k % BODIES]!, pose);
      });
      time('move far', (k) => {
        at.set(starts[k]!);
        moving.move(bodies[k % BODIES]!, pose);
      });
    }
    const ns = Object.fromEntries(Object.entries(times).map(([what, all]) => [what, median(all)]));
    const cost = { walk: ns['scene walk']! / ns['world walk']!, shot: ns['scene shot']! / ns['world shot']! };
    costs.push(cost);
    console.log(
      `${name}, ${BODIES} bodies, a ${kind}:`,
      Object.entries(ns)
        .map(([what, value]) => `${what} ${value.toFixed(0)} ns`)
        .join(', '),
      `| walk × ${cost.walk.toFixed(2)}, shot × ${cost.shot.toFixed(2)}`,
      `| walks that hit a body: ${((100 * hits) / MOVES / ROUNDS).toFixed(1)} %`,
    );
  }
  return costs;
}

const real = findRealData() ? ['oa_dm1', 'oa_minia', 'ctf_compromise'] : [];
const names = positionals.length > 0 ? positionals : ['arena', ...real];
const costs = names.flatMap((name) =>
  measure(name, name === 'arena' ? readEngineMap('quake3/arena.bsp') : readRealMap(`quake3/${name}.bsp`)),
);
const range = (of: 'walk' | 'shot'): string => {
  const all = costs.map((cost) => cost[of]);
  return `${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)} times`;
};
const text = `Among ${BODIES.toLocaleString('en')} bodies of a player's size, a trace of a walking player takes ${range('walk')} as long as in
the bare world, and a shot across the crowd ${range('shot')} as long: the least and the most on ${names.join(', ')}.`;
console.log(text);
if (values.write) writeFigures(new URL('../../scene/README.md', import.meta.url), 'scene-cost.ts', text);
