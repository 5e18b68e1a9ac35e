import { capitalized } from '@bspkit/words';
import type { ToolContext } from '../tools/tool.ts';
import { keep, kept } from './kept.ts';

/** Which colours the page has; `auto` goes by the system. */
export type ThemeChoice = 'auto' | 'dark' | 'light';
type ThemeName = 'dark' | 'light';

/** Colours that the view needs and CSS cannot give it. */
export interface Theme {
  readonly name: ThemeName;
  readonly backdrop: Readonly<Record<'zenith' | 'horizon' | 'nadir', string>>;
  /** Light from above, from below, and from one side. */
  readonly light: Readonly<Record<'sky' | 'ground' | 'sun', readonly [string, number]>>;
  readonly grid: number;
  readonly tools: ToolContext['colors'];
}

/** Tools' colours that are seen together differ in lightness too, for those who see fewer hues. */
export const THEMES: Readonly<Record<ThemeName, Theme>> = {
  dark: {
    name: 'dark',
    backdrop: { zenith: '#0d1420', horizon: '#2b3a4d', nadir: '#11151b' },
    light: { sky: ['#c9d9ee', 0.62], ground: ['#4c4a52', 0.5], sun: ['#ffe6bf', 0.95] },
    grid: 0.2,
    tools: {
      hit: '#ffb02e',
      ray: '#5cc8ff',
      miss: '#8d99ab',
      warning: '#ff5d5d',
      a: '#5cc8ff',
      b: '#f5921e',
      c: '#c2f59b',
      d: '#a866f0',
    },
  },
  light: {
    name: 'light',
    backdrop: { zenith: '#9fc3e6', horizon: '#eef3f7', nadir: '#d9dde2' },
    light: { sky: ['#eaf3ff', 0.8], ground: ['#8d8880', 0.85], sun: ['#fff1d6', 1.0] },
    grid: 0.17,
    tools: {
      hit: '#c2410c',
      ray: '#2563eb',
      miss: '#64748b',
      warning: '#dc2626',
      a: '#2563eb',
      b: '#b85a08',
      c: '#047857',
      d: '#a21caf',
    },
  },
};

/** On paper. */
const PAPER: Theme = { ...THEMES.light, backdrop: { zenith: '#fff', horizon: '#fff', nadir: '#fff' } };

const KEY = 'bspkit-theme';

/** What the user chose on an earlier visit. */
function keptChoice(): ThemeChoice {
  const choice = kept(KEY);
  return choice === 'dark' || choice === 'light' ? choice : 'auto';
}

/** The page's theme: the user's choice, kept for the next visit, or the system's. Paper has one of its own. */
export class Themes {
  private _choice: ThemeChoice;
  private readonly _system = matchMedia('(prefers-color-scheme: light)');
  private _prints = false;
  private readonly _listeners: ((theme: Theme) => void)[] = [];

  constructor() {
    this._choice = keptChoice();
    // Chosen in another tab; without a key, all that was kept is gone.
    window.addEventListener('storage', ({ key }) => {
      if (key !== KEY && key !== null) return;
      this._choice = keptChoice();
      this._apply();
    });
    this._system.addEventListener('change', () => this._apply());
    for (const [event, prints] of [
      ['beforeprint', true],
      ['afterprint', false],
    ] as const) {
      window.addEventListener(event, () => {
        this._prints = prints;
        this._apply();
      });
    }
    this._apply();
  }

  get current(): Theme {
    if (this._prints) return PAPER;
    return THEMES[this._choice === 'auto' ? this._ofSystem : this._choice];
  }

  private get _ofSystem(): ThemeName {
    return this._system.matches ? 'light' : 'dark';
  }

  /** Calls back now and whenever the theme changes. */
  watch(listener: (theme: Theme) => void): void {
    this._listeners.push(listener);
    listener(this.current);
  }

  /** The other one of the two. Where that is the system's, it goes by the system again. Returns what there is now, in words. */
  toggle(): string {
    const name = this.current.name === 'dark' ? 'light' : 'dark';
    this._choice = name === this._ofSystem ? 'auto' : name;
    keep(KEY, this._choice === 'auto' ? undefined : this._choice);
    this._apply();
    const how = this._choice === 'auto' ? ', following your system' : '; switch again to follow your system';
    return `${capitalized(name)} theme${how}.`;
  }

  private _apply(): void {
    const { current } = this;
    document.documentElement.dataset.theme = current.name;
    for (const listener of this._listeners) listener(current);
  }
}
