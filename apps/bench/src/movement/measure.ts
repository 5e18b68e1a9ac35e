import { measure, type Timing } from '@bspkit/compare';
import type { BspWorld } from '@bspkit/core';
import type { BspFile, BspFormat } from '@bspkit/core/format';
import type { RowFile } from '@bspkit/fixtures/recorded';
import { CLOCKS, type ClockName, heapUsed } from '../clock.ts';
import type { PeerName } from '../peers/peers.ts';
import type { MoveGame, MoveRunner } from './game.ts';
import { MOVE_GAMES } from './games.ts';
import { createNativeRunner } from './native.ts';
import { COMMAND_WORDS, type Recording } from './recording.ts';
import { walksIn } from './walks.ts';

/** The name for players' moves among the shapes. */
export const MOVES = 'moves';

/** Whose players' moves are measured, and how often. */
export interface MoveOptions {
  readonly peers: readonly PeerName[];
  /** Players from recorded rows, instead of ones who walk around. */
  readonly golden: RowFile | undefined;
  /** How many commands. */
  readonly count: number;
  readonly seed: number;
  readonly rounds: number;
  readonly clock: ClockName;
}

/** What was found for one library. */
export interface MovePeer {
  readonly name: string;
  /** Nanoseconds per command. */
  readonly time: Timing;
  /** Bytes per command. */
  readonly allocated: number;
  /** The share of commands after which the player's state is bit-identical to the first library's. */
  readonly same: number;
}

/** Players' moves in one map. */
export interface MoveSeries {
  readonly motion: 'walk' | 'golden';
  readonly commands: number;
  readonly peers: readonly MovePeer[];
}

/** A map that has been opened. */
interface OpenedMap {
  readonly format: BspFormat;
  readonly file: BspFile;
  readonly world: BspWorld;
}

/** The game whose players move in maps of a format; undefined for one without players here. */
export const playersOf = ({ id }: BspFormat): MoveGame | undefined =>
  MOVE_GAMES.find(({ format }) => format === id);

/** Measures the moves of players in a map; undefined for a game without players here, or without rows of any. */
export function measureMoves(
  map: OpenedMap,
  options: MoveOptions & { readonly isGolden: boolean },
): MoveSeries | undefined {
  const { format, world } = map;
  const game = playersOf(format);
  if (!game || (options.isGolden && !options.golden)) return undefined;
  const recording = options.golden
    ? firstCommands(game.read(options.golden), options.count)
    : walksIn(game, format, world, options);
  const runners: [string, MoveRunner][] = [];
  if (options.peers.includes('bspkit')) runners.push(['bspkit', game.createRunner(format, world, recording)]);
  if (options.peers.includes('js') && (format.kernels?.length ?? 1) > 1) {
    const plain = format.createWorld([map.file], { kernel: 'js' });
    runners.push(['bspkit-js', game.createRunner(format, plain, recording)]);
  }
  if (options.peers.includes('c')) {
    const native = createNativeRunner(format.id, world, recording);
    // If there is none, the report says why with the traces.
    if (typeof native !== 'string') runners.push(['C', native]);
  }
  const [first] = runners;
  if (!first) return undefined;
  for (const [, runner] of runners) runner.set(recording.settings[0]!);
  const same = runners.map(([, runner]) => sameStates(first[1], runner, recording.count));
  const measured = measure(
    runners.map(
      ([, runner]) =>
        (from, to) =>
          runner.run(from, to),
    ),
    recording.count,
    { rounds: options.rounds, now: CLOCKS[options.clock], heap: heapUsed },
  );
  return {
    motion: options.golden ? 'golden' : 'walk',
    commands: recording.count,
    peers: runners.map(([name], k) => {
      const { time, allocated } = measured[k]!;
      return { name, time: time!, allocated, same: same[k]! };
    }),
  };
}

/**
 * The first players of a recording whose settings are the same as the first player's: changing settings is not part of a move.
 */
export function firstCommands(recording: Recording, most: number): Recording {
  const { commands, settings, count } = recording;
  const usual = settings[0]!.join();
  const kept: number[] = [];
  let isKept = false;
  for (let k = 0; k < count; k++) {
    const start = commands[COMMAND_WORDS * k]!;
    if (start >= 0) isKept = kept.length < most && settings[start]!.join() === usual;
    if (isKept) kept.push(k);
  }
  const left = new Int32Array(COMMAND_WORDS * kept.length);
  for (const [at, k] of kept.entries()) {
    left.set(commands.subarray(COMMAND_WORDS * k, COMMAND_WORDS * (k + 1)), COMMAND_WORDS * at);
  }
  return { ...recording, count: kept.length, commands: left, floats: new Float32Array(left.buffer) };
}

/** The share of commands after which two runners have the same state. */
function sameStates(one: MoveRunner, other: MoveRunner, count: number): number {
  if (one === other) return 1;
  let same = 0;
  for (let k = 0; k < count; k++) {
    one.run(k, k + 1);
    other.run(k, k + 1);
    const [a, b] = [one.state(), other.state()];
    if (a.length === b.length && a.every((byte, i) => byte === b[i])) same++;
  }
  return same / count;
}
