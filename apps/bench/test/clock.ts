import { afterAll, vi } from 'vitest';
import { CLOCKS } from '../src/clock.ts';

/**
 * Has the clocks run ahead whenever they are looked at, so that the tests of a file measure nothing longer than they must.
 * What really measures is tried in `yardstick.e2e.test.ts`.
 */
export function hurry(): void {
  let time = 0;
  const clocks = (['cpu', 'wall'] as const).map((name) =>
    vi.spyOn(CLOCKS, name).mockImplementation(() => {
      time += 20;
      return time;
    }),
  );
  afterAll(() => {
    for (const clock of clocks) clock.mockRestore();
  });
}
