import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { maps } from './maps.ts';

describe('as CommonJS', () => {
  it('opens worlds and throws errors of the classes that are required', () => {
    // In a process of its own: the test runner has Node resolve to sources. It reads a file, not a pipe: after a read from
    // a pipe Node 20 no longer follows the links to workspaces.
    const folder = mkdtempSync(join(tmpdir(), 'bspkit-'));
    const path = join(folder, 'house.bsp');
    writeFileSync(path, maps.ufoai);
    const code = `
      const { openBsp, BspError } = require('bspkit');
      const bytes = require('node:fs').readFileSync(process.argv[1]);
      (async () => {
        const world = await openBsp(bytes);
        const error = await openBsp(bytes.subarray(0, 1000)).catch((error) => error);
        console.log(
          world instanceof require('@bspkit/ufoai').UfoaiWorld,
          error instanceof require('@bspkit/core').BspError,
          BspError === require('@bspkit/core').BspError,
        );
      })();`;
    const output = execFileSync(process.execPath, ['--eval', code, path], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: {},
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect(output).toBe('true true true\n');
  });
});
