// Bakes on many machines, with a queue in Redis. The rest of the package does not load what this needs.

export type { OwnSignal } from '@bspkit/workers';
export { checkQueue } from './queue/connection.ts';
export { createQueueExecutor, type QueueExecutor, type QueueExecutorOptions } from './queue/coordinator.ts';
export { QueueError, type QueueErrorCode } from './queue/error.ts';
export { type QueueWorkerOptions, type QueueWorkerReport, runQueueWorker } from './queue/worker.ts';
