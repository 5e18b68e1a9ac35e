import { createQuake3State, equalStates, unpackState } from '@bspkit/movement';
import { describe, expect, it } from 'vitest';
import { firstCommands } from '../src/movement/measure.ts';
import { COMMAND_WORDS, RecordingWriter, startStates } from '../src/movement/recording.ts';
import { OwnRunner } from '../src/movement/runner.ts';

type State = ReturnType<typeof createQuake3State>;

const stateAt = (x: number): State => {
  const state = createQuake3State();
  state.origin[0] = x;
  return state;
};

/** Two players: one walks twice, by 1 and by 0.5, the other once, by 2. */
function record() {
  const writer = new RecordingWriter([1]);
  writer.begin(stateAt(8), Float32Array.of(800));
  writer.add([3, 1], Float32Array.of(9, 0, 0));
  writer.add([4, 0.5], Float32Array.of(9.5, 0, 0));
  writer.begin(stateAt(-8), Float32Array.of(400));
  writer.add([5, 2]);
  return writer.finish();
}

/** Moves players by the second word of a command, and keeps the first ones. */
class Walker extends OwnRunner<State, { by: number }> {
  readonly words: number[] = [];
  protected mover = {
    move: (state: State, { by }: { by: number }) => {
      state.origin[0] = state.origin[0]! + by;
    },
  };

  set(): void {}

  protected load(command: { by: number }, words: Int32Array, floats: Float32Array, at: number): void {
    this.words.push(words[at]!);
    command.by = floats[at + 1]!;
  }
}

describe('a recording of players', () => {
  it('has the words of commands, some of them floats, and where each player starts', () => {
    const recording = record();
    const { count, commands, floats, settings, origins } = recording;
    expect(count).toBe(3);
    const rows = [0, 1, 2].map((k) => [
      ...commands.subarray(COMMAND_WORDS * k, COMMAND_WORDS * k + 2),
      floats[COMMAND_WORDS * k + 2],
    ]);
    expect(rows).toEqual([
      [0, 3, 1],
      [-1, 4, 0.5],
      [1, 5, 2],
    ]);
    expect(settings.map(([most]) => most)).toEqual([800, 400]);
    expect([...new Float32Array(origins.buffer)]).toEqual([9, 0, 0, 9.5, 0, 0]);
    const starts = startStates(recording, createQuake3State, unpackState);
    expect(starts.map((state) => equalStates(state, stateAt(state.origin[0]!)))).toEqual([true, true]);
    expect(starts.map(({ origin }) => origin[0])).toEqual([8, -8]);
  });

  it('is cut to the first players with the settings of the first one, each with all of its commands', () => {
    const writer = new RecordingWriter([1]);
    for (const [k, speed] of [800, 400, 800, 800].entries()) {
      writer.begin(stateAt(k), Float32Array.of(speed));
      for (const word of [1, 2]) writer.add([10 * k + word, k]);
    }
    const all = writer.finish();
    const wordsOf = ({ count, commands }: typeof all): number[] =>
      Array.from({ length: count }, (_, k) => commands[COMMAND_WORDS * k + 1]!);
    for (const [most, words] of [
      [3, [1, 2, 21, 22]],
      [100, [1, 2, 21, 22, 31, 32]],
    ] as const) {
      const first = firstCommands(all, most);
      expect(wordsOf(first)).toEqual(words);
      // The same bytes.
      expect(first.floats[2]).toBe(0);
      expect(first.floats[COMMAND_WORDS * 2 + 2]).toBe(2);
    }
  });

  it('is played by runners, any part of it', () => {
    const walker = new Walker(record(), createQuake3State, { by: 0 });
    expect(walker.run(0, 2)).toBe(9 + 9.5);
    expect(walker.run(2, 3)).toBe(-6);
    expect(walker.words).toEqual([3, 4, 5]);
    expect(unpackState(walker.state(), createQuake3State()).origin[0]).toBe(-6);
    // From the start again.
    expect(walker.run(0, 3)).toBe(9 + 9.5 - 6);
  });
});
