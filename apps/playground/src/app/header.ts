import { capitalized } from '@bspkit/words';
import { h, icon } from './dom.ts';
import { SITE } from './help.ts';
import { ICONS } from './icons.ts';
import { MODES, type Mode } from './link.ts';
import type { MapMenu } from './map-menu.ts';
import type { Themes } from './theme.ts';
import type { ViewMenu } from './view-menu.ts';

/** What the bar shows and asks for. */
export interface HeaderParts {
  readonly mapMenu: MapMenu;
  readonly viewMenu: ViewMenu;
  readonly themes: Themes;
  toggleTheme(): void;
  setMode(mode: Mode): void;
  copyLink(): void;
  help(): void;
}

/** How long it is said below a button what came of it, in milliseconds. */
const SAID = 6000;

/** Why there is no walking. */
export const NOBODY_WALKS = 'Nobody can walk in this map.';

/** The bar above the view: the map, how one moves, and what concerns the whole page. */
export class Header {
  readonly element: HTMLElement;
  private readonly _modes = new Map<Mode, HTMLButtonElement>();
  /** What came of copying a link, where the eye is then; the status line has it for longer, and for screen readers. */
  private readonly _copied = h('span', { class: 'said-below', 'aria-hidden': 'true', hidden: true });
  private _timer = 0;

  constructor({ mapMenu, viewMenu, themes, toggleTheme, setMode, copyLink, help }: HeaderParts) {
    const modes = MODES.map((mode) => {
      const button = h(
        'button',
        {
          class: 'mode',
          type: 'button',
          disabled: true, // until there is a map
          'aria-pressed': 'false',
          onclick: () => setMode(mode),
        },
        icon(ICONS[mode]),
        h('span', {}, capitalized(mode)),
      );
      this._modes.set(mode, button);
      return button;
    });
    const button = (name: keyof typeof ICONS, title: string, onclick: () => void): HTMLElement =>
      h(
        'button',
        { class: 'icon-button', type: 'button', 'aria-label': title, title, onclick },
        icon(ICONS[name]),
      );
    const share = button('link', 'Copy a link to this view', copyLink);
    share.append(h('span', {}, 'Link'));
    const theme = button('dark', 'Dark or light (N)', toggleTheme);
    themes.watch(({ name }) => theme.replaceChildren(icon(ICONS[name === 'dark' ? 'light' : 'dark'])));
    this.element = h(
      'header',
      { class: 'bar' },
      h('h1', {}, 'bspkit'),
      mapMenu.button,
      h('div', { class: 'modes', role: 'group', 'aria-label': 'How to move' }, ...modes),
      h('span', { class: 'gap' }),
      h('a', { class: 'guides', href: SITE, target: '_blank' }, 'Guides'),
      viewMenu.button,
      h('span', { class: 'says-below' }, share, this._copied),
      theme,
      button('help', 'Keys and pointer (?)', help),
    );
  }

  /** Says what came of copying a link, below its button: for a while, and no longer than until something else is pressed. */
  copied(text: string): void {
    const hide = (): void => {
      this._copied.hidden = true;
      window.removeEventListener('pointerdown', hide);
    };
    this._copied.textContent = text;
    this._copied.hidden = false;
    window.addEventListener('pointerdown', hide);
    window.clearTimeout(this._timer);
    this._timer = window.setTimeout(hide, SAID);
  }

  /** Shows how one moves. */
  show(current: Mode): void {
    for (const [mode, button] of this._modes) button.setAttribute('aria-pressed', String(mode === current));
  }

  /** There is a map: how one can move in it. @param canWalk - whether there is anybody who walks in it. */
  allow(canWalk: boolean): void {
    for (const [mode, button] of this._modes) {
      button.disabled = mode === 'walk' && !canWalk;
      button.title = button.disabled ? NOBODY_WALKS : `${capitalized(mode)} (M switches)`;
    }
  }
}
