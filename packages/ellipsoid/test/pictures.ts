import type { Polygon, Vec3 } from '@bspkit/core';
import { createEllipsoidWorld, createTutorialReference, radiusInDirection } from '../src/index.ts';
import { perpendicularPlanes } from '../src/perpendicular.ts';
import {
  CALCULATE_COLLISIONRADIUS,
  createBody,
  createPolygon,
  GET_COLLIDING_POLYGON,
  PRE_CHECK_COLLISION,
  planeOutside,
  type TutorialPolygon,
} from '../src/reference/tutorial.ts';
import { BAD, GOOD, INK, MOVER, Panel, PLANE, type Point2, picture, WALL } from './draw.ts';
import { polygonOf, sourceOf } from './rooms.ts';

// The document's figures 3 to 12, drawn from the code: every end, radius, side value, plane and area is computed by the package.

const flat = (at: Vec3): Point2 => [at[0]!, at[1]!];

/** A wall seen from above: along the line from a to b, 200 units high, facing left of that direction. */
function wall(a: Point2, b: Point2): Polygon {
  return polygonOf([
    [a[0], a[1], -100],
    [a[0], a[1], 100],
    [b[0], b[1], 100],
    [b[0], b[1], -100],
  ]);
}

/** Where a move ends after being pushed out of one polygon. */
function pushedFrom(start: Vec3, end: Vec3, radii: Vec3, polygon: TutorialPolygon): Vec3 {
  const body = createBody(start, end, radii);
  const radius = CALCULATE_COLLISIONRADIUS(body, polygon.Normal);
  const side = polygon.Normal.reduce((sum, x, k) => sum + x * body.EndPosition[k]!, 0) - polygon.Distance;
  return body.EndPosition.map((x, k) => x + polygon.Normal[k]! * (radius - side));
}

/** Figures 3 to 5. */
function facingPicture(): string {
  const radii: Vec3 = [20, 14, 20];
  const [start, end]: [Vec3, Vec3] = [
    [-70, 34, 0],
    [50, -22, 0],
  ];
  const faces = [wall([0, -90], [0, 0]), wall([0, 0], [110, 0])];
  const made = faces.map((face, k) => createPolygon(face, k));
  const body = createBody(start, end, radii);
  const facing = made.map(({ Normal }) =>
    Normal.reduce((sum, x, k) => sum + x * body.MovementDirection[k]!, 0),
  );
  const first = GET_COLLIDING_POLYGON(body, made)!;
  const other = made[1 - first.number]!;
  const handled = createTutorialReference(createEllipsoidWorld(sourceOf(faces)), radii).move(start, end);

  const panel = (title: readonly [string, string]): Panel => {
    const drawn = new Panel(title, [5, -10], 200);
    drawn.polygon(
      [
        [0, -120],
        [0, 0],
        [130, 0],
        [130, -120],
      ],
      { fill: '#e9dfd3' },
    );
    drawn
      .line([0, -120], [0, 0], { stroke: WALL, width: 3 })
      .line([0, 0], [130, 0], { stroke: WALL, width: 3 });
    drawn.text([6, -60], `1 (${facing[0]!.toFixed(2)})`, WALL);
    drawn.text([103, 6], `2 (${facing[1]!.toFixed(2)})`, WALL, 'end');
    drawn.ellipse(flat(start), flat(radii), { stroke: MOVER, width: 2, fill: '#dbe8f6' });
    return drawn.dot(flat(start), MOVER);
  };
  const result = (drawn: Panel, at: Vec3, color: string): Panel => {
    drawn.arrow(flat(start), flat(end), { stroke: PLANE, dash: '4 3' });
    drawn.ellipse(flat(end), flat(radii), { stroke: PLANE, dash: '4 3' });
    drawn.arrow(flat(end), flat(at), { stroke: color, width: 2 });
    return drawn.ellipse(flat(at), flat(radii), { stroke: color, width: 2.5 }).dot(flat(at), color);
  };
  const asked = panel(['The move', 'into a block; in brackets, facing values']);
  asked.arrow(flat(start), flat(end), { stroke: MOVER, width: 2 });
  asked.ellipse(flat(end), flat(radii), { stroke: MOVER, dash: '4 3' }).dot(flat(end), MOVER);
  return picture(
    'Why the lowest facing value goes first',
    [
      asked,
      result(
        panel([`Polygon ${other.number + 1} first: wrong`, 'it comes out on top, through polygon 1']),
        pushedFrom(start, end, radii, other),
        BAD,
      ),
      result(
        panel([`Polygon ${first.number + 1} first: right`, 'the lowest facing value pushes it back']),
        handled.EndPosition,
        GOOD,
      ),
    ],
    3,
  );
}

