import { CompileError, type SourcePlace } from './error.ts';
import type { MapSource, SourceBrush, SourceEntity, SourcePatch } from './source.ts';

/**
 * Checks what a map source consists of, so that the compiler may trust its shape.
 *
 * @throws `TypeError` naming the part that is not what it should be, CompileError (`unwritable`) for names, keys and
 *   values that neither BSP files nor `.map` text can hold.
 */
export function checkSource(map: MapSource): void {
  checkArray(map?.entities, 'map.entities');
  for (const [number, entity] of map.entities.entries()) checkEntity(entity, number);
}

function checkEntity(entity: SourceEntity, number: number): void {
  const name = `map.entities[${number}]`;
  checkObject(entity, name);
  checkObject(entity.properties, `${name}.properties`);
  const place = { entity: number, line: entity.line };
  for (const [key, value] of Object.entries(entity.properties)) {
    checkString(value, `${name}.properties['${key}']`);
    checkText(key, 'key', place);
    checkText(value, `value of '${key}'`, place);
  }
  checkArray(entity.brushes ?? [], `${name}.brushes`);
  for (const [k, brush] of entity.brushes?.entries() ?? []) {
    checkBrush(brush, `${name}.brushes[${k}]`, { entity: number, brush: k });
  }
  checkArray(entity.patches ?? [], `${name}.patches`);
  for (const [k, patch] of entity.patches?.entries() ?? []) {
    checkPatch(patch, `${name}.patches[${k}]`, { entity: number, patch: k });
  }
}

function checkBrush(brush: SourceBrush, name: string, { entity, brush: number }: SourcePlace): void {
  checkObject(brush, name);
  const place = { entity, brush: number, line: brush.line };
  checkMaterial(brush.material ?? '', `${name}.material`, place);
  checkArray(brush.sides, `${name}.sides`);
  for (const [k, side] of brush.sides.entries()) {
    checkObject(side, `${name}.sides[${k}]`);
    checkObject(side.normal, `${name}.sides[${k}].normal`);
    checkMaterial(side.material ?? '', `${name}.sides[${k}].material`, {
      ...place,
      side: k,
      line: side.line ?? place.line,
    });
  }
}

function checkPatch(patch: SourcePatch, name: string, place: SourcePlace): void {
  checkObject(patch, name);
  checkMaterial(patch.material, `${name}.material`, { ...place, line: patch.line });
  checkArray(patch.points, `${name}.points`);
  for (const [k, point] of patch.points.entries()) checkArray(point, `${name}.points[${k}]`);
}

function checkMaterial(material: string, name: string, place: SourcePlace): void {
  checkString(material, name);
  checkText(material, 'material', place);
}

/** Files hold one byte per character, and quotes end a text. */
function checkText(text: string, what: string, place: SourcePlace): void {
  const bad = /[^\t\x20-\x7e\x80-\xff]|"/.exec(text)?.[0];
  if (bad === undefined) return;
  const shown = bad > '~' || bad < ' ' ? `U+${bad.charCodeAt(0).toString(16).padStart(4, '0')}` : bad;
  throw new CompileError(
    'unwritable',
    place,
    `the ${what} holds the character ${shown}, which files cannot hold`,
  );
}

function checkArray(value: unknown, name: string): void {
  if (!Array.isArray(value)) throw new TypeError(`${name} must be an array, got ${show(value)}`);
}

function checkObject(value: unknown, name: string): void {
  if (typeof value !== 'object' || value === null) {
    throw new TypeError(`${name} must be an object, got ${show(value)}`);
  }
}

function checkString(value: unknown, name: string): void {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string, got ${show(value)}`);
}

const show = (value: unknown): string =>
  typeof value === 'string'
    ? `'${value.slice(0, 40)}'`
    : typeof value === 'object' && value
      ? 'an object'
      : String(value);
