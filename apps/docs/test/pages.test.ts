import { expect, it } from 'vitest';
import { finished, notFound, REPOSITORY, SITE } from '../pages.mjs';

// What the site's build makes of the pages that TypeDoc writes.

const PAGES: Readonly<Record<string, string>> = {
  'packages/core': 'modules/core.html',
  'apps/docs/guides/things.md': 'documents/Things.html',
};
const pageOf = (path: string): string | undefined => PAGES[path];
const links = { pageOf, to: (name: string) => `../${name}` };

/** A page with this content, as it is in the site. */
const pageWith = (content: string): string =>
  finished(
    `<html><head><title>Core | bspkit</title><meta name="description" content="Of all."/></head><body>
<div class="col-content">${content}</div><div class="col-sidebar"><h3>Settings</h3><p>Theme</p></div></body></html>`,
    links,
  );

const descriptionOf = (page: string): string | undefined =>
  /<meta name="description" content="([^"]*)"/.exec(page)?.[1];

it.each([
  [`${REPOSITORY}/tree/main/packages/core`, '../modules/core.html'],
  [`${REPOSITORY}/tree/main/packages/core#units`, '../modules/core.html#units'],
  [`${REPOSITORY}/tree/main/packages/core#readme`, '../modules/core.html'],
  [`${REPOSITORY}/tree/main/packages/other#a`, undefined],
  [`${REPOSITORY}/blob/main/apps/docs/guides/things.md#arcs`, '../documents/Things.html#arcs'],
  [`${REPOSITORY}/blob/main/packages/core/src/index.ts`, undefined],
  ['https://example.org/#a', undefined],
])('a link to %s leads to %s', (address, to) => {
  const link = `<a href="${address}" class="external" target="_blank">`;
  expect(pageWith(link)).toContain(to === undefined ? link : `<a href="${to}">`);
});

it('links to the playground, and to the licences, stay on the site', () => {
  const page = pageWith(`<a href="${SITE}playground/">`);
  expect(page).toContain('<a href="../playground/index.html">');
  expect(page).toContain('<link rel="license" href="../licences.txt"/></head>');
});

it('headings of one size have one level below the same heading, however large they are', () => {
  const page = pageWith('<h1>A</h1><h3>B</h3><h4>C</h4><h4>D</h4><h3>E</h3><h2>F</h2>');
  const levels = [...page.matchAll(/<h(\d)(?: aria-level="(\d)")?/g)].map(([, size, level]) => level ?? size);
  expect(levels).toEqual(['1', '2', '3', '3', '2', '2', '2']);
  // Those whose size says so already need no other.
  expect(page).toContain('<h1>A</h1><h3 aria-level="2">B</h3>');
  expect(page).toContain('<h2>F</h2>');
});

it('screen readers hear where the page is and what each navigation is for, and find no link within a button', () => {
  const page = pageWith(
    '<nav id="tsd-sidebar-links" class="a"></nav><nav class="tsd-navigation"></nav>' +
      '<summary class="b"><h2>Methods <a href="#c" aria-label="Permalink"><svg/></a></h2></summary>',
  );
  for (const part of [
    '<div class="col-content" role="main">',
    '<div class="col-sidebar" role="complementary" aria-label="Settings and contents">',
    '<nav id="tsd-sidebar-links" aria-label="Links" class="a">',
    '<nav class="tsd-navigation" aria-label="Pages">',
  ])
    expect(page).toContain(part);
  expect(page).toMatch(/<summary class="b"><h2[^>]*>Methods <\/h2><\/summary>/);
});

it('a page is described by its first sentences, as many as search engines show', () => {
  const [one, two] = [`${'a'.repeat(99)}.`, `${'b'.repeat(58)}.`];
  expect(descriptionOf(pageWith(`<p>${one}\n<b>${two}</b></p>`))).toBe(`${one} ${two}`);
  expect(descriptionOf(pageWith(`<p>${one} b${two}</p>`))).toBe(one);
  expect(descriptionOf(pageWith(`<p>${'c'.repeat(300)}.</p>`))).toHaveLength(301);
  expect(descriptionOf(pageWith('<p>A "word": this:</p>'))).toBe('A &quot;word&quot;: this.');
  expect(descriptionOf(pageWith('none'))).toBe('Of all.');
});

it('a link to a page is shown with its title, its description and a picture', () => {
  const page = pageWith('<p>Costs $1.</p>');
  expect(page).toContain('<meta property="og:title" content="Core | bspkit"/>');
  expect(page).toContain('<meta property="og:description" content="Costs $1."/>');
  expect(page).toContain(`<meta property="og:image" content="${SITE}media/`);
});

it('the page for no address has absolute links, and no contents of another page', () => {
  const home = `<html><head><title>bspkit</title><link rel="canonical" href="${SITE}"/></head><body data-base="./">
<div><div><h1>bspkit</h1>Words.</div></div><div class="col-sidebar"></div></body></html>`;
  const page = notFound(home);
  expect(page.startsWith(`<html><head><base href="${SITE}"/>`)).toBe(true);
  expect(page).toContain('<title>Page not found | bspkit</title>');
  expect(page).toContain(`data-base="${SITE}"`);
  expect(page).not.toMatch(/Words|canonical|data-base="\.\/"/);
});

it('until the tree of all pages is there, a link leads to their list; the menu is a button', () => {
  const page = pageWith(
    '<ul id="tsd-nav-container"><li>Loading...</li></ul>' +
      '<a href="#" class="tsd-widget menu" id="tsd-toolbar-menu-trigger" data-toggle="menu" aria-label="Menu"><svg/></a>',
  );
  expect(page).toContain('<li><a href="../modules.html">All guides and packages</a></li>');
  expect(page).toMatch(
    /<button type="button" [^>]*id="tsd-toolbar-menu-trigger" aria-expanded="false" aria-label="Menu"><svg\/><\/button>/,
  );
  expect(page).not.toContain('data-toggle');
});

it('long names in titles of the API break between their words', () => {
  const page = pageWith('<div class="tsd-page-title"><h1>Function createQuake3World</h1></div><h1>asIs</h1>');
  expect(page).toContain('<h1>Function create<wbr/>Quake3<wbr/>World</h1>');
  expect(page).toContain('<h1>asIs</h1>');
});
