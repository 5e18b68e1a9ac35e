import { parentPort, workerData } from 'node:worker_threads';
import { measure, type QueryRunner } from '@bspkit/compare';
import { CLOCKS, heapUsed, stayOn } from './clock.ts';
import { openMap } from './maps.ts';
import { type IsolateAnswer, type IsolateQuestion, type IsolateSetup, receive } from './peers/isolate.ts';
import { runOf } from './peers/peer.ts';
import { createPeers } from './peers/peers.ts';
import { measuredShapes } from './shapes.ts';
import { soupsOf } from './triangles/soup.ts';
import { buildWorld } from './world.ts';

// The isolate of a library: see peers/isolate.ts.

const { map: name, peer: wanted, clock, port, turns } = workerData as IsolateSetup;
const map = await openMap(name);
const { format } = map;
const world = buildWorld(map);
const soups = wanted === 'three-mesh-bvh' || wanted === 'rapier' ? soupsOf(map, world) : undefined;
const { peers } = await createPeers([wanted], { ...map, world, soups }, clock);
const shapes = measuredShapes(format, world);
const runs = new Map<string, QueryRunner>();
let queries: Float32Array = new Float32Array(0);
/** What was computed ends here, so that no compiler leaves any out. */
const sum = new Float64Array(1);

/** Queries per call of a runner that does not say: as `compare` has it. */
const SLICE = 200;

/** For so many milliseconds a shape is traced before it is timed, so that all is compiled. */
const WARM_UP = 200;

/**
 * So often short moves are asked before they are timed, so that the clearings around them are known, but for so many
 * milliseconds at most: libraries that have none take longer, and need it less.
 */
const TIMES = 30;
const WARM_UP_SHORT = 500;
/** Moves are short up to so many Quake units: others are hardly ever in clearings. */
const SHORT = 64;

/** Presets whose moves have been asked that often, of the queries given last. */
const settled = new Set<string>();

function runAll(run: QueryRunner, first: number, last: number): void {
  const slice = Math.min(run.atOnce ?? SLICE, last - first);
  for (let at = first; at < last; at += slice) sum[0]! += run(queries, at, Math.min(at + slice, last));
}

function runnerFor(preset: string, test: boolean): QueryRunner {
  const key = `${preset} ${test}`;
  const known = runs.get(key);
  if (known) return known;
  const way = peers[0]!.prepare(shapes.find((shape) => shape.preset.name === preset)!)!;
  const run = runOf(way, test ? 'sight' : 'long')!;
  runs.set(key, run);
  repeat(run, Infinity, WARM_UP);
  return run;
}

/** Answers the queries so many times, or until so many milliseconds have passed. */
function repeat(run: QueryRunner, times: number, milliseconds: number): void {
  const end = performance.now() + milliseconds;
  for (let k = 0; k < times && performance.now() < end; k++) runAll(run, 0, queries.length / 6);
}

/** Before anything of a series is timed. */
function settle(preset: string, run: QueryRunner): void {
  if (settled.has(preset)) return;
  settled.add(preset);
  if (areShort()) repeat(run, TIMES, WARM_UP_SHORT);
}

function areShort(): boolean {
  for (let at = 0; at < queries.length; at += 6) {
    for (let k = 0; k < 3; k++) if (Math.abs(queries[at + 3 + k]! - queries[at + k]!) > SHORT) return false;
  }
  return true;
}

function answer(question: IsolateQuestion): IsolateAnswer {
  const { preset, test, first, last, allocation, processor } = question;
  stayOn(processor);
  if (question.queries) {
    queries = question.queries;
    settled.clear();
  }
  const run = runnerFor(preset, test);
  settle(preset, run);
  if (allocation) {
    const runner = Object.assign((from: number, to: number) => run(queries, from, to), {
      atOnce: run.atOnce,
    });
    const [measured] = measure([runner], last - first, { rounds: 0, heap: heapUsed });
    return { took: 0, allocated: measured!.allocated };
  }
  const began = CLOCKS[clock]();
  runAll(run, first, last);
  return { took: CLOCKS[clock]() - began, allocated: 0 };
}

function tryAnswer(question: IsolateQuestion): IsolateAnswer | Error {
  try {
    return answer(question);
  } catch (error) {
    return error as Error;
  }
}

parentPort!.postMessage('ready');
for (let turn = 0; ; ) {
  Atomics.wait(turns, 0, turn);
  port.postMessage(tryAnswer(receive<IsolateQuestion>(port)));
  turn++;
  Atomics.store(turns, 1, turn);
  Atomics.notify(turns, 1);
}
