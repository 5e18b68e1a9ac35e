import type { TraceBatch, TraceField, Tracer } from '@bspkit/core';

/**
 * What a loop of `trace` and `blocked` answers to segments, as the tracer's batches do: in all fields that these have. What
 * traces lack is -1.
 */
export function answerOneByOne(
  tracer: Tracer,
  segments: Float32Array,
): { batch: TraceBatch; tests: Uint8Array } {
  const count = segments.length / 6;
  const batch = tracer.traceBatch(new Float32Array(segments.length));
  const tests = new Uint8Array(count);
  const out = tracer.createTrace();
  const fields = Object.keys(batch).filter((name) => name !== 'count') as TraceField[];
  for (let k = 0; k < count; k++) {
    const [start, end] = [segments.subarray(6 * k, 6 * k + 3), segments.subarray(6 * k + 3, 6 * k + 6)];
    tracer.trace(start, end, out);
    for (const field of fields) {
      if (field === 'endPos' || field === 'normal') batch[field].set(out[field], 3 * k);
      else batch[field][k] = Number(out[field] ?? -1);
    }
    tests[k] = tracer.blocked(start, end) ? 1 : 0;
  }
  return { batch, tests };
}

/** Every byte of a batch, by field, in hexadecimal, which is quick to compare. */
export function batchBytes(batch: Partial<TraceBatch>): Record<string, string> {
  const bytes: Record<string, string> = {};
  for (const [field, array] of Object.entries(batch)) {
    if (!ArrayBuffer.isView(array)) continue;
    bytes[field] = Buffer.from(new Uint8Array(array.buffer, array.byteOffset, array.byteLength)).toString(
      'hex',
    );
  }
  return bytes;
}
