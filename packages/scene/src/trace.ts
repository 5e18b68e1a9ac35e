import { createTraceBatch, storeTrace, type TraceBatch } from './batch.ts';
import { createTrace, type Trace } from './trace.ts';

/** Number of the world among a scene's entities; bodies are numbered from 1. */
export const WORLD_ENTITY = 0;

/** The answer of a scene's tracer. `dist` is in the frame of what was hit; `model` and `brush` belong to its map. */
export interface SceneTrace extends Trace {
  /** What was hit: 0 for the world, else the body's number; -1 for nothing. */
  entity: number;
  /** What the move began in: 0 for the world, else the body with the lowest number; -1 for nothing. */
  startEntity: number;
}

/** A fresh answer: fraction 1, nothing hit. */
export function createSceneTrace(): SceneTrace {
  // Not spread, which gives V8 several layouts of one object, and then boxed numbers.
  return Object.assign(createTrace(), { entity: -1, startEntity: -1 });
}

/** Answers of many traces through a scene. */
export interface SceneTraceBatch extends TraceBatch {
  readonly entity: Int32Array;
  readonly startEntity: Int32Array;
}

/** Room for `count` answers. Throws `RangeError` unless `count` is a whole number, 0 or more. */
export function createSceneTraceBatch(count: number): SceneTraceBatch {
  return {
    ...createTraceBatch(count),
    entity: new Int32Array(count),
    startEntity: new Int32Array(count),
  };
}

/** Writes one answer into place `index` of a batch; one that has no room for entities gets the rest. */
export function storeSceneTrace(batch: TraceBatch, index: number, trace: SceneTrace): void {
  storeTrace(batch, index, trace);
  const { entity, startEntity } = batch as Partial<SceneTraceBatch>;
  if (entity) entity[index] = trace.entity;
  if (startEntity) startEntity[index] = trace.startEntity;
}
