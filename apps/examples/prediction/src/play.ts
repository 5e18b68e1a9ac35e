import type { Quake3Command } from '@bspkit/movement';

/** Plays by itself: runs, turns, jumps and ducks, in another direction each second. A `frame` is 16 milliseconds. */
export function autopilot(frame: number, command: Quake3Command & { angles: Int32Array }): void {
  const draft = command as { -readonly [K in keyof Quake3Command]: Quake3Command[K] };
  const second = Math.floor(frame / 60);
  // The golden ratio spreads directions evenly.
  const turn = (second * 0.618034) % 1;
  command.angles[1] = Math.floor(65536 * turn + 80 * (frame % 60)) & 65535;
  draft.forward = second % 5 === 4 ? -127 : 127;
  draft.right = second % 3 === 0 ? 127 : second % 3 === 1 ? -127 : 0;
  draft.up = frame % 50 < 2 ? 127 : second % 7 === 6 ? -127 : 0;
}
