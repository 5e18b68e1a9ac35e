import { runnerOf } from '@bspkit/compare';
import { ENGINE_DATA } from '@bspkit/fixtures/engine';
import { findRealData, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { mapLoader, type RecordedData, type RowFile, rowFiles } from '@bspkit/fixtures/recorded';
import { missingGcc } from '@bspkit/testkit/gcc';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { runBench } from '../src/bench.ts';
import { openMap } from '../src/maps.ts';
import type { MoveRunner } from '../src/movement/game.ts';
import { MOVE_GAMES } from '../src/movement/games.ts';
import { createNativeRunner } from '../src/movement/native.ts';
import { COMMAND_WORDS, type Recording } from '../src/movement/recording.ts';
import { walksIn } from '../src/movement/walks.ts';
import { createNativePeer } from '../src/peers/native.ts';
import { queriesFor } from '../src/queries/for-map.ts';
import { measuredShapes, playerTracer, presetTracer } from '../src/shapes.ts';

const formats = await Promise.all(FORMATS.map((entry) => entry.load()));

// Without a compiler there is nothing to compare with; the benchmark's report says so too.
const hasGcc = missingGcc === '';
const skipped = missingGcc && ` (skipped: ${missingGcc})`;

/** Runs up to so many commands, one by one, on several runners; returns the first command after which their states differ. */
function firstDifference(
  recording: Recording,
  runners: readonly MoveRunner[],
  most = Number.POSITIVE_INFINITY,
): string | undefined {
  const { count, commands, settings, origins } = recording;
  let set: Float32Array | undefined;
  for (let k = 0; k < Math.min(count, most); k++) {
    const start = commands[COMMAND_WORDS * k]!;
    if (start >= 0 && settings[start] !== set) {
      set = settings[start]!;
      for (const runner of runners) runner.set(set);
    }
    for (const runner of runners) runner.run(k, k + 1);
    const [own, ...others] = runners.map((runner) => runner.state());
    for (const other of others) {
      if (Buffer.compare(own!, other) === 0) continue;
      return `command ${k}: byte ${own!.findIndex((byte, i) => byte !== other[i])} of the state`;
    }
    if (origins.length === 0) continue;
    // The state starts with words of its own; only ours tells where in it the player's position is.
    const place = originOf(own!, origins.subarray(3 * k, 3 * k + 3));
    if (!place) return `command ${k}: not where the engine's player is`;
  }
  return undefined;
}

/** Whether a state contains three words in a row. */
function originOf(state: Uint8Array, [x, y, z]: Int32Array): boolean {
  const words = new Int32Array(state.buffer, state.byteOffset, state.length / 4);
  for (let k = words.indexOf(x!); k >= 0; k = words.indexOf(x!, k + 1)) {
    if (words[k + 1] === y && words[k + 2] === z) return true;
  }
  return false;
}

/** Files of players' rows: up to so many commands of each. */
function testRows(data: RecordedData, files: readonly RowFile[], commands = Number.POSITIVE_INFINITY): void {
  for (const game of MOVE_GAMES) {
    const format = formats.find(({ id }) => id === game.format)!;
    for (const file of files.filter((one) => one.game === game.format)) {
      it(`${file.name}: ours, both kernels, and the yardstick in C, after every command`, () => {
        const recording = game.read(file);
        const { map, sha256 } = JSON.parse(file.readHeader()) as { map: string; sha256: string };
        const opened = format.read(mapLoader(data)(game.format, map, sha256));
        const [world, plain] = [undefined, 'js'].map((kernel) =>
          format.createWorld([opened as never], { kernel: kernel as 'js' | undefined }),
        );
        const native = createNativeRunner(game.format, world!, recording);
        if (typeof native === 'string') expect.fail(native);
        const ours = [world!, plain!].map((own) => game.createRunner(format, own, recording));
        expect(recording.count).toBeGreaterThan(0);
        expect(recording.origins).toHaveLength(3 * recording.count);
        expect(firstDifference(recording, [...ours, native], commands)).toBeUndefined();
      });
    }
  }
}

const moveFiles = (data: RecordedData): RowFile[] =>
  rowFiles(data).filter((file) => (JSON.parse(file.readHeader()) as { kind: string }).kind === 'pmove');

const ownFiles = moveFiles(ENGINE_DATA);

describe.runIf(hasGcc)(`rows of players on our own maps${skipped}`, () => testRows(ENGINE_DATA, ownFiles));

const real = findRealData();
const isAll = process.env.BSPKIT_ALL_ROWS !== undefined;

/** The first file of each game. */
const sampleFiles = (files: readonly RowFile[]): RowFile[] =>
  files.filter(({ game }, k) => files.findIndex((one) => one.game === game) === k);

describe.runIf(hasGcc && real?.golden)(
  `rows of players on real maps${isAll ? '' : ' (a sample; all of them: BSPKIT_ALL_ROWS)'}${skipped || skippedWithoutMaps}`,
  () => {
    if (!real) return;
    if (isAll) testRows(real, moveFiles(real));
    else testRows(real, sampleFiles(moveFiles(real)), 1000);
  },
);

describe.runIf(hasGcc)(`the yardstick in C${skipped}`, () => {
  it.each([
    ...['quake3/arena', 'quake3/torture', 'quake1/arena', 'quake2/arena', 'quake2/torture'],
    ...['ufoai/house', 'ufoai/arena'],
  ])('answers as our tracers do, bit for bit: %s', async (name) => {
    const { format, bytes, golden } = await openMap(name);
    const world = format.createWorld([format.read(bytes)]);
    const native = createNativePeer(format, world);
    if (typeof native === 'string') expect.fail(native);
    let compared = 0;
    for (const measured of measuredShapes(format, world)) {
      const prepared = native.prepare(measured);
      if (!prepared) continue;
      compared++;
      const ours = presetTracer(format, world, measured.preset, { epsilon: 0 });
      const timed = runnerOf(presetTracer(format, world, measured.preset));
      for (const motion of ['long', 'step', 'golden'] as const) {
        const choice = { motion, count: 400, seed: 1 };
        const queries = queriesFor(world, playerTracer(format, world), choice, golden);
        for (let at = 0; at < queries.length; at += 6) {
          const [start, end] = [queries.subarray(at, at + 3), queries.subarray(at + 3, at + 6)];
          const { fraction, endPos, startSolid, allSolid } = ours.trace(start, end);
          expect(prepared.tracer.trace(start, end)).toMatchObject({
            fraction,
            endPos,
            startSolid,
            allSolid,
          });
        }
        const count = queries.length / 6;
        expect(prepared.run!(queries, 0, count)).toBe(timed(queries, 0, count));
      }
    }
    expect(compared).toBeGreaterThan(1);
  });
});

describe.runIf(hasGcc)(`players who walk in our own maps${skipped}`, () => {
  it.each([
    'quake3/arena',
    'quake3/house',
    'quake3/torture',
    'quake3/course',
    'quake2/arena',
    'quake2/house',
    'quake2/torture',
    'quake1/arena',
    'quake1/house',
    'quake1/torture',
  ])('%s: are where the yardstick in C has them', async (name) => {
    const { format, bytes } = await openMap(name);
    const game = MOVE_GAMES.find((one) => one.format === format.id)!;
    const world = format.createWorld([format.read(bytes)]);
    const recording = walksIn(game, format, world, { count: 4000, seed: 1 });
    const native = createNativeRunner(game.format, world, recording);
    if (typeof native === 'string') expect.fail(native);
    expect(firstDifference(recording, [game.createRunner(format, world, recording), native])).toBeUndefined();
  });
});

describe.runIf(hasGcc)(`the benchmark${skipped}`, () => {
  it.each(['quake3/arena', 'quake2/arena', 'quake1/arena'])(
    'measures C, where all answer the same and end up the same: %s',
    async (name) => {
      const { maps } = await runBench([name], (map) => openMap(map), {
        shapes: ['ray', 'hull1', 'moves'],
        motions: ['step'],
        peers: ['bspkit', 'js', 'c'],
        queries: 300,
        rounds: 1,
        seed: 1,
        clock: 'wall',
      });
      const { series, moves } = maps[0]!;
      for (const { peers } of [...series, moves!]) {
        expect(peers.map((peer) => peer.name)).toEqual(['bspkit', 'bspkit-js', 'C']);
        for (const { time } of peers) expect(time!.median).toBeGreaterThan(0);
      }
      for (const { agreement } of series[0]!.peers) expect(agreement.share).toBe(1);
      for (const { same } of moves!.peers) expect(same).toBe(1);
    },
  );
});
