// Tables and code that are wider than the page can be scrolled with the keyboard; others are no stop on the way.
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute('tabindex');
  }
});

/**
 * TypeDoc's script puts links to pages into the buttons that show the pages below them. To a screen reader, nothing is in a
 * button: each link comes before its button instead, which gets a name of its own.
 */
function separateLinks(navigation) {
  for (const link of navigation.querySelectorAll('summary > a')) {
    const button = link.parentElement;
    button.ariaLabel = `Below ${link.textContent.trim()}`;
    button.parentElement.before(link);
  }
}

/**
 * TypeDoc's script hands what it reads from the field to lunr, for which some signs are syntax that may be wrong, and whose words
 * have no signs at their ends: of `@bspkit/core`, `createWorld()` and `name:` it gets the words alone.
 */
function searchPlainWords(field) {
  const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  // As long as what was typed, all of which is selected when the search is opened again.
  const words = () => get.call(field).replace(/[^\p{L}\p{N}_$/]/gu, (sign) => ' '.repeat(sign.length));
  Object.defineProperty(field, 'value', { configurable: true, get: words, set });
}

addEventListener('DOMContentLoaded', () => {
  for (const box of document.querySelectorAll('.tsd-typography table, pre, .tsd-signature'))
    observer.observe(box);
  const field = document.querySelector('#tsd-search-input');
  if (field) searchPlainWords(field);
  const navigation = document.querySelector('#tsd-nav-container');
  if (!navigation) return;
  separateLinks(navigation);
  // It comes a little later, all at once.
  new MutationObserver(() => separateLinks(navigation)).observe(navigation, { childList: true });
});
