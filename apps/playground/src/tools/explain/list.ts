import { h } from '../../app/dom.ts';

/** Lines before and after the current step, at least, and the height of one, in CSS pixels with the usual font. */
const NEAR = 5;
const LINE = 24;

/** The steps around the current one: as many as there is room for. */
export class StepList {
  readonly element: HTMLOListElement = h('ol', {
    class: 'tool-steps',
    'aria-label': 'Steps around this one',
  });
  private readonly _line: (at: number) => HTMLElement;
  private readonly _resized: ResizeObserver = new ResizeObserver(() => this._fill());
  private _at = 0;
  private _count = 0;

  /** @param line - the line of a step. The current one's has what is marked as current in it. */
  constructor(line: (at: number) => HTMLElement) {
    this._line = line;
    this._resized.observe(this.element);
  }

  /** Shows one of `count` steps, and those around it. */
  show(at: number, count: number): void {
    this._at = at;
    this._count = count;
    this._fill();
  }

  dispose(): void {
    this._resized.disconnect();
  }

  private _fill(): void {
    const { element } = this;
    // The list takes what height the panel has left.
    const near = Math.max(NEAR, Math.floor((element.clientHeight / LINE - 1) / 2));
    const length = Math.min(this._count, 2 * near + 1);
    const first = Math.max(0, Math.min(this._count - length, this._at - near));
    const focused = element.contains(document.activeElement);
    element.start = first + 1;
    element.replaceChildren(...Array.from({ length }, (_, k) => this._line(first + k)));
    const current = element.querySelector<HTMLElement>('[aria-current]');
    if (focused) current?.focus({ preventScroll: true });
    if (!current) return;
    // Lines with a word on the tree above them are higher. Only the list scrolls, not the panel around it.
    const [line, list] = [current.getBoundingClientRect(), element.getBoundingClientRect()];
    element.scrollTop += (line.top + line.bottom - list.top - list.bottom) / 2;
  }
}
