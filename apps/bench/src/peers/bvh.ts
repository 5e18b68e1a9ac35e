import { BufferAttribute, BufferGeometry, FrontSide, Ray } from 'three';
import { MeshBVH, SAH } from 'three-mesh-bvh';
import type { Soups, TriangleSoup } from '../triangles/soup.ts';
import { castTracer, moveLength, type Peer, type PreparedQuery, timeBuild } from './peer.ts';

/** three-mesh-bvh: `raycastFirst` against fronts, on its best tree (surface area heuristic). It cannot sweep shapes. */
export function createBvhPeer({ first, of }: Soups): Peer {
  const { value: bvh, buildMs } = timeBuild(() => buildTree(first));
  const trees = new Map([[first, bvh]]);
  const treeOf = (soup: TriangleSoup): MeshBVH => {
    const tree = trees.get(soup) ?? buildTree(soup);
    trees.set(soup, tree);
    return tree;
  };
  const roots = (bvh as unknown as { _roots: ArrayBuffer[] })._roots;
  const tree = roots.reduce((sum, root) => sum + root.byteLength, 0);
  return {
    name: 'three-mesh-bvh',
    buildMs,
    builtFrom: 'triangles',
    bytes: tree + first.positions.byteLength + bvh.geometry.index!.array.byteLength,
    prepare: ({ preset, shape }) => (shape.kind === 'ray' ? prepareRay(treeOf(of(preset))) : undefined),
  };
}

function buildTree(soup: TriangleSoup): MeshBVH {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(soup.positions, 3));
  return new MeshBVH(geometry, { strategy: SAH });
}

function prepareRay(bvh: MeshBVH): PreparedQuery {
  const ray = new Ray();
  const { origin, direction } = ray;
  const cast = (queries: Float32Array, index: number): number => {
    const at = 6 * index;
    const length = moveLength(queries, index);
    origin.set(queries[at]!, queries[at + 1]!, queries[at + 2]!);
    direction.set(
      (queries[at + 3]! - origin.x) / length,
      (queries[at + 4]! - origin.y) / length,
      (queries[at + 5]! - origin.z) / length,
    );
    return bvh.raycastFirst(ray, FrontSide, 0, length)?.distance ?? length;
  };
  return {
    run(queries, first, last) {
      let sum = 0;
      for (let i = first; i < last; i++) sum += cast(queries, i);
      return sum;
    },
    tracer: castTracer({ kind: 'ray' }, (query) => cast(query, 0) / moveLength(query, 0)),
  };
}
