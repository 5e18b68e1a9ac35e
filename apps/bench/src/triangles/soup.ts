import type { BspWorld } from '@bspkit/core';
import { type BspFile, type BspFormat, type TracerPreset, tracerKind } from '@bspkit/core/format';
import type { Winding } from '@bspkit/geometry';
import type { WorldSource } from '../world.ts';
import { worldCurves } from './curves.ts';
import { brushFaces } from './faces.ts';

/** The world as triangle libraries need it: nine numbers per triangle, fronts counter-clockwise. */
export interface TriangleSoup {
  readonly positions: Float32Array;
  readonly triangles: number;
  /** Where the triangles came from. */
  readonly brushes: number;
  readonly curves: number;
}

/** What stops the shapes that are traced through a map, as triangles. */
export interface Soups {
  /** That of the first of the measured shapes. */
  readonly first: TriangleSoup;
  /** That of a shape: shapes that the same contents stop have the same one. */
  of(preset: Pick<TracerPreset<BspWorld>, 'kind'>): TriangleSoup;
}

/** The triangles of a map; undefined for formats that keep no brushes, and for assemblies. */
export function soupsOf({ format, bytes, tiles }: WorldSource, world: BspWorld): Soups | undefined {
  if (!format.brushes || tiles) return undefined;
  const file = format.read(bytes);
  const made = new Map<string | undefined, TriangleSoup>();
  const of: Soups['of'] = ({ kind }) => {
    const { mask } = tracerKind(format, kind);
    const soup = made.get(mask) ?? triangleSoup(format, file, world, bytes, mask);
    made.set(mask, soup);
    return soup;
  };
  return { first: of(format.tracers.presets.find(({ measured }) => measured)!), of };
}

/**
 * Brushes and curved surfaces of the world as triangles: everything that stops what is traced. Curves are the flat facets that the
 * engine collides with, so that all libraries have the same world.
 *
 * @param mask - contents that stop it: for a kind of tracer those that do by default.
 * @throws RangeError for a format that keeps no brushes, and for a world that contains nothing of the kind.
 */
export function triangleSoup(
  format: BspFormat,
  file: BspFile,
  world: BspWorld,
  bytes: Uint8Array,
  mask: string = 'solid',
): TriangleSoup {
  if (!format.brushes) {
    throw new RangeError(`maps of ${format.name} keep no brushes, which triangles could be made of`);
  }
  const stopping = format.contents.bits(mask);
  const positions: number[] = [];
  let brushes = 0;
  for (const { model, contents, planes } of format.brushes(file)) {
    if (model !== 0 || (contents & stopping) === 0) continue;
    brushes++;
    for (const face of brushFaces(planes)) pushFan(positions, face);
  }
  let curves = 0;
  for (const { contents, faces } of worldCurves(format, world, bytes)) {
    if ((contents & stopping) === 0) continue;
    curves++;
    for (const face of faces) pushFan(positions, face);
  }
  if (positions.length === 0) throw new RangeError('the world holds nothing solid');
  return { positions: Float32Array.from(positions), triangles: positions.length / 9, brushes, curves };
}

function pushFan(positions: number[], face: Winding): void {
  for (let i = 3; i + 5 < face.length; i += 3) {
    positions.push(face[0]!, face[1]!, face[2]!);
    for (let k = i; k < i + 6; k++) positions.push(face[k]!);
  }
}
