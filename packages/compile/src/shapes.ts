import type { Vec3 } from '@bspkit/core';
import {
  checkChoice,
  checkFinite,
  checkKind,
  checkList,
  checkOptions,
  checkPoint,
  checkRadius,
  checkText,
  checkWhole,
  cos,
  failArgument,
  plainOf,
  sin,
} from '@bspkit/core/format';
import { addScaled, cross, dot, lengthOf, normalize, subtract, type Vec } from '@bspkit/geometry';
import { checkBrush, checkProperties } from './check-source.ts';
import { CompileError } from './error.ts';
import { DIST_EPSILON, NORMAL_EPSILON } from './planes.ts';
import type { SourceBrush, SourceSide } from './source.ts';

/** The properties of a brush besides its planes. */
export type BrushOptions = Omit<SourceBrush, 'sides' | 'line'>;

/** A direction along an axis on the ground. */
export type Heading = '+x' | '-x' | '+y' | '-y';

const HEADINGS: readonly Heading[] = ['+x', '-x', '+y', '-y'];

/**
 * A side through three points, given clockwise as seen from outside, as in `.map` text. Throws `CompileError` for points on a
 * line.
 */
export function planeSide(a: Vec3, b: Vec3, c: Vec3, material?: string): SourceSide {
  checkPoint(a, 'a');
  checkPoint(b, 'b');
  checkPoint(c, 'c');
  if (material !== undefined) checkText(material, 'material');
  return sideThrough(a, b, c, material);
}

/** {@link planeSide} for points that are known to be numbers. */
export function sideThrough(a: Vec3, b: Vec3, c: Vec3, material?: string): SourceSide {
  const across = cross(subtract(c, a), subtract(b, a));
  if (!Number.isFinite(lengthOf(...across))) {
    throw new CompileError('limit', {}, 'three points are too far apart to define a plane');
  }
  const normal = normalize(across);
  if (!normal) throw new CompileError('degenerate-plane', {}, 'three points on a line do not define a plane');
  return { normal, dist: dot(normal, a), material };
}

const OPTIONS: readonly string[] = [
  'material',
  'contents',
  'detail',
  'levels',
  'currents',
] satisfies (keyof BrushOptions)[];

function checkBrushOptions(options: BrushOptions): void {
  checkOptions(options, OPTIONS);
  checkProperties(options, '');
  if (options.levels !== undefined) checkWhole(options.levels, 'levels', 0, 255);
  if (options.currents !== undefined) checkWhole(options.currents, 'currents', 0, 63);
}

/** The most points of a hull. */
const POINTS = 256;

function checkAtMost(list: readonly unknown[], name: string, most: number, what = ''): void {
  checkList(list, name);
  if (list.length > most) failArgument(name, `${most}${what} or fewer`, list.length);
}

function checkCorners(mins: Vec3, maxs: Vec3): void {
  checkPoint(mins, 'mins');
  checkPoint(maxs, 'maxs');
  for (let k = 0; k < 3; k++) {
    if (mins[k]! < maxs[k]!) continue;
    throw new RangeError(`mins[${k}] must be below maxs[${k}], got ${mins[k]} and ${maxs[k]}`);
  }
}

/**
 * An axis-aligned box, by its corners in Quake units.
 * @throws RangeError unless `mins` is below `maxs` on every axis, and for a number that is not finite; TypeError for wrong options.
 */
export function boxBrush(mins: Vec3, maxs: Vec3, options: BrushOptions = {}): SourceBrush {
  checkCorners(mins, maxs);
  checkBrushOptions(options);
  const sides: SourceSide[] = [];
  for (let k = 0; k < 3; k++) {
    const axis: Vec = [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0];
    sides.push({ normal: [0 - axis[0], 0 - axis[1], 0 - axis[2]], dist: 0 - mins[k]! });
    sides.push({ normal: axis, dist: maxs[k]! });
  }
  return { ...plainOf(options), sides };
}

