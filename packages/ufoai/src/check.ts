import { parseEntities } from '@bspkit/core';
import { createChecks } from '@bspkit/core/format';
import { CONTENTS_SOLID } from './constants.ts';
import type { UfoaiFile, UfoaiLump } from './file.ts';

/** More than any map needs (155 in the game's own), and little enough to walk without care. */
const MAX_DEPTH = 1024;
/** The engine has room for 259, and the game's own maps have 78 at most. */
const MAX_HEADS = 1024;
/** Each side of a brush is cut by all others: 430,000 cuts in the game's own maps at most. */
const MAX_SQUARES = 2 ** 20;
/** Planes farther out than this cannot bound anything in a world of 8192 units. */
const MAX_DIST = 65536;
/** Planes above this would turn negative in the engine, which keeps a side's plane in 16 bits with a sign. */
const MAX_SIDE_PLANE = 32767;

/** Lumps that a map needs. */
const NEEDED = ['planes', 'nodes', 'texinfo', 'leafs', 'leafBrushes', 'models', 'brushes', 'sides'] as const;

const { depth, fail, filled, finite, index, indexes, normals, owned, ranges, squares } =
  /* @__PURE__ */ createChecks<UfoaiLump>('ufoai');

/** Refuses an inconsistent file, so that building and tracing may trust every number. */
export function checkFile(file: UfoaiFile): void {
  const lengths = Object.entries(file.lumps).map(([name, { length }]) => [name, length]);
  filled(Object.fromEntries(lengths) as Record<UfoaiLump, number>, NEEDED);
  checkPlanes(file);
  checkLeafs(file);
  checkBrushes(file);
  checkNodes(file);
  checkModels(file);
  parseEntities(file.entities, 'ufoai');
}

function checkPlanes({ planes }: UfoaiFile): void {
  const { dists, types } = planes;
  normals('planes', planes.normals);
  finite('planes', dists, 1);
  for (const [i, dist] of dists.entries()) {
    if (Math.abs(dist) > MAX_DIST) fail('value', 'planes', i, `distance ${dist} is not within ${MAX_DIST}`);
    const type = types[i]!;
    if (type < 0 || type > 5) fail('value', 'planes', i, `type ${type} is not in 0..5`);
  }
}

function checkLeafs({ leafs, leafBrushes, brushes }: UfoaiFile): void {
  indexes('leafBrushes', 'brush', leafBrushes, brushes.count);
  ranges('leafs', 'leaf brushes', leafs.firstBrushes, leafs.numBrushes, leafBrushes.length);
  if (leafs.contents[0] !== CONTENTS_SOLID) {
    fail('value', 'leafs', 0, `contents are ${leafs.contents[0]}, but the first leaf is the solid one (1)`);
  }
  if (leafs.contents.indexOf(0, 1) < 0) fail('value', 'leafs', undefined, 'none is empty, but one must be');
}

function checkBrushes({ brushes, sides, planes, textures }: UfoaiFile): void {
  indexes('sides', 'plane', sides.planes, Math.min(planes.count, MAX_SIDE_PLANE + 1));
  for (const [i, texture] of sides.textures.entries()) {
    if (texture >= 0) index('sides', i, 'texture', texture, textures.length);
  }
  ranges('brushes', 'sides', brushes.firstSides, brushes.numSides, sides.count);
  squares('brushes', 'sides', brushes.numSides, MAX_SQUARES);
}

/** Children in range; under a union node only nodes, and union nodes only above plane nodes, as lines are made from. */
function checkNodes({ nodes, planes, leafs, leafBrushes }: UfoaiFile): void {
  for (let i = 0; i < nodes.count; i++) {
    const plane = nodes.planes[i]!;
    if (plane !== -1) index('nodes', i, 'plane', plane, planes.count);
    for (let side = 0; side < 2; side++) {
      const child = nodes.children[2 * i + side]!;
      if (child < 0) {
        index('nodes', i, 'leaf', -1 - child, leafs.count);
        if (plane < 0) fail('index', 'nodes', i, `is a union node, but child ${child} is a leaf`);
      } else {
        index('nodes', i, 'child', child, nodes.count);
        if (plane >= 0 && nodes.planes[child] === -1) {
          fail('index', 'nodes', i, `is a plane node, but child ${child} is a union node`);
        }
      }
    }
  }
  const lists = nodes.children.map((child) => (child < 0 ? leafs.numBrushes[-1 - child]! : 0));
  owned('nodes', 'leaf brushes', lists, leafBrushes.length);
}

function checkModels({ models, nodes }: UfoaiFile): void {
  const corners = new Float32Array(6 * models.length);
  for (const [i, { mins, maxs }] of models.entries()) {
    corners.set(mins, 6 * i);
    corners.set(maxs, 6 * i + 3);
  }
  finite('models', corners, 6);
  const heads: number[] = [];
  for (const [i, { headNode }] of models.entries()) {
    if (headNode !== -1) {
      index('models', i, 'head node', headNode, nodes.count);
      heads.push(headNode);
    }
  }
  if (heads.length > MAX_HEADS) {
    const problem = `${heads.length} have trees, which lines walk one after the other; at most ${MAX_HEADS} may`;
    fail('limit', 'models', undefined, problem);
  }
  depth('nodes', nodes.children, heads, { most: MAX_DEPTH });
}
