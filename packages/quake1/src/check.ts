import { type Checks, createChecks, rowLengths } from '@bspkit/core/format';
import { LOWEST_CONTENTS } from './constants.ts';
import type { Quake1File, Quake1Lump } from './file.ts';

/** Lowest contents and highest leaf number that a world's packed child can hold: six bits and twenty-five. */
const LOWEST_LEAF_CONTENTS = -63;
const MAX_LEAFS = 1 << 25;

/** The most planes: in answers of the kernels, a plane's number is above other bits. */
const MAX_PLANES = 1 << 24;

/** Bytes of a texture's header. */
const TEXTURE_BYTES = 40;

/** The deepest tree that is accepted, in nodes. Real maps reach 100. */
export const MAX_DEPTH = 2048;

/** For lumps, and for the list of brushes that some compilers add. */
export const checks: Checks<Quake1Lump | 'BRUSHLIST'> = /* @__PURE__ */ createChecks('quake1');

/** Refuses a file whose numbers are inconsistent, so that building and tracing can trust all of them. */
export function checkFile(file: Quake1File): void {
  checks.filled(file.lumps, ['planes', 'nodes', 'leafs', 'models']);
  checkPlanes(file);
  checks.finite('vertexes', file.vertexes.positions, 3);
  checkModels(file);
  checkTrees(file);
  checkLeafs(file);
  checkSurfaces(file);
}

/** Refuses a texture directory (offsets, or -1) that points to far more textures than fit into the lump side by side. */
export function checkTextures(places: Int32Array, length: number): void {
  const bytes = places.map((place) => (place === -1 ? 0 : TEXTURE_BYTES));
  checks.owned('textures', 'bytes', bytes, length);
}

/** Number of hulls in a file: one if it was made without clip nodes. */
export function countHulls({ clipNodes, version }: Pick<Quake1File, 'clipNodes' | 'version'>): number {
  if (clipNodes.count === 0) return 1;
  return version === 30 ? 4 : 3;
}

/**
 * Number of nodes on the longest way down any tree. Branches may be shared, as some Half-Life compilers do to save clip nodes.
 *
 * @throws BspError (`cycle`) when a way comes back to a node, (`limit`) when one is longer than {@link MAX_DEPTH}.
 */
export function treeDepth(file: Pick<Quake1File, 'nodes' | 'clipNodes' | 'models' | 'version'>): number {
  const { nodes, clipNodes, models } = file;
  const hulls = countHulls(file);
  const nodeHeads = [0, ...models.map(({ heads }) => heads[0]!)];
  const clipHeads = models.flatMap(({ heads }) => [...heads.subarray(1, hulls)]);
  const options = { most: MAX_DEPTH, shared: true };
  return Math.max(
    checks.depth('nodes', nodes.children, nodeHeads, options),
    checks.depth('clipNodes', clipNodes.children, clipHeads, options),
  );
}

function checkPlanes({ planes }: Quake1File): void {
  if (planes.count > MAX_PLANES) {
    checks.fail('limit', 'planes', undefined, `${planes.count} are more than ${MAX_PLANES}`);
  }
  checks.normals('planes', planes.normals);
  checks.finite('planes', planes.dists, 1);
  for (let i = 0; i < planes.count; i++) {
    if (planes.types[i]! < 0) checks.fail('value', 'planes', i, `type ${planes.types[i]} is below 0`);
  }
}

function checkModels(file: Quake1File): void {
  const { models, nodes, clipNodes, faces, leafs } = file;
  const hulls = countHulls(file);
  const firstFaces = models.map(({ firstFace }) => firstFace);
  const numFaces = models.map((model) => model.numFaces);
  checks.ranges('models', 'faces', firstFaces, numFaces, faces.count);
  for (const [i, { mins, maxs, origin, heads }] of models.entries()) {
    for (const vector of [mins, maxs, origin]) checks.finite('models', vector, 3, i);
    for (let hull = 0; hull < hulls; hull++) {
      const head = heads[hull]!;
      // A head below 0 is contents.
      if (head < 0 && head >= LOWEST_CONTENTS) continue;
      const { count } = hull === 0 ? nodes : clipNodes;
      checks.index('models', i, `head of hull ${hull}: node`, head, count);
    }
  }
  const { numVisLeafs } = models[0]!;
  if (numVisLeafs < 0 || numVisLeafs >= leafs.count) {
    const problem = `has ${numVisLeafs} leafs with visibility rows, but the map has ${leafs.count} leafs`;
    checks.fail('index', 'models', 0, problem);
  }
}

function checkTrees(file: Quake1File): void {
  const { nodes, clipNodes, planes, leafs, faces } = file;
  checks.indexes('nodes', 'plane', nodes.planes, planes.count);
  checks.indexes('clipNodes', 'plane', clipNodes.planes, planes.count);
  checks.ranges('nodes', 'faces', nodes.firstFaces, nodes.numFaces, faces.count);
  checks.children('nodes', nodes.children, nodes.count, leafs.count);
  for (let i = 0; i < clipNodes.children.length; i++) {
    const child = clipNodes.children[i]!;
    if (child >= clipNodes.count) checks.index('clipNodes', i >> 1, 'child', child, clipNodes.count);
    else if (child < LOWEST_CONTENTS) {
      checks.fail('index', 'clipNodes', i >> 1, `contents ${child} are below ${LOWEST_CONTENTS}`);
    }
  }
  treeDepth(file);
}

function checkLeafs({ leafs, models, markSurfaces, faces, visibility }: Quake1File): void {
  if (leafs.count > MAX_LEAFS) {
    checks.fail('limit', 'leafs', undefined, `${leafs.count} are more than ${MAX_LEAFS}`);
  }
  checks.indexes('markSurfaces', 'face', markSurfaces, faces.count);
  checks.ranges('leafs', 'marks', leafs.firstMarkSurfaces, leafs.numMarkSurfaces, markSurfaces.length);
  const { numVisLeafs } = models[0]!;
  const rowBytes = (numVisLeafs + 7) >> 3;
  const lengths = rowLengths(visibility, rowBytes);
  for (let i = 0; i < leafs.count; i++) {
    const contents = leafs.contents[i]!;
    if (contents >= 0 || contents < LOWEST_LEAF_CONTENTS) {
      checks.fail('value', 'leafs', i, `contents ${contents} are not in ${LOWEST_LEAF_CONTENTS}..-1`);
    }
    // Leaf 0 and the leafs of inline models have no row, whatever their offset is.
    if (visibility.length === 0 || i === 0 || i > numVisLeafs) continue;
    const offset = leafs.visOffsets[i]!;
    if (offset === -1) continue;
    checks.index('leafs', i, 'visibility byte', offset, visibility.length);
    if (lengths[offset]! < rowBytes) {
      const problem = `the row of leaf ${i}, at byte ${offset}, runs past the end or into zeros`;
      checks.fail('truncated', 'visibility', undefined, problem);
    }
  }
}

function checkSurfaces({ faces, planes, texInfos, textures, edges, surfEdges, vertexes }: Quake1File): void {
  checks.indexes('edges', 'vertex', edges, vertexes.count, 2);
  checks.indexes('faces', 'plane', faces.planes, planes.count);
  checks.indexes('faces', 'texInfo', faces.texInfos, texInfos.count);
  checks.ranges('faces', 'edges', faces.firstEdges, faces.numEdges, surfEdges.length);
  // The engine draws a map that has no texture directory with one stand-in texture.
  if (textures.length > 0) checks.indexes('texInfos', 'texture', texInfos.textures, textures.length);
  checks.indexes('surfEdges', 'edge', surfEdges.map(Math.abs), edges.length / 2);
}
