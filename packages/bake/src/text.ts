// UTF-8, as browsers and Node have it.

declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean },
) => { decode(bytes: Uint8Array): string };

/** A text in UTF-8. */
export const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The text of some UTF-8. Throws `TypeError` for bytes that are none. */
export const decodeText = (bytes: Uint8Array): string =>
  // Browsers' decoders take no shared memory.
  new TextDecoder('utf-8', { fatal: true }).decode(
    bytes.buffer instanceof ArrayBuffer ? bytes : new Uint8Array(bytes),
  );
