import { BspError, parseEntities } from '@bspkit/core';
import { CONTENTS_SOLID } from './constants.ts';
import type { UfoaiFile, UfoaiLump } from './file.ts';

function fail(code: BspError['code'], lump: UfoaiLump, index: number | undefined, problem: string): never {
  throw new BspError(code, { format: 'ufoai', lump, index }, problem);
}

/** More than any map needs (155 in the game's own), and little enough to walk without care. */
const MAX_DEPTH = 1024;
/** Planes farther out than this cannot bound anything in a world of 8192 units. */
const MAX_DIST = 65536;
/** Planes above this would turn negative in the engine, which keeps a side's plane in 16 bits with a sign. */
const MAX_SIDE_PLANE = 32767;

/** Refuses a file whose numbers do not hang together, so that building and tracing may trust every one of them. */
export function checkFile(file: UfoaiFile): void {
  for (const lump of [
    'planes',
    'nodes',
    'texinfo',
    'leafs',
    'leafBrushes',
    'models',
    'brushes',
    'sides',
  ] as const) {
    if (file.lumps[lump].length === 0) fail('empty', lump, undefined, 'is empty, but a map needs it');
  }
  checkPlanes(file);
  checkLeafs(file);
  checkBrushes(file);
  checkNodes(file);
  checkModels(file);
  parseEntities(file.entities, 'ufoai');
}

/** Every value must be the number of a record of another lump: `0 .. count - 1`. */
function checkIndexes(lump: UfoaiLump, what: string, values: ArrayLike<number>, count: number): void {
  for (let i = 0; i < values.length; i++) {
    if (values[i]! < 0 || values[i]! >= count) {
      fail('index', lump, i, `${what} ${values[i]} is not in 0..${count - 1}`);
    }
  }
}

function checkRange(lump: UfoaiLump, index: number, what: string, [first, length, count]: number[]): void {
  if (first! < 0 || length! < 0 || first! + length! > count!) {
    fail('index', lump, index, `${what} ${first} to ${first! + length!} are not within 0..${count}`);
  }
}

function checkPlanes({ planes }: UfoaiFile): void {
  for (let i = 0; i < planes.count; i++) {
    const [x, y, z] = [planes.normals[3 * i]!, planes.normals[3 * i + 1]!, planes.normals[3 * i + 2]!];
    const length = Math.sqrt(x * x + y * y + z * z);
    // Written so that a number that is not finite fails too.
    if (!(Math.abs(length - 1) < 0.01)) fail('value', 'planes', i, `normal has length ${length}, not 1`);
    const dist = planes.dists[i]!;
    if (!(Math.abs(dist) <= MAX_DIST))
      fail('value', 'planes', i, `distance ${dist} is not within ${MAX_DIST}`);
    const type = planes.types[i]!;
    if (type < 0 || type > 5) fail('value', 'planes', i, `type ${type} is not in 0..5`);
  }
}

function checkLeafs({ leafs, leafBrushes, brushes }: UfoaiFile): void {
  checkIndexes('leafBrushes', 'brush', leafBrushes, brushes.count);
  for (let i = 0; i < leafs.count; i++) {
    checkRange('leafs', i, 'leaf brushes', [
      leafs.firstBrushes[i]!,
      leafs.numBrushes[i]!,
      leafBrushes.length,
    ]);
  }
  if (leafs.contents[0] !== CONTENTS_SOLID) {
    fail('value', 'leafs', 0, `contents are ${leafs.contents[0]}, but the first leaf is the solid one (1)`);
  }
  if (leafs.contents.indexOf(0, 1) < 0) fail('value', 'leafs', undefined, 'none is empty, but one must be');
}

function checkBrushes({ brushes, sides, planes, textures }: UfoaiFile): void {
  checkIndexes('sides', 'plane', sides.planes, Math.min(planes.count, MAX_SIDE_PLANE + 1));
  for (let i = 0; i < sides.count; i++) {
    const texture = sides.textures[i]!;
    if (texture >= textures.length) {
      fail('index', 'sides', i, `texture ${texture} is not in 0..${textures.length - 1}`);
    }
  }
  for (let i = 0; i < brushes.count; i++) {
    checkRange('brushes', i, 'sides', [brushes.firstSides[i]!, brushes.numSides[i]!, sides.count]);
  }
}

/** Children in range; under a union node only nodes, and union nodes only above plane nodes, as lines are made from. */
function checkNodes({ nodes, planes, leafs }: UfoaiFile): void {
  for (let i = 0; i < nodes.count; i++) {
    const plane = nodes.planes[i]!;
    if (plane < -1 || plane >= planes.count) {
      fail('index', 'nodes', i, `plane ${plane} is not in -1..${planes.count - 1}`);
    }
    for (const child of [nodes.children[2 * i]!, nodes.children[2 * i + 1]!]) {
      if (child >= nodes.count) fail('index', 'nodes', i, `child ${child} is not in 0..${nodes.count - 1}`);
      if (-1 - child >= leafs.count)
        fail('index', 'nodes', i, `leaf ${-1 - child} is not in 0..${leafs.count - 1}`);
      if (child < 0 && plane < 0) fail('index', 'nodes', i, `is a union node, but child ${child} is a leaf`);
      if (child >= 0 && plane >= 0 && nodes.planes[child] === -1) {
        fail('index', 'nodes', i, `is a plane node, but child ${child} is a union node`);
      }
    }
  }
}

function checkModels({ models, nodes }: UfoaiFile): void {
  const reached = new Uint8Array(nodes.count);
  for (const [i, model] of models.entries()) {
    const root = model.headNode;
    if (root < -1 || root >= nodes.count) {
      fail('index', 'models', i, `head node ${root} is not in -1..${nodes.count - 1}`);
    }
    if (![...model.mins, ...model.maxs].every(Number.isFinite))
      fail('value', 'models', i, 'bounds are not finite');
    if (root >= 0) checkTree(nodes.children, root, reached);
  }
}

function checkTree(children: Int32Array, root: number, reached: Uint8Array): void {
  const stack = [root];
  const depths = [1];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const depth = depths.pop()!;
    if (reached[node])
      fail('cycle', 'nodes', node, 'is reached twice: a tree has a cycle or a shared branch');
    if (depth > MAX_DEPTH) fail('limit', 'nodes', node, `lies deeper than ${MAX_DEPTH} nodes`);
    reached[node] = 1;
    for (let side = 0; side < 2; side++) {
      const child = children[2 * node + side]!;
      if (child < 0) continue;
      stack.push(child);
      depths.push(depth + 1);
    }
  }
}
