import { drawnFaces } from '@bspkit/geometry';
import type { BrushPolygon, MeshBy } from '../mesh.ts';
import type { MeshBuilder } from './mesh.ts';

/** A brush, given by the planes that bound it. */
export interface BrushSource {
  readonly brush: number;
  /** 0 for the world, k for the inline model `*k`. */
  readonly model: number;
  readonly contents: number;
  /** Four numbers per side: normal, of unit length, and dist. */
  readonly planes: Float64Array;
  /** Number of its first side; -1 where the file does not number them. */
  readonly firstSide: number;
  /** By side. */
  readonly textures: ArrayLike<number>;
}

/**
 * Adds the faces of brushes to a mesh by brushes or by contents. `isLiquid` is asked about contents; `onFace` is told the
 * brush, side and number of corners of each face that was added.
 */
export function addBrushes(
  builder: MeshBuilder,
  brushes: Iterable<BrushSource>,
  by: MeshBy,
  isLiquid: (contents: number) => boolean,
  onFace?: (brush: BrushSource, side: number, corners: number) => void,
): void {
  for (const source of brushes) {
    const { model, contents, planes, firstSide } = source;
    const brush = by === 'brush' ? source.brush : -1;
    // A brush without faces gets no group either: a file may be full of brushes without sides.
    let group = -1;
    const faces = drawnFaces(planes);
    for (let side = 0; side < faces.length; side++) {
      const face = faces[side];
      if (!face) continue;
      const count = face.length / 3;
      if (group < 0) {
        group = builder.group(brush < 0 ? `${model} -1 ${contents}` : brush, () => ({
          model,
          texture: -1,
          name: '',
          surfaceFlags: 0,
          contents,
          brush,
          isSky: false,
          isHidden: false,
          isLiquid: isLiquid(contents),
          isLightmapped: false,
        }));
      }
      const number = firstSide < 0 ? -1 : firstSide + side;
      builder.add(group, count, count - 2, -1, source.brush, number);
      const { positions, normals, vertex } = builder;
      for (let k = 0; k < face.length; k++) {
        positions[3 * vertex + k] = face[k]!;
        normals[3 * vertex + k] = planes[4 * side + (k % 3)]!;
      }
      builder.fan(count);
      onFace?.(source, side, count);
    }
  }
}

/** The faces of brushes, one by one. */
export function* cutPolygons(brushes: Iterable<BrushSource>): Generator<BrushPolygon> {
  for (const { brush, model, contents, planes, firstSide, textures } of brushes) {
    const faces = drawnFaces(planes);
    // One buffer per brush, with the normal behind the corners of each face: arrays with a buffer each take twice the memory.
    const room = faces.reduce((sum, face) => sum + (face ? face.length + 3 : 0), 0);
    const { buffer } = new Float32Array(room);
    let at = 0;
    for (const [side, face] of faces.entries()) {
      if (!face) continue;
      const vertices = new Float32Array(buffer, at, face.length);
      const normal = new Float32Array(buffer, at + vertices.byteLength, 3);
      at += vertices.byteLength + 12;
      vertices.set(face);
      normal.set(planes.subarray(4 * side, 4 * side + 3));
      yield {
        vertices,
        normal,
        dist: planes[4 * side + 3]!,
        texture: textures[side] ?? -1,
        contents,
        surface: -1,
        brush,
        side: firstSide < 0 ? -1 : firstSide + side,
        model,
      };
    }
  }
}
