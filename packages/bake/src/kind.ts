import type { BspWorld } from '@bspkit/core';
import type { BspFormat, BspFormatEntry, KernelChoice } from '@bspkit/core/format';
import type { BakeChunk, BakeJob, BakeParameters } from './job.ts';

/** What a kind has to work with: the job, and what the job names. */
export interface BakeContext<P = BakeParameters> {
  readonly job: BakeJob;
  /** The job's parameters, as checked by the kind. */
  readonly parameters: P;
  /** The bytes that the job names, by name. */
  readonly inputs: Readonly<Record<string, Uint8Array>>;
  /**
   * The map, opened. Only for kinds that trace in one.
   * @throws BspError for a map that cannot be read.
   */
  readonly format: BspFormat;
  readonly world: BspWorld;
  /** The map's file. Only for kinds that do not trace in one: `needsWorld` gives them its world alone. */
  readonly map: Uint8Array;
  /** All formats that can be opened, for kinds that open maps themselves. */
  readonly formats: readonly BspFormat[];
}

/** Answers chunks of one job, with whatever was computed beforehand. */
export type ChunkRunner = (chunk: BakeChunk) => Uint8Array;

/**
 * A kind of answer about a whole map: one small file. `P` are its options, `R` is its result.
 *
 * A chunk's answer may depend only on the job and the chunk: not on a clock, on `Math.random`, on state that an earlier chunk has
 * left, or on functions of `Math` whose last bits may differ between engines (`@bspkit/core/format` has `sinCos`). Then the
 * result is the same, byte for byte, whatever the number of workers, their order and their deaths.
 */
export interface BakeKind<P = unknown, R = unknown> {
  readonly name: string;
  /** Whether it traces in the job's map. */
  readonly needsWorld: boolean;
  /** Names of the inputs that it must have. */
  readonly inputs: readonly string[];
  /** Names of those that it may have besides: `createJob` refuses any other, as it would not be used. All are accepted by default. */
  readonly optionalInputs?: readonly string[] | undefined;
  /** Checks a job's parameters. Throws RangeError or TypeError naming the one that is wrong. */
  check(parameters: BakeParameters): P;
  /** Number of items, if the kind knows it: a job with any other `count` is refused. */
  count?(parameters: P, inputs: Readonly<Record<string, Uint8Array>>): number;
  /** About how many traces an item takes, 1 by default: chunks are made so that each takes some time. */
  cost?(parameters: P, inputs: Readonly<Record<string, Uint8Array>>): number;
  /**
   * Prepares to answer a job's chunks, once per job and worker. Throws as `check` does, also for a map that does not have what the
   * kind needs: whoever hands out chunks calls this first, and refuses a job for which it throws. May load what only it needs.
   */
  open(context: BakeContext<P>): ChunkRunner | Promise<ChunkRunner>;
  /**
   * How many bytes the answer of a chunk has, if that is known beforehand: an answer of any other length is refused, by {@link
   * bake} too if the kind is among its `kinds`.
   */
  bytes?(job: BakeJob, chunk: BakeChunk, inputs: Readonly<Record<string, Uint8Array>>): number;
  /** Puts the answers of all chunks together, in order. `inputs` are those of {@link BakeContext}. */
  merge(chunks: readonly Uint8Array[], job: BakeJob, inputs: Readonly<Record<string, Uint8Array>>): R;
}

/** Any kind. */
export type AnyBakeKind = BakeKind<unknown, unknown>;

/** Where the bytes that a job names come from, and what can be opened. */
export interface BakeSource {
  /** The bytes with a hash, or `undefined` if they are not there. What is returned is checked against the hash. */
  load(sha256: string): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** The job's map, already opened: its world's format and data. Otherwise it is opened from its bytes. */
  readonly world?: { readonly format: string; readonly data: ArrayBufferLike } | undefined;
  /** Kinds that are known; {@link BAKE_KINDS} by default. */
  readonly kinds?: readonly AnyBakeKind[] | undefined;
  /** Formats that can be opened; all that bspkit has by default. */
  readonly formats?: readonly BspFormatEntry[] | undefined;
  /** What traces in worlds, whoever makes them: `auto` by default. The answers are the same. */
  readonly kernel?: KernelChoice | undefined;
  /** Whether `load` can be trusted: then bytes are not hashed again. For bytes that have been checked in this process. */
  readonly trusted?: boolean | undefined;
}
