import type { Clearings } from '@bspkit/core/format';
import type { Places } from '../layout.ts';

/** A world's buffer, as the kernels see it. */
export interface Memory {
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly doubles: Float64Array;
  readonly places: Places;
  /** Room for the walk through the tree: nodes, and the times at which the move reaches them. */
  readonly stack: Int32Array;
  readonly times: Float64Array;
  /** The planes around all polygons, which only the document's method asks for: made when it does. */
  planes: Float64Array | undefined;
  /** Where moves meet nothing: see `meetsNothing`. */
  clearings: Clearings | null | undefined;
}

/** The deepest tree that is built, and so the room that a walk needs. */
export const MOST_DEPTH = 64;

export function openMemory(data: ArrayBufferLike, places: Places): Memory {
  return {
    ints: new Int32Array(data),
    floats: new Float32Array(data),
    // Not `>> 3`, which is below 0 from 2 GiB on.
    doubles: new Float64Array(data, 0, Math.floor(data.byteLength / 8)),
    places,
    stack: new Int32Array(MOST_DEPTH + 1),
    times: new Float64Array(MOST_DEPTH + 1),
    planes: undefined,
    clearings: undefined,
  };
}
