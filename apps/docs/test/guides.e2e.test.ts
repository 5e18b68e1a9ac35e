import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { arenaQuake1, arenaQuake2, arenaQuake3, houseUfoai } from '@bspkit/fixtures';
import * as quake2 from '@bspkit/quake2';
import * as quake3 from '@bspkit/quake3';
import { CHROMIUM_ARGUMENTS } from '@bspkit/testkit/browsers';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { writePak } from '@bspkit/testkit/pak';
import { examplesIn, testExamples, testFilesIn } from '@bspkit/testkit/readme';
import * as ufoai from '@bspkit/ufoai';
import { buildSync } from 'esbuild';
import { gzipSync, zipSync } from 'fflate';
import { type Browser, chromium } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../cli/src/run.ts';

const CHROMIUM = process.env.BSPKIT_CHROMIUM ?? '/usr/bin/chromium';
const folder = fileURLToPath(new URL('..', import.meta.url));
const guides = [
  { name: 'index.md', text: readFileSync(join(folder, 'index.md'), 'utf8') },
  ...readdirSync(join(folder, 'guides'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ name, text: readFileSync(join(folder, 'guides', name), 'utf8') })),
];

const [arena, textFile] = [arenaQuake3(), new TextEncoder().encode('An arena.')];
const maps = {
  'arena.bsp': arena,
  'arena1.bsp': arenaQuake1(),
  'arena2.bsp': arenaQuake2(),
  'arena.bsp.gz': gzipSync(arena),
  'arena.pk3': zipSync({ 'maps/arena.bsp': arena, 'arena.txt': textFile }),
  'pak0.pak': writePak(['maps/arena.bsp', arenaQuake1()], ['readme.txt', textFile]),
  'house.bsp': houseUfoai(),
};

/** Modules that workers run, by file name; the name depends on the language. */
const workersIn = (text: string): { name: string; code: string }[] =>
  [...text.matchAll(/^```js (\S+\.mjs)\n(.*?)^```/gms)].map(([, name, code]) => ({
    name: name!,
    code: code!,
  }));

/** A worker uses Node's own loader, so sources are bundled for it. */
const bundled = (contents: string): Uint8Array =>
  buildSync({
    stdin: { contents, resolveDir: folder },
    ...{ bundle: true, write: false, format: 'esm', platform: 'node', conditions: ['@bspkit/source'] },
  }).outputFiles[0]!.contents;

for (const { name, text } of guides) {
  const examples = examplesIn(text);
  const workers = workersIn(text).map(({ name, code }) => [name, bundled(code)]);
  if (examples.length > 0) testExamples(name, folder, examples, { ...maps, ...Object.fromEntries(workers) });
}

describe('the guides', () => {
  it('have no code that is not run', () => {
    // What is in those of the command is tried with it: apps/cli/test/readme.test.ts.
    const others = guides.filter(({ name }) => !['command.md', 'batch.md'].includes(name));
    const fences = others.flatMap(({ text }) => [...text.matchAll(/^```(\S.*)$/gm)].map(([, kind]) => kind));
    // Files of tests are run where packed packages are tried, in a project that installs them.
    const files = guides.flatMap(({ text }) =>
      [...workersIn(text), ...testFilesIn(text)].map(({ name }) => `js ${name}`),
    );
    expect(new Set(fences)).toEqual(new Set(['html', 'js', 'sh', ...files]));
  });

  const pages = guides.flatMap(({ text }) => [
    ...text.matchAll(/^```html\n(.*?)^```.*?the page says `([^`]*)`/gms),
  ]);

  it('have one page', () => expect(pages).toHaveLength(1));

  it.runIf(existsSync(CHROMIUM)).each(pages.map(([, html, says]) => [says!, html!]))(
    `have a page that, built by Vite and opened in ${CHROMIUM}, says %s`,
    async (says, html) => {
      const root = temporaryFolder(onTestFinished, join(folder, 'node_modules/.cache'));
      let server: PreviewServer | undefined;
      let browser: Browser | undefined;
      try {
        mkdirSync(join(root, 'public'));
        writeFileSync(join(root, 'public/arena.bsp'), arena);
        writeFileSync(join(root, 'index.html'), html);
        await build({ root, logLevel: 'error' });
        server = await preview({ root, preview: { port: 0, host: '127.0.0.1' } });
        browser = await chromium.launch({ executablePath: CHROMIUM, args: [...CHROMIUM_ARGUMENTS] });
        const page = await browser.newPage();
        await page.goto(server.resolvedUrls!.local[0]!);
        await expect.poll(() => page.locator('output').textContent()).toBe(says);
      } finally {
        await browser?.close();
        await server?.close();
      }
    },
  );

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
  // Commands that are not abbreviated, and need no map that is not there.
  const whole = [...new Set(commands)].filter(
    (command) => /^demo\b|demo:/.test(command) && !command.includes('…'),
  );

  it('name commands, most of which can be tested', () => {
    expect(whole.length).toBeGreaterThan(3);
  });

  it.each(whole)('`bspkit %s` works', async (command) => {
    const cwd = temporaryFolder(onTestFinished);
    const said: string[] = [];
    const stream = { write: (text: string | Uint8Array) => said.push(String(text)) > 0 };
    const code = await run(command.split(/\s+/), { cwd, env: {}, stdout: stream, stderr: stream });
    // A comparison that found differences exits with 1.
    expect(code, said.join('')).toBeLessThanOrEqual(command.startsWith('compare') ? 1 : 0);
  });
});
