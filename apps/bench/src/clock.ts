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
  stay(processor: number): number;
  roam(): void;
}

/** Where this thread has to stay; -1 where it may go anywhere. */
let processor = -1;

/** The processor that this thread stays on; -1 for any. */
export const processorOfThread = (): number => processor;

/**
 * Has this thread stay on one processor, and what it starts, as far as the system lets it.
 *
 * @param wanted - of another thread, from {@link processorOfThread}; -1 to let go.
 */
export function stayOn(wanted: number): void {
  const addon = wanted === processor ? '' : threadAddon();
  if (typeof addon === 'string') return;
  if (processor >= 0) addon.roam();
  processor = wanted < 0 ? -1 : addon.stay(wanted);
}

/**
 * Does work on one processor: this thread stays there, and so do the processes that it starts. In the cloud, processors
 * have neighbours that slow one of them by half for a while; what is compared is to be slowed alike.
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

/** Does work on all processors, within what is done on one. */
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
