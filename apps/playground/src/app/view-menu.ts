import { capitalized } from '@bspkit/words';
import type { Levels } from '../games/index.ts';
import type { Swatch } from '../view/palette.ts';
import type { SurfaceKind } from '../view/surfaces.ts';
import { closeWhenLeft, h, icon } from './dom.ts';
import { ICONS } from './icons.ts';
import { COLORINGS, type Coloring } from './link.ts';

/** What can be shown besides walls and liquids: kinds of surfaces, and the light that comes with the map. */
export const EXTRAS = ['light', 'sky', 'hidden'] as const satisfies readonly (SurfaceKind | 'light')[];
export type Extra = (typeof EXTRAS)[number];

/** What is shown, and how. */
export interface ViewOptions {
  coloring: Coloring;
  /** What is shown on request. */
  shown: ReadonlySet<Extra>;
  /** Height above which all is cut away, in Quake units. */
  cut: number | undefined;
}

const TITLES: Readonly<Record<Extra, string>> = {
  light: 'Lightmaps',
  sky: 'Sky',
  hidden: 'Clips and triggers',
};

/** The button and menu of what the view shows. */
export class ViewMenu {
  readonly button: HTMLButtonElement;
  readonly menu: HTMLElement;
  readonly options: ViewOptions = { coloring: 'texture', shown: new Set(), cut: undefined };
  private readonly _change: () => void;
  private readonly _colors = new Map<Coloring, HTMLInputElement>();
  private readonly _switches = new Map<Extra, HTMLInputElement>();
  private readonly _slider = h('input', { type: 'range', id: 'cut', min: '0', max: '1' });
  private readonly _height = h('output', { for: 'cut' });
  private readonly _legend = h('ul', { class: 'legend' });
  private readonly _lightless = h('span', { class: 'muted', hidden: true }, '(none in this map)');
  private readonly _cutName = h('label', { for: 'cut' });
  private _levels: Levels | undefined;
  private _range = { low: 0, step: 16, count: 1 };

  constructor(change: () => void) {
    this._change = change;
    this.button = h(
      'button',
      {
        class: 'icon-button',
        type: 'button',
        popovertarget: 'view-menu',
        disabled: true, // until there is a map
        'aria-label': 'View options',
        title: 'View options',
      },
      icon(ICONS.layers),
      h('span', {}, 'View'),
    );
    const colors = COLORINGS.map((coloring) => {
      const input = h('input', { type: 'radio', name: 'coloring', onchange: () => this.set({ coloring }) });
      this._colors.set(coloring, input);
      return h('label', {}, input, capitalized(coloring));
    });
    const switches = EXTRAS.map((kind) => {
      const input = h('input', { type: 'checkbox', onchange: () => this._toggle(kind) });
      this._switches.set(kind, input);
      return h('label', {}, input, TITLES[kind], kind === 'light' ? this._lightless : undefined);
    });
    this._slider.addEventListener('input', () => this._slid());
    this.menu = h(
      'div',
      {
        id: 'view-menu',
        class: 'menu view-menu',
        popover: 'auto',
        role: 'dialog',
        'aria-label': 'View options',
      },
      h('fieldset', {}, h('legend', {}, 'Colour by'), ...colors, this._legend),
      h('fieldset', {}, h('legend', {}, 'Show'), ...switches),
      h('div', { class: 'cut' }, this._cutName, this._slider, this._height),
    );
    closeWhenLeft(this.menu, this.button);
    this._show();
  }

  /** Fits the slider to a map. */
  setMap(low: number, high: number, levels: Levels | undefined, hasLight: boolean): void {
    this._levels = levels;
    this.button.disabled = false;
    this._switches.get('light')!.disabled = !hasLight;
    this._lightless.hidden = hasLight;
    const step = levels?.height ?? 16;
    const first = levels ? 0 : Math.floor(low / step) * step;
    const count = levels?.count ?? Math.max(1, Math.ceil((high - first) / step));
    this._range = { low: first, step, count };
    this._slider.max = String(count);
    this._slider.min = levels ? '1' : '0';
    this._cutName.textContent = levels ? 'Levels shown in orbit' : 'Cut away above, in orbit';
    this.set({});
  }

  set(changes: Partial<ViewOptions>): void {
    Object.assign(this.options, changes);
    this._show();
    this._change();
  }

  private _show(): void {
    const { coloring, shown, cut } = this.options;
    for (const [name, input] of this._colors) input.checked = name === coloring;
    for (const [kind, input] of this._switches) input.checked = shown.has(kind);
    const { low, step, count } = this._range;
    const at = cut === undefined ? count : Math.round((cut - low) / step);
    this._slider.value = String(at);
    // A cut of another game, or of a link, may be within a level.
    const some = this._levels && cut === low + at * step ? `1 to ${at}` : `z = ${cut}`;
    const said = cut !== undefined ? some : this._levels ? 'all' : 'off';
    this._height.textContent = said;
    this._slider.setAttribute('aria-valuetext', said);
  }

  /** Says what the colours mean. */
  setLegend(colors: readonly Swatch[]): void {
    this._legend.replaceChildren(
      ...colors.map(({ name, color }) => h('li', { style: `--color: rgb(${color.join(' ')})` }, name)),
    );
  }

  /** Cuts one step lower or higher. */
  moveCut(steps: number): void {
    this._slider.value = String(Number(this._slider.value) + steps);
    this._slid();
  }

  private _toggle(kind: Extra): void {
    const shown = new Set(this.options.shown);
    if (!shown.delete(kind)) shown.add(kind);
    this.set({ shown });
  }

  private _slid(): void {
    const { low, step, count } = this._range;
    const at = Number(this._slider.value);
    this.set({ cut: at >= count ? undefined : low + at * step });
  }
}
