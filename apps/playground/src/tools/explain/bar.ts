import { leafName } from '@bspkit/words';
import { h } from '../../app/dom.ts';
import type { Span, WalkPicture } from './walk.ts';

/** The move from 0 to 1 as a bar: leafs entered, the piece that a step is about, where it enters and leaves a brush. */
export class FractionBar {
  readonly element: HTMLElement;
  private readonly _leafs: HTMLElement = h('div', { class: 'tool-bar-track' });
  private readonly _piece: HTMLElement = h('div', { class: 'tool-bar-piece' });
  private readonly _inside: HTMLElement = h('div', { class: 'tool-bar-inside' });
  private readonly _stop: HTMLElement = h('div', { class: 'tool-bar-stop' });
  private readonly _text: HTMLElement = h('p', { class: 'tool-bar-text' });

  constructor() {
    const bar = h(
      'div',
      { class: 'tool-bar', 'aria-hidden': 'true' },
      this._leafs,
      this._piece,
      this._inside,
      this._stop,
    );
    const ends = h(
      'div',
      { class: 'tool-bar-ends', 'aria-hidden': 'true' },
      h('span', {}, '0'),
      h('span', {}, '1'),
    );
    this.element = h('div', {}, bar, ends, this._text);
  }

  /** @param span - the piece of the move that the step is about. */
  set(span: Span, { leafs, inside }: Partial<WalkPicture>, fraction: number): void {
    this._leafs.replaceChildren(
      ...(leafs ?? []).map(({ leaf, from, to }) => {
        const part = h('div', { class: 'tool-bar-leaf', title: leafName(leaf) });
        put(part, { from, to });
        return part;
      }),
    );
    put(this._piece, span);
    this._inside.hidden = !inside;
    if (inside) put(this._inside, inside);
    this._stop.hidden = fraction === 1;
    this._stop.style.left = percent(fraction);
    const parts = [`piece ${spanText(span)}`];
    if (inside) parts.push(`inside ${inside.from > inside.to ? 'nowhere' : spanText(inside)}`);
    parts.push(fraction < 1 ? `stopped at ${short(fraction)}` : 'not stopped');
    this._text.textContent = parts.join(' · ');
  }
}

const clamp = (x: number): number => Math.max(0, Math.min(1, x));
const percent = (x: number): string => `${(100 * clamp(x)).toFixed(3)}%`;
const short = (x: number): string => String(Number(x.toFixed(4)));
const spanText = ({ from, to }: Span): string => `${short(clamp(from))} to ${short(clamp(to))}`;

function put(part: HTMLElement, { from, to }: Span): void {
  part.style.setProperty('--from', percent(from));
  part.style.width = percent(Math.max(0, clamp(to) - clamp(from)));
  part.classList.toggle('is-empty', from > to);
}
