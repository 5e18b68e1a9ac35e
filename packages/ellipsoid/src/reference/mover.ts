import { defineTracer, type Tracer, type Vec3 } from '@bspkit/core';
import { checkFlag, checkList, checkMove, checkOptions } from '@bspkit/core/format';
import { checkEllipsoid, type Ellipsoid } from '../ellipsoids.ts';
import { PolygonTable } from '../polygon-table.ts';
import { checkRadii } from '../radii.ts';
import { checkWorld, findLeafs } from '../source.ts';
import type { EllipsoidWorld } from '../world.ts';
import {
  AS_PRINTED,
  CALCULATE_COLLISIONRADIUS,
  COLLISION_HANDLING,
  createBody,
  createPolygon,
  type Errata,
  GET_COLLIDING_POLYGON,
  type Handled,
  type TutorialPolygon,
} from './tutorial.ts';

/** How far around the move leafs count as passed, in Quake units: as in the fast form. */
const LEAF_MARGIN = 1;

/** The document's algorithm on the raw polygons: slow, and with its errors on request. */
export interface TutorialReference {
  /** The first collision, as a tracer. */
  readonly tracer: Tracer;
  /** Moves from `start` towards `end`, pushed out of polygons and of objects. */
  move(start: Vec3, end: Vec3, objects?: readonly Ellipsoid[]): Handled;
}

/**
 * The document's algorithm word for word, on the polygons of the leafs that a move passes. Planes are made once, so that what an
 * erratum does to them persists.
 *
 * @param errata - the document's errors to reproduce; none by default.
 * @throws RangeError for radii that are not in 0.001 to 1,000,000 Quake units, TypeError for an unknown erratum, and for a
 *   world whose source is that of another map.
 */
export function createTutorialReference(
  world: EllipsoidWorld,
  radii: Vec3,
  errata: Errata = {},
): TutorialReference {
  checkWorld(world);
  checkRadii(radii);
  checkOptions(errata, Object.keys(AS_PRINTED), 'errata');
  for (const [name, value] of Object.entries(errata)) checkFlag(value, name);
  const source = world._checkedSource();
  const all = source.polygons();
  const kept = Array.from({ length: world.numPolygons }, (_, k) => all[world.polygon(k).number]!);
  const made = kept.map((polygon, k) => createPolygon(polygon, k, errata));
  const table = new PolygonTable(kept);
  const size = Array.from(radii, Math.fround);
  const leafs = new Int32Array(source.numLeafs);

  /** The polygons of each leaf that the box around all ends touches. */
  const nodesOf = (ends: readonly Vec3[]): TutorialPolygon[][] => {
    const mins = size.map((r, k) => Math.min(...ends.map((end) => end[k]!)) - (r + LEAF_MARGIN));
    const maxs = size.map((r, k) => Math.max(...ends.map((end) => end[k]!)) + (r + LEAF_MARGIN));
    const count = findLeafs(source, mins, maxs, leafs);
    return Array.from(leafs.subarray(0, count), (leaf) =>
      source.leafPolygons(leaf).flatMap((polygon) => made[table.find(polygon)] ?? []),
    );
  };

  const tracer = defineTracer({
    shape: { kind: 'ellipsoid', radii: Float32Array.from(size) },
    trace(start, end, out) {
      const body = createBody(start, end, size);
      const polygon = GET_COLLIDING_POLYGON(
        body,
        [...new Set(nodesOf([body.StartPosition, body.EndPosition]).flat())],
        errata,
      );
      const sideOf = (at: Vec3): number =>
        polygon ? polygon.Normal.reduce((sum, x, k) => sum + x * at[k]!, 0) - polygon.Distance : 0;
      const side = sideOf(start);
      const radius = polygon ? CALCULATE_COLLISIONRADIUS(body, polygon.Normal) : 0;
      const time = polygon ? Math.max(0, (side - radius) / (side - sideOf(end))) : 1;
      out.fraction = Math.fround(time);
      for (let k = 0; k < 3; k++) {
        out.endPos[k] = start[k]! + time * (end[k]! - start[k]!);
        out.normal[k] = polygon?.Normal[k] ?? 0;
      }
      out.dist = polygon?.Distance ?? 0;
      return out;
    },
  });

  return {
    tracer,
    move(start, end, objects = []) {
      checkMove(start, end);
      checkList(objects, 'objects');
      for (const [k, object] of objects.entries()) checkEllipsoid(object, `objects[${k}]`);
      const others = objects.map(({ center, radii: other }) => createBody(center, center, other));
      return COLLISION_HANDLING(createBody(start, end, size), nodesOf, others, errata);
    },
  };
}
