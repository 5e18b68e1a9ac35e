import { afterAll, vi } from 'vitest';
import { CLOCKS } from '../src/clock.ts';

/**
 * Makes the clocks jump ahead whenever they are read, so that the tests in a file measure nothing longer than necessary. Real
 * measurements are tested in `yardstick.e2e.test.ts`.
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
