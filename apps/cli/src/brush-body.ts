import type { Bounds } from '@bspkit/core';
import type { FileBrush } from '@bspkit/core/format';
import { type BodyPlanes, bodyFaces, missingBevels, unitPlanes, type Winding } from '@bspkit/geometry';

/** A brush as a body in space. */
export class BrushBody {
  readonly brush: FileBrush;
  readonly planes: BodyPlanes;
  /** By plane. */
  readonly faces: readonly (Winding | undefined)[];
  /** The box around it; `undefined` if it has no corners. */
  readonly bounds: Bounds | undefined;
  private _bevels: BodyPlanes | undefined;

  constructor(brush: FileBrush, mostSides: number) {
    this.brush = brush;
    this.planes = unitPlanes(
      brush.planes.flatMap(({ normal, dist }) => [normal[0]!, normal[1]!, normal[2]!, dist]),
    );
    this.faces = brush.planes.length > mostSides ? [] : bodyFaces(this.planes);
    this.bounds = boundsOf(this.faces);
  }

  /** The planes that it lacks to stop boxes where they touch it. */
  get bevels(): BodyPlanes {
    this._bevels ??= missingBevels(this.planes, this.faces);
    return this._bevels;
  }
}

/** The box around some faces; `undefined` if there are none. */
export function boundsOf(faces: readonly (Winding | undefined)[]): Bounds | undefined {
  const mins = [Infinity, Infinity, Infinity];
  const maxs = [-Infinity, -Infinity, -Infinity];
  for (const face of faces) {
    for (let at = 0; face && at < face.length; at += 3) {
      for (let k = 0; k < 3; k++) {
        mins[k] = Math.min(mins[k]!, face[at + k]!);
        maxs[k] = Math.max(maxs[k]!, face[at + k]!);
      }
    }
  }
  return mins[0]! <= maxs[0]! ? { mins, maxs } : undefined;
}
