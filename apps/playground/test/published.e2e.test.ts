import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DIST } from './browser.ts';

// The built page as it is put on a server.

/** The packages from which the page has code, by the maps of its scripts. */
function packages(): string[] {
  const assets = join(DIST, 'assets');
  const sources = readdirSync(assets)
    .filter((name) => name.endsWith('.js.map'))
    .flatMap((name): string[] => JSON.parse(readFileSync(join(assets, name), 'utf8')).sources);
  const names = sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
  return [...new Set(names)];
}

describe('what is published', () => {
  const page = readFileSync(join(DIST, 'index.html'), 'utf8');

  it('comes with the licences of all packages in it', () => {
    const text = readFileSync(join(DIST, 'licences.txt'), 'utf8');
    const all = packages();
    expect(all.sort()).toEqual(['fflate', 'three']);
    const require = createRequire(import.meta.url);
    for (const name of all) {
      const folder = require.resolve(name).replace(/^(.*node_modules.[^@/\\]+).*/, '$1');
      expect(text).toContain(readFileSync(join(folder, 'LICENSE'), 'utf8').trim());
    }
    expect(page).toMatch(/<link rel="license" href="\.\/licences\.txt" ?\/?>/);
  });

  it('is kept whole by its service worker, but for what it does not ask for', () => {
    const worker = readFileSync(join(DIST, 'service-worker.js'), 'utf8');
    const [, list = '[]'] = /^const FILES = (\[.*\]);$/m.exec(worker) ?? [];
    const files = readdirSync(join(DIST, 'assets')).filter((name) => !name.endsWith('.map'));
    expect(files.length).toBeGreaterThan(20);
    expect((JSON.parse(list) as string[]).sort()).toEqual(
      ['./', ...files.map((name) => `./assets/${name}`)].sort(),
    );
  });

  it('has a policy before all that it applies to, and nothing that this forbids', () => {
    const [, policy = ''] =
      /^[\s\S]*?<head>\s*<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    const rules = policy.replaceAll('&#39;', "'").split('; ');
    expect(rules).toContain("default-src 'none'");
    expect(rules).toContain("script-src 'self' 'wasm-unsafe-eval'");
    expect(rules).toContain("style-src 'self'");
    expect(rules.join()).not.toMatch(/'unsafe-|\*|https?:/);
    expect(page).not.toMatch(/<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=/);
  });
});
