import type { Mesh } from '@bspkit/core';

/** What is wrong with a mesh as arrays, in words; nothing for one that can be drawn. */
export function meshFlaws(mesh: Mesh): string[] {
  const flaws: string[] = [];
  const { positions, normals, texCoords, lightmapCoords, colors, indices, groups } = mesh;
  const numVertices = positions.length / 3;
  const numTriangles = indices.length / 3;
  const lengths: [name: string, length: number | undefined, wanted: number][] = [
    ['positions', positions.length, 3 * Math.floor(numVertices)],
    ['indices', indices.length, 3 * Math.floor(numTriangles)],
    ['normals', normals.length, 3 * numVertices],
    ['texCoords', texCoords?.length, 2 * numVertices],
    ['lightmapCoords', lightmapCoords?.length, 2 * numVertices],
    ['colors', colors?.length, 4 * numVertices],
    ['surfaces', mesh.surfaces.length, numTriangles],
    ['brushes', mesh.brushes.length, numTriangles],
    ['sides', mesh.sides.length, numTriangles],
  ];
  for (const [name, length, wanted] of lengths) {
    if (length !== undefined && length !== wanted) flaws.push(`${name} are ${length} instead of ${wanted}`);
  }
  for (const [name, values] of Object.entries({ positions, normals, texCoords, lightmapCoords })) {
    if (values && !values.every(Number.isFinite)) flaws.push(`${name} are not all finite`);
  }
  if (lightmapCoords && !lightmapCoords.every((x) => x >= 0 && x <= 1)) {
    flaws.push('lightmapCoords are not in 0..1');
  }
  for (let k = 0; k < normals.length; k += 3) {
    const length = Math.sqrt(
      normals[k]! * normals[k]! + normals[k + 1]! * normals[k + 1]! + normals[k + 2]! * normals[k + 2]!,
    );
    if (Math.abs(length - 1) > 1e-5) flaws.push(`normal ${k / 3} has length ${length}`);
  }
  if (!indices.every((vertex) => vertex < numVertices)) flaws.push('an index is out of range');
  const used = new Uint8Array(Math.floor(numVertices));
  for (const vertex of indices) used[vertex] = 1;
  if (used.includes(0)) flaws.push(`vertex ${used.indexOf(0)} is a corner of nothing`);
  let next = 0;
  for (const { firstIndex, indexCount, model, brush, isLightmapped } of groups) {
    if (firstIndex !== next || indexCount <= 0 || indexCount % 3 !== 0) {
      flaws.push(`a group of ${indexCount} corners begins at ${firstIndex}, not at ${next}`);
    }
    next = firstIndex + indexCount;
    if (model < 0) flaws.push(`model ${model}`);
    if (isLightmapped && !lightmapCoords) flaws.push('a group has places in no atlas');
    for (let triangle = firstIndex / 3; triangle < next / 3; triangle++) {
      if (brush >= 0 && mesh.brushes[triangle] !== brush)
        flaws.push(`triangle ${triangle} is of another brush`);
      if (mesh.surfaces[triangle]! < 0 && mesh.brushes[triangle]! < 0) {
        flaws.push(`triangle ${triangle} came from nothing`);
      }
    }
  }
  if (next !== indices.length) flaws.push(`groups have ${next} corners of ${indices.length}`);
  return flaws;
}

/** Area of each triangle, and how far its normal is off those of its corners: the least cosine. */
export function triangleOf(
  { positions, normals, indices }: Mesh,
  triangle: number,
): [area: number, cosine: number] {
  const corners = [0, 1, 2].map((k) => 3 * indices[3 * triangle + k]!) as [number, number, number];
  const edge = (k: number): number[] =>
    [0, 1, 2].map((i) => positions[corners[k]! + i]! - positions[corners[0] + i]!);
  const [u, v] = [edge(1), edge(2)];
  const cross = [0, 1, 2].map((i) => u[(i + 1) % 3]! * v[(i + 2) % 3]! - u[(i + 2) % 3]! * v[(i + 1) % 3]!);
  const length = Math.sqrt(cross.reduce((sum, x) => sum + x * x, 0));
  const cosines = corners.map((at) => cross.reduce((sum, x, i) => sum + x * normals[at + i]!, 0) / length);
  return [length / 2, Math.min(...cosines)];
}

/** Sums the area of a mesh's triangles by some number of each. */
export function areasBy(mesh: Mesh, numberOf: (triangle: number) => number): Map<number, number> {
  const areas = new Map<number, number>();
  for (let triangle = 0; triangle < mesh.indices.length / 3; triangle++) {
    const key = numberOf(triangle);
    areas.set(key, (areas.get(key) ?? 0) + triangleOf(mesh, triangle)[0]);
  }
  return areas;
}

/** Area of a convex polygon. */
export function polygonArea(vertices: Float32Array): number {
  const sum = [0, 0, 0];
  for (let k = 3; k + 3 < vertices.length; k += 3) {
    const u = [0, 1, 2].map((i) => vertices[k + i]! - vertices[i]!);
    const v = [0, 1, 2].map((i) => vertices[k + 3 + i]! - vertices[i]!);
    for (let i = 0; i < 3; i++) {
      sum[i]! += u[(i + 1) % 3]! * v[(i + 2) % 3]! - u[(i + 2) % 3]! * v[(i + 1) % 3]!;
    }
  }
  return Math.sqrt(sum.reduce((total, x) => total + x * x, 0)) / 2;
}
