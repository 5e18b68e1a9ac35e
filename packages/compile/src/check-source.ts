import { checkFlag, checkKind, checkList, checkObject, checkText } from '@bspkit/core/format';
import { CompileError, quoted, type SourcePlace } from './error.ts';
import { checkFlags } from './flags.ts';
import {
  type MapSource,
  propertiesOf,
  type SourceBrush,
  type SourceEntity,
  type SourcePatch,
  type TextureAxes,
} from './source.ts';

/**
 * Checks what a map source consists of, so that the compiler can rely on its types.
 *
 * @throws `TypeError` naming the part that is not what it should be, CompileError (`unwritable`) for names, keys and values
 *   that neither BSP files nor `.map` text can hold.
 */
export function checkSource(map: MapSource): void {
  checkList(map?.entities, 'map.entities');
  for (const [number, entity] of map.entities.entries()) checkEntity(entity, number);
}

function checkEntity(entity: SourceEntity, number: number): void {
  const name = `map.entities[${number}]`;
  checkObject(entity, name);
  checkObject(entity.properties, `${name}.properties`);
  const place = { entity: number, line: entity.line };
  for (const [key, value] of Object.entries(propertiesOf(entity))) {
    checkText(value, `${name}.properties[${quoted(key)}]`);
    checkQuotable(key, 'key', place);
    checkQuotable(value, `value of ${quoted(key)}`, place);
  }
  checkList(entity.brushes ?? [], `${name}.brushes`);
  for (const [k, brush] of entity.brushes?.entries() ?? []) {
    checkBrush(brush, `${name}.brushes[${k}]`, { entity: number, brush: k });
  }
  checkList(entity.patches ?? [], `${name}.patches`);
  for (const [k, patch] of entity.patches?.entries() ?? []) {
    checkPatch(patch, `${name}.patches[${k}]`, { entity: number, patch: k });
  }
}

/** {@link checkSource} for one brush. */
export function checkBrush(
  brush: SourceBrush,
  name: string,
  { entity, brush: number }: SourcePlace = {},
): void {
  checkObject(brush, name);
  const place = { entity, brush: number, line: brush.line };
  checkProperties(brush, `${name}.`, place);
  checkList(brush.sides, `${name}.sides`);
  for (const [k, side] of brush.sides.entries()) {
    checkObject(side, `${name}.sides[${k}]`);
    const { normal, dist, texture, material, contents, surface, line = place.line } = side;
    checkKind(areNumbers(normal, 3), normal, `${name}.sides[${k}].normal`, 'three numbers');
    checkKind(typeof dist === 'number', dist, `${name}.sides[${k}].dist`, 'a number');
    if (texture !== undefined) checkTexture(texture, `${name}.sides[${k}].texture`);
    if (material !== undefined)
      checkMaterial(material, `${name}.sides[${k}].material`, { ...place, side: k, line });
    if (contents !== undefined) checkFlags(contents, `${name}.sides[${k}].contents`);
    if (surface !== undefined) checkFlags(surface, `${name}.sides[${k}].surface`);
  }
}

/** Whether these are numbers, of any size: strings that look like numbers would be concatenated instead of added. */
function areNumbers(list: ArrayLike<number>, count: number): boolean {
  if (typeof list !== 'object' || list === null) return false;
  for (let k = 0; k < count; k++) if (typeof list[k] !== 'number') return false;
  return true;
}

/** The same in an array, plain or typed: what is only like one cannot be copied as a whole. */
const isTuple = (list: readonly number[], count: number): boolean =>
  (Array.isArray(list) || ArrayBuffer.isView(list)) && areNumbers(list, count);

function checkTexture(texture: TextureAxes, name: string): void {
  checkObject(texture, name);
  for (const axis of ['s', 't'] as const)
    checkKind(isTuple(texture[axis], 4), texture[axis], `${name}.${axis}`, 'four numbers');
}

/** Checks everything in a brush except its sides; `prefix` is put before names in errors. */
export function checkProperties(
  { material, contents, detail }: Omit<SourceBrush, 'sides'>,
  prefix: string,
  place: SourcePlace = {},
): void {
  if (material !== undefined) checkMaterial(material, `${prefix}material`, place);
  if (contents !== undefined) checkFlags(contents, `${prefix}contents`);
  checkFlag(detail, `${prefix}detail`);
}

function checkPatch(patch: SourcePatch, name: string, place: SourcePlace): void {
  checkObject(patch, name);
  checkMaterial(patch.material, `${name}.material`, { ...place, line: patch.line });
  checkList(patch.points, `${name}.points`);
  for (const [k, point] of patch.points.entries())
    checkKind(isTuple(point, 5), point, `${name}.points[${k}]`, 'five numbers');
}

function checkMaterial(material: string, name: string, place: SourcePlace): void {
  checkText(material, name);
  checkQuotable(material, 'material', place, /[^\t\x20-\x7e\x80-\xff]|"/);
}

/** Checks text: no quotes, which would end it, and no control characters; in materials, also only characters of one byte. */
function checkQuotable(
  text: string,
  what: string,
  place: SourcePlace,
  wrong = /[^\t\x20-\x7e\x80-\uffff]|"/,
): void {
  const bad = wrong.exec(text)?.[0];
  if (bad === undefined) return;
  const shown = bad > '~' || bad < ' ' ? `U+${bad.charCodeAt(0).toString(16).padStart(4, '0')}` : bad;
  throw new CompileError(
    'unwritable',
    place,
    `the ${what} holds the character ${shown}, which files cannot hold`,
  );
}
