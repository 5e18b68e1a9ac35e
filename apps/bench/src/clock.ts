import type { Clock } from '@bspkit/compare';
import { openAddon } from './native-addon.ts';

/** What time is counted: that of the processor, or wall-clock time. */
export type ClockName = 'cpu' | 'wall';

/**
 * Clocks in milliseconds. Processor time is that of this thread, because what the process does elsewhere, such as
 * compiling a library or collecting its garbage, goes on while others have their turn. Where neither a compiler of C nor
 * Node gives it, it is that of the process.
 */
export const CLOCKS: Readonly<Record<ClockName, Clock>> = {
  cpu: () => cpuTime() + charged,
  wall: () => performance.now(),
};

let charged = 0;

/** Adds milliseconds to the clock of processor time: what another process took instead, less what it took to ask. */
export function charge(milliseconds: number): void {
  charged += milliseconds;
}

/** The clock of processor time, looked for when it is first asked. */
let cpuTime: Clock = () => {
  cpuTime = threadClock() ?? processTime;
  return cpuTime();
};

/** `process.threadCpuUsage` is younger than the oldest Node that runs this, and on some systems moves by milliseconds. */
function threadClock(): Clock | undefined {
  const addon = threadAddon();
  if (typeof addon !== 'string') return addon.now;
  const { threadCpuUsage } = process as { threadCpuUsage?: typeof process.cpuUsage };
  return threadCpuUsage && (() => milliseconds(threadCpuUsage.call(process)));
}

/** What Node does not tell of a thread, or the reason why there is no such addon here. */
const threadAddon = (): ThreadAddon | string => openAddon<ThreadAddon>('the thread', ['../native/thread.c']);

interface ThreadAddon {
  readonly now: Clock;
  stay(): void;
  roam(): void;
}

/**
 * Does work on one processor: this thread stays there, and so do the processes that it starts. In the cloud, processors
 * have neighbours that slow one of them by half for a while; what is compared is to be slowed alike.
 */
export const onOneProcessor = <T>(work: () => Promise<T>): Promise<T> => moving('stay', work, 'roam');

/** Does work on all processors, within what is done on one. */
export const onAllProcessors = <T>(work: () => Promise<T>): Promise<T> => moving('roam', work, 'stay');

type Move = 'stay' | 'roam';

async function moving<T>(before: Move, work: () => Promise<T>, after: Move): Promise<T> {
  const addon = threadAddon();
  if (typeof addon === 'string') return work();
  addon[before]();
  try {
    return await work();
  } finally {
    addon[after]();
  }
}

const processTime: Clock = () => milliseconds(process.cpuUsage());

const milliseconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

/** Bytes of the JavaScript heap in use. */
export const heapUsed = (): number => process.memoryUsage().heapUsed;
