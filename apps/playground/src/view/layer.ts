import type { Bounds } from '@bspkit/core';
import { BufferAttribute, BufferGeometry, Mesh } from 'three';
import type { Coloring } from '../app/link.ts';
import type { OpenMap } from '../app/open-map.ts';
import { kindMaterials } from './materials.ts';
import { vertexColors } from './palette.ts';
import { Pickable } from './pick.ts';
import { type DrawArrays, KINDS } from './surfaces.ts';

/** Triangles of a map on their way to the screen. */
export class Layer {
  readonly arrays: DrawArrays;
  readonly mesh: Mesh<BufferGeometry>;
  /** The triangles, for lines of sight. */
  readonly pickable: Pickable;
  private readonly _map: OpenMap;

  constructor(map: OpenMap, arrays: DrawArrays, coloring: Coloring) {
    this._map = map;
    this.arrays = arrays;
    this.pickable = new Pickable(arrays);
    const { positions, normals, lightCoords, indices, groups } = arrays;
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(positions, 3));
    geometry.setAttribute('normal', new BufferAttribute(normals, 3));
    if (lightCoords) geometry.setAttribute('lightCoord', new BufferAttribute(lightCoords, 2));
    geometry.setIndex(new BufferAttribute(indices, 1));
    for (const [k, kind] of KINDS.entries()) {
      const own = groups.filter((group) => group.kind === kind);
      const count = own.reduce((sum, group) => sum + group.count, 0);
      if (count > 0) geometry.addGroup(own[0]!.first, count, k);
    }
    this.mesh = new Mesh(
      geometry,
      KINDS.map((kind) => kindMaterials[kind]),
    );
    this.mesh.frustumCulled = false;
    this.paint(coloring);
  }

  paint(coloring: Coloring): void {
    const colors = vertexColors(this._map, this.arrays, coloring);
    const { geometry } = this.mesh;
    // What a replaced attribute has on the graphics card stays there for as long as the page.
    geometry.dispose();
    geometry.setAttribute('tint', new BufferAttribute(colors, 3, true));
  }

  /** Around what is drawn as walls; `undefined` where there are none. */
  bounds(): Bounds | undefined {
    const { positions, indices, groups } = this.arrays;
    const mins = [1e9, 1e9, 1e9];
    const maxs = [-1e9, -1e9, -1e9];
    for (const { kind, first, count } of groups) {
      if (kind !== 'solid') continue;
      for (let k = first; k < first + count; k++) {
        for (let axis = 0; axis < 3; axis++) {
          const x = positions[3 * indices[k]! + axis]!;
          if (x < mins[axis]!) mins[axis] = x;
          if (x > maxs[axis]!) maxs[axis] = x;
        }
      }
    }
    return mins[0]! <= maxs[0]! ? { mins, maxs } : undefined;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
  }
}
