import { arenaQuake1, arenaQuake3, houseUfoai } from '@bspkit/fixtures';

/** Our own maps, one of each format. */
export const maps: Readonly<Record<'quake1' | 'quake3' | 'ufoai', Uint8Array>> = {
  quake1: arenaQuake1(),
  quake3: arenaQuake3(),
  ufoai: houseUfoai(),
};

/** Bytes of a text, Latin-1. */
export const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

/** A file that begins with a magic and a version. */
export function headed(magic: string, version: number, length = 200): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(bytesOf(magic));
  new DataView(bytes.buffer).setInt32(magic.length, version, true);
  return bytes;
}
