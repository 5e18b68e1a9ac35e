import { createBuffer, packTexts } from '@bspkit/core/format';
import { countHulls, treeDepth } from './check.ts';
import type { Quake1File } from './file.ts';
import {
  DEPTH_WORD,
  DIST_WORD,
  FACE_WORDS,
  HULLS_WORD,
  LEAF_WORDS,
  MODEL_HEADS,
  MODEL_WORDS,
  NORMAL_WORD,
  PLANE_WORDS,
  TEXTURES_WORD,
  VERSION_WORD,
  VIS_LEAFS_WORD,
} from './layout.ts';
import { layout, nodeWords, type Places, packLeaf, versionWord } from './sections.ts';

/** Where the builder writes: two views of one buffer. */
interface Target {
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly places: Places;
}

/** Writes a file's collision data into a new buffer, laid out as described in `layout.ts`. */
export function buildWorldData(file: Quake1File, shared: boolean): ArrayBufferLike {
  const kinds = planeKinds(file);
  const nodes = nodePlaces(file.nodes.planes, kinds);
  const clipNodes = nodePlaces(file.clipNodes.planes, kinds);
  const texts = packTexts([file.entities, ...file.textures.map((texture) => texture?.name ?? '')]);
  const plan = layout.plan({
    planes: file.planes.count,
    nodes: nodes[file.nodes.count]!,
    clipNodes: clipNodes[file.clipNodes.count]!,
    leafs: file.leafs.count,
    models: file.models.length,
    visibility: Math.ceil(file.visibility.length / 4),
    markSurfaces: file.markSurfaces.length,
    faces: file.faces.count,
    corners: file.surfEdges.length,
    vertexes: file.vertexes.count,
    texts: Math.ceil(texts.length / 4),
  });
  const bytes = 4 * plan.words;
  const data = createBuffer(bytes, shared);
  const target: Target = {
    ints: new Int32Array(data),
    floats: new Float32Array(data),
    places: plan.places,
  };
  for (let k = 0; k < nodes.length; k++) nodes[k]! += plan.places.nodes.first;
  for (let k = 0; k < clipNodes.length; k++) clipNodes[k]! += plan.places.clipNodes.first;
  const clipLeaf = (child: number): number => packLeaf(0, child);
  writeNumbers(target, file);
  writePlanes(target, file);
  writeTree(target, file, file.nodes, nodes, kinds, (child) =>
    packLeaf(-1 - child, file.leafs.contents[-1 - child]!),
  );
  writeTree(target, file, file.clipNodes, clipNodes, kinds, clipLeaf);
  writeModels(target, file, (hull, head) =>
    head < 0 ? clipLeaf(head) : (hull === 0 ? nodes : clipNodes)[head]!,
  );
  writeLeafs(target, file);
  writeFaces(target, file);
  new Uint8Array(data, 4 * plan.places.visibility.first).set(file.visibility);
  new Uint8Array(data, 4 * plan.places.texts.first).set(texts);
  return data;
}

function writeNumbers({ ints, places }: Target, file: Quake1File): void {
  layout.write(ints, places);
  ints[VERSION_WORD] = versionWord(file.version);
  ints[HULLS_WORD] = countHulls(file);
  ints[DEPTH_WORD] = treeDepth(file);
  ints[VIS_LEAFS_WORD] = file.models[0]!.numVisLeafs;
  ints[TEXTURES_WORD] = file.textures.length;
}

/** The kind of node that each plane makes, as described in `layout.ts`. */
function planeKinds({ planes }: Quake1File): Uint8Array {
  return Uint8Array.from(planes.types, (type, plane) => {
    if (type > 2) return 3;
    const normal = planes.normals.subarray(3 * plane, 3 * plane + 3);
    const exact = normal.every((component, axis) => component === (axis === type ? 1 : 0));
    return exact ? type : 4 + type;
  });
}

