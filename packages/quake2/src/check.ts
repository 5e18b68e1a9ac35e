import { checkBrushes, checkLeafLists } from '@bspkit/brushes';
import { type Checks, createChecks, rowLengths } from '@bspkit/core/format';
import type { Quake2File, Quake2Lump } from './file.ts';
import { AREA_MASK, CLUSTER_SHIFT } from './layout.ts';

/** More than any map needs, and few enough for recursive walks. */
export const MAX_DEPTH = 1024;
/** Each side of a brush is cut by all others: this many cuts in total, or this many for each side of a larger map. */
const MAX_SQUARES = 6_000_000;
const SQUARES_OF_SIDE = 32;
/** A leaf's cluster and area share a word: sixteen times as many areas as the engine takes. */
const MAX_CLUSTERS = 1 << (31 - CLUSTER_SHIFT);
const MAX_AREAS: number = AREA_MASK + 1;

/** Lumps that a map needs. */
const NEEDED = ['planes', 'nodes', 'texinfo', 'leafs', 'leafBrushes', 'models'] as const;

export const checks: Checks<Quake2Lump> = /* @__PURE__ */ createChecks('quake2');

/** Refuses an inconsistent file, so that building and tracing may trust every number. */
export function checkFile(file: Quake2File): Quake2File {
  const { planes } = file;
  checks.filled(file.lumps, NEEDED);
  checks.normals('planes', planes.normals);
  checks.finite('planes', planes.dists, 1);
  const squares = Math.max(MAX_SQUARES, SQUARES_OF_SIDE * file.sides.count);
  checkBrushes(checks, file, squares, file.version === 38 ? undefined : planes.count);
  checkModels(file);
  checkLeafs(file);
  checkTree(file);
  checkAreas(file);
  checkVisibility(file);
  return file;
}

function checkModels({ models, nodes, leafs }: Quake2File): void {
  for (const [i, { mins, maxs, origin, headNode }] of models.entries()) {
    for (const vector of [mins, maxs, origin]) checks.finite('models', vector, 3, i);
    if (headNode < 0) checks.index('models', i, 'leaf', -1 - headNode, leafs.count);
    else checks.index('models', i, 'head node', headNode, nodes.count);
  }
}

function checkTree(file: Quake2File): void {
  const { nodes, planes, leafs, models } = file;
  const { children } = nodes;
  checks.indexes('nodes', 'plane', nodes.planes, planes.count);
  checks.children('nodes', children, nodes.count, leafs.count);
  // The walk of the world begins at node 0, whatever its model says.
  const heads = new Set([0, ...models.map(({ headNode }) => headNode)]);
  checks.depth('nodes', children, [...heads], { most: MAX_DEPTH });
  // `headVisible` walks down from any node, even if no model has it.
  const all = Array.from({ length: nodes.count }, (_, node) => node);
  checks.depth('nodes', children, all, { most: MAX_DEPTH, shared: true });
  checkLeafLists(checks, file);
}

function checkLeafs({ leafs, areas }: Quake2File): void {
  for (let i = 0; i < leafs.count; i++) {
    const cluster = leafs.clusters[i]!;
    if (cluster < -1) checks.fail('index', 'leafs', i, `cluster ${cluster} is below -1`);
    if (cluster >= MAX_CLUSTERS) checks.index('leafs', i, 'cluster', cluster, MAX_CLUSTERS);
    // Area 0 is that of solid leafs; it is valid even if a map has no areas.
    checks.index('leafs', i, 'area', leafs.areas[i]!, Math.min(MAX_AREAS, Math.max(1, areas.count)));
  }
}

function checkAreas({ areas, areaPortals }: Quake2File): void {
  checks.ranges('areas', 'portals', areas.firstPortals, areas.numPortals, areaPortals.count);
  checks.indexes('areaPortals', 'area', areaPortals.areas, areas.count);
  checks.indexes('areaPortals', 'portal', areaPortals.portals, areaPortals.count + 1);
}

function checkVisibility({ visibility, numClusters }: Quake2File): void {
  if (!visibility) return;
  const { offsets, rows } = visibility;
  const rowBytes = (numClusters + 7) >> 3;
  const lengths = rowLengths(rows, rowBytes);
  for (let i = 0; i < offsets.length; i++) {
    const offset = offsets[i]!;
    checks.index('visibility', i >> 1, 'byte', offset, rows.length);
    if (lengths[offset]! < rowBytes) {
      checks.fail('index', 'visibility', i >> 1, `row at byte ${offset} runs past the lump or into zeros`);
    }
  }
}
