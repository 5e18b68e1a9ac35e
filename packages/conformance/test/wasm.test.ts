import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { describe, expect, it, onTestFinished } from 'vitest';
import { currentFingerprint, fingerprint } from '../../../scripts/wasm.mjs';

// Compiled kernels are kept in git, so that tests, editors and type checks need no build.

const packages = new URL('../../', import.meta.url);
const withKernel = readdirSync(packages).filter((name) => existsSync(new URL(`${name}/wasm/`, packages)));

describe('kernels in WebAssembly', () => {
  it('there are some', () => expect(withKernel.length).toBeGreaterThan(0));

  it.each(withKernel)('%s: compiled from the current sources', (name) => {
    const root = fileURLToPath(new URL(`${name}/`, packages));
    const advice = `packages/${name}/src/wasm/module.ts was compiled from other sources.
Run npx turbo run build --filter=@bspkit/${name}, and commit the file that it writes`;
    expect(currentFingerprint(root), advice).toBe(fingerprint(root));
  });

  it('are compiled whichever path leads to the script', () => {
    const folder = temporaryFolder(onTestFinished);
    symlinkSync(
      fileURLToPath(new URL('../../../scripts', import.meta.url)),
      join(folder, 'link'),
      'junction',
    );
    const script = join(folder, 'link/wasm.mjs');
    // There is no kernel here, which the script reports if it runs.
    const { status, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toContain('ENOENT');
    expect(status).toBe(1);
  });
});
