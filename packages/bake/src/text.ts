// UTF-8, as in browsers and Node.

declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/** A text as UTF-8. */
export const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The text of some UTF-8. Throws `TypeError` for bytes that are not UTF-8. */
export const decodeText = (bytes: Uint8Array): string =>
  // All of it: a byte order mark is not dropped, as it may be in the middle of what this is a part of. Browsers' decoders do not
  // accept shared memory.
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
    bytes.buffer instanceof ArrayBuffer ? bytes : new Uint8Array(bytes),
  );
