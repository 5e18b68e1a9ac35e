import { explainerOf } from '@bspkit/core/format';
import { capitalized, outcomeText } from '@bspkit/words';
import { h } from '../../app/dom.ts';
import { button, FieldList, labelled, problemLine, sayProblem, textInput } from '../dom.ts';
import { shotAt } from '../query/aim.ts';
import { answerLines } from '../query/answer.ts';
import { currentQuery, readCurrentQuery, setCurrentQuery } from '../query/current.ts';
import { formatOf } from '../query/format.ts';
import { createMoveHandles, type Handles } from '../query/handles.ts';
import { MoverForm } from '../query/mover-form.ts';
import { Probe } from '../query/probe.ts';
import { type Mover, readNumbers, writeNumbers, writeQuery } from '../query/query.ts';
import type { MountedTool, Tool, ToolContext, ToolPointer } from '../tool.ts';
import '../tools.css';

/** What stands for the answer while there is none. */
const WRONG = 'No answer while something below is wrong';

/** Where it says what is wrong with the ends. */
const PROBLEM = 'shoot-problem';

/** Shoots and sweeps whatever the format can trace, and tells what was hit. */
class Shoot implements MountedTool {
  private readonly _context: ToolContext;
  private readonly _panel: HTMLElement;
  private _probe!: Probe;
  private _handles!: Handles;
  private readonly _outcome: HTMLElement = h('p', { class: 'tool-outcome' });
  private readonly _fields: FieldList = new FieldList();
  private readonly _from: HTMLInputElement = textInput({ inputmode: 'text', 'aria-describedby': PROBLEM });
  private readonly _to: HTMLInputElement = textInput({ inputmode: 'text', 'aria-describedby': PROBLEM });
  private readonly _form: HTMLElement = h('div');
  private readonly _explain: HTMLButtonElement;
  private readonly _problem: HTMLElement = problemLine({ id: PROBLEM });
  /** Whether the form says nothing that could be traced. */
  private _isMoverWrong = false;

  constructor(panel: HTMLElement, context: ToolContext) {
    this._context = context;
    this._panel = panel;
    const problem = readCurrentQuery(context);
    this._explain = button('Take it apart', () => context.openTool('explain', this._link()));
    for (const [input, end] of [
      [this._from, 'start'],
      [this._to, 'end'],
    ] as const) {
      input.addEventListener('change', () => this._typePoint(input, end));
    }
    panel.append(
      h(
        'div',
        { class: 'tool-result', role: 'group', 'aria-label': 'Answer' },
        this._outcome,
        this._fields.element,
      ),
      this._form,
      h(
        'div',
        { class: 'tool-stack' },
        labelled('From', this._from),
        labelled('To', this._to),
        this._problem,
      ),
      h(
        'div',
        { class: 'tool-row' },
        this._explain,
        button('Side view', () => this._probe.lookAt()),
      ),
    );
    this._begin();
    this._say(problem);
  }

  private _begin(): void {
    const { map } = this._context;
    const query = currentQuery(map);
    this._probe = new Probe(this._context, query);
    this._handles = createMoveHandles(this._context, this._probe, this._outcome, () => this._tell(true));
    this._isMoverWrong = false;
    this._form.replaceChildren(new MoverForm(formatOf(map), query, (mover) => this._setMover(mover)).element);
    this._tell(true);
  }

  private _end(): void {
    this._probe.dispose();
    this._handles.dispose();
  }

  private _setMover(mover: Mover | undefined): string | undefined {
    const { start, end } = this._probe.query;
    this._isMoverWrong = true;
    try {
      if (!mover) return undefined;
      this._probe.set({ ...mover, start, end });
      this._isMoverWrong = false;
      return undefined;
    } catch (error) {
      if (error instanceof RangeError || error instanceof TypeError) return error.message;
      throw error;
    } finally {
      this._tell();
      this._say();
    }
  }

  private _typePoint(input: HTMLInputElement, which: 'start' | 'end'): void {
    const numbers = readNumbers(input.value);
    input.ariaInvalid = String(numbers?.length !== 3);
    const { start, end } = this._probe.query;
    if (numbers?.length === 3)
      this._probe.move(which === 'start' ? numbers : start, which === 'end' ? numbers : end);
    this._tell();
    this._say();
  }

  /** Says what was answered, for those who do not see it, or why something else was asked. */
  private _say(problem?: string): void {
    this._context.announce(problem ?? this._outcome.textContent!);
  }

  private _link(): { readonly q: string } {
    return { q: writeQuery(this._probe.query) };
  }

  /**
   * Writes down what was answered, and what cannot be asked.
   *
   * @param isMoved - both ends were set in the view, or are those of another map.
   */
  private _tell(isMoved = false): void {
    const { _probe: probe, _context: context } = this;
    const { trace, query } = probe;
    const { world } = context.map;
    const format = formatOf(context.map);
    // What was typed and is wrong stays there until it is put right, or the ends are set elsewhere.
    for (const [input, point] of [
      [this._from, query.start],
      [this._to, query.end],
    ] as const) {
      if (!isMoved && (document.activeElement === input || input.ariaInvalid === 'true')) continue;
      input.value = writeNumbers(point, ' ');
      input.ariaInvalid = 'false';
    }
    const names = [this._from.ariaInvalid === 'true' && 'From', this._to.ariaInvalid === 'true' && 'To'];
    const problems = names.filter(Boolean).map((name) => `${name} must be three numbers, such as 0 0 64.`);
    sayProblem(this._problem, problems.join(' '));
    const isWrong = this._isMoverWrong || problems.length > 0;
    const isHit = !isWrong && (trace.fraction < 1 || trace.startSolid);
    this._outcome.textContent = isWrong ? WRONG : capitalized(outcomeText(trace, probe.length));
    this._outcome.parentElement!.classList.toggle('is-hit', isHit);
    this._fields.set(isWrong ? [] : answerLines(format, world, trace, probe.surface()));
    this._explain.disabled = isWrong;
    this._explain.hidden = !explainerOf(format, world, query, probe.tracer);
    setCurrentQuery(context.map, query);
    context.state.set(this._link());
  }

  /** A click shoots from the eye; Back leads to the shot before. */
  pointer({ type, x, y, button }: ToolPointer): boolean {
    if (type !== 'click' || button !== 0) return false;
    this._context.leaveBehind();
    const { start, end } = shotAt(this._context, this._probe.tracer, x, y);
    this._probe.move(start, end);
    this._tell(true);
    this._say();
    return true;
  }

  update(): void {
    this._handles.place();
  }

  worldChanged(): void {
    this._end();
    this._begin();
  }

  themeChanged(): void {
    this._probe.recolor();
    this._probe.draw();
  }

  dispose(): void {
    this._end();
    this._panel.replaceChildren();
  }
}

export const tool: Tool = { mount: (panel, context) => new Shoot(panel, context) };
