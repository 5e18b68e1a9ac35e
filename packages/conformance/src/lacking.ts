import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BspFormatEntry } from '@bspkit/core/format';
import { engineMapNames } from '@bspkit/fixtures/engine';
import { ROOT } from './sources.ts';

// What a format needs outside its folder, or in it for tools: whatever cannot follow from the list of formats because people read
// it or tools write it. The guide about adding a format says the same in words.

const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** What the repository lacks for a format that is on the list: what to put where. */
export function lackingOf({ id }: Pick<BspFormatEntry, 'id'>): string[] {
  const name = `@bspkit/${id}`;
  const folder = `packages/${id}`;
  const lacking: string[] = [];
  const need = (isThere: boolean, what: string): void => {
    if (!isThere) lacking.push(what);
  };
  for (const file of ['package.json', 'README.md', 'LICENSE', '.size-limit.json']) {
    need(existsSync(join(ROOT, folder, file)), `${folder}/${file}`);
  }
  need(engineMapNames(id).length > 0, `${folder}/test/maps: maps to test with, NAME.bsp.gz`);
  const umbrella = JSON.parse(text('packages/bspkit/package.json')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  need(name in umbrella.dependencies, `packages/bspkit/package.json: ${name} among the dependencies`);
  need(text('package-lock.json').includes(`"node_modules/${name}"`), 'package-lock.json: npm run lock');
  need(text('README.md').includes(`[\`${name}\`](${folder})`), `README.md: a row for ${name}`);
  const sizes = `| what \`openBsp\` loads for \`${id}\` `;
  need(text('packages/bspkit/README.md').includes(sizes), `packages/bspkit/README.md: a row "${sizes}|"`);
  const batch = 'apps/docs/guides/batch.md';
  need(text(batch).includes(`\n| ${id} `), `${batch}: a row per kind of rows of ${id}`);
  need(
    existsSync(join(ROOT, `packages/conformance/api/${id}.md`)),
    `packages/conformance/api/${id}.md: npm run api`,
  );
  const hashes = 'packages/conformance/determinism/hashes-2000.json';
  need(
    text(hashes).includes(`\n  "${id} `),
    `${hashes}: npm test -- packages/conformance/test/determinism -u`,
  );
  return lacking;
}
