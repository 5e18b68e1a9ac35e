import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

// Every environment variable that something here reads is listed in CONTRIBUTING.md.

const root = resolve(import.meta.dirname, '../../..');

/** Variables by which a process passes instructions to another one that it starts. */
const BETWEEN_PROCESSES = new Set([
  'BSPKIT_ANSWERS',
  'BSPKIT_BENCH_ADDONS',
  'BSPKIT_GAME',
  'BSPKIT_QUESTIONS',
  'BSPKIT_REPLIES',
  'BSPKIT_REQUESTS',
]);

function variablesIn(folder: string, found: Set<string>): Set<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry;
    const path = join(folder, name);
    if (entry.isDirectory()) {
      if (!/^(node_modules|dist|\.turbo|\.cache|CHANGELOG\.md)$/.test(name)) variablesIn(path, found);
    } else if (path !== import.meta.filename && /\.(ts|mts|tsx|js|mjs|cjs|sh|yml)$/.test(name)) {
      for (const [variable] of readFileSync(path, 'utf8').matchAll(/\bBSPKIT_[A-Z0-9_]*[A-Z0-9]\b/g))
        found.add(variable);
    }
  }
  return found;
}

describe('environment variables', () => {
  const found = new Set<string>();
  for (const folder of ['packages', 'apps', 'scripts', '.github']) variablesIn(join(root, folder), found);
  const documented = new Set(
    readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').match(/\bBSPKIT_[A-Z0-9_]*[A-Z0-9]\b/g),
  );

  it('are listed in CONTRIBUTING.md, except those between processes of ours', () => {
    expect(found.size).toBeGreaterThan(20);
    const missing = [...found].filter((name) => !documented.has(name) && !BETWEEN_PROCESSES.has(name));
    expect(missing).toEqual([]);
  });

  it('exist if CONTRIBUTING.md lists them', () => {
    expect([...documented].filter((name) => !found.has(name))).toEqual([]);
    expect([...BETWEEN_PROCESSES].filter((name) => !found.has(name))).toEqual([]);
  });
});