/**
 * The convex hull of points, at most 256: every plane through three of them that has the others behind it. The work grows with
 * the fourth power of the number of points; a few dozen are fine. Throws `CompileError` (`zero-volume`) for points in one plane.
 */
export function hullBrush(points: readonly Vec3[], options: BrushOptions = {}): SourceBrush {
  checkAtMost(points, 'points', POINTS);
  for (const [i, point] of points.entries()) checkPoint(point, `points[${i}]`);
  checkBrushOptions(options);
  const sides: SourceSide[] = [];
  // As much as rounding can explain, and no more: of a flat hull, planes that cut off a little are many.
  const slack = 1e-10 * Math.sqrt(Math.max(...points.map((point) => dot(point, point))));
  // For most planes, a point that was in front of an earlier one is in front too, and most of the others are known.
  const lastOutside = [0, 0];
  const add = (way: 0 | 1, normal: Vec, dist: number): void => {
    const isOutside = (point: Vec3): boolean => dot(point, normal) > dist + slack;
    if (isOutside(points[lastOutside[way]!]!)) return;
    // What maps store as one plane is one here, and nothing else: of a flat cone, all sides are nearly level.
    const known = sides.some(
      (side) =>
        Math.abs(side.dist - dist) < DIST_EPSILON &&
        normal.every((part, axis) => Math.abs(part - side.normal[axis]!) < NORMAL_EPSILON),
    );
    if (known) return;
    const outside = points.findIndex(isOutside);
    if (outside < 0) sides.push({ normal, dist });
    else lastOutside[way] = outside;
  };
  for (let i = 0; i < points.length; i++) {
    for (let j = i + 1; j < points.length; j++) {
      for (let k = j + 1; k < points.length; k++) {
        const a = points[i]!;
        const normal = normalize(cross(subtract(points[j]!, a), subtract(points[k]!, a)));
        if (!normal) continue;
        add(0, normal, dot(normal, a));
        add(1, [0 - normal[0], 0 - normal[1], 0 - normal[2]], 0 - dot(normal, a));
      }
    }
  }
  const flat = sides.some((side) => points.every((point) => dot(point, side.normal) > side.dist - 0.001));
  if (sides.length < 4 || flat) {
    throw new CompileError('zero-volume', {}, `the hull of ${points.length} points has no volume`);
  }
  return { ...plainOf(options), sides };
}

/**
 * A convex outline on the ground, `[x, y]` clockwise or counterclockwise, extruded from `bottom` to `top`. An outline that is not
 * convex is not refused: the brush is its convex hull.
 *
 * @param outline - 3 to 128 corners, in Quake units.
 * @param bottom - height of one end, in Quake units; it may be above `top`.
 * @param top - height of the other end.
 * @throws RangeError for more corners, or a number that is not finite; CompileError (`zero-volume`) for corners on a line,
 *   fewer than three, and if `bottom` equals `top`; TypeError for arguments of the wrong kind.
 */
export function prismBrush(
  outline: readonly (readonly [number, number])[],
  bottom: number,
  top: number,
  options: BrushOptions = {},
): SourceBrush {
  checkAtMost(outline, 'outline', POINTS / 2, ' corners');
  for (const [i, pair] of outline.entries()) checkPair(pair, `outline[${i}]`);
  checkFinite(bottom, 'bottom');
  checkFinite(top, 'top');
  return hullBrush(
    outline.flatMap(([x, y]): Vec[] => [
      [x, y, bottom],
      [x, y, top],
    ]),
    options,
  );
}

function checkPair(pair: readonly [number, number], name: string): void {
  checkKind(typeof pair === 'object' && pair !== null, pair, name, 'two numbers');
  checkFinite(pair[0], `${name}[0]`);
  checkFinite(pair[1], `${name}[1]`);
}

