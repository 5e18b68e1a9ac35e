import { BspError, parseEntities } from '@bspkit/core';
import { CONTENTS_SOLID } from './constants.ts';
import type { UfoaiFile, UfoaiLump } from './file.ts';

function fail(code: BspError['code'], lump: UfoaiLump, index: number | undefined, problem: string): never {
  throw new BspError(code, { format: 'ufoai', lump, index }, problem);
}

/** Planes above this would turn negative in the engine, which keeps a side's plane in 16 bits with a sign. */
const MAX_SIDE_PLANE = 32767;

/** Refuses a file whose numbers do not hang together, so that building and tracing may trust every one of them. */
export function checkFile(file: UfoaiFile): void {
  for (const lump of ['planes', 'nodes', 'texinfo', 'leafs', 'leafBrushes', 'models', 'brushes', 'sides'] as const) {
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
    const sum = planes.normals[3 * i]! + planes.normals[3 * i + 1]! + planes.normals[3 * i + 2]!;
    if (!Number.isFinite(sum + planes.dists[i]!)) fail('value', 'planes', i, 'holds a number that is not finite');
    const type = planes.types[i]!;
    if (type < 0 || type > 5) fail('value', 'planes', i, `type ${type} is not in 0..5`);
  }
}

function checkLeafs({ leafs, leafBrushes, brushes }: UfoaiFile): void {
  checkIndexes('leafBrushes', 'brush', leafBrushes, brushes.count);
  for (let i = 0; i < leafs.count; i++) {
    checkRange('leafs', i, 'leaf brushes', [leafs.firstBrushes[i]!, leafs.numBrushes[i]!, leafBrushes.length]);
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
      if (-1 - child >= leafs.count) fail('index', 'nodes', i, `leaf ${-1 - child} is not in 0..${leafs.count - 1}`);
      if (child < 0 && plane < 0) fail('index', 'nodes', i, `is a union node, but child ${child} is a leaf`);
      if (child >= 0 && plane >= 0 && nodes.planes[child] === -1) {
        fail('index', 'nodes', i, `is a plane node, but child ${child} is a union node`);
      }
    }
  }
}

function checkModels({ models, nodes }: UfoaiFile): void {
  const reached = new Uint8Array(nodes.count);
  const stack: number[] = [];
  for (const [i, model] of models.entries()) {
    const root = model.headNode;
    if (root < -1 || root >= nodes.count) {
      fail('index', 'models', i, `head node ${root} is not in -1..${nodes.count - 1}`);
    }
    if (![...model.mins, ...model.maxs].every(Number.isFinite)) fail('value', 'models', i, 'bounds are not finite');
    if (root < 0) continue;
    stack.push(root);
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (reached[node]) fail('cycle', 'nodes', node, 'is reached twice: a tree has a cycle or a shared branch');
      reached[node] = 1;
      const front = nodes.children[2 * node]!;
      const back = nodes.children[2 * node + 1]!;
      if (front >= 0) stack.push(front);
      if (back >= 0) stack.push(back);
    }
  }
}
