import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { expect, it, onTestFinished } from 'vitest';
import { maps } from './maps.ts';

it('starts pools from code on the command line, whatever its module type', () => {
  const folder = temporaryFolder(onTestFinished);
  const path = join(folder, 'arena.bsp');
  writeFileSync(path, maps.quake3);
  const code = `
    (async () => {
      const { createTracePool } = await import('bspkit/pool');
      const { readFileSync } = await import('node:fs');
      const pool = createTracePool({ threads: 1 });
      const world = await pool.open(readFileSync(process.argv[1]));
      const segments = Float32Array.of(0, 0, 64, 0, 0, -4096);
      const { fraction } = await pool.traceBatch({ world, tracer: { kind: 'ray' }, segments });
      console.log(fraction[0] < 1);
      await pool.close();
    })();`;
  const answers = [['--input-type=module'], ['--input-type', 'commonjs'], []].map((type) =>
    execFileSync(process.execPath, [...type, '--eval', code, path], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: {},
      encoding: 'utf8',
    }),
  );
  expect(answers).toEqual(['true\n', 'true\n', 'true\n']);
});
