import type { Vec3 } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import type { HullTrace, Quake1File, Quake1World } from '@bspkit/quake1';

// A world of Quake as QuakeSpasm traces it. Its one difference from the original: it measures how far a point is from a sloping
// plane in doubles, and rounds once. So its moves are those of the original wherever they meet no slope; to compare them on slopes
// too, the tests have this world, by the engine's recursive method, one step at a time.

const f = Math.fround;

const SOLID = -2;
const DISTANCE = 1 / 32;

type Place = [number, number, number];

/** A hull's tree. Ends of ways are contents. */
interface Tree {
  readonly head: number;
  distance(node: number, point: Place): number;
  plane(node: number): number;
  child(node: number, side: number): number;
}

function treeOf(file: Quake1File, hull: number): Tree {
  const { planes, nodes, clipNodes, leafs } = file;
  const table = hull === 0 ? nodes : clipNodes;
  const head = file.models[0]!.heads[hull]!;
  return {
    head,
    plane: (node) => table.planes[node]!,
    distance(node, point) {
      const plane = table.planes[node]!;
      const type = planes.types[plane]!;
      const dist = planes.dists[plane]!;
      if (type < 3) return f(point[type]! - dist);
      const [x, y, z] = planes.normals.subarray(3 * plane, 3 * plane + 3);
      return f(x! * point[0] + y! * point[1] + z! * point[2] - dist);
    },
    child(node, side) {
      const child = table.children[2 * node + side]!;
      return hull === 0 && child < 0 ? leafs.contents[-1 - child]! : child;
    },
  };
}

function contentsAt(tree: Tree, point: Place, from: number = tree.head): number {
  let node = from;
  while (node >= 0) node = tree.child(node, tree.distance(node, point) < 0 ? 1 : 0);
  return node;
}

/** Traces in the hull's own frame, into an answer. */
function check(tree: Tree, start: Place, end: Place, out: HullTrace): { plane: number; side: number } {
  const hit = { plane: -1, side: 0 };
  out.fraction = 1;
  out.allSolid = true;
  out.startSolid = false;
  walk(tree.head, 0, 1, start, end);
  return hit;

  function walk(node: number, f1: number, f2: number, p1: Place, p2: Place): boolean {
    if (node < 0) {
      if (node === SOLID) out.startSolid = true;
      else out.allSolid = false;
      return true;
    }
    const d1 = tree.distance(node, p1);
    const d2 = tree.distance(node, p2);
    if (d1 >= 0 && d2 >= 0) return walk(tree.child(node, 0), f1, f2, p1, p2);
    if (d1 < 0 && d2 < 0) return walk(tree.child(node, 1), f1, f2, p1, p2);
    let fraction = f((d1 < 0 ? d1 + DISTANCE : d1 - DISTANCE) / f(d1 - d2));
    fraction = Math.min(Math.max(fraction, 0), 1);
    const pointAt = (t: number): Place =>
      [0, 1, 2].map((k) => f(p1[k]! + f(t * f(p2[k]! - p1[k]!)))) as unknown as Place;
    const fractionAt = (t: number): number => f(f1 + f(f(f2 - f1) * t));
    let middle = pointAt(fraction);
    let at = fractionAt(fraction);
    const side = d1 < 0 ? 1 : 0;
    if (!walk(tree.child(node, side), f1, at, p1, middle)) return false;
    const far = tree.child(node, 1 - side);
    if (contentsAt(tree, middle, far) !== SOLID) return walk(far, at, f2, middle, p2);
    if (out.allSolid) return false;
    hit.plane = tree.plane(node);
    hit.side = side;
    while (contentsAt(tree, middle) === SOLID) {
      fraction = f(fraction - 0.1);
      if (fraction < 0) break;
      at = fractionAt(fraction);
      middle = pointAt(fraction);
    }
    out.fraction = at;
    out.endPos.set(middle);
    return false;
  }
}

/** A world of Quake that measures as QuakeSpasm does. Its models are those of the original: they have no slopes in our maps. */
export function doubleWorld(file: Quake1File, world: Quake1World): Quake1World {
  const trees = world.hulls.map((_, hull) => treeOf(file, hull));
  const { normals, dists } = file.planes;
  const box = (mins: Vec3, maxs: Vec3): ReturnType<Quake1World['box']> => {
    const tracer = world.box(mins, maxs);
    return Object.assign(tracer, {
      trace(start: Vec3, end: Vec3, out = tracer.createTrace()) {
        const { hull, shape } = tracer;
        const low = 'mins' in shape ? shape.mins : [0, 0, 0];
        const offset = [0, 1, 2].map((k) => f(world.hulls[hull]!.mins[k]! - low[k]!));
        const local = (point: Vec3): Place =>
          [0, 1, 2].map((k) => f(f(point[k]!) - offset[k]!)) as unknown as Place;
        const { plane, side } = check(trees[hull]!, local(start), local(end), out);
        for (let k = 0; k < 3; k++) {
          out.endPos[k] = out.fraction < 1 ? out.endPos[k]! + offset[k]! : end[k]!;
          const normal = plane < 0 ? 0 : normals[3 * plane + k]!;
          out.normal[k] = side === 0 ? normal : 0 - normal;
        }
        out.dist = plane < 0 ? 0 : side === 0 ? dists[plane]! : -dists[plane]!;
        out.model = plane < 0 ? -1 : 0;
        return out;
      },
    });
  };
  const hullContents = (hull: number, point: Vec3): number =>
    contentsAt(trees[hull]!, [0, 1, 2].map((k) => f(point[k]!)) as unknown as Place);
  return Object.assign(Object.create(world) as Quake1World, { box, hullContents });
}

/** The same for a format, which tables of rows open their maps with. */
export const doubleFormat = (format: BspFormat): BspFormat =>
  Object.assign(Object.create(format) as BspFormat, {
    createWorld: ([file]: readonly [Quake1File]) =>
      doubleWorld(file, format.createWorld([file]) as unknown as Quake1World),
  });
