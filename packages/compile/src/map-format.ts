import { checkObject, checkOptions } from '@bspkit/core/format';
import {
  addScaled,
  cross,
  dot,
  normalize,
  subtract,
  type Vec,
  type Winding,
  windingCenter,
} from '@bspkit/geometry';
import { createBrush, defaultAxes } from './brushes.ts';
import { checkSource } from './check-source.ts';
import { CompileError, type SourcePlace } from './error.ts';
import { findTarget } from './find-target.ts';
import {
  checkMaterials,
  createMaterialFinder,
  type Materials,
  type ResolvedMaterial,
  refusesUnknown,
} from './materials.ts';
import { isWorldspawn } from './models.ts';
import { checkPatch } from './patches.ts';
import { PlaneSet } from './planes.ts';
import { toQuakeAxes } from './quake-axes.ts';
import { sideThrough } from './shapes.ts';
import { checkKept, type Dialect, numbersOf, PLAIN } from './side-numbers.ts';
import {
  type MapSource,
  propertiesOf,
  type SourceBrush,
  type SourcePatch,
  type TextureAxes,
} from './source.ts';
import type { CompileFormat } from './targets.ts';
import { inTexels } from './texture.ts';

/** How {@link formatMap} writes a map. */
export interface FormatOptions {
  /**
   * The game whose tools are to read the text: it determines the form of texture axes and the numbers after the sides. By default
   * the text is for no game in particular and has no numbers.
   */
  readonly format?: CompileFormat | undefined;
  /** What materials mean, as for `compileMap`. */
  readonly materials?: Materials | undefined;
  /** What to do with a material that has no meaning, as for `compileMap`. */
  readonly unknownMaterial?: 'solid' | 'error' | undefined;
}

/** Doubles this close to each other, relative to their size, differ only by the rounding of a few operations. */
const SAME = 4e-15;

/** The most triangles that are tried to define a plane, and how much they may be tilted. */
const TRIANGLES = 500;
const TILT = 6e-16;
const TILTS = [0, 1, -1, 2, -2];

/** What the text of a side depends on besides the side. */
interface Style {
  readonly dialect: Dialect;
  /** Whether texture axes are written as Valve 220 does. */
  readonly valve: boolean;
  readonly material: (name: string) => ResolvedMaterial | undefined;
}

/**
 * Writes a map as `.map` text that editors can read. {@link parseMap} with the same `format` reads it back as a map that compiles
 * to the same bytes for that game; without a `format`, for all games. Planes are given by corners of the brush if these define
 * exactly the same plane, else by other points on it. Only in inline models that are moved to their origin may textures whose
 * axes are float32 numbers, as those of a game's file are, come out some ten-thousandths of a texel elsewhere.
 *
 * @throws CompileError (`unwritable`) for what such text cannot hold, such as contents that do not come from materials if no
 *   numbers follow the sides; also for what `compileMap` refuses, such as a brush that is not closed. `RangeError` for an unknown
 *   format.
 */
export function formatMap(map: MapSource, options: FormatOptions = {}): string {
  checkObject(map, 'map', '{ entities }');
  checkSource(map);
  checkOptions(options, ['format', 'materials', 'unknownMaterial']);
  const { format, materials, unknownMaterial } = options;
  if (materials !== undefined) checkMaterials(materials);
  const dialect = format === undefined ? PLAIN : findTarget(format);
  const brushes = map.entities.flatMap((entity) => entity.brushes ?? []);
  const style: Style = {
    dialect,
    valve: dialect.text.valve && brushes.some(({ sides }) => sides.some(({ texture }) => texture)),
    material: createMaterialFinder(materials, refusesUnknown(materials, unknownMaterial)),
  };
  const lines: string[] = [];
  for (const [number, entity] of map.entities.entries()) {
    lines.push(`// entity ${number}`, '{');
    const properties = propertiesOf(entity);
    if (isWorldspawn(entity, number)) {
      delete properties.mapversion;
      if (style.valve) properties.mapversion = '220';
    }
    for (const [key, value] of Object.entries(properties)) lines.push(`"${key}" "${value}"`);
    for (const [k, brush] of (entity.brushes ?? []).entries()) {
      const place = { entity: number, brush: k, line: brush.line };
      lines.push(`// brush ${k}`, '{', ...sideLines(brush, place, style), '}');
    }
    for (const [k, patch] of (entity.patches ?? []).entries()) {
      const place = { entity: number, patch: k, line: patch.line };
      lines.push(`// patch ${k}`, '{', 'patchDef2', '{', ...patchLines(patch, place, style), '}', '}');
    }
    lines.push('}');
  }
  return `${lines.join('\n')}\n`;
}

