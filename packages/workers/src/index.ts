export { Link, type LinkErrors, type StartWorker, type WorkerSource } from './link.ts';
export {
  checkWorkers,
  MOST_THREADS,
  type OwnWorker,
  type Platform,
  shareBytes,
  type WorkerFile,
  type WorkerLike,
} from './platform.ts';
export { type PoolPort, serve } from './serve.ts';
export { checkSignal, type OwnSignal, onAbort, type StopSignal, unlessAborted } from './signal.ts';
