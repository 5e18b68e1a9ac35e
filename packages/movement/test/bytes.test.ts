import { expect, it, vi } from 'vitest';

it('bytes of states that were transferred are refused, also where V8 has compiled checks for those in resizable memory', async () => {
  vi.resetModules();
  const { createQuakeState, packState, unpackState } = await import('../src/index.ts');
  const state = createQuakeState();
  const bytes = packState(state);
  const room = Reflect.construct(ArrayBuffer, [bytes.length, { maxByteLength: 1000 }]);
  const elastic = packState(state, new Uint8Array(room));
  for (let k = 0; k < 60_000; k++) {
    unpackState(elastic, state);
    unpackState(bytes, state);
  }
  const { length } = bytes;
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  const message = `bytes must hold ${length} bytes of a state, got 0`;
  expect(() => packState(state, bytes)).toThrow(new RangeError(message));
  expect(() => unpackState(bytes, state)).toThrow(/^bytes must hold \d+ bytes of a state, got 0$/);
});
