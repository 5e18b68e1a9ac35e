import { h } from '../../app/dom.ts';
import { type Edit, lineAt, lineRange } from './text.ts';

/** Lines that stand out. */
export interface Marks {
  /** Lines of a block, from 1. */
  readonly block?: readonly [first: number, last: number] | undefined;
  /** A line with a mistake in it, from 1. */
  readonly error?: number | undefined;
}

/** A text field with line numbers, in which lines can be underlined. */
export class Editor {
  readonly element: HTMLElement;
  readonly area: HTMLTextAreaElement;
  private readonly _numbers: HTMLElement = h('pre', { class: 'tool-editor-numbers', 'aria-hidden': 'true' });
  private readonly _marks: HTMLElement = h('div', { class: 'tool-editor-marks', 'aria-hidden': 'true' });
  private readonly _block: HTMLElement = h('div', { class: 'tool-editor-block', hidden: true });
  private readonly _error: HTMLElement = h('div', { class: 'tool-editor-error', hidden: true });
  private _lines = 0;

  /** @param onInput - the text is another; `onCaret` - the caret is elsewhere. */
  constructor(onInput: () => void, onCaret: () => void) {
    this.area = h('textarea', {
      class: 'tool-editor-area',
      spellcheck: 'false',
      autocomplete: 'off',
      autocapitalize: 'off',
      wrap: 'off',
      'aria-label': 'Text of the map',
    });
    this._marks.append(this._block, this._error);
    this.element = h(
      'div',
      { class: 'tool-editor' },
      h('div', { class: 'tool-editor-gutter' }, this._numbers),
      h(
        'div',
        { class: 'tool-editor-body' },
        h('div', { class: 'tool-editor-behind' }, this._marks),
        this.area,
      ),
    );
    this.area.addEventListener('input', () => {
      this._count();
      onInput();
    });
    this.area.addEventListener('scroll', () => this._scroll());
    for (const event of ['keyup', 'click', 'select'] as const) this.area.addEventListener(event, onCaret);
  }

  get text(): string {
    return this.area.value;
  }

  set text(text: string) {
    this.area.value = text;
    this.area.setSelectionRange(0, 0);
    this.area.scrollTop = 0;
    this._count();
    this._scroll();
  }

  get caret(): number {
    return this.area.selectionStart;
  }

  get line(): number {
    return lineAt(this.text, this.caret);
  }

  /** Makes a change that the user can undo, and selects from `select[0]` to `select[1]` of what was put in. */
  apply({ from, to, insert }: Edit, select: readonly [number, number] = [0, insert.length]): void {
    const { area } = this;
    area.focus({ preventScroll: true });
    area.setSelectionRange(from, to);
    // The one way that the browser can take back; where it is not available, the text is just set.
    if (!document.execCommand('insertText', false, insert)) {
      area.setRangeText(insert);
      area.dispatchEvent(new Event('input'));
    }
    area.setSelectionRange(from + select[0], from + select[1]);
  }

  /** Takes the last change back, or makes it again, as keys do where there are any. */
  step(way: 'undo' | 'redo'): void {
    this.area.focus({ preventScroll: true });
    document.execCommand(way);
  }

  /** Puts the caret into a line and scrolls there. */
  reveal(line: number): void {
    const [from] = lineRange(this.text, line);
    this.area.setSelectionRange(from, from);
    // As it came out: WebKit rounds it, and does not say so.
    const height = this._numbers.offsetHeight / this._lines;
    const top = (line - 1) * height;
    const { scrollTop, clientHeight } = this.area;
    if (top < scrollTop || top > scrollTop + clientHeight - 3 * height)
      this.area.scrollTop = top - clientHeight / 3;
    this._scroll();
  }

  mark({ block, error }: Marks): void {
    this._block.hidden = !block;
    if (block) {
      this._block.style.top = `${block[0] - 1}lh`;
      this._block.style.height = `${block[1] - block[0] + 1}lh`;
    }
    this._error.hidden = error === undefined;
    this.area.setAttribute('aria-invalid', String(error !== undefined));
    if (error === undefined) return;
    const [from, to] = lineRange(this.text, error);
    this._error.style.top = `${error - 1}lh`;
    this._error.textContent = this.text.slice(from, to) || ' ';
  }

  private _count(): void {
    const lines = this.text.split('\n').length;
    if (lines === this._lines) return;
    this._lines = lines;
    this._numbers.textContent = Array.from({ length: lines }, (_, k) => k + 1).join('\n');
  }

  private _scroll(): void {
    const { scrollTop, scrollLeft } = this.area;
    this._numbers.style.transform = `translateY(${-scrollTop}px)`;
    this._marks.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
  }
}
