import { checkFinite } from '@bspkit/core/format';
import { GRAVITY, MAX_VELOCITY } from './server-slide.ts';

/** Variables by which a game moves its things. */
interface ThingVariables {
  readonly gravity?: number | undefined;
  readonly maxVelocity?: number | undefined;
}

export const VARIABLES: readonly (keyof ThingVariables)[] = ['gravity', 'maxVelocity'];

/** Those of all games, until others are set. */
export const DEFAULT_VARIABLES: ThingVariables = { gravity: 800, maxVelocity: 2000 };

/** Notes the variables that are given. If it throws, nothing has changed. */
export function setVariables(v: Float32Array, variables: ThingVariables): void {
  // Each is read once, as there may be getters.
  const { gravity, maxVelocity } = variables;
  if (gravity !== undefined) checkFinite(gravity, 'gravity');
  if (maxVelocity !== undefined) checkFinite(maxVelocity, 'maxVelocity');
  if (maxVelocity! < 0) throw new RangeError(`maxVelocity must not be negative, got ${maxVelocity}`);
  if (gravity !== undefined) v[GRAVITY] = gravity;
  if (maxVelocity !== undefined) v[MAX_VELOCITY] = maxVelocity;
}
