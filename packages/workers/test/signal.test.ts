import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { checkSignal, onAbort, shareBytes, unlessAborted } from '../src/index.ts';

const heard = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('onAbort', () => {
  it('calls all callbacks in order, from one listener', () => {
    const controller = new AbortController();
    const { signal } = controller;
    const called: number[] = [];
    for (let k = 0; k < 12; k++) onAbort(signal, () => called.push(k));
    expect(heard(signal)).toBe(1);
    controller.abort();
    expect(called).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('calls none that were removed, and stops listening when all were', () => {
    const controller = new AbortController();
    const { signal } = controller;
    const called: string[] = [];
    const same = (): void => void called.push('same');
    const [first, second] = [onAbort(signal, same), onAbort(signal, same)];
    first();
    first();
    expect(heard(signal)).toBe(1);
    second();
    expect(heard(signal)).toBe(0);
    // Removing one does not affect the others.
    const third = onAbort(signal, () => {
      called.push('third');
      fourth();
    });
    const fourth = onAbort(signal, () => called.push('fourth'));
    second();
    controller.abort();
    expect(called).toEqual(['third']);
    third();
    expect(heard(signal)).toBe(0);
  });
});

describe('unlessAborted', () => {
  it('waits for a promise or a signal, whichever is first, and leaves no listener', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    await unlessAborted(Promise.resolve(), signal, undefined);
    await expect(unlessAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
    expect(heard(signal)).toBe(0);
    const waiting = unlessAborted(new Promise(() => {}), undefined, signal);
    expect(heard(signal)).toBe(1);
    controller.abort();
    await waiting;
    await unlessAborted(new Promise(() => {}), signal);
    expect(heard(signal)).toBe(0);
  });
});

describe('what pools are given', () => {
  it('is a signal, or nothing', () => {
    for (const signal of [undefined, new AbortController().signal])
      expect(() => checkSignal(signal)).not.toThrow();
    for (const signal of [null, {}, { addEventListener() {} }, new AbortController()]) {
      expect(() => checkSignal(signal as never, 'stop')).toThrow('stop must be an AbortSignal, got ');
    }
  });

  it('is bytes that workers see without a copy, which are shared once', () => {
    const bytes = Uint8Array.of(1, 2, 3, 4).subarray(1, 3);
    const shared = shareBytes(bytes);
    expect([...shared]).toEqual([2, 3]);
    expect(shared.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(shareBytes(shared)).toBe(shared);
  });
});
