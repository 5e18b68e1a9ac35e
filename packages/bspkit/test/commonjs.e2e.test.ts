import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { maps } from './maps.ts';

describe('as CommonJS', () => {
  it('opens worlds and throws errors of the classes that require returns', () => {
    // In a process of its own, as the test runner has Node resolve to sources. It reads a file, not a pipe: after reading from a
    // pipe, Node 20 no longer follows the links to workspaces.
    const folder = temporaryFolder(onTestFinished);
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
    expect(output).toBe('true true true\n');
  });

  it('finds the worker of pools in folders of any name, and where a test has created a document', () => {
    const home = fileURLToPath(new URL('..', import.meta.url));
    const folder = join(temporaryFolder(onTestFinished, join(home, 'node_modules/.cache')), 'C# 100%25? ');
    cpSync(join(home, 'dist'), join(folder, 'dist'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const code = `
      globalThis.document = { baseURI: 'http://localhost/' };
      const { createTracePool } = require('./dist/pool-node.cjs');
      (async () => {
        const pool = createTracePool({ threads: 1 });
        await pool.open(require('node:fs').readFileSync('house.bsp'));
        console.log('opened');
        await pool.close();
      })();`;
    writeFileSync(join(folder, 'house.bsp'), maps.ufoai);
    const output = execFileSync(process.execPath, ['--eval', code], {
      cwd: folder,
      env: {},
      encoding: 'utf8',
    });
    expect(output).toBe('opened\n');
  });

  it.each([
    ['a worker', { location: { href: 'http://localhost/worker.js' } }],
    ['a platform without addresses', {}],
  ])('serves pools in one script in %s, where there is no document', async (_, globals) => {
    const { outputFiles } = await build({
      stdin: {
        contents: `require('./dist/pool.cjs').serveTracePool();`,
        resolveDir: fileURLToPath(new URL('..', import.meta.url)),
      },
      bundle: true,
      format: 'iife',
      platform: 'browser',
      write: false,
    });
    const sent: unknown[] = [];
    runInNewContext(outputFiles[0]!.text, {
      ...globals,
      postMessage: (message: unknown) => sent.push(message),
    });
    expect(sent).toEqual([{ bspkit: 'serveTracePool' }]);
  });
});
