import type { Bounds, Trace, Vec3 } from '@bspkit/core';
import type { MoveKind, Query, SceneFilter } from '../query.ts';
import type { SceneTrace } from '../trace.ts';

/**
 * How a scene's tracers find their answer among those of the world and the bodies. One object belongs to one scene, and
 * keeps what its rules need to know about each body.
 */
export interface SceneRules {
  /** Name by which scenes ask for them. */
  readonly name: string;
  /** Options of tracers that only some rules know, and these do. */
  readonly options: readonly (keyof SceneFilter)[];
  /** Boxes of the bodies as they are linked to the world: mins and maxs, six numbers each. */
  readonly boxes?: Float32Array;
  /** Makes room for bodies `0 .. capacity - 1`; it only grows. */
  grow(capacity: number): void;
  /** A body came, moved or changed. */
  link(body: number): void;
  /**
   * Takes in the world's answer, which is in `out` without its entity, and writes the bodies to be asked into
   * `query.found`, in order. Returns how many. The bodies are asked for the move that stands in the query afterwards.
   */
  begin(query: Query, out: SceneTrace): number;
  /** Takes in a body's answer. Returns whether more bodies are asked. */
  merge(query: Query, trace: Trace, body: number, out: SceneTrace): boolean;
  /** What is left to be done after the last body. */
  finish(query: Query, out: SceneTrace): void;
  /** The box that monsters are met with in place of the mover's own, for a kind of move. */
  monsterBox(move: MoveKind): Bounds | undefined;
  /** Whether the contents of a body count at a point. Without it those of the world alone do. */
  counts?(body: number, point: Vec3): boolean;
}
