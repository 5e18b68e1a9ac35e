import { BspError } from '@bspkit/core';
import { capitalized } from '@bspkit/words';
import { h, icon } from './dom.ts';
import { ICONS } from './icons.ts';

/** Says in the view what went wrong, until it is closed or the next file is opened. */
export class Notice {
  readonly element: HTMLElement;
  private readonly _title = h('strong', {});
  private readonly _text = h('p', {});

  constructor() {
    const close = h(
      'button',
      { class: 'icon-button', type: 'button', 'aria-label': 'Close message' },
      icon(ICONS.close),
    );
    close.addEventListener('click', () => this.hide());
    this.element = h(
      'div',
      { class: 'notice', role: 'alert', hidden: true },
      h('div', {}, this._title, this._text),
      close,
    );
  }

  show(title: string, text: string, kind: 'error' | 'note'): void {
    this._title.textContent = title;
    this._text.textContent = text;
    this.element.dataset.kind = kind;
    this.element.hidden = false;
  }

  hide(): void {
    this.element.hidden = true;
  }
}

/** What is wrong, as a sentence for people. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const text = error instanceof BspError ? message.replace(/^\w+: /, '') : message;
  return `${capitalized(text)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
