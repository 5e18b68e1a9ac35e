import type { Object3D } from 'three';
import type { Mover } from './query.ts';

/** What the options say of models, beside where they are. */
type Asked = Pick<Mover, 'options'>;

/** Which of the poses of the options is a model's; -1 for a model that stands where it was built, and the world. */
function poseOf({ model = 0, models }: Mover['options'], number: number): number {
  if (models === undefined) return number > 0 && model === number ? 0 : -1;
  // Numbers with commas, or all.
  const listed = String(models).trim();
  return /^all$/i.test(listed) ? number - 1 : listed.split(',').map(Number).indexOf(number);
}

/**
 * Puts what is drawn in the frame of a model to where the query has that model stand: of the model that is traced, or of one
 * of several that are in the way.
 */
export function placeLikeModel(
  object: Object3D,
  { options }: Asked,
  model = Number(options.model ?? 0),
): void {
  const pose = poseOf(options, model);
  const partOf = (numbers: unknown): number[] =>
    pose < 0 ? [] : ((numbers ?? []) as number[]).slice(3 * pose, 3 * pose + 3);
  const [x = 0, y = 0, z = 0] = partOf(options.origin);
  const [pitch = 0, yaw = 0, roll = 0] = partOf(options.angles);
  const radians = Math.PI / 180;
  object.position.set(x, y, z);
  object.rotation.set(roll * radians, pitch * radians, yaw * radians, 'ZYX');
}
