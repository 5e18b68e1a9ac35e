import type { Pose } from '@bspkit/core';

/** Throws `TypeError` for a key that is not an option: a slip of the keyboard, or an option of something else. */
export function checkOptions(given: object, known: readonly string[]): void {
  for (const key in given) {
    if (!known.includes(key) && (given as Record<string, unknown>)[key] !== undefined) {
      throw new TypeError(`there is no option '${key}' here; the options are ${known.join(', ')}`);
    }
  }
}

/**
 * Throws `TypeError` for a pose where nothing can be moved. Other options that are not known are left alone in factories:
 * scenes hand every collider the same ones.
 */
export function refusePose(options: object): void {
  const { origin, angles } = options as Pose;
  if (origin !== undefined || angles !== undefined) {
    throw new TypeError('the world does not move: origin and angles belong to models');
  }
}
