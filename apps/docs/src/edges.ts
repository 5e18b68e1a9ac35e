import { boxBrush, compileMap, type MapSource, roomBrushes } from '@bspkit/compile';
import type { Vec3 } from '@bspkit/core';
import { createQuake3World, polygons, type Quake3World, readQuake3 } from '@bspkit/quake3';
import { BufferAttribute, BufferGeometry, Group, Mesh, Vector3 } from 'three';
import { Capsule } from 'three/examples/jsm/math/Capsule.js';
import { Octree } from 'three/examples/jsm/math/Octree.js';
import { STYLE } from './style.ts';

// Three questions that triangle meshes answer badly, asked of brushes: does a ray slip through where two walls meet, does
// a box trip where two floors do, and does what is fast go through walls?

/** Where the two walls of {@link edgeMap} meet: the inner edge of a corner. */
export const EDGE: readonly [number, number] = [256, 256];

/** A room with a corner of two walls in it, one ending at the other, and a floor of four slabs. */
function edgeMap(): MapSource {
  const slab = (x: number, y: number) =>
    boxBrush([x, y, 0], [x + 256, y + 256, 16], { material: 'edge/floor' });
  const [x, y] = EDGE;
  return {
    entities: [
      {
        properties: { classname: 'worldspawn' },
        brushes: [
          ...roomBrushes([0, 0, 0], [512, 512, 256], 16, { material: 'edge/room' }),
          slab(0, 0),
          slab(256, 0),
          slab(0, 256),
          slab(256, 256),
          boxBrush([128, y, 16], [x, y + 16, 200], { material: 'edge/wall' }),
          boxBrush([x, y - 128, 16], [x + 16, y + 16, 200], { material: 'edge/wall' }),
        ],
      },
    ],
  };
}

/** The map, compiled and opened. */
export const edgeWorld = (): Quake3World =>
  createQuake3World(readQuake3(compileMap(edgeMap(), { format: 'quake3' }).bytes));

/** Rays from around a corner of the room through points of the edge, to as far behind it. */
export function* edgeRays(count: number): Generator<readonly [Vec3, Vec3]> {
  let seed = 1;
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  for (let n = 0; n < count; n++) {
    const start = [32 + 80 * random(), 32 + 80 * random(), 32 + 150 * random()];
    const z = 32 + 150 * random();
    const end = [2 * EDGE[0] - start[0]!, 2 * EDGE[1] - start[1]!, 2 * z - start[2]!];
    yield [start, end];
  }
}

/** A wall of the room, and what moves towards it. */
export const WALL = 512;
export const RADIUS = 15;
const HEIGHT = 60;
const FROM: readonly [number, number, number] = [100, 64, 64];

/** Where a capsule is after each frame in which it moves so many units towards the wall. */
export type Frames = (step: number, count: number) => number[];

/** A box swept through the map. */
export function sweptFrames(): Frames {
  const capsule = edgeWorld().capsule({ radius: RADIUS, height: HEIGHT });
  const trace = capsule.createTrace();
  return (step, count) => {
    const [x, y, z] = FROM;
    let at = x;
    return Array.from({ length: count }, () => {
      at = capsule.trace([at, y, z], [at + step, y, z], trace).endPos[0]!;
      return at;
    });
  };
}

/**
 * A capsule that is moved, then pushed out of the map's triangles: three.js's Octree and Capsule, as in its example, but without
 * its substeps.
 */
export function pushedFrames(): Frames {
  const corners = [...polygons(edgeWorld())].flatMap(({ vertices }) => Array.from(vertices));
  const geometry = new BufferGeometry().setAttribute(
    'position',
    new BufferAttribute(Float32Array.from(corners), 3),
  );
  const octree = new Octree().fromGraphNode(new Group().add(new Mesh(geometry)));
  return (step, count) => {
    const [x, y, z] = FROM;
    const half = HEIGHT / 2 - RADIUS;
    const capsule = new Capsule(new Vector3(x, y, z - half), new Vector3(x, y, z + half), RADIUS);
    return Array.from({ length: count }, () => {
      capsule.translate(new Vector3(step, 0, 0));
      const found = octree.capsuleIntersect(capsule);
      if (found && found.depth > 0) capsule.translate(found.normal.multiplyScalar(found.depth));
      return capsule.start.x;
    });
  };
}

/** Units per frame in the picture. */
const STEP = 40;

