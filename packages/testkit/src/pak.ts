/** A pak of these files, in this order. */
export function writePak(...files: readonly (readonly [name: string, bytes: Uint8Array])[]): Uint8Array {
  const size = files.reduce((sum, [, bytes]) => sum + bytes.length, 0);
  const pak = new Uint8Array(12 + size + 64 * files.length);
  const view = new DataView(pak.buffer);
  const text = (at: number, words: string): void => pak.set(new TextEncoder().encode(words), at);
  text(0, 'PACK');
  view.setInt32(4, 12 + size, true);
  view.setInt32(8, 64 * files.length, true);
  let [at, record] = [12, 12 + size];
  for (const [name, bytes] of files) {
    pak.set(bytes, at);
    text(record, name);
    view.setInt32(record + 56, at, true);
    view.setInt32(record + 60, bytes.length, true);
    at += bytes.length;
    record += 64;
  }
  return pak;
}
