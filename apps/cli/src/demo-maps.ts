import type { CompileFormat, MapSource } from '@bspkit/compile';
import { compileFixture, FIXTURE_NAMES, type FixtureName, fixtureMap } from '@bspkit/fixtures';
import { MapError } from './errors.ts';
import { FORMATS } from './format-names.ts';

/** The format that a demo map is for, when none is named. */
const OWN_FORMATS: Readonly<Record<FixtureName, CompileFormat>> = {
  arena: 'quake3',
  house: 'ufoai',
  torture: 'quake3',
};

/** The source of a map that comes with the command. Throws `MapError` when there is none of that name. */
export function demoSource(name: string): MapSource {
  return fixtureMap(checkName(name));
}

/** A demo map, compiled: `arena`, or `arena@quake1` for another format. Throws `MapError` for anything else. */
export function demoMap(spec: string): Uint8Array {
  const [first = '', format] = spec.split('@');
  const name = checkName(first);
  const wanted = format === undefined ? OWN_FORMATS[name] : FORMATS.find((known) => known === format);
  if (!wanted) throw new MapError(`demo:${spec}: no such format; there are ${FORMATS.join(', ')}`);
  return compileFixture(name, wanted).bytes;
}

function checkName(name: string): FixtureName {
  const known = FIXTURE_NAMES.find((fixture) => fixture === name);
  if (!known) throw new MapError(`demo:${name}: no such demo map; there are ${FIXTURE_NAMES.join(', ')}`);
  return known;
}
