// Checks the built site: every link leads somewhere, and pages of all kinds open in a browser without errors.
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import { accessProblems } from '@bspkit/testkit/axe';
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

/** Whether a word of the title, in the page, does not fit into a line. */
function isTitleBroken() {
  const title = document.querySelector('.tsd-page-title > h1');
  if (!title) return false;
  const height = title.offsetHeight;
  title.style.overflowWrap = 'normal';
  const isBroken = title.scrollWidth > title.clientWidth || title.offsetHeight < height;
  title.style.overflowWrap = '';
  return isBroken;
}

/** The heads of tables of three columns, in the page, that do not fit into it. */
function scrolledTables() {
  return [...document.querySelectorAll('.tsd-typography table')]
    .filter((table) => table.rows[0].cells.length === 3 && table.scrollWidth > table.clientWidth)
    .map((table) => [...table.rows[0].cells].map((cell) => cell.textContent).join(', '));
}

/** What in the page, as it is printed, is wider than the paper: nobody scrolls that. */
function cutOnPaper() {
  return [...document.querySelectorAll('.col-content :is(table, pre, .tsd-signature, img)')]
    .filter((box) => box.scrollWidth > box.clientWidth || box.getBoundingClientRect().right > innerWidth)
    .map((box) => `${box.localName} "${box.textContent.trim().replace(/\s+/g, ' ').slice(0, 40)}"`);
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

// Guides and packages are found in the tree of all pages.
const [, packed] = readFileSync(join(dist, 'assets/navigation.js'), 'utf8').match(/= "([^"]*)"/);
const inTree = new Set();
const addTree = (nodes = []) => {
  for (const { path, children } of nodes) {
    inTree.add(path);
    addTree(children);
  }
};
addTree(JSON.parse(inflateSync(Buffer.from(packed, 'base64'))));
for (const folder of ['documents', 'modules'])
  for (const page of readdirSync(join(dist, folder)))
    if (!inTree.has(`${folder}/${page}`)) problems.push(`${folder}/${page}: is not in the tree of all pages`);

// Chats show a picture for a link to any page.
for (const page of pages) {
  const [, picture] =
    readFileSync(page, 'utf8').match(/property="og:image" content="https:[^"]*?\/bspkit\/([^"]*)"/) ?? [];
  if (!picture || !existsSync(join(dist, picture)))
    problems.push(`${relative(dist, page)}: has no picture for links`);
}

// Others' licences want to be in each copy of their code: scripts say whose they are.
const licences = readFileSync(join(dist, 'licences.txt'), 'utf8');
for (const name of ['Apache License', 'Oliver Nightingale'])
  if (!licences.includes(name)) problems.push(`licences.txt: has nothing of ${name}`);
for (const page of pages.filter((page) => !relative(dist, page).startsWith('playground'))) {
  const [, file] = readFileSync(page, 'utf8').match(/<link rel="license" href="([^"]*)"/) ?? [];
  if (!file || resolve(dirname(page), file) !== join(dist, 'licences.txt'))
    problems.push(`${relative(dist, page)}: does not say where the licences are`);
}

