// The texts of a world, in its buffer: Latin-1, each ended by a NUL.

/** Texts as bytes. */
export function packTexts(texts: readonly string[]): Uint8Array {
  const length = texts.reduce((sum, text) => sum + text.length + 1, 0);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const text of texts) {
    for (let k = 0; k < text.length; k++) bytes[at++] = text.charCodeAt(k);
    at++;
  }
  return bytes;
}

/** What {@link packTexts} packed. */
export function unpackTexts(bytes: Uint8Array): string[] {
  const texts: string[] = [];
  let text = '';
  for (const byte of bytes) {
    if (byte === 0) {
      texts.push(text);
      text = '';
    } else text += String.fromCharCode(byte);
  }
  return texts;
}
