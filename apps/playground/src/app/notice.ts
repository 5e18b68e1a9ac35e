import { BspError } from '@bspkit/core';
import { capitalized } from '@bspkit/words';
import { chip, h, icon } from './dom.ts';
import { ICONS } from './icons.ts';

/** Something that a visitor should know. */
export interface Remark {
  readonly title: string;
  readonly text: string;
  readonly kind: 'error' | 'note';
  /** What can be done about it, as buttons. */
  readonly offers?: readonly Offer[] | undefined;
}

/** A button, and what it does. */
interface Offer {
  readonly name: string;
  take(): void;
}

/** Says something in the view, until it is closed or does not hold any more. */
export class Notice {
  readonly element: HTMLElement;
  private readonly _remarks = h('div', {});

  /** @param stays - it cannot be closed: what it says goes on. */
  constructor(stays = false) {
    this.element = h('div', { class: 'notice', role: 'alert', hidden: true }, this._remarks);
    if (stays) return;
    const close = h(
      'button',
      { class: 'icon-button', type: 'button', 'aria-label': 'Close message' },
      icon(ICONS.close),
    );
    close.addEventListener('click', () => this.hide());
    this.element.append(close);
  }

  /** Says these in place of what it said before; without any it says nothing. */
  show(...remarks: readonly Remark[]): void {
    this._remarks.replaceChildren(
      ...remarks.flatMap(({ title, text, offers }) => [
        h('strong', {}, title),
        h('p', {}, text),
        ...(offers
          ? [h('div', { class: 'chips' }, ...offers.map(({ name, take }) => chip(name, take)))]
          : []),
      ]),
    );
    this.element.dataset.kind = remarks.some(({ kind }) => kind === 'error') ? 'error' : 'note';
    this.element.hidden = remarks.length === 0;
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
