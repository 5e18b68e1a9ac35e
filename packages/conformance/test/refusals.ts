import { describe, expect, it } from 'vitest';
import type { Call, Subjects } from '../src/arguments.ts';

/**
 * Declares the tests of a catalogue: it is complete, and every call refuses wrong arguments by name.
 * @param asyncCalls - more calls, which reject instead of throwing.
 */
export function describeRefusals(subjects: Subjects, asyncCalls: readonly Call[] = []): void {
  const { calls, missing, flawsOf, flawsOfAsync } = subjects;
  describe('wrong arguments', () => {
    it('are tried with every exported function and method', () => {
      expect(missing).toEqual([]);
    });

    it.each(calls)('$name refuses them by name', (made) => {
      expect(flawsOf(made)).toEqual([]);
    });

    it.each(asyncCalls)('$name refuses them by name', async (made) => {
      expect(await flawsOfAsync(made)).toEqual([]);
    });

    it('and there were many of them', () => {
      expect(subjects.tried).toBeGreaterThan(20 * (calls.length + asyncCalls.length));
    });
  });
}
