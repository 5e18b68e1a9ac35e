import type { Object3D } from 'three';
import type { Mover } from './query.ts';

/** Puts what is drawn in the frame of a model to where the query has that model stand. */
export function placeLikeModel(object: Object3D, { options }: Mover): void {
  const isPlaced = (options.model ?? 0) > 0;
  const [x = 0, y = 0, z = 0] = (isPlaced && options.origin) || [];
  const [pitch = 0, yaw = 0, roll = 0] = (isPlaced && options.angles) || [];
  const radians = Math.PI / 180;
  object.position.set(x, y, z);
  object.rotation.set(roll * radians, pitch * radians, yaw * radians, 'ZYX');
}
