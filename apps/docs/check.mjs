// Checks the built site: every link leads somewhere, and pages of all kinds open in a browser without errors.
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const dist = join(dirname(fileURLToPath(import.meta.url)), 'dist');
const problems = [];

const pages = readdirSync(dist, { recursive: true })
  .filter((name) => extname(name) === '.html')
  .map((name) => join(dist, name));

/** The anchors of each page. */
const anchors = new Map(
  pages.map((page) => {
    const html = readFileSync(page, 'utf8');
    return [page, new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => decoded(id)))];
  }),
);

function decoded(text) {
  return text
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}

for (const page of readdirSync(join(dist, 'modules'))) {
  const html = readFileSync(join(dist, 'modules', page), 'utf8');
  if (!/<section class="tsd-panel tsd-typography">/.test(html))
    problems.push(`modules/${page}: no introduction`);
}

for (const page of readdirSync(join(dist, 'documents'))) {
  const html = readFileSync(join(dist, 'documents', page), 'utf8');
  if (/name="description" content="(Documentation for|")/.test(html))
    problems.push(`documents/${page}: has no description of its own`);
}

// TypeDoc leaves out links to types without a page. Anchors are in lower case.
const places = new Set([...anchors.values()].flatMap((ids) => [...ids]));
const api = join(dirname(fileURLToPath(import.meta.url)), '../../packages/conformance/api');
for (const name of readdirSync(api)) {
  const text = readFileSync(join(api, name), 'utf8');
  for (const [, member] of text.matchAll(/^ +(?:readonly )?(\w+)\??(?:<[^(]*>)?\(/gm)) {
    if (!places.has(member.toLowerCase())) problems.push(`${name}: no page describes ${member}`);
  }
}

// What a package has from another one is described there.
const fileName = (module) => module.replace(/\W/g, '_');
const described = new Set(pages.map((page) => relative(join(page, '../..'), page).replace(/^\w+./, '')));
for (const name of readdirSync(api)) {
  const [, ...sections] = readFileSync(join(api, name), 'utf8').split(/^## /m);
  for (const section of sections) {
    const [, module] = section.match(/^(\S+)/);
    for (const [, list, from] of section.matchAll(/^export {([^}]*)} from '(.*)';$/gm)) {
      for (const [exported] of from === module ? [] : list.matchAll(/\w+/g)) {
        if (described.has(`${fileName(module)}.${exported}.html`))
          problems.push(`${name}: ${exported} has its page with ${module}, not with ${from}`);
      }
    }
  }
}

let links = 0;
for (const page of pages) {
  // The playground is a single page, filled by a script.
  if (relative(dist, page).startsWith('playground')) continue;
  for (const [, , link] of readFileSync(page, 'utf8').matchAll(/\s(href|src)="([^"]*)"/g)) {
    if (/^(https?:|data:|mailto:)/.test(link)) continue;
    links++;
    const [path, anchor = ''] = decoded(link).split('#');
    let target = path === '' ? page : resolve(dirname(page), decodeURIComponent(path.split('?')[0]));
    if (existsSync(target) && statSync(target).isDirectory()) target = join(target, 'index.html');
    const from = relative(dist, page);
    if (!existsSync(target)) problems.push(`${from}: nothing at ${link}`);
    else if (anchor && anchors.has(target) && !anchors.get(target).has(decodeURIComponent(anchor))) {
      problems.push(`${from}: no such place in the page: ${link}`);
    }
  }
}

const executablePath = process.env.BSPKIT_CHROMIUM ?? '/usr/bin/chromium';
let visited = 0;
if (existsSync(executablePath)) {
  const types = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.svg': 'image/svg+xml',
  };
  const server = createServer(({ url }, response) => {
    const file = join(dist, decodeURIComponent(new URL(url, 'http://localhost').pathname));
    if (!file.startsWith(dist) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const site = `http://127.0.0.1:${server.address().port}`;
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--enable-unsafe-swiftshader'],
  });
  try {
    const page = await browser.newPage();
    let at = '';
    page.on('pageerror', (error) => problems.push(`${at}: ${error}`));
    page.on('console', (message) => {
      // What software rendering prints about itself.
      if (message.text().includes('GL Driver Message')) return;
      if (['error', 'warning'].includes(message.type())) problems.push(`${at}: ${message.text()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) problems.push(`${at}: ${response.status()} for ${response.url()}`);
    });
    // One page of each kind: all of a kind have the same scripts and styles, and where they lead was looked at above.
    const kinds = ['documents', 'classes', 'functions', 'interfaces', 'modules', 'types', 'variables'];
    const some = kinds.flatMap((kind) =>
      readdirSync(join(dist, kind))
        .slice(0, 1)
        .map((name) => `${kind}/${name}`),
    );
    for (const name of ['index.html', ...some]) {
      at = name;
      await page.goto(`${site}/${name}`, { waitUntil: 'load' });
      visited++;
      if ((await page.title()) === '') problems.push(`${at}: no title`);
      // Dark and light, as set in the visitor's system: text has enough contrast with its background.
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        const [text, back] = await page.evaluate(() => {
          const { color, backgroundColor } = getComputedStyle(document.body);
          return [color, backgroundColor].map((c) => Math.max(...c.match(/\d+/g).slice(0, 3).map(Number)));
        });
        if ((colorScheme === 'dark' ? text - back : back - text) < 128) {
          problems.push(`${at} (${colorScheme}): text of ${text} on ${back}`);
        }
      }
    }
    if (!existsSync(join(dist, 'playground'))) problems.push('playground: is not built');
    else {
      at = 'playground';
      await page.goto(`${site}/playground/index.html`, { waitUntil: 'load' });
      const isOpen = () => performance.getEntriesByName('map-open').length > 0;
      await page
        .waitForFunction(isOpen, undefined, { timeout: 30_000 })
        .catch(() => problems.push('playground: the arena does not open'));
      visited++;
    }
    at = 'search';
    await page.goto(`${site}/index.html`, { waitUntil: 'load' });
    await page.keyboard.press('/');
    await page.locator('#tsd-search-input').fill('createTracePool');
    await page
      .locator('#tsd-search-results a')
      .first()
      .waitFor({ timeout: 10_000 })
      .catch(() => problems.push('search: createTracePool is not found'));
  } finally {
    await browser.close();
    server.close();
  }
} else {
  console.log(`no browser at ${executablePath} (see BSPKIT_CHROMIUM): pages were not opened`);
}

for (const problem of new Set(problems)) console.error(problem);
console.log(
  `${pages.length} pages, ${links} links, ${visited} pages opened, ${new Set(problems).size} problems`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
