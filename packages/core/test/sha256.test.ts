import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { sha256 } from '../src/format/index.ts';

it("hashes bytes of every length as the platform's own SHA-256 does", () => {
  const bytes = Uint8Array.from({ length: 300 }, (_, k) => (k * 167 + 13) & 255);
  for (let length = 0; length < bytes.length; length++) {
    const part = bytes.subarray(0, length);
    expect(sha256(part)).toBe(createHash('sha256').update(part).digest('hex'));
  }
  const long = new Uint8Array(1 << 19).fill(255);
  expect(sha256(long)).toBe(createHash('sha256').update(long).digest('hex'));
});
