import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = new URL('../guides/recipes/', import.meta.url);

it('each recipe is in the menu and in the table of its index', () => {
  const files = readdirSync(folder).filter((name) => name !== 'index.md');
  const index = readFileSync(new URL('index.md', folder), 'utf8');
  const [, head = '', text = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(index) ?? [];
  const menu = [...head.matchAll(/^ {2}- \.\/(\S+)$/gm)].map(([, name]) => name);
  const table = [...text.matchAll(/^\| .* \| \[[^\]]+\]\((\w[\w-]*\.md)\) +\|$/gm)].map(([, name]) => name);
  expect(menu.sort()).toEqual(files.sort());
  expect(table.sort()).toEqual(files);
});
