import { checkObject, checkText } from '@bspkit/core/format';
import { CONTENTS, contentsNames, type Flags, SURFACE, surfaceNames, toBits } from './flags.ts';

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

/** Materials by name, or a function that finds them; a name matches with or without `textures/`. */
export type Materials = Readonly<Record<string, Material>> | ((name: string) => Material | undefined);

/** Throws `TypeError` unless materials can be looked up, or are left out. */
export function checkMaterials(materials: Materials | undefined): void {
  if (materials !== undefined && typeof materials !== 'function') {
    checkObject(materials, 'materials', 'an object or a function');
  }
}

/** A material with everything filled in. */
export interface ResolvedMaterial {
  readonly name: string;
  readonly contents: number;
  readonly surface: number;
  readonly value: number;
  readonly width: number;
  readonly height: number;
}

/** Names that mean the same in all maps, by the last part of the name: the tool textures of the games' editors. */
const COMMON: Readonly<Record<string, Material>> = {
  default: {},
  clip: { contents: 'playerclip', surface: 'nodraw' },
  playerclip: { contents: 'playerclip', surface: 'nodraw' },
  actorclip: { contents: 'playerclip', surface: 'nodraw' },
  monsterclip: { contents: 'monsterclip', surface: 'nodraw' },
  botclip: { contents: 'botclip', surface: 'nodraw' },
  weapclip: { contents: 'weaponclip', surface: 'nodraw' },
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

/** What a material name means by the conventions of the games; `undefined` for a name without a meaning. */
export function commonMaterial(name: string): Material | undefined {
  checkText(name, 'name');
  const path = plainName(name).toLowerCase();
  const base = path.slice(path.lastIndexOf('/') + 1);
  if (path.startsWith('*') || path.startsWith('liquids/')) {
    return COMMON[/lava/.test(base) ? 'lava' : /slime/.test(base) ? 'slime' : 'water'];
  }
  if (Object.hasOwn(COMMON, base)) return COMMON[base];
  if (path.startsWith('skies/') || base.startsWith('sky')) return COMMON.sky;
  return undefined;
}

const plainName = (name: string): string => name.replace(/^textures\//, '');

/**
 * Creates the function that finds materials: first in the caller's table, then among the common names. For a name that
 * neither knows it returns `undefined` when `strict`, and plain solid otherwise.
 */
export function createMaterialFinder(
  materials: Materials | undefined,
  strict: boolean,
): (name: string) => ResolvedMaterial | undefined {
  const known = new Map<string, ResolvedMaterial | undefined>();
  const own = (name: string): Material | undefined => {
    if (typeof materials === 'function') return materials(name) ?? materials(plainName(name));
    if (!materials) return undefined;
    for (const key of [name, plainName(name)]) if (Object.hasOwn(materials, key)) return materials[key];
    return undefined;
  };
  return (name) => {
    if (!known.has(name)) {
      const material = own(name) ?? commonMaterial(name) ?? (strict ? undefined : {});
      if (material) checkObject(material, `material '${name}'`);
      known.set(name, material && resolve(name, material));
    }
    return known.get(name);
  };
}

function resolve(name: string, material: Material): ResolvedMaterial {
  return {
    name,
    contents: toBits(contentsNames, material.contents ?? CONTENTS.solid),
    surface: toBits(surfaceNames, material.surface ?? 0),
    value: material.value ?? 0,
    width: material.width ?? 64,
    height: material.height ?? 64,
  };
}

/** Whether a material says nothing about what its brush is made of: caulk, nodraw, skip. */
export function isMute(material: ResolvedMaterial): boolean {
  return material.contents === CONTENTS.solid && (material.surface & SURFACE.nodraw) !== 0;
}