/** Figures 6 and 7. */
function radiusPicture(): string {
  const radii: Vec3 = [30, 50, 30];
  const center = [-20, 22, 0];
  const face = wall([-90, -70], [90, -25]);
  const normal = face.normal;
  const side = normal.reduce((sum, x, k) => sum + x * center[k]!, 0) - face.dist;
  const radius = radiusInDirection(radii, normal);
  const foot = center.map((x, k) => x - normal[k]! * side);
  const reach = center.map((x, k) => x - normal[k]! * radius);
  const touch = center.map((x, k) => x - (normal[k]! * radii[k]! ** 2) / radius);
  const along: Point2 = [-normal[1]!, normal[0]!];
  const panel = (title: readonly [string, string]): Panel => {
    const drawn = new Panel(title, [0, 0], 200);
    drawn.line([-90, -70], [90, -25], { stroke: WALL, width: 3 });
    drawn.text([88, -42], 'polygon', WALL, 'end');
    drawn.ellipse(flat(center), flat(radii), { stroke: MOVER, width: 2, fill: '#dbe8f6' });
    return drawn.dot(flat(center), MOVER);
  };
  const value = panel(['Side value', 'how far the centre is from the plane']);
  value.line(flat(center), flat(foot), { stroke: BAD, width: 2, dash: '5 4' }).dot(flat(foot), BAD);
  value.text([foot[0]! + 4, foot[1]! + 9], side.toFixed(1), BAD);
  const size = panel(['Collision radius', 'how far it reaches towards the polygon']);
  const from: Point2 = [reach[0]! - 70 * along[0], reach[1]! - 70 * along[1]];
  const to: Point2 = [reach[0]! + 70 * along[0], reach[1]! + 70 * along[1]];
  size.line(from, to, { stroke: PLANE, dash: '4 3' });
  size.line(flat(center), flat(reach), { stroke: BAD, width: 2, dash: '5 4' }).dot(flat(reach), BAD);
  size.text([reach[0]! + 5, reach[1]! - 8], radius.toFixed(1), BAD);
  size.dot(flat(touch), GOOD).text([touch[0]! - 4, touch[1]! - 20], 'touches here', GOOD, 'end');
  return picture('Side value and collision radius', [value, size], 2);
}

/** Figure 8. */
function passesPicture(): string {
  const radii: Vec3 = [16, 16, 16];
  const [start, end]: [Vec3, Vec3] = [
    [-60, 10, 0],
    [62, 10, 0],
  ];
  const faces = [wall([0, -30], [0, 40]), wall([26, 50], [26, 88])];
  const body = createBody(start, end, radii);
  const drawn = new Panel(
    ['Two planes crossed, one polygon met', 'grey: all that the move comes through'],
    [0, 20],
    170,
  );
  drawn.polygon(
    [
      [start[0]!, start[1]! - 16],
      [end[0]!, end[1]! - 16],
      [end[0]!, end[1]! + 16],
      [start[0]!, start[1]! + 16],
    ],
    { fill: '#d9dce1' },
  );
  for (const at of [start, end])
    drawn.ellipse(flat(at), flat(radii), { stroke: MOVER, width: 2, fill: '#dbe8f6' });
  drawn.arrow(flat(start), flat(end), { stroke: MOVER, width: 2 });
  for (const [k, face] of faces.entries()) {
    const polygon = createPolygon(face, k);
    const crosses = PRE_CHECK_COLLISION(body, polygon);
    const met = crosses && planeOutside(body, polygon) < 0;
    const corner = (at: number): Point2 => [face.vertices[at]!, face.vertices[at + 1]!];
    const [a, b] = [corner(0), corner(6)];
    drawn.line(a, b, { stroke: met ? BAD : WALL, width: 3 });
    const words = `${k + 1}: ${crosses ? 'plane crossed' : 'plane not crossed'}, ${met ? 'met' : 'not met'}`;
    drawn.text(k === 0 ? [a[0], -42] : [a[0] - 4, 74], words, met ? BAD : WALL, k === 0 ? 'middle' : 'end');
  }
  drawn
    .text([start[0]!, start[1]! - 26], 'start', MOVER, 'middle')
    .text([end[0]!, end[1]! - 26], 'end', MOVER, 'middle');
  return picture('Whether a move comes through a polygon', [drawn], 1);
}

/** A half plane: x nx + y ny >= dist. */
type Half = readonly [nx: number, ny: number, dist: number];