function sideLines(source: SourceBrush, place: SourcePlace, { dialect, valve, material }: Style): string[] {
  const planes = new PlaneSet();
  const { solid } = createBrush({ planes, material, warnings: [] }, source, place);
  const materials = source.sides.map((side) => material(side.material ?? source.material ?? 'default')!);
  checkKept(dialect, source, materials, place);
  return source.sides.map((side, k) => {
    const normal = normalize(side.normal)!;
    const winding = solid.windings[solid.planes.indexOf(planes.find(...normal, side.dist))];
    const points = winding && cornersOn(winding, normal, side.dist);
    const texture = inTexels(side.texture ?? defaultAxes(normal), materials[k]!);
    const words = [
      ...(points ?? pointsOn(winding, normal, side.dist, { ...place, side: k })).map(pointText),
      nameText(materials[k]!.name),
      valve ? valveText(texture) : quakeText(texture, normal, { ...place, side: k }),
    ];
    const numbers = numbersOf(dialect, source, side, materials[k]!);
    if (numbers) words.push(numbers.join(' '));
    return words.join(' ');
  });
}

const valveText = ({ s, t }: TextureAxes): string =>
  `[ ${s.map(numberText).join(' ')} ] [ ${t.map(numberText).join(' ')} ] 0 1 1`;

function quakeText(texture: TextureAxes, normal: Vec, place: SourcePlace): string {
  const axes = toQuakeAxes(texture, normal);
  if (axes) return axes.map(numberText).join(' ');
  const problem =
    'offsets, a rotation and scales cannot say exactly how the texture lies: it is askew, has an axis of length 0, or follows ' +
    'other axes than those of the nearest wall or floor';
  throw new CompileError('unwritable', place, problem);
}

