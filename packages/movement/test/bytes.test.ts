import { compiledSoon } from '@bspkit/testkit/compiled-soon';
import { expect, it, vi } from 'vitest';

it('bytes of states that were transferred are refused, also where V8 has compiled checks for those in resizable memory', async () => {
  vi.resetModules();
  const { createQuakeState, packState, unpackState } = await import('../src/index.ts');
  const state = createQuakeState();
  const bytes = packState(state);
  const room = Reflect.construct(ArrayBuffer, [bytes.length, { maxByteLength: 1000 }]);
  const elastic = packState(state, new Uint8Array(room));
  compiledSoon(() => {
    for (let k = 0; k < 60_000; k++) {
      unpackState(elastic, state);
      unpackState(bytes, state);
    }
  });
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  const gone = new TypeError('bytes must not have been transferred or cut off');
  expect(() => packState(state, bytes)).toThrow(gone);
  expect(() => unpackState(bytes, state)).toThrow(gone);
});

it('states and commands whose arrays were transferred are refused, also where V8 has compiled checks for those in resizable memory', async () => {
  vi.resetModules();
  const { copyState, createQuake3Command, createQuakeState, packQuake3Command, unpackQuake3Command } =
    await import('../src/index.ts');
  const room = (): ArrayBuffer => Reflect.construct(ArrayBuffer, [12, { maxByteLength: 24 }]);
  const from = createQuakeState();
  const [to, elastic] = [createQuakeState(), { ...createQuakeState(), origin: new Float32Array(room()) }];
  const [command, other] = [
    createQuake3Command(),
    { ...createQuake3Command(), angles: new Int32Array(room()) },
  ];
  const bytes = packQuake3Command(command);
  compiledSoon(() => {
    for (let k = 0; k < 60_000; k++) {
      copyState(from, to);
      copyState(from, elastic);
      unpackQuake3Command(bytes, command);
      unpackQuake3Command(bytes, other);
    }
  });
  for (const { buffer } of [to.origin, command.angles]) {
    structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
  }
  expect(() => copyState(from, to)).toThrow(/origin must be a Float32Array of 3 numbers/);
  expect(() => unpackQuake3Command(bytes, command)).toThrow(
    /^command\.angles must be as in a newly made command/,
  );
});
