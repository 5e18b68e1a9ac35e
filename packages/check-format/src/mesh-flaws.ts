import type { Mesh } from '@bspkit/core';

/**
 * What is wrong with a mesh, in words: arrays whose lengths do not fit together, indices out of range, normals that are not of length
 * 1, vertices of no triangle, groups that leave out triangles. An empty list for a mesh that can be drawn. {@link checkFormat} looks
 * at the meshes of its samples; this is for others, made with options of your format's own, say.
 */
export function meshFlaws(mesh: Mesh): string[] {
  const flaws = drawingFlaws(mesh);
  const used = new Uint8Array(Math.floor(mesh.positions.length / 3));
  for (const vertex of mesh.indices) used[vertex] = 1;
  if (used.includes(0)) flaws.push(`vertex ${used.indexOf(0)} is a corner of nothing`);
  return flaws;
}

/** The same, but for vertices of no triangle: a broken file may have such, and they do no harm. */
export function drawingFlaws(mesh: Mesh): string[] {
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
