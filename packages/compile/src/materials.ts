import type { FlagNames } from '@bspkit/core';
import { checkChoice, checkObject, checkText, checkWhole, failArgument } from '@bspkit/core/format';
import { quoted } from './error.ts';
import {
  CONTENTS,
  checkFlags,
  contentsNames,
  type Flags,
  kindsOf,
  SURFACE,
  surfaceNames,
  toBits,
} from './flags.ts';

/** What a material name means. */
export interface Material {
  /** Default `solid`. */
  readonly contents?: Flags | undefined;
  /** Default none. */
  readonly surface?: Flags | undefined;
  /** Light or sound value, in formats that have one. Default 0. */
  readonly value?: number | undefined;
  /** Size of the texture in texels. Default 64. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** Materials by name, or a function that finds them. Names match with or without `textures/`, in upper or lower case. */
export type Materials = Readonly<Record<string, Material>> | ((name: string) => Material | undefined);

/**
 * Checks materials as `compileMap` does before it begins, for a table that comes from a file, say: all that are in it. What a
 * function returns is checked when it is called.
 *
 * @throws TypeError and RangeError, which name the material and what is wrong with it.
 */
export function checkMaterials(materials: Materials): void {
  if (typeof materials === 'function') return;
  checkObject(materials, 'materials', 'an object or a function');
  for (const [name, material] of Object.entries(materials))
    resolve(name, material, `materials[${quoted(name)}]`);
}

/** Whether names without a meaning are refused. Throws `TypeError` or `RangeError` for a wrong option. */
export function refusesUnknown(
  materials: Materials | undefined,
  unknownMaterial: 'solid' | 'error' = materials ? 'error' : 'solid',
): boolean {
  checkChoice(unknownMaterial, 'unknownMaterial', ['solid', 'error']);
  return unknownMaterial === 'error';
}

/** What one game's tools make of a name, where that is more than a material says or differs from other games. */
export interface ToolMaterial {
  readonly material: Material;
  /** `all`: a brush with one such side is made of it; `nothing`: the brush's other sides say what it is made of. */
  readonly says?: 'all' | 'nothing' | undefined;
  /** The direction in which the brush carries those in it, by its place among those of a source brush's `currents`. */
  readonly current?: number | undefined;
  /** The only hulls that the brush is in. */
  readonly hulls?: readonly number[] | undefined;
}

/** A material with everything filled in. */
export interface ResolvedMaterial {
  readonly name: string;
  readonly contents: number;
  readonly surface: number;
  readonly value: number;
  readonly width: number;
  readonly height: number;
  /** For a name of the game's own tools. */
  readonly tool?: ToolMaterial | undefined;
}

/** Names that mean the same in all maps, by the last part of the name: the tool textures of the games' editors. */
const COMMON: Readonly<Record<string, Material>> = {
  default: {},
  clip: { contents: 'playerclip', surface: 'nodraw' },
  playerclip: { contents: 'playerclip', surface: 'nodraw' },
  actorclip: { contents: 'playerclip', surface: 'nodraw' },
  full_clip: { contents: 'playerclip', surface: 'nodraw' },
  missileclip: { contents: 'playerclip', surface: 'nodraw,nodamage,nomarks' },
  metalclip: { contents: 'playerclip', surface: 'nodraw,metalsteps' },
  monsterclip: { contents: 'monsterclip', surface: 'nodraw' },
  botclip: { contents: 'botclip', surface: 'nodraw' },
  // Solid to players and shots, but see-through: the contents of windows.
  weapclip: { contents: 'window', surface: 'nodraw,nomarks' },
  weaponclip: { contents: 'weaponclip', surface: 'nodraw' },
  lightclip: { contents: 'lightclip', surface: 'nodraw' },
  caulk: { surface: 'nodraw' },
  nodraw: { surface: 'nodraw' },
  nodrawnonsolid: { contents: 0, surface: 'nodraw' },
  skip: { surface: 'nodraw,skip' },
  hint: { contents: 0, surface: 'nodraw,hint' },
  hintskip: { contents: 0, surface: 'nodraw,skip' },
  trigger: { contents: 'trigger', surface: 'nodraw' },
  origin: { contents: 'origin', surface: 'nodraw' },
  nodrop: { contents: 'nodrop', surface: 'nodraw' },
  areaportal: { contents: 'areaportal', surface: 'nodraw' },
  clusterportal: { contents: 'clusterportal', surface: 'nodraw' },
  donotenter: { contents: 'donotenter', surface: 'nodraw' },
  water: { contents: 'water', surface: 'warp' },
  slime: { contents: 'slime', surface: 'warp' },
  lava: { contents: 'lava', surface: 'warp' },
  fog: { contents: 'fog' },
  ladder: { contents: 'ladder', surface: 'ladder,nodraw' },
  window: { contents: 'window' },
  sky: { contents: 'sky', surface: 'sky,noimpact,nolightmap' },
};

/**
 * What a material name means by the conventions of the games; `undefined` for a name without a meaning.
 * @throws TypeError for anything but text.
 */
export function commonMaterial(name: string): Material | undefined {
  checkText(name, 'name');
  const path = plainName(name).toLowerCase();
  const base = path.slice(path.lastIndexOf('/') + 1);
  // The oldest of the games marks liquids with *, the games made from it with !.
  if (/^([*!]|liquids\/)/.test(path)) {
    return COMMON[/lava/.test(base) ? 'lava' : /slime/.test(base) ? 'slime' : 'water'];
  }
  if (Object.hasOwn(COMMON, base)) return COMMON[base];
  if (path.startsWith('skies/') || base.startsWith('sky')) return COMMON.sky;
  return undefined;
}

/** A material's name without the folder that they all share. */
export const plainName = (name: string): string => name.replace(/^textures\//i, '');

/**
 * Creates the function that finds materials: first in the caller's table, then among those of the game's own tools, by names in
 * small letters, then among the common names. For a name that is in none, it returns `undefined` if `strict`, and plain solid
 * otherwise.
 */
export function createMaterialFinder(
  materials: Materials | undefined,
  strict: boolean,
  tools: Readonly<Record<string, ToolMaterial>> = {},
): (name: string) => ResolvedMaterial | undefined {
  const known = new Map<string, ResolvedMaterial | undefined>();
  const own = ownFinder(materials);
  const find = (name: string): ResolvedMaterial | undefined => {
    const given = own(name);
    const key = plainName(name).toLowerCase();
    const tool = given === undefined && Object.hasOwn(tools, key) ? tools[key] : undefined;
    const material = given ?? tool?.material ?? commonMaterial(name) ?? (strict ? undefined : {});
    return material && { ...resolve(name, material, `materials(${quoted(name)})`), tool };
  };
  return (name) => {
    if (!known.has(name)) known.set(name, find(name));
    return known.get(name);
  };
}

/** Makes the function that looks a name up in the caller's table or function. */
function ownFinder(materials: Materials | undefined): (name: string) => Material | undefined {
  if (!materials) return () => undefined;
  if (typeof materials === 'function') return (name) => materials(name) ?? materials(plainName(name));
  const alike = new Map(
    Object.entries(materials).map(([name, material]) => [plainName(name).toLowerCase(), material]),
  );
  return (name) =>
    Object.hasOwn(materials, name) ? materials[name] : alike.get(plainName(name).toLowerCase());
}

const KEYS: readonly string[] = [
  'contents',
  'surface',
  'value',
  'width',
  'height',
] satisfies (keyof Material)[];

/** Checks a material, which errors call `shown`, and fills in defaults. */
function resolve(name: string, material: Material, shown: string): ResolvedMaterial {
  checkObject(material, shown);
  for (const [key, value] of Object.entries(material)) {
    if (value === undefined || KEYS.includes(key)) continue;
    throw new TypeError(`${shown} has no ${quoted(key)}; what it may have is ${KEYS.join(', ')}`);
  }
  const { contents = CONTENTS.solid, surface = 0, value = 0, width = 64, height = 64 } = material;
  checkWhole(value, `${shown}.value`, -0x80000000, 0xffffffff);
  checkSize(width, `${shown}.width`);
  checkSize(height, `${shown}.height`);
  return {
    name,
    contents: bitsOf(contentsNames, contents, `${shown}.contents`),
    surface: bitsOf(surfaceNames, surface, `${shown}.surface`),
    value,
    width,
    height,
  };
}

function bitsOf(names: FlagNames, flags: Flags, name: string): number {
  checkFlags(flags, name);
  try {
    return toBits(names, flags);
  } catch (error) {
    throw new RangeError(`${name}: ${(error as Error).message}`, { cause: error });
  }
}

function checkSize(size: number, name: string): void {
  if (!(typeof size === 'number' && size > 0 && Number.isFinite(size)))
    failArgument(name, 'a number above 0', size);
}

/** Whether a material says nothing about what its brush is made of: caulk, nodraw, skip. */
export function isMute({ contents, surface }: ResolvedMaterial): boolean {
  const isPlain = contents === CONTENTS.solid || kindsOf(contents) === 0;
  return isPlain && (surface & SURFACE.nodraw) !== 0;
}
