import { cross, normalize, subtract, type Vec } from '@bspkit/geometry';
import { type Box, boxAround } from '../../box.ts';
import type { Brush } from '../../brushes.ts';
import type { Face } from '../../csg.ts';
import type { ResolvedMaterial } from '../../materials.ts';
import type { Patch } from '../../models.ts';
import type { PlaneSet } from '../../planes.ts';
import { textureAt } from '../../texture.ts';
import { LumpWriter } from '../../writer.ts';
import type { ShaderTable } from './brushes.ts';

const PLANAR = 1;
const PATCH = 2;
/** Lightmap number of surfaces that are lit by the colours of their corners. */
const LIT_BY_VERTEX = -3;

/** Writes what is drawn: planar faces as triangles, and patches. */
export class SurfaceTable {
  readonly surfaces: LumpWriter = new LumpWriter(104);
  readonly vertexes: LumpWriter = new LumpWriter(44);
  readonly indexes: LumpWriter = new LumpWriter(4);
  private readonly _planes: PlaneSet;
  private readonly _shaders: ShaderTable;

  constructor(planes: PlaneSet, shaders: ShaderTable) {
    this._planes = planes;
    this._shaders = shaders;
  }

  get count(): number {
    return this.surfaces.count;
  }

  /** Writes a face of a brush, as triangles of its corners, and returns its number. */
  addFace(face: Face, brush: Brush, triangles: readonly number[]): number {
    const { nx, ny, nz } = this._planes;
    const side = brush.sides[face.side]!;
    const normal: Vec = [nx[face.plane]!, ny[face.plane]!, nz[face.plane]!];
    const corners = face.winding.length / 3;
    const firstVertex = this.vertexes.count;
    const firstIndex = this.indexes.count;
    for (let i = 0; i < corners; i++) {
      const x = face.winding[3 * i]!;
      const y = face.winding[3 * i + 1]!;
      const z = face.winding[3 * i + 2]!;
      const [s, t] = textureAt(side, x, y, z);
      this._vertex([x, y, z], [s / side.material.width, t / side.material.height], normal);
    }
    for (let i = 0; i < triangles.length; i += 3) {
      this.indexes.i32(triangles[i]!, triangles[i + 1]!, triangles[i + 2]!);
    }
    this.surfaces
      .i32(this._shaders.number(side.material.name, side.surface, brush.contents), -1, PLANAR)
      .i32(firstVertex, corners, firstIndex, triangles.length)
      .i32(LIT_BY_VERTEX, 0, 0, 0, 0)
      .f32(face.winding[0]!, face.winding[1]!, face.winding[2]!)
      .f32(0, 0, 0, 0, 0, 0, ...normal)
      .i32(0, 0);
    return this.count - 1;
  }

  /** Writes a patch and returns its number. */
  addPatch(patch: Patch, material: ResolvedMaterial): number {
    const firstVertex = this.vertexes.count;
    const { width, height, points } = patch;
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const [x, y, z, s, t] = points[row * width + column]!;
        this._vertex([x, y, z], [s, t], gridNormal(patch, column, row));
      }
    }
    const { mins, maxs } = patchBox(patch);
    this.surfaces
      .i32(this._shaders.number(material.name, material.surface, material.contents), -1, PATCH)
      .i32(firstVertex, width * height, this.indexes.count, 0)
      .i32(LIT_BY_VERTEX, 0, 0, 0, 0)
      .f32(0, 0, 0)
      // The engine takes the level of detail from these bounds.
      .f32(...mins, ...maxs, 0, 0, 1)
      .i32(width, height);
    return this.count - 1;
  }

  private _vertex(point: Vec, [s, t]: readonly [number, number], normal: Vec): void {
    this.vertexes.f32(...point, s, t, 0, 0, ...normal).u8(255, 255, 255, 255);
  }
}

/** Bounds of a patch's control points; the curve lies within them. */
export const patchBox = ({ points }: Patch): Box => boxAround(points.map(([x, y, z]) => [x, y, z]));

function gridNormal({ width, height, points }: Patch, column: number, row: number): Vec {
  const at = (i: number, j: number): Vec => {
    const [x, y, z] =
      points[Math.min(Math.max(j, 0), height - 1) * width + Math.min(Math.max(i, 0), width - 1)]!;
    return [x, y, z];
  };
  const along = subtract(at(column + 1, row), at(column - 1, row));
  const down = subtract(at(column, row + 1), at(column, row - 1));
  return normalize(cross(down, along)) ?? [0, 0, 1];
}
