import type { Vec3 } from '@bspkit/core';
import { checkFinite, checkPoint, failArgument } from '@bspkit/core/format';
import { checkInside, type InsideOptions } from './classify.ts';
import { checkWorld } from './given.ts';
import type { Quake1World } from './world.ts';

/** What the note's ray_intersect returns, with the plane that the note says how to find. */
export interface NoteRay {
  /** When the ray comes into solid; `max` when it does not. */
  readonly time: number;
  /** Plane that it comes in through, by its number in the file; -1 when there is none. */
  readonly plane: number;
  /** Whether it is in solid from the start, which the note cannot distinguish from a hit at once. */
  readonly startsOutside: boolean;
}

/** The note's functions for a world. Distances in Quake units; they throw what the world's own methods throw. */
export interface Note {
  /** Number of the leaf that holds a point. */
  pointLocate(point: Vec3): number;
  pointIsInside(point: Vec3): boolean;
  sphereIsInside(center: Vec3, radius: number): boolean;
  /** Points of the ray are `origin + time * direction`, from time `min` to `max`. */
  rayIntersect(origin: Vec3, direction: Vec3, min: number, max: number): NoteRay;
  pathUnblocked(start: Vec3, end: Vec3): boolean;
}

/**
 * `point_locate`, `point_is_inside`, `sphere_is_inside`, `ray_intersect` and `path_unblocked` of the "Note on Quake BSP
 * Algorithms", under its names, with its errors fixed. They run on the world's fast walks.
 */
export function createNote(world: Quake1World, options: InsideOptions = {}): Note {
  checkWorld(world);
  checkInside(options);
  const ray = world.preciseRay(options);
  const along = (origin: Vec3, direction: Vec3, time: number, name: string): number[] => {
    const point = [0, 1, 2].map((k) => origin[k]! + time * direction[k]!);
    if (point.every((x) => Number.isFinite(Math.fround(x)))) return point;
    failArgument(name, 'a time at which the ray is where float32 reaches', time);
  };
  return {
    pointLocate: (point) => world.leaf(point),
    pointIsInside: (point) => world.isInside(point, options),
    sphereIsInside: (center, radius) => world.sphereInside(center, radius, options),
    pathUnblocked: (start, end) => !ray.blocked(start, end),
    rayIntersect(origin, direction, min, max) {
      checkPoint(origin, 'origin');
      checkPoint(direction, 'direction');
      checkFinite(min, 'min');
      checkFinite(max, 'max');
      const trace = ray.trace(along(origin, direction, min, 'min'), along(origin, direction, max, 'max'));
      return {
        // A miss is recognised by `max`, which the sum may differ from in its last bit.
        time: trace.fraction === 1 ? max : min + trace.fraction * (max - min),
        plane: trace.plane,
        startsOutside: trace.startSolid,
      };
    },
  };
}
