import { FIXTURES, type Fixture, type FixtureName } from '@bspkit/fixtures/list';
import { FORMATS } from 'bspkit';

/** One of our own maps, as the page shows it. */
export interface OwnMap extends Fixture {
  readonly title: string;
  readonly help: string;
  /** Height above which it is cut away at first, so that one looks into it, in Quake units. */
  readonly cut: number | undefined;
}

const SHOWN: Readonly<Record<FixtureName, Omit<OwnMap, keyof Fixture>>> = {
  arena: { title: 'Arena', help: 'a hall with pool, stairs, gallery and lift', cut: 224 },
  house: { title: 'House', help: 'three storeys with doors and windows', cut: undefined },
  torture: { title: 'Torture chamber', help: 'awkward brushes in a room', cut: 160 },
};

/** Our own maps, which come with the page as text. */
export const OWN_MAPS: readonly OwnMap[] = FIXTURES.map((map) => ({ ...map, ...SHOWN[map.name] }));

/** Texts of our own maps, each loaded when it is wanted. */
export const OWN_TEXTS: Readonly<Record<FixtureName, () => Promise<{ readonly default: string }>>> = {
  arena: () => import('@bspkit/fixtures/maps/arena.map?raw'),
  house: () => import('@bspkit/fixtures/maps/house.map?raw'),
  torture: () => import('@bspkit/fixtures/maps/torture.map?raw'),
};

/** What our own maps can be compiled for: the compiler's targets, whose list is the worker's. */
export const COMPILED_FORMATS: readonly { readonly id: string; readonly name: string }[] = FORMATS;
