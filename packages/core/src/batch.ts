import { checkNumber, checkTrace, checkWhole, failArgument } from './check.ts';
import type { Trace } from './trace.ts';

/** Answers of many traces as a structure of arrays: element i belongs to segment i. */
export interface TraceBatch {
  /** How many answers there is room for. */
  readonly count: number;
  readonly fraction: Float32Array;
  /** Three numbers an answer. */
  readonly endPos: Float32Array;
  /** Three numbers an answer. */
  readonly normal: Float32Array;
  readonly dist: Float32Array;
  /** 1 or 0. */
  readonly startSolid: Uint8Array;
  /** 1 or 0. */
  readonly allSolid: Uint8Array;
  readonly contents: Int32Array;
  readonly surfaceFlags: Int32Array;
  readonly model: Int32Array;
  readonly brush: Int32Array;
  readonly side: Int32Array;
  readonly texture: Int32Array;
  readonly patch: Int32Array;
  readonly plane: Int32Array;
}

/** As many as arrays of three numbers per answer can hold. */
const MOST_TRACES = 0x2aaaaaaa;

/** Room for `count` answers. Throws `RangeError` unless `count` is a whole number, 0 or more. */
export function createTraceBatch(count: number): TraceBatch {
  checkWhole(count, 'count', 0, MOST_TRACES);
  return {
    count,
    fraction: new Float32Array(count),
    endPos: new Float32Array(3 * count),
    normal: new Float32Array(3 * count),
    dist: new Float32Array(count),
    startSolid: new Uint8Array(count),
    allSolid: new Uint8Array(count),
    contents: new Int32Array(count),
    surfaceFlags: new Int32Array(count),
    model: new Int32Array(count),
    brush: new Int32Array(count),
    side: new Int32Array(count),
    texture: new Int32Array(count),
    patch: new Int32Array(count),
    plane: new Int32Array(count),
  };
}

/** Names of a batch's arrays, listed at the first need. */
let names: readonly string[] = [];

/** Throws `TypeError` unless `batch` is one, `RangeError` unless it has room for `count` answers. */
export function checkBatch(batch: TraceBatch, count: number, name: string): void {
  if (names.length === 0) names = Object.keys(createTraceBatch(0)).slice(1);
  const arrays = batch as unknown as Readonly<Record<string, ArrayLike<number> | undefined>>;
  const room = batch?.count;
  for (const array of names) {
    const least = array === 'endPos' || array === 'normal' ? 3 * room : room;
    if (!(Number(arrays?.[array]?.length) >= least)) {
      failArgument(name, 'a batch, as createTraceBatch makes them', batch, false);
    }
  }
  if (room < count) {
    throw new RangeError(`${name} has room for ${room} traces, but there are ${count} segments`);
  }
}

/** Writes one answer into place `index` of a batch. */
export function storeTrace(batch: TraceBatch, index: number, trace: Trace): void {
  // A batch without any of its arrays, or a place that it does not have, is found out before anything is written.
  if (!(Number.isInteger(index) && index >= 0 && index < batch?.count) || !batch.plane) {
    checkStore(batch, index);
  }
  checkTrace(trace, 'trace');
  batch.fraction[index] = trace.fraction;
  batch.endPos.set(trace.endPos, 3 * index);
  batch.normal.set(trace.normal, 3 * index);
  batch.dist[index] = trace.dist;
  batch.startSolid[index] = trace.startSolid ? 1 : 0;
  batch.allSolid[index] = trace.allSolid ? 1 : 0;
  batch.contents[index] = trace.contents;
  batch.surfaceFlags[index] = trace.surfaceFlags;
  batch.model[index] = trace.model;
  batch.brush[index] = trace.brush;
  batch.side[index] = trace.side;
  batch.texture[index] = trace.texture;
  batch.patch[index] = trace.patch;
  batch.plane[index] = trace.plane;
}

function checkStore(batch: TraceBatch, index: number): void {
  checkBatch(batch, 0, 'batch');
  checkNumber(index, batch.count, 'index');
}