/**
 * Corners of a regular polygon, counterclockwise.
 *
 * @param center - in Quake units.
 * @param radius - from the centre to the corners, in Quake units, 0 or more.
 * @param corners - 1 to 4,096.
 * @param turn - angle of the first corner, in degrees from the x axis; 0 by default.
 * @throws RangeError for a number out of range; TypeError for a `center` that is not two numbers.
 */
export function regularOutline(
  center: readonly [number, number],
  radius: number,
  corners: number,
  turn = 0,
): [number, number][] {
  checkPair(center, 'center');
  checkRadius(radius);
  checkWhole(corners, 'corners', 1, MOST);
  checkFinite(turn, 'turn');
  return Array.from({ length: corners }, (_, i) => {
    const angle = ((i / corners) * 360 + turn) * (Math.PI / 180);
    return [center[0] + radius * cos(angle), center[1] + radius * sin(angle)];
  });
}

/** The most corners of an outline, and steps of stairs. */
const MOST = 4096;

/**
 * An upright pillar with a regular outline, standing on `base`.
 *
 * @param base - the middle of its lower end, in Quake units.
 * @param radius - from the middle to the corners, in Quake units, 0 or more.
 * @param height - in Quake units; below 0 it hangs from `base`.
 * @param corners - of the outline, 3 to 128.
 * @throws RangeError for a number out of range; CompileError (`zero-volume`) where `radius` or `height` is 0.
 */
export function pillarBrush(
  base: Vec3,
  radius: number,
  height: number,
  corners: number,
  options: BrushOptions = {},
): SourceBrush {
  return frustumBrush(base, radius, radius, height, corners, options);
}

/**
 * A pillar that narrows (or widens) from `radius` at `base` to `topRadius` at the other end.
 *
 * @param base - the middle of one end, in Quake units.
 * @param radius - from the middle to the corners at `base`, in Quake units, 0 or more.
 * @param topRadius - the same at the other end; 0 makes a pyramid.
 * @param height - from `base` to the other end, in Quake units; below 0 that is below `base`.
 * @param corners - of the outline, 3 to 128.
 * @throws RangeError for a number out of range; CompileError (`zero-volume`) where both radii or the height are 0.
 */
export function frustumBrush(
  base: Vec3,
  radius: number,
  topRadius: number,
  height: number,
  corners: number,
  options: BrushOptions = {},
): SourceBrush {
  checkPoint(base, 'base');
  checkRadius(radius);
  checkRadius(topRadius, 'topRadius');
  checkFinite(height, 'height');
  checkWhole(corners, 'corners', 3, POINTS / 2);
  const [x, y, z] = [base[0]!, base[1]!, base[2]!];
  const low = regularOutline([x, y], radius, corners).map(([px, py]): Vec => [px, py, z]);
  const high = regularOutline([x, y], topRadius, topRadius > 0 ? corners : 1);
  return hullBrush([...low, ...high.map(([px, py]): Vec => [px, py, z + height])], options);
}

/**
 * A ramp that fills the lower half of a box and rises from nothing towards `heading`. Corners of the box in Quake units.
 * @throws RangeError for an unknown heading, or unless `mins` is below `maxs` on every axis.
 */
export function rampBrush(mins: Vec3, maxs: Vec3, heading: Heading, options: BrushOptions = {}): SourceBrush {
  checkChoice(heading, 'heading', HEADINGS);
  const axis = heading[1] === 'x' ? 0 : 1;
  const box = boxBrush(mins, maxs, options);
  const up = heading[0] === '+' ? 1 : -1;
  const slope: Vec = [0, 0, maxs[axis]! - mins[axis]!];
  slope[axis] = -up * (maxs[2]! - mins[2]!);
  const normal = normalize(slope)!;
  const foot: Vec = [mins[0]!, mins[1]!, mins[2]!];
  if (up < 0) foot[axis] = maxs[axis]!;
  // The slope takes the place of the top and of the low end.
  const kept = box.sides.filter((side) => side.normal[2] !== 1 && side.normal[axis] !== -up);
  return { ...box, sides: [...kept, { normal, dist: dot(normal, foot) }] };
}

