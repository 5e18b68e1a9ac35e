// What becomes of pages that TypeDoc has written, one by one. `build.mjs` calls it last.

export const SITE = 'https://bspkit.github.io/bspkit/';
export const REPOSITORY = 'https://github.com/bspkit/bspkit';
/** The address of a folder or file on GitHub. */
const IN_REPOSITORY = new RegExp(`^${REPOSITORY}/(?:tree|blob)/main/(.+)`);
/** What chats show where somebody sends a link to a page. */
const CARD = { picture: 'media/shoot.png', words: 'The playground: a player’s box is swept through a map' };

/**
 * A page as it is in the site. READMEs and guides link to each other on GitHub, where they are read too: here, the links stay on
 * the site.
 *
 * @param links - `pageOf` says which page of the site is for a folder or file of the repository, `to` how this page leads to a
 *   file of the site.
 */
export function finished(html, links) {
  return carded(
    described(accessible(breakable(withoutScripts(licensed(linked(html, links), links), links)))),
  );
}

function linked(html, { pageOf, to }) {
  return html
    .replaceAll(`"${SITE}playground/"`, `"${to('playground/index.html')}"`)
    .replace(
      /<a href="([^"#]*)(#[^"]*)?"( class="external"| target="_blank")+>/g,
      (link, url, anchor = '') => {
        const [, path] = IN_REPOSITORY.exec(url) ?? [];
        const page = path && pageOf(path);
        return page ? `<a href="${to(page)}${anchor === '#readme' ? '' : anchor}">` : link;
      },
    );
}

function licensed(html, { to }) {
  return html.replace('</head>', `<link rel="license" href="${to('licences.txt')}"/></head>`);
}

/** Until the script has the tree of all pages, and where there are no scripts, a link to their list stands in for it. */
function withoutScripts(html, { to }) {
  return html.replace(
    '<li>Loading...</li>',
    `<li><a href="${to('modules.html')}">All guides and packages</a></li>`,
  );
}

/**
 * What TypeDoc's theme lacks for screen readers: where the page itself is, and what each navigation is for. Links to a group of
 * members are left out where they are within the button that closes it. What opens the sidebar is a button, of which TypeDoc's
 * script, which heeds pointers alone, knows nothing.
 */
function accessible(html) {
  const named = html
    .replace(/(<summary[^>]*>(?:(?!<\/summary>).)*?)<a [^>]*aria-label="Permalink".*?<\/a>/gs, '$1')
    .replace('<div class="col-content">', '<div class="col-content" role="main">')
    .replace(
      '<div class="col-sidebar">',
      '<div class="col-sidebar" role="complementary" aria-label="Settings and contents">',
    )
    .replace(
      /<a href="#" (class="tsd-widget menu" id="tsd-toolbar-menu-trigger") data-toggle="menu"(.*?)<\/a>/s,
      '<button type="button" $1 aria-expanded="false"$2</button>',
    )
    .replace('<nav id="tsd-sidebar-links"', '$& aria-label="Links"')
    .replace('<nav class="tsd-navigation">', '<nav class="tsd-navigation" aria-label="Pages">')
    .replace(/<h3>(Settings|On This Page)<\/h3>/g, '<h2>$1</h2>');
  return nested(named);
}

/** Lets long names in titles of the API break between their words, as TypeDoc's list of pages does. */
function breakable(html) {
  return html.replace(
    /(<div class="tsd-page-title">.*?<h1>)(.*?)(?=<\/h1>)/s,
    (_, start, title) => start + title.replace(/(?<=[a-z\d])(?=[A-Z])/g, '<wbr/>'),
  );
}

/** Gives headings the levels that they have below each other: TypeDoc goes by size, and leaves some out. */
function nested(html) {
  const above = [];
  return html.replace(/<h([1-6])\b/g, (start, size) => {
    while (above.at(-1) >= size) above.pop();
    above.push(size);
    return above.length < size ? `${start} aria-level="${above.length}"` : start;
  });
}

/** Makes search engines show the first sentences of a page instead of the same words for all pages. */
function described(html) {
  const main = html.slice(html.indexOf('<div class="col-content"'), html.indexOf('<div class="col-sidebar"'));
  const paragraph = main.match(/<p>([\s\S]*?)<\/p>/)?.[1].replace(/<[^>]*>/g, '') ?? '';
  const sentences = paragraph
    .replace(/\s+/g, ' ')
    .replace(/:$/, '.')
    .replaceAll('"', '&quot;')
    .match(/.+?(?:[.?!](?= |$)|$)/g);
  let text = '';
  for (const sentence of sentences ?? []) {
    if (text !== '' && text.length + sentence.length > 160) break;
    text += sentence;
  }
  return text === ''
    ? html
    : html.replace(/(<meta name="description" content=")[^"]*/, (_, start) => start + text);
}

/** Gives a page the card that chats show for a link to it: its title, its description and a picture. */
function carded(html) {
  const [, title] = html.match(/<title>([^<]*)/);
  const [tag, description] = html.match(/<meta name="description" content="([^"]*)"\/>/);
  const card = {
    'og:title': title,
    'og:description': description,
    'og:image': SITE + CARD.picture,
    'og:image:alt': CARD.words,
  };
  const tags = Object.entries(card).map(([name, text]) => `<meta property="${name}" content="${text}"/>`);
  return html.replace(
    tag,
    () => `${tag}${tags.join('')}<meta name="twitter:card" content="summary_large_image"/>`,
  );
}

/** The page for addresses that lead nowhere. It is served at any address, so all of its links are absolute. */
export function notFound(home) {
  const start = home.indexOf('<h1');
  const end = home.indexOf('<div class="col-sidebar"');
  const text = `<h1>There is no such page</h1>
<p>Names in the API change with releases. Try the search, which <kbd>/</kbd> opens,
<a href="documents/Getting_started.html">Getting started</a> or the <a href="index.html">first page</a>.</p></div></div>`;
  return `${home.slice(0, start)}${text}${home.slice(end)}`
    .replace('data-base="./"', `data-base="${SITE}"`)
    .replace('<head>', `<head><base href="${SITE}"/><meta name="robots" content="noindex"/>`)
    .replace(/<link rel="canonical"[^>]*>/, '')
    .replace('<title>bspkit', '<title>Page not found | bspkit')
    .replace(/<details open class="tsd-accordion tsd-page-navigation">[\s\S]*?<\/details>/, '');
}
