// Figures in the guide, each between two comments that name the script which has written them.
import { readFileSync, writeFileSync } from 'node:fs';

const GUIDE = new URL('../../../apps/docs/guides/scaling.md', import.meta.url);

export function writeFigures(name, text) {
  const [before, after] = [`<!-- figures: ${name}.mjs -->`, `<!-- end of ${name}.mjs -->`];
  const guide = readFileSync(GUIDE, 'utf8');
  const from = guide.indexOf(before) + before.length;
  const to = guide.indexOf(after);
  if (from < before.length || to < 0) throw new Error(`the guide has no place for figures of ${name}`);
  writeFileSync(GUIDE, `${guide.slice(0, from)}\n\n${text}\n\n${guide.slice(to)}`);
}
