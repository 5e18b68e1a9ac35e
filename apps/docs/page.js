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
 * have no signs at their ends: of `@bspkit/core`, `createWorld()` and `name:` it gets the words alone. Of signs alone it gets what
 * is nowhere, as it says nothing of an empty field.
 */
function searchPlainWords(field) {
  const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  const typed = () => get.call(field);
  // As long as what was typed, all of which is selected when the search is opened again.
  const words = () => {
    const plain = typed().replace(/[^\p{L}\p{N}_$/]/gu, (sign) => ' '.repeat(sign.length));
    return plain.trim() === '' && typed().trim() !== '' ? '\0'.repeat(plain.length) : plain;
  };
  Object.defineProperty(field, 'value', { configurable: true, get: words, set });
  Object.defineProperty(window.translations, 'search_no_results_found_for_0', {
    get: () => `No results found for “<strong>${new Option(typed().trim()).innerHTML}</strong>”`,
  });
}

/**
 * TypeDoc's script calls all code copied, also where the browser refused, and fails where there is no clipboard, as on pages
 * without HTTPS. There, the code is selected instead.
 */
async function copy(button) {
  const code = button.previousElementSibling;
  try {
    // biome-ignore lint/performance/useDomNodeTextContent: its lines end in elements
    await navigator.clipboard.writeText(code.innerText.trim());
    button.textContent = 'Copied!';
  } catch {
    getSelection().selectAllChildren(code);
    button.textContent = 'Selected, but not copied: the browser did not allow it';
  }
  button.classList.add('visible');
  setTimeout(() => {
    button.classList.remove('visible');
    button.textContent = 'Copy';
  }, 2500);
}

/** On narrow screens, the button of the bar opens the sidebar: all pages, and what is in this one. */
function openMenu(button) {
  const sidebar = document.querySelector('.col-sidebar');
  const show = (isOpen) => {
    document.documentElement.classList.toggle('has-menu', isOpen);
    button.ariaExpanded = String(isOpen);
  };
  button.addEventListener('click', () => {
    show(true);
    sidebar.tabIndex = -1;
    sidebar.focus();
  });
  const isOpen = () => document.documentElement.classList.contains('has-menu');
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !isOpen()) return;
    show(false);
    button.focus();
  });
  // Beside it, or a link to a place in this page.
  addEventListener('click', ({ target }) => {
    if (!isOpen() || button.contains(target)) return;
    if (!sidebar.contains(target) || target.closest('a')) show(false);
  });
}

/** A theme that was chosen in another page is the theme of this one too, also when it is gone back to. */
function followTheme(select) {
  const follow = () => {
    try {
      select.value = localStorage.getItem('tsd-theme') ?? 'os';
    } catch {
      // Storage is forbidden: there is nothing to follow.
      return;
    }
    document.documentElement.dataset.theme = select.value;
  };
  addEventListener('storage', follow);
  addEventListener('pageshow', ({ persisted }) => persisted && follow());
}

// Before TypeDoc's script hears of it.
addEventListener(
  'click',
  (event) => {
    const button = event.target.closest('pre > button');
    if (!button) return;
    event.stopPropagation();
    copy(button);
  },
  true,
);

addEventListener('DOMContentLoaded', () => {
  for (const box of document.querySelectorAll('.tsd-typography table, pre, .tsd-signature'))
    observer.observe(box);
  searchPlainWords(document.querySelector('#tsd-search-input'));
  openMenu(document.querySelector('#tsd-toolbar-menu-trigger'));
  followTheme(document.querySelector('#tsd-theme'));
  const navigation = document.querySelector('#tsd-nav-container');
  separateLinks(navigation);
  // It comes a little later, all at once.
  new MutationObserver(() => separateLinks(navigation)).observe(navigation, { childList: true });
});