/** A fast capsule at a wall, frame by frame, seen from above: pushed out of triangles, and swept. As SVG. */
export function wallPicture(): string {
  const left = (x: number): number => Math.round(10 * 2 * (x - 240)) / 10;
  const row = (y: number, frames: Frames, label: string): string => {
    const places = frames(STEP, 13).filter((x) => x > 260 && x < 700);
    const balls = [...new Set(places.map((x) => Math.round(x * 8) / 8))].map(
      (x) => `<circle cx="${left(x)}" cy="${y}" r="${2 * RADIUS}" class="box"/>`,
    );
    return `${balls.join('\n')}\n<text x="20" y="${y - 44}">${label}</text>`;
  };
  const wall = `<rect x="${left(WALL)}" y="0" width="32" height="320" class="wall"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 320" width="640" height="213" role="img" aria-label="A capsule that moves ${STEP} units per frame at a wall. Pushed out of triangles after each frame, it is in front of the wall, then behind it. Swept, it stops at the wall.">
${STYLE}
${wall}
${row(110, pushedFrames(), 'pushed out of triangles')}
${row(260, sweptFrames(), 'swept')}
</svg>
`;
}

/** A player's box slides over the border between two slabs of the floor, seen from the side, as SVG. */
export function floorPicture(): string {
  const [mins, maxs] = [
    [-15, -15, -24],
    [15, 15, 32],
  ] as const;
  const player = edgeWorld().box(mins, maxs);
  const z = player.trace([150, 64, 100], [150, 64, 0]).endPos[2]!;
  const { endPos, fraction } = player.trace([150, 64, z], [362, 64, z]);
  const at = (x: number, height: number): [number, number] => [3 * (x - 96), 3 * (110 - height)];
  const box = (x: number): string => {
    const [left, top] = at(x + mins[0], z + maxs[2]);
    return `<rect x="${left}" y="${Math.round(10 * top) / 10}" width="90" height="168" class="box"/>`;
  };
  const slab = (x: number): string => {
    const [left, top] = at(x, 16);
    return `<rect x="${left}" y="${top}" width="480" height="48" class="wall"/>`;
  };
  const [from, y] = at(150 + maxs[0], z);
  const [to] = at(endPos[0]! + mins[0], z);
  const label = fraction === 1 ? 'not stopped' : 'stopped';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 340" width="640" height="227" role="img" aria-label="A player's box on the left of the border between two floors, and the same box on the right of it: ${label}.">
${STYLE}
${slab(96)}
${slab(256)}
${box(150)}
${box(endPos[0]!)}
<line x1="${from}" y1="${Math.round(y)}" x2="${to}" y2="${Math.round(y)}" class="ray"/>
<text x="${(from + to) / 2}" y="${Math.round(y) - 12}" text-anchor="middle">${label}</text>
<text x="480" y="272" text-anchor="middle">where two brushes meet</text>
</svg>
`;
}

/** The walls from above with some of the rays and where they end, as SVG. */
export function edgePicture(): string {
  const ray = edgeWorld().ray();
  const [x, y] = EDGE;
  const round = (value: number): string => String(Math.round(value * 10) / 10);
  // Up is +y.
  const at = (point: Vec3): string => `${round(2 * (point[0]! - 16))},${round(2 * (360 - point[1]!))}`;
  const wall = (mins: Vec3, maxs: Vec3): string => {
    const [left, top] = at([mins[0]!, maxs[1]!, 0]).split(',');
    const size = `width="${2 * (maxs[0]! - mins[0]!)}" height="${2 * (maxs[1]! - mins[1]!)}"`;
    return `<rect x="${left}" y="${top}" ${size} class="wall"/>`;
  };
  const rays = [...edgeRays(14)].map(([start, end]) => {
    const { endPos } = ray.trace(start, end);
    const [cx, cy] = at(endPos).split(',');
    return `<polyline points="${at(start)} ${at(endPos)}" class="ray"/><circle cx="${cx}" cy="${cy}" r="2.5" class="hit"/>`;
  });
  const [ex, ey] = at([x, y, 0]).split(',').map(Number);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 720" width="480" height="480" role="img" aria-label="Fourteen rays from a corner of a room at the edge where two walls meet; all of them end there.">
${STYLE}
${wall([128, y, 0], [x, y + 16, 0])}
${wall([x, y - 128, 0], [x + 16, y + 16, 0])}
${rays.join('\n')}
<text x="${ex! - 250}" y="${ey! - 60}">where two brushes meet</text>
</svg>
`;
}
