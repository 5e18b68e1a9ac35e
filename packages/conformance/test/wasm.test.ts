import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { currentFingerprint, fingerprint } from '../../../scripts/wasm.mjs';

// Compiled kernels are kept in git, so that tests, editors and type checks need no build.

const packages = new URL('../../', import.meta.url);
const withKernel = readdirSync(packages).filter((name) => existsSync(new URL(`${name}/wasm/`, packages)));

describe('kernels in WebAssembly', () => {
  it('there are some', () => expect(withKernel.length).toBeGreaterThan(0));

  it.each(withKernel)('%s: compiled from the sources as they are; npm run build does it', (name) => {
    const root = fileURLToPath(new URL(`${name}/`, packages));
    expect(currentFingerprint(root)).toBe(fingerprint(root));
  });
});
