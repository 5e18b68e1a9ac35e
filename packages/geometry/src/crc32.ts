// CRC-32 as in zip, gzip and PNG (ISO 3309): detects damage, not forgery.

const POLYNOMIAL = 0xedb88320;

const TABLE: Uint32Array = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? POLYNOMIAL : 0);
  return rest;
});

/** The CRC-32 of some bytes, 32 bits without sign. Node has its own only from version 20.15 on, browsers have none. */
export function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) rest = TABLE[(rest ^ bytes[i]!) & 0xff]! ^ (rest >>> 8);
  return ~rest >>> 0;
}
