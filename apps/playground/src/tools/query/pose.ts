import type { BspWorld, Plane, Vec3 } from '@bspkit/core';
import { modelPlace } from '@bspkit/words';
import { Matrix4, Object3D, Vector3 } from 'three';
import type { Mover } from './query.ts';

/** What the options say of models, beside where they are. */
type Asked = Pick<Mover, 'options'>;

/**
 * Puts what is drawn in the frame of a model to where the query has that model stand: of the model that is traced, or of one
 * of several that are in the way.
 */
export function placeLikeModel(
  object: Object3D,
  world: BspWorld,
  { options }: Asked,
  model = Number(options.model ?? 0),
): void {
  const place = modelPlace(world, options, model);
  const [x, y, z] = place.origin;
  const [pitch, yaw, roll] = place.angles;
  const radians = Math.PI / 180;
  object.position.set(x, y, z);
  object.rotation.set(roll * radians, pitch * radians, yaw * radians, 'ZYX');
}

/** The frames of a world's models, where a query has them stand. */
export class ModelFrames {
  private readonly _world: BspWorld;
  private readonly _asked: Asked;
  private readonly _frames: Map<number | undefined, Object3D> = new Map();

  constructor(world: BspWorld, asked: Asked) {
    this._world = world;
    this._asked = asked;
  }

  /** What is placed like a model; by default like the one that is traced. */
  private _of(model: number | undefined): Object3D {
    let frame = this._frames.get(model);
    if (!frame) {
      frame = new Object3D();
      placeLikeModel(frame, this._world, this._asked, model);
      frame.updateMatrixWorld();
      this._frames.set(model, frame);
    }
    return frame;
  }

  /** Whether a model stands elsewhere than where it was built, or is turned. */
  moves(model: number): boolean {
    return !this._of(model).matrix.equals(new Matrix4());
  }

  /** Points of the scene, three numbers each, as they are in the frame of a model. */
  enter(model: number | undefined, points: readonly number[]): number[] {
    const frame = this._of(model);
    return byPoints(points, (point) => frame.worldToLocal(point));
  }

  /** Points in the frame of a model, as they are in the scene. */
  leave(model: number | undefined, points: readonly number[]): number[] {
    const frame = this._of(model);
    return byPoints(points, (point) => frame.localToWorld(point));
  }

  /** A plane of the scene, as it is in the frame of a model. */
  enterPlane(model: number | undefined, { normal, dist }: Plane): Plane {
    const frame = this._of(model);
    const at = frame.position.toArray();
    return {
      normal: turnedBack(frame, [normal[0]!, normal[1]!, normal[2]!]),
      dist: dist - at.reduce((sum, x, k) => sum + x * normal[k]!, 0),
    };
  }
}

function byPoints(points: readonly number[], change: (point: Vector3) => Vector3): number[] {
  const out: number[] = [];
  for (let at = 0; at < points.length; at += 3) out.push(...change(new Vector3().fromArray(points, at)));
  return out;
}

/** A direction of the scene, as it is in the frame of what was placed. */
export const turnedBack = ({ quaternion }: Object3D, [x, y, z]: Vec3 & Iterable<number>): number[] =>
  new Vector3(x, y, z).applyQuaternion(quaternion.clone().invert()).toArray();
