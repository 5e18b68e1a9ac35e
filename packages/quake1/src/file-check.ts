import { BspError } from '@bspkit/core';
import { LOWEST_CONTENTS } from './constants.ts';
import type { Quake1File } from './file.ts';
import type { Quake1Lump } from './lumps.ts';
import { treeDepth } from './tree.ts';
import { rowEnd } from './vis.ts';

/** Lowest contents and highest leaf number that a world's packed child can hold: six bits and twenty-five. */
const LOWEST_LEAF_CONTENTS = -63;
const MAX_LEAFS = 1 << 25;

function fail(code: BspError['code'], lump: Quake1Lump, index: number | undefined, problem: string): never {
  throw new BspError(code, { format: 'quake1', lump, index }, problem);
}

/** Refuses a file whose numbers do not hang together, so that building and tracing may trust every one of them. */
export function checkFile(file: Quake1File): void {
  for (const lump of ['planes', 'nodes', 'leafs', 'models'] as const) {
    if (file.lumpBytes[lump] === 0) fail('empty', lump, undefined, 'is empty, but a map needs it');
  }
  checkPlanes(file);
  checkFinite('vertexes', file.vertexes.positions, 3);
  checkModels(file);
  checkTrees(file);
  checkLeafs(file);
  checkSurfaces(file);
}

function checkFinite(lump: Quake1Lump, values: Float32Array, width: number): void {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i]!)) {
      fail('value', lump, Math.floor(i / width), `holds ${values[i]}, which is not a finite number`);
    }
  }
}

/** Every value must be the number of a record of another lump: `0 .. count - 1`. A record has `width` of them. */
function checkIndexes(lump: Quake1Lump, what: string, values: Int32Array, count: number, width = 1): void {
  for (let i = 0; i < values.length; i++) {
    if (values[i]! < 0 || values[i]! >= count) {
      fail('index', lump, Math.floor(i / width), notIn(what, values[i]!, count));
    }
  }
}

function notIn(what: string, value: number, count: number): string {
  return count > 0 ? `${what} ${value} is not in 0..${count - 1}` : `${what} ${value}, but there are none`;
}

function checkRange(
  lump: Quake1Lump,
  what: string,
  first: Int32Array,
  length: Int32Array,
  count: number,
): void {
  for (let i = 0; i < first.length; i++) checkStretch(lump, i, what, first[i]!, length[i]!, count);
}

function checkStretch(
  lump: Quake1Lump,
  index: number,
  what: string,
  first: number,
  length: number,
  count: number,
): void {
  if (first < 0 || length < 0 || first + length > count) {
    fail('index', lump, index, `${what} ${first} to ${first + length} are not within 0..${count}`);
  }
}

function checkPlanes({ planes }: Quake1File): void {
  checkFinite('planes', planes.normals, 3);
  checkFinite('planes', planes.dists, 1);
  for (let i = 0; i < planes.count; i++) {
    if (planes.types[i]! < 0) fail('value', 'planes', i, `type ${planes.types[i]} is below 0`);
  }
}

function checkModels({ models, version, nodes, clipNodes, faces, leafs }: Quake1File): void {
  // The fourth head is a hull's in Half-Life only; a map made without clip nodes has none of hulls 1 and up.
  const numHulls = clipNodes.count === 0 ? 1 : version === 30 ? 4 : 3;
  for (const [i, model] of models.entries()) {
    checkStretch('models', i, 'faces', model.firstFace, model.numFaces, faces.count);
    if (![...model.mins, ...model.maxs, ...model.origin].every(Number.isFinite)) {
      fail('value', 'models', i, 'bounds or origin are not finite');
    }
    for (let hull = 0; hull < numHulls; hull++) {
      const head = model.heads[hull]!;
      const count = hull === 0 ? nodes.count : clipNodes.count;
      if (head < LOWEST_CONTENTS || head >= count) {
        fail('index', 'models', i, `head of hull ${hull}: ${notIn('node', head, count)}`);
      }
    }
  }
  const { numVisLeafs } = models[0]!;
  if (numVisLeafs < 0 || numVisLeafs >= leafs.count) {
    fail(
      'index',
      'models',
      0,
      `has ${numVisLeafs} leafs in sight rows, but the map has ${leafs.count} leafs`,
    );
  }
}

