import { checkBrushes, checkLeafLists } from '@bspkit/brushes';
import { parseEntities } from '@bspkit/core';
import { type Checks, createChecks } from '@bspkit/core/format';
import { REGULAR_MODELS } from './constants.ts';
import type { UfoaiFile, UfoaiLump } from './file.ts';

/** More than any map needs (155 in the game's own), and few enough to be walked without precautions. */
export const MAX_DEPTH = 1024;
/** The engine has room for 259; the game's own maps have 78 at most. */
const MAX_HEADS = 1024;
/** Each side of a brush is cut by all others: at most 430,000 cuts in the game's own maps. */
const MAX_SQUARES = 2 ** 20;
/** Planes farther out than this cannot bound anything in a world of 8192 units. */
const MAX_DIST = 65536;

/** Lumps that a map needs. */
const NEEDED = ['planes', 'nodes', 'texinfo', 'leafs', 'leafBrushes', 'models', 'brushes', 'sides'] as const;

export const checks: Checks<UfoaiLump> = /* @__PURE__ */ createChecks('ufoai');

/** Refuses an inconsistent file, so that building and tracing can trust every number. */
export function checkFile(file: UfoaiFile): UfoaiFile {
  checks.filled(file.lumps, NEEDED);
  checkPlanes(file);
  checkBrushes(checks, file, MAX_SQUARES);
  checkNodes(file);
  checkModels(file);
  parseEntities(file.entities, 'ufoai');
  return file;
}

function checkPlanes({ planes }: UfoaiFile): void {
  const { dists, types } = planes;
  checks.normals('planes', planes.normals);
  checks.finite('planes', dists, 1);
  for (let i = 0; i < planes.count; i++) {
    const dist = dists[i]!;
    if (Math.abs(dist) > MAX_DIST)
      checks.fail('value', 'planes', i, `distance ${dist} is not within ${MAX_DIST}`);
    const type = types[i]!;
    if (type < 0 || type > 5) checks.fail('value', 'planes', i, `type ${type} is not in 0..5`);
  }
}

/**
 * Children must be in range; below a union node there must be only nodes, and union nodes may only be above plane nodes, as lines
 * need them.
 */
function checkNodes(file: UfoaiFile): void {
  const { nodes, planes, leafs } = file;
  for (let i = 0; i < nodes.count; i++) {
    const plane = nodes.planes[i]!;
    if (plane !== -1) checks.index('nodes', i, 'plane', plane, planes.count);
    for (let side = 0; side < 2; side++) {
      const child = nodes.children[2 * i + side]!;
      if (child < 0) {
        checks.index('nodes', i, 'leaf', -1 - child, leafs.count);
        if (plane < 0) checks.fail('index', 'nodes', i, `is a union node, but child ${child} is a leaf`);
      } else {
        checks.index('nodes', i, 'child', child, nodes.count);
        if (plane >= 0 && nodes.planes[child] === -1) {
          checks.fail('index', 'nodes', i, `is a plane node, but child ${child} is a union node`);
        }
      }
    }
  }
  checkLeafLists(checks, file);
}

function checkModels({ models, nodes }: UfoaiFile): void {
  for (const [i, { mins, maxs }] of models.entries()) {
    for (const vector of [mins, maxs]) checks.finite('models', vector, 3, i);
  }
  const heads: number[] = [];
  for (const [i, { headNode }] of models.entries()) {
    if (headNode === -1) continue;
    checks.index('models', i, 'head node', headNode, nodes.count);
    // Boxes enter the trees of inline models at the head, and only know nodes with planes.
    if (i >= REGULAR_MODELS && nodes.planes[headNode] === -1) {
      checks.fail('index', 'models', i, `is an inline model, but its head node ${headNode} is a union node`);
    }
    heads.push(headNode);
  }
  if (heads.length > MAX_HEADS) {
    const problem = `${heads.length} have trees, which lines walk one after the other; at most ${MAX_HEADS} may`;
    checks.fail('limit', 'models', undefined, problem);
  }
  checks.depth('nodes', nodes.children, heads, { most: MAX_DEPTH });
}
