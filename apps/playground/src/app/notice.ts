import { BspError } from '@bspkit/core';
import { capitalized } from '@bspkit/words';
import { NOT_FETCHED } from '../loading/worker-failure.ts';
import { chip, h, icon } from './dom.ts';
import { ICONS } from './icons.ts';
import { sentence } from './sentence.ts';

/** Something that a visitor should know. */
export interface Remark {
  readonly title: string;
  readonly text: string;
  readonly kind: 'error' | 'note';
  /** What can be done about it, as buttons. */
  readonly offers?: readonly Offer[] | undefined;
  /** What makes it outdated when that changes: the text that the map was compiled from, the file that a link waits for, or what is being opened. */
  readonly about?: 'text' | 'file' | 'opening';
}

/** A button, and what it does. */
interface Offer {
  readonly name: string;
  take(): void;
}

/** Opens the page again, as it was: some browsers remember which parts they could not fetch until then. */
export const RELOAD: Offer = { name: 'Reload the page', take: () => location.reload() };

/** Says something in the view, until it is closed or does not hold any more. */
export class Notice {
  readonly element: HTMLElement;
  private readonly _remarks = h('div', {});
  private readonly _passFocus: () => void;
  private _shown: readonly (readonly [remark: Remark, elements: readonly HTMLElement[]])[] = [];

  /**
   * @param passFocus - gives the focus to something else, as what had it here goes away.
   * @param stays - it cannot be closed: what it says goes on.
   */
  constructor(passFocus: () => void, stays = false) {
    this._passFocus = passFocus;
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
    this._shown = remarks.map((remark) => [remark, elementsOf(remark)]);
    this._leave(this._remarks);
    this._remarks.replaceChildren(...this._shown.flatMap(([, elements]) => elements));
    this._frame();
  }

  /** Takes back what may not hold any more, as that has changed; the rest stays. */
  takeBack(about: Remark['about']): void {
    const stays = ([remark]: (typeof this._shown)[number]): boolean => remark.about !== about;
    for (const element of this._shown.flatMap((each) => (stays(each) ? [] : each[1]))) {
      this._leave(element);
      element.remove();
    }
    this._shown = this._shown.filter(stays);
    if (!this.element.hidden) this._frame();
  }

  private _frame(): void {
    const isError = this._shown.some(([{ kind }]) => kind === 'error');
    this.element.dataset.kind = isError ? 'error' : 'note';
    if (this._shown.length === 0) this.hide();
    else this.element.hidden = false;
  }

  hide(): void {
    this._leave(this.element);
    this.element.hidden = true;
  }

  /** Something goes away: keys and screen readers would begin at the top of the page again if it had the focus. */
  private _leave(element: HTMLElement): void {
    if (element.contains(document.activeElement)) this._passFocus();
  }
}

function elementsOf({ title, text, offers = [] }: Remark): HTMLElement[] {
  const all = [h('strong', {}, title), h('p', {}, text)];
  if (offers.length > 0)
    all.push(h('div', { class: 'chips' }, ...offers.map(({ name, take }) => chip(name, take))));
  return all;
}

/** What browsers say of a part of the page that they could not fetch, each in its words. */
const BROWSERS_SAY =
  /^(Failed to fetch|error loading) dynamically imported|^Importing a module script|^Unable to preload/;

/** What is wrong, as a sentence for people. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (BROWSERS_SAY.test(message)) return capitalized(NOT_FETCHED);
  const text = error instanceof BspError ? message.replace(/^\w+: /, '') : message;
  return sentence(capitalized(text));
}

/** What went wrong, with a button for a new page where that is of use. */
export function problemOf(title: string, error: unknown): Remark {
  const text = reasonOf(error);
  return { title, text, kind: 'error', offers: text.includes(NOT_FETCHED.slice(1)) ? [RELOAD] : [] };
}
