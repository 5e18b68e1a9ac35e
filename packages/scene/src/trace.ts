import { copyTrace, createTrace, type Trace, type TraceBatch, type TraceField } from '@bspkit/core';
import { type ArrayTypes, createArrays, isArrayOf, TRACE_ARRAYS, writeTrace } from '@bspkit/core/format';

/** Number of the world among a scene's entities; bodies are numbered from 1. */
export const WORLD_ENTITY = 0;

/** Stands for no entity. */
export const NO_ENTITY: number = -1;

/** The answer of a scene's tracer. `dist` is in the frame of what was hit; `model` and `brush` belong to its map. */
export interface SceneTrace extends Trace {
  /** What was hit: 0 for the world, else the body's number; -1 for nothing. */
  entity: number;
  /** What the move began in: 0 for the world, else a body's number, by default the lowest; -1 for nothing. */
  startEntity: number;
}

/** A fresh answer: fraction 1, nothing hit. */
export function createSceneTrace(): SceneTrace {
  return withEntities(createTrace());
}

/** Adds room for entities to a trace, which is changed in place. */
export function withEntities<T extends Trace>(trace: T): T & SceneTrace {
  // Not spread: that gives V8 several layouts of one object, and then boxed numbers.
  return Object.assign(trace, { entity: NO_ENTITY, startEntity: NO_ENTITY });
}

/** Name of an array of a scene's batch. */
export type SceneTraceField = TraceField | EntityField;

type EntityField = 'entity' | 'startEntity';

/** What each array of a scene's batch holds, by field. */
const SCENE_ARRAYS: ArrayTypes = {
  ...TRACE_ARRAYS,
  entity: Int32Array,
  startEntity: Int32Array,
};

/** Answers of many traces through a scene, with the chosen fields: all of them by default. */
export type SceneTraceBatch<Field extends SceneTraceField = SceneTraceField> = TraceBatch<
  Extract<Field, TraceField>
> & { readonly [name in Extract<Field, EntityField>]: Int32Array };

/** Options of {@link createSceneTraceBatch}: as for `createTraceBatch`, with the entities among the fields. */
export interface SceneTraceBatchOptions<Field extends SceneTraceField = SceneTraceField> {
  /** Which arrays to make; all by default. Fields that a batch does not have are not written, and cost nothing. */
  readonly fields?: readonly Field[] | undefined;
  /** Put the arrays into a `SharedArrayBuffer`, which other threads can read and write. False by default. */
  readonly shared?: boolean | undefined;
}

/** Room for `count` answers. Throws as `createTraceBatch` does. */
export function createSceneTraceBatch<Field extends SceneTraceField = SceneTraceField>(
  count: number,
  options: SceneTraceBatchOptions<Field> = {},
): SceneTraceBatch<Field> {
  return createArrays(count, options, SCENE_ARRAYS) as SceneTraceBatch<Field>;
}

/** The additional fields of a world's traces, with their values when nothing was hit. */
export class ExtraFields {
  /** What each array of a batch holds: whole numbers for these fields. */
  readonly arrays: Record<string, ArrayTypes[string]> = { ...SCENE_ARRAYS };
  private readonly _names: readonly string[];
  /** Those that are points or other lists of floats, whose numbers are copied. */
  private readonly _lists: readonly string[];
  private readonly _fresh: Readonly<Record<string, unknown>>;

  constructor(fresh: Trace) {
    const common = createSceneTrace();
    this._fresh = fresh as unknown as Record<string, unknown>;
    const names = Object.keys(fresh).filter((name) => !(name in common));
    this._names = names.filter((name) => typeof this._fresh[name] !== 'object');
    this._lists = names.filter((name) => isArrayOf(this._fresh[name], Float32Array));
    for (const name of this._names) this.arrays[name] = Int32Array;
  }

  /** Writes one answer into place `index` of a batch, in the fields that the batch has. */
  readonly store = (batch: TraceBatch<never>, index: number, trace: SceneTrace): void => {
    writeTrace(batch, index, trace);
    const { entity, startEntity } = batch as Partial<SceneTraceBatch>;
    if (entity) entity[index] = trace.entity;
    if (startEntity) startEntity[index] = trace.startEntity;
    for (const name of this._names as 'entity'[]) {
      const array = (batch as Partial<SceneTraceBatch>)[name];
      if (array) array[index] = trace[name];
    }
  };

  /**
   * Copies an answer, with those fields that `to` has room for. If the answer comes from something that does not have these
   * fields, they get the values of "nothing hit".
   */
  copy(from: Trace, to: Trace): void {
    copyTrace(from, to);
    for (let k = 0; k < this._names.length; k++) {
      const name = this._names[k]!;
      if (!(name in to)) continue;
      const source = name in from ? (from as unknown as Record<string, unknown>) : this._fresh;
      (to as unknown as Record<string, unknown>)[name] = source[name];
    }
    for (let k = 0; k < this._lists.length; k++) {
      const name = this._lists[k] as 'endPos';
      const list = to[name] as Float32Array | undefined;
      list?.set(from[name] ?? (this._fresh[name] as Float32Array));
    }
  }
}
