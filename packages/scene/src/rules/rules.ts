import type { Bounds, Trace, Vec3 } from '@bspkit/core';
import type { MoveKind, Query, SceneFilter } from '../query.ts';
import type { SceneTrace } from '../trace.ts';

/**
 * How a scene's tracers make their answer from those of the world and the bodies. One object belongs to one scene, and keeps what
 * its rules need to know about each body.
 */
export interface SceneRules {
  /** Name by which scenes choose them. */
  readonly name: string;
  /** Those options of tracers that only some rules have which these do have. */
  readonly options: readonly (keyof SceneFilter)[];
  /** Boxes of the bodies as they are linked to the world: mins and maxs, six numbers each. */
  readonly boxes?: Float32Array;
  /** Orders of bodies: lower for those that are asked earlier. Without them, bodies are asked in the order of their numbers. */
  readonly keys?: Float64Array | undefined;
  /** Makes room for bodies `0 .. capacity - 1`; it only grows. */
  grow(capacity: number): void;
  /** Called when a body was added, moved or changed. */
  link(body: number): void;
  /**
   * Takes the world's answer, which is in `out` without its entity, and writes the bodies to be asked into `query.found`, in
   * order. Returns how many. The bodies are asked about the move that is in the query afterwards.
   */
  begin(query: Query, out: SceneTrace): number;
  /** Takes a body's answer. Returns whether more bodies are to be asked. */
  merge(query: Query, trace: Trace, body: number, out: SceneTrace): boolean;
  /** Does what is left to do after the last body. */
  finish(query: Query, out: SceneTrace): void;
  /** The box with which a kind of move meets monsters, in place of the mover's own. */
  monsterBox(move: MoveKind): Bounds | undefined;
  /** Whether the contents of a body count at a point. Without this function, only those of the world count. */
  counts?(body: number, point: Vec3): boolean;
}