/**
 * Stairs that fill a box and rise towards `heading`, one brush per step. Corners of the box in Quake units.
 *
 * @param steps - 1 to 4,096.
 * @throws RangeError for other `steps`, an unknown heading, or unless `mins` is below `maxs` on every axis.
 */
export function stairBrushes(
  mins: Vec3,
  maxs: Vec3,
  steps: number,
  heading: Heading,
  options: BrushOptions = {},
): SourceBrush[] {
  checkCorners(mins, maxs);
  checkWhole(steps, 'steps', 1, MOST);
  checkChoice(heading, 'heading', HEADINGS);
  const axis = heading[1] === 'x' ? 0 : 1;
  const run = (maxs[axis]! - mins[axis]!) / steps;
  return Array.from({ length: steps }, (_, i) => {
    const low: Vec = [mins[0]!, mins[1]!, mins[2]!];
    const high: Vec = [maxs[0]!, maxs[1]!, mins[2]! + ((maxs[2]! - mins[2]!) * (i + 1)) / steps];
    low[axis] = heading[0] === '+' ? mins[axis]! + run * i : maxs[axis]! - run * (i + 1);
    high[axis] = low[axis]! + run;
    return boxBrush(low, high, options);
  });
}

/**
 * The six walls around a room: floor, ceiling, west, east, south, north.
 *
 * @param mins - the lower corner of the inside, in Quake units; the walls are around it.
 * @param maxs - the upper corner of the inside.
 * @param thickness - of the walls, in Quake units, above 0.
 * @throws RangeError for any other thickness, or unless `mins` is below `maxs` on every axis.
 */
export function roomBrushes(
  mins: Vec3,
  maxs: Vec3,
  thickness: number,
  options: BrushOptions = {},
): SourceBrush[] {
  checkCorners(mins, maxs);
  checkFinite(thickness, 'thickness');
  if (!(thickness > 0)) throw new RangeError(`thickness must be above 0, got ${thickness}`);
  const ones: Vec = [1, 1, 1];
  const outer = { mins: addScaled(mins, -thickness, ones), maxs: addScaled(maxs, thickness, ones) };
  const walls: SourceBrush[] = [];
  for (const axis of [2, 0, 1]) {
    for (const high of [false, true]) {
      const low: Vec = [...outer.mins];
      const top: Vec = [...outer.maxs];
      // Walls stand between floor and ceiling, and south and north between west and east: none overlap.
      if (axis !== 2) [low[2], top[2]] = [mins[2]!, maxs[2]!];
      if (axis === 1) [low[0], top[0]] = [mins[0]!, maxs[0]!];
      if (high) low[axis] = maxs[axis]!;
      else top[axis] = mins[axis]!;
      walls.push(boxBrush(low, top, options));
    }
  }
  return walls;
}

/**
 * A copy of a brush, moved with its texture. The default texture axes, of sides without any, stay where they are.
 *
 * @param by - how far along x, y and z, in Quake units.
 * @throws RangeError when a number is not finite; TypeError for anything but a brush and three numbers.
 */
export function moveBrush(brush: SourceBrush, by: Vec3): SourceBrush {
  checkBrush(brush, 'brush');
  checkPoint(by, 'by');
  const shift = (axes: readonly [number, number, number, number]): [number, number, number, number] => [
    axes[0],
    axes[1],
    axes[2],
    axes[3] - dot(axes, by),
  ];
  return {
    ...brush,
    sides: brush.sides.map((side) => {
      const length = lengthOf(side.normal[0]!, side.normal[1]!, side.normal[2]!);
      return {
        ...side,
        dist: side.dist + dot(side.normal, by) / length,
        texture: side.texture && { ...side.texture, s: shift(side.texture.s), t: shift(side.texture.t) },
      };
    }),
  };
}
