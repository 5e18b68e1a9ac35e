import type { Clock } from '@bspkit/compare';

/** What time is counted: that of this process on all cores, or wall-clock time. */
export type ClockName = 'cpu' | 'wall';

/** Clocks in milliseconds. */
export const CLOCKS: Readonly<Record<ClockName, Clock>> = {
  // User and system time, so that a collector that works alongside is charged to whichever library made the garbage.
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  wall: () => performance.now(),
};

/** Bytes of the JavaScript heap in use. */
export const heapUsed = (): number => process.memoryUsage().heapUsed;
