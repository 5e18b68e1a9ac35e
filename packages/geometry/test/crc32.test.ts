import { expect, it } from 'vitest';
import { crc32 } from '../src/index.ts';

it.each([
  ['', 0],
  // The check value of CRC-32/ISO-HDLC.
  ['123456789', 0xcbf43926],
  ['The quick brown fox jumps over the lazy dog', 0x414fa339],
])('the checksum of %j', (text, sum) => {
  expect(crc32(new TextEncoder().encode(text))).toBe(sum);
});
