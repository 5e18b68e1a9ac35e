import type { Shape } from '@bspkit/core';
import RAPIER from '@dimforge/rapier3d-compat';
import type { Soups, TriangleSoup } from '../triangles/soup.ts';
import { castTracer, type Peer, type PreparedQuery, timeBuild } from './peer.ts';

let ready: Promise<void> | undefined;

/** Starts Rapier's WebAssembly, once. */
function start(): Promise<void> {
  ready ??= RAPIER.init();
  return ready;
}

/** A world of Rapier with nothing but triangles. */
interface Mesh {
  readonly world: RAPIER.World;
  readonly collider: Collider;
}

function buildMesh(soup: TriangleSoup): Mesh {
  const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
  const indexes = Uint32Array.from({ length: 3 * soup.triangles }, (_, i) => i);
  const collider = world.createCollider(RAPIER.ColliderDesc.trimesh(soup.positions, indexes));
  world.step();
  return { world, collider };
}

/** Rapier: `castRay` and `castShape` against one trimesh collider. Call `free` when done with it. */
export async function createRapierPeer({ first, of }: Soups): Promise<Peer & { free(): void }> {
  await start();
  const { value, buildMs } = timeBuild(
    () => buildMesh(first),
    ({ world }) => world.free(),
  );
  const meshes = new Map([[first, value]]);
  const colliderOf = (soup: TriangleSoup): Collider => {
    const mesh = meshes.get(soup) ?? buildMesh(soup);
    meshes.set(soup, mesh);
    return mesh.collider;
  };
  return {
    name: 'rapier3d-compat',
    buildMs,
    builtFrom: 'triangles',
    bytes: undefined,
    prepare({ preset, shape }) {
      if (shape.kind === 'ray') return prepareRay(colliderOf(of(preset)));
      const prepared = rapierShape(shape);
      return prepared && prepareCast(colliderOf(of(preset)), shape, prepared);
    },
    free() {
      for (const { world } of meshes.values()) world.free();
    },
  };
}

type Collider = RAPIER.Collider;

/** One of our shapes for Rapier: around its own middle, which is `center` away from the traced point. */
interface RapierShape {
  readonly shape: RAPIER.Shape;
  readonly center: readonly [number, number, number];
  readonly rotation: RAPIER.Rotation;
}

/** Turns Rapier's capsules, which are upright along Y, so that they are along Z. */
const UPRIGHT: RAPIER.Rotation = { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };

const UNTURNED: RAPIER.Rotation = { x: 0, y: 0, z: 0, w: 1 };

function rapierShape(shape: Shape): RapierShape | undefined {
  if (shape.kind === 'sphere') {
    return { shape: new RAPIER.Ball(shape.radius), center: [0, 0, 0], rotation: UNTURNED };
  }
  if (shape.kind !== 'box' && shape.kind !== 'capsule') return undefined;
  const half = [0, 1, 2].map((k) => (shape.maxs[k]! - shape.mins[k]!) / 2);
  const [hx, hy, hz] = [half[0]!, half[1]!, half[2]!];
  const middle = (k: number): number => (shape.maxs[k]! + shape.mins[k]!) / 2;
  const center = [middle(0), middle(1), middle(2)] as const;
  if (shape.kind === 'box') return { shape: new RAPIER.Cuboid(hx, hy, hz), center, rotation: UNTURNED };
  return { shape: new RAPIER.Capsule(Math.max(0, hz - hx), Math.min(hx, hz)), center, rotation: UPRIGHT };
}

// The collider is asked directly, not the world around it: the same answers with less overhead.

function prepareRay(collider: Collider): PreparedQuery {
  const ray = new RAPIER.Ray({ x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 0 });
  const cast = (queries: Float32Array, index: number): number => {
    const { origin, dir } = ray;
    const at = 6 * index;
    origin.x = queries[at]!;
    origin.y = queries[at + 1]!;
    origin.z = queries[at + 2]!;
    dir.x = queries[at + 3]! - origin.x;
    dir.y = queries[at + 4]! - origin.y;
    dir.z = queries[at + 5]! - origin.z;
    const fraction = collider.castRay(ray, 1, true);
    return fraction < 0 ? 1 : fraction;
  };
  return {
    run(queries, first, last) {
      let sum = 0;
      for (let i = first; i < last; i++) sum += cast(queries, i);
      return sum;
    },
    tracer: castTracer({ kind: 'ray' }, (query) => cast(query, 0)),
  };
}

function prepareCast(
  collider: Collider,
  moved: Shape,
  { shape, center, rotation }: RapierShape,
): PreparedQuery {
  const still = { x: 0, y: 0, z: 0 };
  const position = { x: 0, y: 0, z: 0 };
  const move = { x: 0, y: 0, z: 0 };
  const cast = (queries: Float32Array, index: number): number => {
    const at = 6 * index;
    position.x = queries[at]! + center[0];
    position.y = queries[at + 1]! + center[1];
    position.z = queries[at + 2]! + center[2];
    move.x = queries[at + 3]! - queries[at]!;
    move.y = queries[at + 4]! - queries[at + 1]!;
    move.z = queries[at + 5]! - queries[at + 2]!;
    return collider.castShape(still, shape, position, rotation, move, 0, 1, true)?.time_of_impact ?? 1;
  };
  return {
    run(queries, first, last) {
      let sum = 0;
      for (let i = first; i < last; i++) sum += cast(queries, i);
      return sum;
    },
    tracer: castTracer(moved, (query) => cast(query, 0)),
  };
}
