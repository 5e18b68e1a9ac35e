import type { BspWorld, Plane } from '@bspkit/core';
import type { BspFormat, RowAnswering } from '@bspkit/core/format';
import type { Winding } from '@bspkit/geometry';
import { polygonIn } from './faces.ts';

/** What a curved surface of the world collides with. */
export interface Curve {
  /** Surface, by its number in the file. */
  readonly surface: number;
  readonly contents: number;
  /** Flat pieces, counter-clockwise seen from their fronts. */
  readonly faces: readonly Winding[];
}

/** Rows of this kind describe what curved surfaces collide with. */
const KIND = 'patches';

/** Such a row, answered: planes as normal and distance, facets by numbers of planes. */
interface CurveRow {
  readonly contents: number;
  readonly planes: readonly (readonly [x: number, y: number, z: number, dist: number])[];
  /** `s`: the plane that the facet is on; `b`: those around it; `i`: 1 if it is in front of one. */
  readonly facets: readonly {
    readonly s: number;
    readonly b: readonly number[];
    readonly i: readonly number[];
  }[];
}

/**
 * The curved surfaces of a world as the flat facets that the engine collides with, for formats that have such. Query rows give
 * them, whatever the game.
 */
export function* worldCurves(format: BspFormat, world: BspWorld, bytes: Uint8Array): Generator<Curve> {
  const kind = format.rows[KIND];
  if (!kind) return;
  const answering = kind.open({ game: format.id, map: '', kind: KIND }, { format, load: () => bytes });
  const polygons = format.polygons(world).polygons();
  for (const surface of new Set(polygons.map((polygon) => polygon.surface))) {
    const row = answerRow(answering, surface);
    if (row)
      yield { surface, contents: row.contents, faces: row.facets.map((facet) => facetFace(row, facet)) };
  }
}

/** The row of a surface, or `undefined` for one that is not curved. */
function answerRow(answering: RowAnswering, surface: number): CurveRow | undefined {
  const row = { surface };
  try {
    answering.answerObject!(row);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return row as object as CurveRow;
}

/** The polygon of a facet: the part of its plane within its borders. */
function facetFace({ planes }: CurveRow, { s, b, i }: CurveRow['facets'][number]): Winding {
  const plane = (number: number, sign: number): Plane => {
    const [x, y, z, dist] = planes[number]!.map(Math.fround) as [number, number, number, number];
    return { normal: [sign * x, sign * y, sign * z], dist: sign * dist };
  };
  const borders = b
    .map((number, k) => ({ number, sign: i[k] ? -1 : 1 }))
    // The last border is the facet's back: its own plane once more.
    .filter(({ number }) => number !== s);
  return polygonIn(
    plane(s, 1),
    borders.map(({ number, sign }) => plane(number, sign)),
  );
}
