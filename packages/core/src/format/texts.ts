import { failArgument } from '../kinds.ts';

// The texts of a world, in its buffer: Latin-1, each ended by a NUL.

/**
 * Texts as bytes. They are Latin-1 without NULs, as those of files are.
 * @throws RangeError for any other, which a file changed by a program may have.
 */
export function packTexts(texts: readonly string[]): Uint8Array {
  const length = texts.reduce((sum, text) => sum + text.length + 1, 0);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const text of texts) {
    for (let k = 0; k < text.length; k++) {
      const code = text.charCodeAt(k);
      // A byte would keep another letter of it, and a NUL would end the text.
      if (!code || code > 255) failArgument('texts of a map', 'Latin-1 without NULs', text[k], true);
      bytes[at++] = code;
    }
    at++;
  }
  return bytes;
}

/** What {@link packTexts} packed. */
export function unpackTexts(bytes: Uint8Array): string[] {
  const texts: string[] = [];
  for (let from = 0, nul = bytes.indexOf(0); nul >= 0; from = nul + 1, nul = bytes.indexOf(0, from)) {
    texts.push(decodeLatin1(bytes.subarray(from, nul)));
  }
  return texts;
}

/** Bytes of text that are decoded at once: they are arguments of one call. */
const PIECE = 4096;

/** Decodes Latin-1 text in pieces: letter by letter, megabytes of text would become a rope of as many strings. */
export function decodeLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return text;
}