/** Where each node goes in its tree, and finally how long the tree is, in words. */
function nodePlaces(planes: Int32Array, kinds: Uint8Array): Int32Array {
  const places = new Int32Array(planes.length + 1);
  for (let k = 0; k < planes.length; k++) places[k + 1] = places[k]! + nodeWords(kinds[planes[k]!]!);
  return places;
}

function writePlanes({ ints, floats, places }: Target, { planes }: Quake1File): void {
  for (let k = 0, at = places.planes.first; k < planes.count; k++, at += PLANE_WORDS) {
    floats.set(planes.normals.subarray(3 * k, 3 * k + 3), at);
    floats[at + 3] = planes.dists[k]!;
    ints[at + 4] = planes.types[k]!;
  }
  floats[NORMAL_WORD] = greatest(planes.normals);
  floats[DIST_WORD] = greatest(planes.dists);
}

function greatest(values: Float32Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

function writeTree(
  { ints, floats }: Target,
  { planes }: Quake1File,
  tree: { readonly count: number; readonly planes: Int32Array; readonly children: Int32Array },
  placeOf: Int32Array,
  kinds: Uint8Array,
  leafOf: (child: number) => number,
): void {
  for (let node = 0; node < tree.count; node++) {
    const at = placeOf[node]!;
    const plane = tree.planes[node]!;
    const kind = kinds[plane]!;
    ints[at] = (plane << 3) | kind;
    floats[at + 1] = planes.dists[plane]!;
    for (let side = 0; side < 2; side++) {
      const child = tree.children[2 * node + side]!;
      ints[at + 2 + side] = child < 0 ? leafOf(child) : placeOf[child]!;
    }
    if (kind === 3) floats.set(planes.normals.subarray(3 * plane, 3 * plane + 3), at + 4);
  }
}

function writeModels(
  { ints, floats, places }: Target,
  file: Quake1File,
  placeOfHead: (hull: number, head: number) => number,
): void {
  const hulls = countHulls(file);
  for (const [k, model] of file.models.entries()) {
    const at = places.models.first + MODEL_WORDS * k;
    floats.set(model.mins, at);
    floats.set(model.maxs, at + 3);
    floats.set(model.origin, at + 6);
    for (let hull = 0; hull < hulls; hull++) {
      ints[at + MODEL_HEADS + hull] = placeOfHead(hull, model.heads[hull]!);
    }
    ints[at + 13] = model.firstFace;
    ints[at + 14] = model.numFaces;
  }
}

function writeLeafs({ ints, places }: Target, { leafs, markSurfaces }: Quake1File): void {
  for (let k = 0, at = places.leafs.first; k < leafs.count; k++, at += LEAF_WORDS) {
    ints[at] = leafs.contents[k]!;
    ints[at + 1] = leafs.visOffsets[k]!;
    ints[at + 2] = leafs.firstMarkSurfaces[k]!;
    ints[at + 3] = leafs.numMarkSurfaces[k]!;
  }
  ints.set(markSurfaces, places.markSurfaces.first);
}

function writeFaces({ ints, floats, places }: Target, file: Quake1File): void {
  const { faces, edges, surfEdges, texInfos, textures } = file;
  for (let k = 0, at = places.faces.first; k < faces.count; k++, at += FACE_WORDS) {
    ints[at] = (faces.planes[k]! << 1) | (faces.sides[k] === 0 ? 0 : 1);
    ints[at + 1] = faces.firstEdges[k]!;
    ints[at + 2] = faces.numEdges[k]!;
    // A map without a directory has no textures, whatever its numbers say.
    ints[at + 3] = textures.length > 0 ? texInfos.textures[faces.texInfos[k]!]! : -1;
    ints[at + 4] = texInfos.flags[faces.texInfos[k]!]!;
  }
  for (let k = 0; k < surfEdges.length; k++) {
    const edge = surfEdges[k]!;
    ints[places.corners.first + k] = edge < 0 ? edges[1 - 2 * edge]! : edges[2 * edge]!;
  }
  floats.set(file.vertexes.positions, places.vertexes.first);
}
