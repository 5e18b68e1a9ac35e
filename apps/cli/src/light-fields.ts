import { type Fields, float32Cell } from '@bspkit/core/format';
import type { Point } from './arguments.ts';
import { isBspError } from './errors.ts';
import type { OpenMap } from './open-map.ts';

/**
 * How light it is at a point of a map, as its game finds out: fields of an answer. None for an assembly, and for a map without
 * light. Light that is broken is no reason to say nothing about the point, as such a map can be traced: then a field says so.
 */
export function lightFields({ format, file }: OpenMap, at: Point): Fields {
  if (!file || !format.createLightSampler) return {};
  try {
    const sampler = format.createLightSampler(file);
    if (!sampler.isLit) return {};
    const { ambient, directed, direction, surface } = sampler.at(at);
    return {
      light: Array.from(ambient, float32Cell),
      ...(directed.some((part) => part > 0)
        ? {
            directedLight: Array.from(directed, float32Cell),
            lightDirection: Array.from(direction, float32Cell),
          }
        : {}),
      ...(surface < 0 ? {} : { lightSurface: surface }),
    };
  } catch (error) {
    if (!isBspError(error)) throw error;
    return { lightProblem: error.message };
  }
}