// The same code has the same colours everywhere: the highlighter leaves a line as it is when it takes too long.
const colors = new Set();
for (const page of [
  'index.html',
  ...readdirSync(join(dist, 'documents')).map((name) => `documents/${name}`),
]) {
  const html = readFileSync(join(dist, page), 'utf8');
  for (const [, kind] of html.matchAll(/<span class="(hl-\d+)">&#39;node:fs&#39;<\/span>/g)) colors.add(kind);
}
if (colors.size !== 1) problems.push(`'node:fs' is highlighted in ${colors.size} ways`);

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

/** Texts of a page with less contrast than WCAG asks for (AA), each with its colours. Runs in the page. */
function faintTexts() {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  /** What is seen of colours on top of each other, the last of them this opaque. */
  const drawn = (colors, opacity = 1) => {
    context.clearRect(0, 0, 1, 1);
    for (const [k, color] of colors.entries()) {
      context.globalAlpha = k === colors.length - 1 ? opacity : 1;
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
    }
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const luminances = new Map();
  const luminance = (colors, opacity) => {
    const key = `${colors} ${opacity}`;
    if (!luminances.has(key)) {
      const [r, g, b] = drawn(colors, opacity).map((part) => {
        const x = part / 255;
        return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
      });
      luminances.set(key, 0.2126 * r + 0.7152 * g + 0.0722 * b);
    }
    return luminances.get(key);
  };
  const found = new Map();
  for (const element of document.querySelectorAll('body :not(script, style, option)')) {
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const text = own.map(({ data }) => data.trim()).join(' ');
    if (text.trim() === '' || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      continue;
    const behind = ['#fff'];
    let opaque = 1;
    for (let one = element; one; one = one.parentElement) {
      const { backgroundColor, opacity } = getComputedStyle(one);
      behind.splice(1, 0, backgroundColor);
      opaque *= opacity;
    }
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const [dark, light] = [luminance(behind), luminance([...behind, color], opaque)].sort((a, b) => a - b);
    const contrast = (light + 0.05) / (dark + 0.05);
    const isLarge = Number.parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24);
    if (contrast >= (isLarge ? 3 : 4.5)) continue;
    const key = `${color} on ${behind.at(-1)}`;
    if (!found.has(key)) found.set(key, `contrast of ${contrast.toFixed(2)}: "${text.slice(0, 40)}", ${key}`);
  }
  return [...found.values()];
}

/** Takes what is folded away out of the tree of all packages: nobody sees it, and there is much of it. Runs in the page. */
function dropFolded() {
  for (const folded of document.querySelectorAll('#tsd-nav-container details:not([open]) > :not(summary)'))
    folded.remove();
}

/** Where a link leads, by its path: the page of a folder is its index. Most links are to what others have led to. */
const targets = new Map();
function targetOf(path) {
  if (!targets.has(path)) {
    const target = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path;
    targets.set(path, existsSync(target) ? target : undefined);
  }
  return targets.get(path);
}

let links = 0;
for (const page of pages) {
  // The playground is a single page, filled by a script.
  if (relative(dist, page).startsWith('playground')) continue;
  for (const [, , link] of readFileSync(page, 'utf8').matchAll(/\s(href|src)="([^"]*)"/g)) {
    if (/^(https?:|data:|mailto:)/.test(link)) continue;
    links++;
    const [path, anchor = ''] = decoded(link).split('#');
    const target =
      path === '' ? page : targetOf(resolve(dirname(page), decodeURIComponent(path.split('?')[0])));
    if (target === undefined) problems.push(`${relative(dist, page)}: nothing at ${link}`);
    else if (anchor && anchors.has(target) && !anchors.get(target).has(decodeURIComponent(anchor))) {
      problems.push(`${relative(dist, page)}: no such place in the page: ${link}`);
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
  /**
   * The pages that get the tree of all packages, as it is at first and opened at a package. On other pages it is the same, and it is
   * nine tenths of their elements.
   */
  const withTree = ['index.html', `modules/${readdirSync(join(dist, 'modules'))[0]}`];
  const server = createServer(({ url, headers }, response) => {
    const file = join(dist, decodeURIComponent(new URL(url, 'http://localhost').pathname));
    if (file.endsWith('navigation.js') && !withTree.some((name) => headers.referer?.endsWith(`/${name}`))) {
      response.writeHead(200, { 'content-type': types['.js'] }).end();
      return;
    }
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
  /** A page that lists what it says of errors, with the name of what is open in it. */
  const newPage = async () => {
    const page = await browser.newPage();
    const open = { page, name: '' };
    const say = (problem) => problems.push(`${open.name}: ${problem}`);
    page.on('pageerror', say);
    page.on('console', (message) => {
      // What software rendering prints about itself.
      if (message.text().includes('GL Driver Message')) return;
      if (['error', 'warning'].includes(message.type())) say(message.text());
    });
    page.on('response', (response) => {
      if (response.status() >= 400) say(`${response.status()} for ${response.url()}`);
    });
    return open;
  };
  /** Opens a page of the site in one of the browser's. */
  const show = async (open, name) => {
    open.name = name;
    await open.page.goto(`${site}/${name}`, { waitUntil: 'load' });
    // TypeDoc shows pages once they have the tree.
    await open.page.locator('body').waitFor();
    visited++;
  };
  const lookAt = async (open, name) => {
    const { page } = open;
    await show(open, name);
    if ((await page.title()) === '') problems.push(`${name}: no title`);
    if (withTree.includes(name)) {
      await page.locator('#tsd-nav-container details').first().waitFor({ state: 'attached' });
      await page.evaluate(dropFolded);
    }
    // Dark and light, as set in the visitor's system, once the one has turned into the other.
    await page.addStyleTag({ content: '* { transition: none !important; }' });
    for (const [media, colorScheme] of [
      ['print', 'dark'],
      ['screen', 'dark'],
      ['screen', 'light'],
    ]) {
      await page.emulateMedia({ media, colorScheme });
      for (const faint of await page.evaluate(faintTexts))
        problems.push(`${name} (${media}, ${colorScheme}): ${faint}`);
    }
    // All but colours, which were looked at, is the same in the dark.
    for (const problem of await accessProblems(page, ['color-contrast']))
      problems.push(`${name}: ${problem}`);
    // Phones scroll one way.
    await page.setViewportSize({ width: 320, height: 640 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 320) problems.push(`${name}: ${width} pixels wide on a screen of 320`);
    await page.setViewportSize({ width: 390, height: 844 });
    for (const table of await page.evaluate(scrolledTables))
      problems.push(`${name}: a table of three columns is scrolled on phones: ${table}`);
    const title = await page.locator('.tsd-page-title > h1').allTextContents();
    if (await page.evaluate(isTitleBroken))
      problems.push(`${name}: the title breaks within a name: ${title}`);
    // A4 with margins of a centimetre.
    await page.setViewportSize({ width: 718, height: 1047 });
    await page.emulateMedia({ media: 'print' });
    for (const cut of await page.evaluate(cutOnPaper)) problems.push(`${name}: cut off on paper: ${cut}`);
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 1280, height: 720 });
  };
  try {
    // At least one page of each kind: all of a kind have the same scripts and styles, and where they lead was looked at above.
    const kinds = ['classes', 'modules', 'types', 'variables'];
    const some = kinds.map((kind) => `${kind}/${readdirSync(join(dist, kind))[0]}`);
    const guides = [
      'From_one_core_to_a_thousand_machines', // has the widest tables
      'Getting_started',
      'Kernels_and_speed',
      'Questions_and_answers',
      'Recipes.Monsters',
      'Which_package,_which_algorithm',
    ];
    // Pages with the longest types: of parameters, of type parameters, and of what is returned.
    const long = [
      'interfaces/_bspkit_bake.BakeStore',
      'functions/bspkit.createWorld',
      'interfaces/bspkit_pool.TracePool',
    ];
    // One of the longest names, in a title and below others.
    const longNamed = 'interfaces/_bspkit_movement.QuakeWorldMoverOptions';
    const names = [
      'index.html',
      `${longNamed}.html`,
      ...guides.map((guide) => `documents/${guide}.html`),
      ...long.map((page) => `${page}.html`),
      ...some,
    ].values();
    // Two at a time: most of it is work of the pages' own processes.
    const [open, other] = await Promise.all([newPage(), newPage()]);
    const lookAtSome = async (open) => {
      for (const name of names) await lookAt(open, name);
    };
    await Promise.all([lookAtSome(open), lookAtSome(other)]);
    const { page } = open;
    if (!existsSync(join(dist, 'playground'))) problems.push('playground: is not built');
    else {
      await show(open, 'playground/index.html');
      const isOpen = () => performance.getEntriesByName('map-open').length > 0;
      await page
        .waitForFunction(isOpen, undefined, { timeout: 30_000 })
        .catch(() => problems.push('playground: the arena does not open'));
    }
    await show(open, 'index.html');
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
