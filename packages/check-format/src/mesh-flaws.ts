import type { Mesh } from '@bspkit/core';
import { type ArrayClass, checkObject, isArrayOf } from '@bspkit/core/format';

const ARRAYS: Readonly<Record<string, ArrayClass<unknown>>> = {
  positions: Float32Array,
  normals: Float32Array,
  texCoords: Float32Array,
  lightmapCoords: Float32Array,
  colors: Uint8Array,
  indices: Uint32Array,
  surfaces: Int32Array,
  brushes: Int32Array,
  sides: Int32Array,
};

/** Arrays that are `undefined` where the file has nothing of the kind. */
const OPTIONAL: readonly string[] = ['texCoords', 'lightmapCoords', 'colors'];

/**
 * What is wrong with a mesh, in words: arrays of other kinds or lengths, indices out of range, normals that are not of length 1,
 * vertices of no triangle, groups that leave out triangles. An empty list for a mesh that can be drawn. {@link checkFormat} looks at
 * the meshes of its samples; this is for others, such as those of models.
 *
 * @throws TypeError unless `mesh` is an object.
 */
export function meshFlaws(mesh: Mesh): string[] {
  const flaws = drawingFlaws(mesh);
  if (flaws.length > 0) return flaws;
  const used = new Uint8Array(mesh.positions.length / 3);
  for (const vertex of mesh.indices) used[vertex] = 1;
  if (used.includes(0)) flaws.push(`vertex ${used.indexOf(0)} is a corner of nothing`);
  return flaws;
}

/** The same, but for vertices of no triangle: a broken file may have such, and they do no harm. */
export function drawingFlaws(mesh: Mesh): string[] {
  checkObject(mesh, 'mesh');
  const flaws = arrayFlaws(mesh);
  return flaws.length > 0 ? flaws : [...lengthFlaws(mesh), ...numberFlaws(mesh), ...groupFlaws(mesh)];
}

/** Arrays that are missing, or of another kind. Without them nothing else can be looked at. */
function arrayFlaws(mesh: Mesh): string[] {
  const flaws = Object.entries(ARRAYS).flatMap(([name, type]) => {
    const array = mesh[name as keyof Mesh];
    const isRight = (array === undefined && OPTIONAL.includes(name)) || isArrayOf(array, type);
    return isRight ? [] : [`${name} are not of the class ${type.name}`];
  });
  return Array.isArray(mesh.groups) ? flaws : [...flaws, 'groups are not an array'];
}

/** Arrays that do not have as much for each vertex or triangle as they must. */
function lengthFlaws(mesh: Mesh): string[] {
  const { positions, normals, texCoords, lightmapCoords, colors, indices } = mesh;
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
  return lengths.flatMap(([name, length, wanted]) =>
    length === undefined || length === wanted ? [] : [`${name} are ${length} instead of ${wanted}`],
  );
}

/** Numbers that no vertex may have, and corners that are no vertices. */
function numberFlaws({ positions, normals, texCoords, lightmapCoords, indices }: Mesh): string[] {
  const flaws: string[] = [];
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
  const numVertices = positions.length / 3;
  if (!indices.every((vertex) => vertex < numVertices)) flaws.push('an index is out of range');
  return flaws;
}

/** Groups that do not follow each other, or leave something out, and what does not belong to the group that it is in. */
function groupFlaws({ positions, lightmapCoords, indices, groups, brushes, surfaces }: Mesh): string[] {
  const flaws: string[] = [];
  const numVertices = positions.length / 3;
  let [next, nextVertex] = [0, 0];
  for (const group of groups) {
    const { firstIndex, indexCount, firstVertex, vertexCount, model, brush, isLightmapped } = group;
    if (firstIndex !== next || indexCount <= 0 || indexCount % 3 !== 0) {
      flaws.push(`a group of ${indexCount} corners begins at ${firstIndex}, not at ${next}`);
    }
    next = firstIndex + indexCount;
    // Groups without triangles are left out, but not the vertices that a broken file gave them.
    if (!(firstVertex >= nextVertex && vertexCount > 0 && firstVertex + vertexCount <= numVertices)) {
      flaws.push(`a group of ${vertexCount} vertices begins at ${firstVertex}, not at ${nextVertex}`);
    }
    nextVertex = firstVertex + vertexCount;
    const others = indices.subarray(firstIndex, next).filter((v) => v < firstVertex || v >= nextVertex);
    if (others.length > 0) flaws.push(`vertex ${others[0]} is of another group`);
    if (model < 0) flaws.push(`model ${model}`);
    if (isLightmapped && !lightmapCoords) flaws.push('a group has places in no atlas');
    for (let triangle = firstIndex / 3; triangle < next / 3; triangle++) {
      if (brush >= 0 && brushes[triangle] !== brush) flaws.push(`triangle ${triangle} is of another brush`);
      if (surfaces[triangle]! < 0 && brushes[triangle]! < 0) {
        flaws.push(`triangle ${triangle} came from nothing`);
      }
    }
  }
  if (next !== indices.length) flaws.push(`groups have ${next} corners of ${indices.length}`);
  return flaws;
}
