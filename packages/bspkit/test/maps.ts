import { compileFixture, FIXTURE_FORMATS, fixtureFor } from '@bspkit/fixtures';
import { engineMapNames, readEngineMap } from '@bspkit/fixtures/engine';
import { FORMATS } from '../src/index.ts';

type Format = (typeof FIXTURE_FORMATS)[number];

/** Our own maps, one for each format that they are compiled for. */
export const maps: Readonly<Record<Format, Uint8Array>> = Object.fromEntries(
  FIXTURE_FORMATS.map((format) => [format, compileFixture(fixtureFor(format), format).bytes]),
) as Record<Format, Uint8Array>;

/** One map of every format that can be opened; for formats that nothing compiles for, the first one kept as a file. */
export const everyMap: readonly (readonly [format: string, bytes: Uint8Array])[] = FORMATS.map(({ id }) => {
  const compiled: Uint8Array | undefined = (maps as Readonly<Record<string, Uint8Array>>)[id];
  const [kept] = engineMapNames(id);
  if (!compiled && !kept) throw new Error(`there is no map of ${id}: put one into packages/${id}/test/maps`);
  return [id, compiled ?? readEngineMap(kept!)];
});

/** The bytes of a text in Latin-1. */
export const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

/** A file that begins with a magic and a version. */
export function headed(magic: string, version: number): Uint8Array {
  const bytes = new Uint8Array(200);
  bytes.set(bytesOf(magic));
  new DataView(bytes.buffer).setInt32(magic.length, version, true);
  return bytes;
}