function checkTrees({ nodes, clipNodes, planes, leafs, faces, models, version }: Quake1File): void {
  checkIndexes('nodes', 'plane', nodes.planes, planes.count);
  checkIndexes('clipNodes', 'plane', clipNodes.planes, planes.count);
  checkRange('nodes', 'faces', nodes.firstFaces, nodes.numFaces, faces.count);
  checkChildren('nodes', nodes.children, -leafs.count);
  checkChildren('clipNodes', clipNodes.children, LOWEST_CONTENTS);
  treeDepth(nodes.children, [0, ...models.map(({ heads }) => heads[0]!)], 'nodes');
  if (clipNodes.count > 0) {
    const heads = models.flatMap((model) => [...model.heads.subarray(1, version === 30 ? 4 : 3)]);
    treeDepth(clipNodes.children, heads, 'clipNodes');
  }
}

function checkChildren(lump: 'nodes' | 'clipNodes', children: Int32Array, lowest: number): void {
  const count = children.length / 2;
  for (let i = 0; i < children.length; i++) {
    const child = children[i]!;
    if (child >= count) fail('index', lump, i >> 1, notIn('child', child, count));
    if (child < lowest) {
      const problem =
        lump === 'nodes' ? notIn('leaf', -1 - child, -lowest) : `contents ${child} are below ${lowest}`;
      fail('index', lump, i >> 1, problem);
    }
  }
}

function checkLeafs({ leafs, models, markSurfaces, faces, visibility }: Quake1File): void {
  if (leafs.count > MAX_LEAFS) fail('limit', 'leafs', undefined, `${leafs.count} are more than ${MAX_LEAFS}`);
  checkIndexes('markSurfaces', 'face', markSurfaces, faces.count);
  checkRange('leafs', 'marks', leafs.firstMarkSurfaces, leafs.numMarkSurfaces, markSurfaces.length);
  const rowBytes = (models[0]!.numVisLeafs + 7) >> 3;
  for (let i = 0; i < leafs.count; i++) {
    const contents = leafs.contents[i]!;
    if (contents >= 0 || contents < LOWEST_LEAF_CONTENTS) {
      fail('value', 'leafs', i, `contents ${contents} are not in ${LOWEST_LEAF_CONTENTS}..-1`);
    }
    // Leaf 0 and the leafs of inline models have no row, whatever their offset says.
    if (visibility.length === 0 || i === 0 || i > models[0]!.numVisLeafs) continue;
    const offset = leafs.visOffsets[i]!;
    if (offset === -1) continue;
    if (offset < 0 || offset >= visibility.length) {
      fail('index', 'leafs', i, notIn('visibility byte', offset, visibility.length));
    }
    if (rowEnd(visibility, offset, rowBytes) < 0) {
      fail(
        'truncated',
        'visibility',
        undefined,
        `the row of leaf ${i}, at byte ${offset}, runs past the end`,
      );
    }
  }
}

function checkSurfaces({ faces, planes, texInfos, textures, edges, surfEdges, vertexes }: Quake1File): void {
  checkIndexes('edges', 'vertex', edges, vertexes.count, 2);
  checkIndexes('faces', 'plane', faces.planes, planes.count);
  checkIndexes('faces', 'texInfo', faces.texInfos, texInfos.count);
  checkRange('faces', 'edges', faces.firstEdges, faces.numEdges, surfEdges.length);
  // The engine draws a map without texture directory in one stand-in texture.
  if (textures.length > 0) checkIndexes('texInfos', 'texture', texInfos.textures, textures.length);
  const numEdges = edges.length / 2;
  for (let i = 0; i < surfEdges.length; i++) {
    const edge = Math.abs(surfEdges[i]!);
    if (edge >= numEdges) fail('index', 'surfEdges', i, notIn('edge', surfEdges[i]!, numEdges));
  }
}
