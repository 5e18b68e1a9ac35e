import type { FixtureName } from '@bspkit/fixtures/list';
import { COMPILED_FORMATS, OWN_MAPS, type OwnMap } from '../loading/own-maps.ts';
import { chip, closeWhenLeft, h, icon } from './dom.ts';
import { ICONS } from './icons.ts';
import type { OpenMap } from './open-map.ts';
import type { Source } from './opening.ts';

/** What the menu of maps asks for. */
export interface MapMenuListener {
  own(name: FixtureName, format: string): void;
  /** The text of the map that is open, for a game. */
  text(source: Source, format: string): void;
  files(files: readonly File[]): void;
}

/** The button that names the map, and the menu under it: our own maps in every format, or a file. */
export class MapMenu {
  readonly button: HTMLButtonElement;
  readonly menu: HTMLElement;
  private readonly _input: HTMLInputElement;
  private readonly _label = h('span', { class: 'map-name' }, 'Map');
  private readonly _format = h('span', { class: 'map-format' });
  private readonly _listener: MapMenuListener;
  private readonly _own: HTMLElement;

  constructor(listener: MapMenuListener) {
    this._listener = listener;
    this.button = h(
      'button',
      { class: 'map-button', type: 'button', popovertarget: 'map-menu', 'aria-label': 'Map' },
      icon(ICONS.map),
      this._label,
      ' ', // between the words for screen readers
      this._format,
      icon(ICONS.down),
    );
    this._input = h('input', {
      type: 'file',
      accept: '.bsp,.gz,.pk3,.pkz,.zip,.pak,.map,.shader,.lit,.bake',
      multiple: true,
      hidden: true,
      'aria-label': 'Map file',
      onchange: () => this._picked(),
    });
    this._own = h('div', { class: 'own-maps' });
    this.menu = h(
      'div',
      { id: 'map-menu', class: 'menu map-menu', popover: 'auto', role: 'dialog', 'aria-label': 'Maps' },
      this._own,
      h(
        'button',
        { class: 'wide-button', type: 'button', onclick: () => this.pick() },
        icon(ICONS.file),
        'Open a file…',
      ),
      h(
        'p',
        { class: 'muted' },
        '.bsp with its .lit file, .bsp.gz, .pk3, .pak or .map with its .shader files, or a bake of the map that is open; dropping works too. Files stay in this browser.',
      ),
      this._input,
    );
    closeWhenLeft(this.menu, this.button);
    this._list(undefined);
  }

  /** Opens the browser's choice of files. */
  pick(): void {
    this._input.click();
  }

  show(map: OpenMap): void {
    const { name, isOwn, format } = map;
    const own = isOwn ? OWN_MAPS.find((known) => known.name === name) : undefined;
    this._label.textContent = own?.title ?? name;
    this._format.textContent = format.name;
    this.button.setAttribute('aria-label', `Map: ${own?.title ?? name} ${format.name}`);
    this._list(map);
  }

  /** What can be compiled: the user's text if it is the map that is open, and our own. */
  private _list(open: OpenMap | undefined): void {
    const { name, isOwn, format, text } = open ?? {};
    const own = OWN_MAPS.map((map) => {
      const chosen = isOwn && name === map.name ? format!.id : undefined;
      return this._section(map, chosen, (id) => this._listener.own(map.name, id));
    });
    if (open && !isOwn && text !== undefined) {
      const { original = text, materials } = open;
      const about = { name: open.name, title: open.name, help: 'your file, for the game that you choose' };
      const source = { name: open.name, text, original, materials };
      own.unshift(this._section(about, open.format.id, (id) => this._listener.text(source, id)));
    }
    this._own.replaceChildren(...own);
  }

  private _section(
    { name, title, help }: Pick<OwnMap, 'title' | 'help'> & { readonly name: string },
    chosen: string | undefined,
    choose: (format: string) => void,
  ): HTMLElement {
    const chips = COMPILED_FORMATS.map(({ id, name: game }) => {
      const onclick = (): void => {
        this.menu.hidePopover();
        choose(id);
      };
      const how = { 'aria-pressed': String(id === chosen), 'data-map': name, 'data-format': id };
      return chip(game, onclick, how);
    });
    return h(
      'section',
      {},
      h('h2', {}, title),
      h('p', { class: 'muted' }, help),
      h('div', { class: 'chips', role: 'group', 'aria-label': `Games to open ${title} in` }, ...chips),
    );
  }

  private _picked(): void {
    const files = Array.from(this._input.files ?? []);
    this._input.value = '';
    this.menu.hidePopover();
    if (files.length > 0) this._listener.files(files);
  }
}
