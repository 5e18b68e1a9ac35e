import type { Clock } from '@bspkit/compare';
import { openAddon } from './native-addon.ts';

/** Which time is measured: that of the processor, or wall-clock time. */
export type ClockName = 'cpu' | 'wall';

/**
 * Clocks in milliseconds. Processor time is that of this thread, because other work of the process, such as compiling a library
 * or collecting its garbage, continues while others have their turn. If neither a C compiler nor Node provides it, it is that of
 * the process.
 */
export const CLOCKS: Readonly<Record<ClockName, Clock>> = {
  cpu: () => cpuTime() + charged.cpu,
  wall: () => performance.now() + charged.wall,
};

const charged = { cpu: 0, wall: 0 };

/**
 * Asks another thread or process to work, by a clock: with what it took there, as `ask` returns it in milliseconds, instead of
 * what it takes here to ask it.
 */
export function chargeTo(clock: ClockName, ask: () => number): number {
  const began = CLOCKS[clock]();
  const took = ask();
  charged[clock] += took - (CLOCKS[clock]() - began);
  return took;
}

/** The clock of processor time, determined when it is first used. */
let cpuTime: Clock = () => {
  cpuTime = threadClock() ?? processTime;
  return cpuTime();
};

/**
 * `process.threadCpuUsage` is newer than the oldest Node that runs this, and on some systems has a resolution of milliseconds.
 */
function threadClock(): Clock | undefined {
  const addon = threadAddon();
  if (typeof addon !== 'string') return addon.now;
  const { threadCpuUsage } = process as { threadCpuUsage?: typeof process.cpuUsage };
  return threadCpuUsage && (() => milliseconds(threadCpuUsage.call(process)));
}

/** What Node does not say about a thread, or the reason why there is no such addon here. */
const threadAddon = (): ThreadAddon | string => openAddon<ThreadAddon>('the thread', ['../native/thread.c']);

interface ThreadAddon {
  readonly now: Clock;
  stay(processor: number): number;
  roam(): void;
}

/** The processor that this thread has to stay on; -1 if it may run anywhere. */
let processor = -1;

/** The processor that this thread stays on; -1 for any. */
export const processorOfThread = (): number => processor;

/**
 * Makes this thread stay on one processor, with everything it starts, as far as the system allows.
 *
 * @param wanted - from {@link processorOfThread} of another thread; -1 to release it.
 */
export function stayOn(wanted: number): void {
  const addon = wanted === processor ? '' : threadAddon();
  if (typeof addon === 'string') return;
  if (processor >= 0) addon.roam();
  processor = wanted < 0 ? -1 : addon.stay(wanted);
}

/**
 * Does work on one processor: this thread stays there, and so do the processes that it starts. In the cloud, processors have
 * neighbours that slow one of them by half for a while; everything that is compared should be slowed alike.
 */
export async function onOneProcessor<T>(work: () => Promise<T>): Promise<T> {
  const addon = threadAddon();
  if (typeof addon === 'string') return work();
  processor = addon.stay(-1);
  try {
    return await work();
  } finally {
    stayOn(-1);
  }
}

/** Does work on all processors, within work that is done on one. */
export async function onAllProcessors<T>(work: () => Promise<T>): Promise<T> {
  const one = processor;
  stayOn(-1);
  try {
    return await work();
  } finally {
    stayOn(one);
  }
}

const processTime: Clock = () => milliseconds(process.cpuUsage());

const milliseconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

/** Bytes of the JavaScript heap in use. */
export const heapUsed = (): number => process.memoryUsage().heapUsed;
