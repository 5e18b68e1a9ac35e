import type { Bodies } from '../bodies.ts';
import { HalfLifeRules } from './halflife.ts';
import { NearestRules } from './nearest.ts';
import { Quake1Rules } from './quake1.ts';
import { Quake2ListRules, Quake2Rules } from './quake2.ts';
import { Quake3ClientRules, Quake3Rules } from './quake3.ts';
import type { SceneRules } from './rules.ts';
import { UfoaiRules } from './ufoai.ts';

// The list of all rules: to add some, write a file for them and name it here.

export { clientBox } from './quake3.ts';

/** Rules by which a scene merges the answers of its world and its bodies: our own, or an engine's. */
export type RulesName =
  | 'nearest'
  | 'quake3'
  | 'quake3-client'
  | 'quake2'
  | 'quake2-list'
  | 'quake1'
  | 'halflife'
  | 'ufoai';

/** Makes the rules of a scene. */
export const RULES: Readonly<Record<RulesName, (bodies: Bodies) => SceneRules>> = {
  nearest: (bodies) => new NearestRules(bodies),
  quake3: (bodies) => new Quake3Rules(bodies),
  'quake3-client': (bodies) => new Quake3ClientRules(bodies),
  quake2: (bodies) => new Quake2Rules(bodies),
  'quake2-list': (bodies) => new Quake2ListRules(bodies),
  quake1: (bodies) => new Quake1Rules(bodies),
  halflife: (bodies) => new HalfLifeRules(bodies),
  ufoai: (bodies) => new UfoaiRules(bodies),
};