/** Names with white space, and those that would begin a comment, are put in quotes. */
const nameText = (name: string): string => (/^$|\s|^\/\//.test(name) ? `"${name}"` : name);

/** Of a side's corners, about this many are tried, evenly spread: the work grows with the cube of their number. */
const MOST_CORNERS = 64;

/**
 * Three corners of a side, clockwise seen from outside: those of the largest triangle. `undefined` when they do not
 * define exactly the side's plane.
 */
function cornersOn(winding: Winding, normal: Vec, dist: number): Vec[] | undefined {
  const corners: Vec[] = [];
  const step = 3 * Math.ceil(winding.length / (3 * MOST_CORNERS));
  for (let i = 0; i < winding.length; i += step) {
    corners.push([snap(winding[i]!), snap(winding[i + 1]!), snap(winding[i + 2]!)]);
  }
  let best: Vec[] | undefined;
  let bestArea = 0;
  for (let i = 0; i < corners.length; i++) {
    for (let j = i + 1; j < corners.length; j++) {
      for (let k = j + 1; k < corners.length; k++) {
        const [a, b, c] = [corners[i]!, corners[j]!, corners[k]!];
        const area = dot(cross(subtract(c, a), subtract(b, a)), normal);
        if (area <= bestArea + 1e-6) continue;
        best = [a, b, c];
        bestArea = area;
      }
    }
  }
  return best && gives(best, normal, dist) ? best : undefined;
}

/** Three points of a plane around the middle of a side, or near the origin. Throws if none define exactly the plane. */
function pointsOn(winding: Winding | undefined, normal: Vec, dist: number, place: SourcePlace): Vec[] {
  const near: Vec = winding ? windingCenter(winding) : [0, 0, 0];
  const [x, y, z] = normal.map(Math.abs) as Vec;
  const along = normalize(cross(normal, z < x || z < y ? [0, 0, 1] : [1, 0, 0]))!;
  // In this order, so that a plane along an axis comes out exactly.
  const base = addScaled(addScaled(near, -dot(near, normal), normal), dist, normal);
  // Rounding changes the last bits for most triangles; one that is tilted by just as little makes up for it.
  for (const mirror of [...mirrorsOf(normal), undefined]) {
    const first = mirror?.along ?? along;
    const across = cross(first, normal);
    const at = (u: number, v: number, lift: number): Vec =>
      addScaled(addScaled(addScaled(base, u, first), v, across), lift, normal);
    for (let k = 0; k < TRIANGLES; k++) {
      const size = (64 + 5 * (k % 13)) * 2 ** (k % 4);
      const tilt = size * TILT;
      const [one, other] = [tilt * TILTS[k % 5]!, tilt * TILTS[Math.floor(k / 5) % 5]!];
      const start = mirror ? at(-size - dot(base, first), 0, one) : at(0, 0, 0);
      const points = [
        start,
        mirror ? mirror.turn(start) : at(size, 3 * (k % 7), one),
        at(3 * (k % 11), size, other),
      ];
      if (gives(points, normal, dist)) return points;
    }
  }
  const problem = 'no three points define exactly its plane';
  throw new CompileError('unwritable', place, problem);
}

/** How a plane with two components of equal size is its own mirror image. */
interface Mirror {
  /** The direction from a point to its image, of unit length. */
  readonly along: Vec;
  /** A point's image: two of its coordinates change places, so that these differ from the point's by exactly as much. */
  turn(point: Vec): Vec;
}

/** The mirrors of a plane: a triangle with a side between images keeps the components equal, however it is rounded. */
function mirrorsOf(normal: Vec): Mirror[] {
  return ([0, 1, 2] as const).flatMap((axis): Mirror[] => {
    const [i, j] = [(axis + 1) % 3, (axis + 2) % 3] as [0 | 1 | 2, 0 | 1 | 2];
    if (normal[i] === 0 || Math.abs(normal[i]) !== Math.abs(normal[j])) return [];
    const sign = normal[i] === normal[j] ? 1 : -1;
    const along: Vec = [0, 0, 0];
    [along[i], along[j]] = [Math.SQRT1_2, -sign * Math.SQRT1_2];
    const turn = (point: Vec): Vec => {
      const image: Vec = [...point];
      [image[i], image[j]] = [sign * point[j], sign * point[i]];
      return image;
    };
    return [{ along, turn }];
  });
}

/** Whether the compiler makes the same plane from three points as from a normal and a distance. */
function gives([a, b, c]: readonly Vec[], normal: Vec, dist: number): boolean {
  const { normal: through, dist: at } = sideThrough(a!, b!, c!);
  const found = normalize(through)!;
  // Float32 would not be fine enough: planes of inline models are moved before they are rounded.
  const size = 1 + Math.abs(dist) + Math.max(...a!.map(Math.abs));
  if (Math.abs(at - dist) > SAME * size) return false;
  if (normal.some((x, k) => Math.abs(found[k]! - x) > SAME)) return false;
  // If two components are equal, the last bit decides which is the largest: how a texture lies, and which plane of a pair this
  // is.
  if (String(defaultAxes(through as Vec).s) !== String(defaultAxes(normal).s)) return false;
  const wanted = new PlaneSet();
  const given = new PlaneSet();
  if (wanted.find(...normal, dist) !== given.find(...found, at)) return false;
  return (
    wanted.nx[0] === given.nx[0] &&
    wanted.ny[0] === given.ny[0] &&
    wanted.nz[0] === given.nz[0] &&
    wanted.dist[0] === given.dist[0]
  );
}

/** Windings have the planes' rounding; corners near a fine grid were meant to be on it. */
function snap(value: number): number {
  const fine = Math.round(value * 8) / 8;
  return Math.abs(value - fine) < 0.002 ? fine : value;
}

const pointText = (point: Vec): string => `( ${point.map(numberText).join(' ')} )`;

const numberText = (value: number): string => String(value + 0);

function patchLines(patch: SourcePatch, place: SourcePlace, { dialect }: Style): string[] {
  if (!dialect.text.patches) {
    throw new CompileError('unwritable', place, `the text of ${dialect.name} has no patches`);
  }
  checkPatch(patch, place);
  const { material, width, height, points } = patch;
  const lines = [nameText(material), `( ${width} ${height} 0 0 0 )`, '('];
  for (let column = 0; column < width; column++) {
    const rows = Array.from({ length: height }, (_, row) => points[row * width + column]!);
    lines.push(`( ${rows.map((point) => `( ${point.map(numberText).join(' ')} )`).join(' ')} )`);
  }
  return [...lines, ')'];
}
