import type { CompileFormat } from '@bspkit/compile';
import { FORMATS } from 'bspkit';

/** Our own maps, which come with the page as text. */
export const OWN_MAPS = [
  {
    name: 'arena',
    title: 'Arena',
    help: 'a hall with pool, stairs, gallery and lift',
    format: 'quake3',
    cut: 224,
  },
  {
    name: 'house',
    title: 'House',
    help: 'three storeys with doors and windows',
    format: 'ufoai',
    cut: undefined,
  },
  {
    name: 'torture',
    title: 'Torture chamber',
    help: 'awkward brushes in a room',
    format: 'quake3',
    cut: 160,
  },
] as const satisfies readonly {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  readonly format: CompileFormat;
  /** Height above which it is cut away at first, so that one looks into it. */
  readonly cut: number | undefined;
}[];

export type OwnMapName = (typeof OWN_MAPS)[number]['name'];

/** Texts of our own maps, each loaded when it is wanted. */
export const OWN_TEXTS: Readonly<Record<OwnMapName, () => Promise<{ readonly default: string }>>> = {
  arena: () => import('@bspkit/fixtures/maps/arena.map?raw'),
  house: () => import('@bspkit/fixtures/maps/house.map?raw'),
  torture: () => import('@bspkit/fixtures/maps/torture.map?raw'),
};

/** What our own maps can be compiled for: the compiler's targets, whose list is the worker's. */
export const COMPILED_FORMATS: readonly { readonly id: string; readonly name: string }[] = FORMATS;
