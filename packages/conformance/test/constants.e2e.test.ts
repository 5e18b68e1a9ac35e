import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

// Bundlers turn top-level constants into `var`, which costs kernels a third of their speed and players a fifth.

const packages = new URL('../../', import.meta.url);
const published = readdirSync(packages).filter(
  (name) => !JSON.parse(readFileSync(new URL(`${name}/package.json`, packages), 'utf8')).private,
);

describe('in the bundle of a user', () => {
  it.each(published)('%s: numbers are inlined where they are used', async (name) => {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL(`${name}/dist/index.js`, packages))],
      bundle: true,
      platform: 'node',
      format: 'esm',
      // A peer of one package, with constants of its own.
      external: ['vitest'],
      write: false,
      logLevel: 'silent',
    });
    const code = outputFiles[0]!.text;
    const names = [...code.matchAll(/^var (\w+) = -?[\d.]+(?:e[-+]?\d+)?;/gm)].map(([, text]) => text!);
    const isExported = (text: string): boolean => new RegExp(`^export \\{[^}]*\\b${text}\\b`, 'm').test(code);
    // A counter is no constant.
    const isCounted = (text: string): boolean => new RegExp(`\\b${text}\\+\\+`).test(code);
    const read = names.filter((text) => !isExported(text) && !isCounted(text));
    expect(read).toEqual([]);
    expect(code).not.toMatch(/^var \w+ = Math\.fround;/m);
  });
});
