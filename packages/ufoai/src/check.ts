import { parseEntities } from '@bspkit/core';
import { createChecks } from '@bspkit/core/format';
import { CONTENTS_SOLID } from './constants.ts';
import type { UfoaiFile, UfoaiLump } from './file.ts';

/** More than any map needs (155 in the game's own), and little enough to walk without care. */
const MAX_DEPTH = 1024;
/** Planes farther out than this cannot bound anything in a world of 8192 units. */
const MAX_DIST = 65536;
/** Planes above this would turn negative in the engine, which keeps a side's plane in 16 bits with a sign. */
const MAX_SIDE_PLANE = 32767;

/** Lumps that a map needs. */
const NEEDED = ['planes', 'nodes', 'texinfo', 'leafs', 'leafBrushes', 'models', 'brushes', 'sides'] as const;

const { depth, fail, filled, finite, index, indexes, ranges } =
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

function checkPlanes({ planes: { normals, dists, types } }: UfoaiFile): void {
  finite('planes', normals, 3);
  finite('planes', dists, 1);
  for (const [i, dist] of dists.entries()) {
    const [x, y, z] = [normals[3 * i]!, normals[3 * i + 1]!, normals[3 * i + 2]!];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (Math.abs(length - 1) >= 0.01) fail('value', 'planes', i, `normal has length ${length}, not 1`);
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
}

/** Children in range; under a union node only nodes, and union nodes only above plane nodes, as lines are made from. */
function checkNodes({ nodes, planes, leafs }: UfoaiFile): void {
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
}

function checkModels({ models, nodes }: UfoaiFile): void {
  const heads: number[] = [];
  for (const [i, { mins, maxs, headNode }] of models.entries()) {
    if (headNode !== -1) {
      index('models', i, 'head node', headNode, nodes.count);
      heads.push(headNode);
    }
    if (![...mins, ...maxs].every(Number.isFinite)) fail('value', 'models', i, 'bounds are not finite');
  }
  depth('nodes', nodes.children, heads, { most: MAX_DEPTH });
}