/** The part of a convex area in a half plane. */
function clip(area: readonly Point2[], [nx, ny, dist]: Half): Point2[] {
  const height = ([x, y]: Point2): number => nx * x + ny * y - dist;
  return area.flatMap((a, k) => {
    const b = area[(k + 1) % area.length]!;
    const [da, db] = [height(a), height(b)];
    const kept: Point2[] = da >= 0 ? [a] : [];
    if (da >= 0 !== db >= 0) {
      const t = da / (da - db);
      kept.push([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
    }
    return kept;
  });
}

const ALL: readonly Point2[] = [
  [-500, -500],
  [500, -500],
  [500, 500],
  [-500, 500],
];

/** Figures 9 to 12. */
function areaPicture(): string {
  const radii: Vec3 = [26, 18, 24];
  const corners = [
    [-62, -40],
    [70, -52],
    [-6, 62],
  ] as const;
  const triangle = polygonOf(corners.map(([x, y]) => [x, y, 0]));
  const world = createEllipsoidWorld(sourceOf([triangle]));
  const numbers = perpendicularPlanes(world._memory);
  const planes = [0, 4, 8, 12, 16, 20].map((at) => ({
    normal: Array.from(numbers.subarray(at, at + 3)) as [number, number, number],
    dist: numbers[at + 3]!,
  }));
  const moved = planes.map(
    ({ normal, dist }): Half => [normal[0], normal[1], dist - radiusInDirection(radii, normal)],
  );
  const edgesOnly = moved.slice(0, 3).reduce(clip, [...ALL]);
  const effective = moved.reduce(clip, [...ALL]);
  // The true area: how far from the middle an ellipsoid that comes down onto the triangle still touches it.
  const tracer = world.ellipsoid(radii);
  const middle: Point2 = [0, 1].map((k) =>
    corners.reduce((sum, at) => sum + at[k]! / 3, 0),
  ) as unknown as Point2;
  const exact = Array.from({ length: 240 }, (_, k): Point2 => {
    const angle = (2 * Math.PI * k) / 240;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    let [near, far] = [0, 300];
    for (let step = 0; step < 40; step++) {
      const by = (near + far) / 2;
      const at = [middle[0] + by * x, middle[1] + by * y];
      if (tracer.blocked([at[0]!, at[1]!, 100], [at[0]!, at[1]!, 0])) near = by;
      else far = by;
    }
    return [middle[0] + near * x, middle[1] + near * y];
  });
  const farthest = (area: readonly Point2[]): number =>
    Math.max(...area.map(([x, y]) => Math.min(...exact.map((at) => Math.hypot(at[0] - x, at[1] - y)))));

  const panel = (title: readonly [string, string]): Panel => new Panel(title, [4, 4], 260);
  const shape = (drawn: Panel): Panel =>
    drawn.polygon(corners, { stroke: WALL, width: 2.5, fill: '#f3e6d8' });
  const lines = (drawn: Panel, halves: readonly Half[]): Panel => {
    for (const [nx, ny, dist] of halves) {
      const at: Point2 = [nx * dist, ny * dist];
      drawn.line([at[0] - 400 * ny, at[1] + 400 * nx], [at[0] + 400 * ny, at[1] - 400 * nx], {
        stroke: PLANE,
        width: 1,
        dash: '4 3',
      });
    }
    return drawn;
  };

  const nine = lines(
    shape(panel(['Perpendicular planes', 'one per edge, facing inwards'])),
    planes.slice(0, 3).map(({ normal, dist }): Half => [normal[0], normal[1], dist]),
  );
  for (let k = 0; k < 3; k++) {
    const [a, b] = [corners[k]!, corners[(k + 1) % 3]!];
    const from: Point2 = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    const { normal } = planes[k]!;
    nine.arrow(from, [from[0] + 24 * normal[0], from[1] + 24 * normal[1]], { stroke: GOOD, width: 2 });
    nine.text([a[0] * 1.12, a[1] * 1.12 + (k === 2 ? 0 : -8)], `p${k + 1}`, INK, 'middle');
  }
  const ten = panel([
    'Moved out by the radius',
    `red: too big, by up to ${farthest(edgesOnly).toFixed(0)} units`,
  ]);
  ten.polygon(edgesOnly, { fill: '#efb8b1' }).polygon(exact, { fill: '#d9dce1' });
  lines(shape(ten), moved.slice(0, 3));
  const eleven = panel([
    'With a plane per corner',
    `the effective area; red: too big, by up to ${farthest(effective).toFixed(0)}`,
  ]);
  eleven.polygon(effective, { fill: '#efb8b1' }).polygon(exact, { fill: '#d9dce1' });
  lines(shape(eleven), moved);
  const twelve = panel(['The correct area', 'that of the exact sweep']);
  twelve.polygon(exact, { fill: '#cfe6d8', stroke: GOOD, width: 2 });
  shape(twelve);
  for (const corner of corners) twelve.ellipse(corner, flat(radii), { stroke: MOVER, dash: '3 3' });
  return picture('The area in which an ellipsoid meets a triangle', [nine, ten, eleven, twelve], 2);
}

/** All pictures, by file name. */
export const PICTURES: Readonly<Record<string, () => string>> = {
  facing: facingPicture,
  radius: radiusPicture,
  passes: passesPicture,
  area: areaPicture,
};
