import type { Frame } from '@bspkit/words';
import { Matrix4, type Object3D, Vector3 } from 'three';

/** Puts what is drawn in the frame of a model to where that stands. */
export function placeIn(object: Object3D, { origin, axes }: Frame): void {
  object.position.fromArray(origin);
  const columns = axes.map((axis) => new Vector3().fromArray(axis)) as [Vector3, Vector3, Vector3];
  object.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(...columns));
}
