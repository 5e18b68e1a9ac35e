import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { arenaQuake3, houseUfoai } from '@bspkit/fixtures';
import * as quake2 from '@bspkit/quake2';
import * as quake3 from '@bspkit/quake3';
import { examplesIn, testExamples } from '@bspkit/testkit/readme';
import * as ufoai from '@bspkit/ufoai';
import { describe, expect, it } from 'vitest';
import { run } from '../../cli/src/run.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const guides = [
  { name: 'index.md', text: readFileSync(join(folder, 'index.md'), 'utf8') },
  ...readdirSync(join(folder, 'guides'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ name, text: readFileSync(join(folder, 'guides', name), 'utf8') })),
];

for (const { name, text } of guides) {
  const examples = examplesIn(text);
  if (examples.length > 0) {
    testExamples(name, folder, examples, { 'arena.bsp': arenaQuake3(), 'house.bsp': houseUfoai() });
  }
}

describe('the guides', () => {
  it('have no code that is not run, but for a few lines that say so', () => {
    const fences = guides.flatMap(({ text }) => [...text.matchAll(/^```(\S.*)$/gm)].map(([, kind]) => kind));
    expect(new Set(fences)).toEqual(new Set(['js', 'js no-run', 'sh']));
    expect(fences.filter((kind) => kind === 'js no-run').length).toBeLessThanOrEqual(1);
  });

  it('say of every mask what it stops at', () => {
    const { text } = guides.find(({ name }) => name === 'concepts.md')!;
    for (const [heading, { contentsNames, ...exports }] of [
      ['### Quake 3', quake3],
      ['### Quake 2', quake2],
      ['### UFO:AI', ufoai],
    ] as const) {
      const table = text.split(`${heading}\n`)[1]!.split('\n#')[0]!;
      const rows = [...table.matchAll(/^\| `(MASK_\w+)` +\| (?:`([^`]+)`|anything)/gm)];
      const masks = Object.entries(exports).filter(([name]) => name.startsWith('MASK_'));
      expect(rows.map(([, name]) => name).sort()).toEqual(masks.map(([name]) => name).sort());
      for (const [, name, words] of rows) {
        if (words)
          expect(words, name).toBe(contentsNames.names(Number(Object.fromEntries(masks)[name!])).join(' '));
      }
    }
  });

  const commands = guides.flatMap(({ text }) =>
    [...text.matchAll(/npx @bspkit\/cli ((?:[^`\n]|\n(?!```))*?)(?:`|\n)/g)].map(([, command]) => command!),
  );
  // What is cut short, and what wants a map that is not there.
  const whole = commands.filter((command) => /^demo\b|demo:/.test(command) && !command.includes('…'));

  it('name commands, most of which can be tried', () => {
    expect(whole.length).toBeGreaterThan(3);
  });

  it.each(whole)('`bspkit %s` works', async (command) => {
    const cwd = mkdtempSync(join(tmpdir(), 'bspkit-guides-'));
    const said: string[] = [];
    const stream = { write: (text: string | Uint8Array) => said.push(String(text)) > 0 };
    const code = await run(command.split(/\s+/), { cwd, env: {}, stdout: stream, stderr: stream });
    rmSync(cwd, { recursive: true });
    // A comparison that found differences ends with 1.
    expect(code, said.join('')).toBeLessThanOrEqual(command.startsWith('compare') ? 1 : 0);
  });
});
