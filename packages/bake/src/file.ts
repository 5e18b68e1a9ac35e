import { checkKind, showValue, toBytes } from '@bspkit/core/format';
import { BakeError } from './error.ts';
import { type BakeJob, checkJob, chunkCount, cutChunk } from './job.ts';
import type { AnyBakeKind, BakeKind } from './kind.ts';
import { damaged, missingText, type Place, scan } from './record.ts';
import { checkInputs, checkItems, checkSize, kindOf } from './run.ts';

/** The contents of a bake's file. */
export interface BakeFile {
  readonly job: BakeJob;
  /** The inputs that the job names. */
  readonly inputs: Readonly<Record<string, Uint8Array>>;
  /** Answers by the chunks' numbers, those that are there and whole. */
  readonly chunks: ReadonlyMap<number, Uint8Array>;
  /** How many chunks are missing: never computed, cut off, or broken. */
  readonly missing: number;
}

/**
 * Reads a bake's file, whole or not. Looks at each byte once; answers are views of `bytes`.
 * @throws BakeError: `file` for anything but a bake's file, `damaged` for one whose job or inputs are; TypeError for
 *   anything but a buffer or a `Uint8Array`.
 */
export function readBake(bytes: Uint8Array | ArrayBufferLike): BakeFile {
  const file = toBytes(bytes);
  const steps = scan(file.length, '');
  const cut = ({ at, length }: Place): Uint8Array => file.subarray(at, at + length);
  let step = steps.next();
  while (!step.done) step = steps.next(cut(step.value));
  const { job, inputs, chunks } = step.value;
  const absent = Object.keys(job.inputs).find((name) => !inputs.has(name));
  if (absent !== undefined)
    throw damaged('', `its input ${showValue(absent)} is missing or broken: resuming the bake puts it back`);
  return {
    job,
    inputs: Object.fromEntries([...inputs].map(([name, place]) => [name, cut(place)])),
    chunks: new Map([...chunks].map(([number, place]) => [number, cut(place)])),
    missing: chunkCount(job) - chunks.size,
  };
}

/**
 * The result of a bake, as its kind puts it together. Its type is that of the results of `kinds`; without them, say which of
 * this package's it is: `mergeBake<SightResult>(file)`.
 *
 * @param kinds - the known ones; by default those that come with this package.
 * @throws BakeError: `unfinished` when chunks are missing, `kind` for an unknown kind, `file` for a chunk of the wrong length, or
 *   with what no kind answers, `job` for inputs that are not the kind's; RangeError or TypeError for parameters that the kind
 *   does not have.
 */
export function mergeBake<R = unknown>(file: BakeFile, kinds?: readonly BakeKind<unknown, R>[]): R {
  checkKind(file?.chunks instanceof Map, file, 'file', 'a file that readBake has read');
  return mergeAs(file, kindOf(file.job.kind, kinds)) as R;
}

/** {@link mergeBake} with a given kind: nothing else is loaded for it. */
export function mergeAs(file: BakeFile, kind: AnyBakeKind): unknown {
  const { inputs, chunks } = file;
  const job = checkJob(file.job);
  const total = chunkCount(job);
  // Counted, as chunks of several files may have been joined.
  let missing = 0;
  for (let index = 0; index < total; index++) missing += chunks.has(index) ? 0 : 1;
  if (missing > 0) throw new BakeError('unfinished', missingText(missing, total));
  checkInputs(kind, inputs);
  checkItems(kind, job, inputs);
  const answers: Uint8Array[] = [];
  for (let index = 0; index < total; index++) {
    const answer = chunks.get(index)!;
    if (kind.bytes) checkSize(kind, job, cutChunk(job, index), inputs, answer, 'file');
    answers.push(answer);
  }
  return kind.merge(answers, job, inputs);
}
