import { capitalized, count, outcomeText, showVec } from '@bspkit/words';
import { Group } from 'three';
import { h } from '../../app/dom.ts';
import { reasonOf } from '../../app/notice.ts';
import { sentence } from '../../app/sentence.ts';
import { button } from '../dom.ts';
import { Faces, Lines } from '../draw/lines.ts';
import { edgesOfFaces, facesOf, trianglesOf } from '../draw/polygons.ts';
import { currentQuery, readCurrentQuery, setCurrentQuery } from '../query/current.ts';
import { createMoveHandles, type Handles } from '../query/handles.ts';
import { Probe } from '../query/probe.ts';
import { writeQuery } from '../query/query.ts';
import type { MapProblem, MountedTool, Tool, ToolContext, ToolPointer } from '../tool.ts';
import { Editor } from './editor.ts';
import {
  brushAtLine,
  brushAtPoint,
  difference,
  moveSide,
  nudge,
  type TextBrush,
  textBrushes,
} from './text.ts';
import '../tools.css';

/** How far a key moves a number, and a side, in Quake units. */
const NUDGE = 1;
const SIDE = 8;

/** The map's text, compiled again with every change; the move is retraced in what comes of it. */
class Edit implements MountedTool {
  private readonly _context: ToolContext;
  private readonly _panel: HTMLElement;
  private _probe!: Probe;
  private _handles!: Handles;
  private readonly _editor: Editor;
  private _brushes: readonly TextBrush[] = [];
  private readonly _group: Group = new Group();
  private readonly _outline: Lines = new Lines({ width: 2, hidden: 0.45 });
  private readonly _side: Faces = new Faces(0.35, true);
  private readonly _status: HTMLElement = h('p', { class: 'tool-hint' });
  private readonly _answer: HTMLElement = h('p', { class: 'tool-outcome' });
  private readonly _place: HTMLElement = h('p', { class: 'tool-bar-text' });
  private readonly _problem: HTMLButtonElement = h('button', {
    type: 'button',
    id: 'edit-problem',
    class: 'tool-problem',
    hidden: true,
    onclick: () => this._reveal(this._error?.line),
  });
  private readonly _warnings: HTMLElement = h('ul', { class: 'tool-warnings' });
  private _error: MapProblem | undefined;
  /** The last map that was made here. */
  private _handed: Uint8Array | undefined;
  /** How many maps were opened from elsewhere. */
  private _opened = 0;
  private _isDisposed = false;

  constructor(panel: HTMLElement, context: ToolContext) {
    this._context = context;
    this._panel = panel;
    this._editor = new Editor(
      () => this._typed(),
      () => this._drawBrush(),
    );
    this._editor.area.setAttribute('aria-describedby', this._problem.id);
    this._editor.area.addEventListener('keydown', (event) => this._press(event));
    this._group.add(this._outline.object, this._side.object);
    context.scene.add(this._group);
    panel.append(
      this._editor.element,
      h(
        'div',
        { class: 'tool-row tool-nudges' },
        button('− 1', () => this._nudge(-NUDGE), { title: 'Decrease the number at the caret (Alt+Down)' }),
        button('+ 1', () => this._nudge(NUDGE), { title: 'Increase the number at the caret (Alt+Up)' }),
        button('Side in', () => this._moveSide(-SIDE), {
          title: 'Move the side at the caret inwards (Alt+Shift+Down)',
        }),
        button('Side out', () => this._moveSide(SIDE), {
          title: 'Move the side at the caret outwards (Alt+Shift+Up)',
        }),
        button('Undo', () => this._editor.step('undo')),
        button('Redo', () => this._editor.step('redo')),
        button('Revert', () => this._revert(), {
          title: 'Go back to the text as it was opened; Undo takes that back',
        }),
        button('Save .map', () => context.saveText(this._editor.text), {
          title: 'Download the text as it stands here',
        }),
      ),
      h('div', {}, h('div', { role: 'status' }, this._problem), this._status),
      this._warnings,
      h('div', { class: 'tool-result', role: 'group', 'aria-label': 'Answer' }, this._answer, this._place),
    );
    const problem = readCurrentQuery(context);
    this._take();
    this._begin();
    context.announce(problem ?? this._answer.textContent!);
    void this._check();
  }

  /** Takes over the text of the map, or what was typed in its place before. */
  private _take(): void {
    const text = this._context.draft.get() ?? this._context.map.text ?? '';
    this._handed = undefined;
    this._editor.text = text;
    this._brushes = textBrushes(text);
    this._say(undefined, []);
    this._status.textContent = 'Click a surface to find it in the text.';
  }

  private _begin(): void {
    this._probe = new Probe(this._context, currentQuery(this._context.map));
    this._handles = createMoveHandles(this._context, this._probe, this._answer, () => this._tell());
    this._tell();
    this.themeChanged();
    this._drawBrush();
  }

  private _end(): void {
    this._probe.dispose();
    this._handles.dispose();
  }

  private _tell(): void {
    const { trace, length, query } = this._probe;
    this._answer.textContent = capitalized(outcomeText(trace, length));
    this._answer.parentElement!.classList.toggle('is-hit', trace.fraction < 1 || trace.startSolid);
    this._place.textContent = `${query.kind} to ${showVec(trace.endPos)}`;
    setCurrentQuery(this._context.map, query);
    this._keep();
  }

  private _keep(): void {
    this._context.state.set({ q: writeQuery(this._probe.query) });
  }

  /** What is not compiled yet is not lost when the tool is closed, or another map opened. */
  private _keepDraft(): void {
    const { _context: context } = this;
    const { text } = this._editor;
    context.draft.set(text === context.map.text ? undefined : text);
  }

  private _typed(): void {
    this._keepDraft();
    this._brushes = textBrushes(this._editor.text);
    this._drawBrush();
    void this._compile();
  }

  private async _compile(): Promise<void> {
    const { _context: context, _editor: editor } = this;
    const { text } = editor;
    const began = performance.now();
    const opened = this._opened;
    try {
      const compiled = await context.compile(text, context.map.format.id);
      // Another map may have been opened meanwhile.
      if (this._isDisposed || opened !== this._opened) return;
      if (!compiled.ok) {
        this._say(compiled.problem, []);
        return;
      }
      this._handed = compiled.bytes;
      await context.replaceMap(compiled.bytes, text);
      if (this._isDisposed || opened !== this._opened) return;
      const time = Math.round(performance.now() - began);
      const before = this._error ? 'Compiled. ' : '';
      this._say(undefined, compiled.warnings);
      this._status.textContent = `Compiled and retraced in ${time} ms.`;
      context.announce(before + this._answer.textContent!);
      this._keep();
    } catch (error) {
      this._sayFailure(error);
    }
  }

  /** Compiles the text as it came, for the warnings, or the draft. It also makes the compiler warm. */
  private async _check(): Promise<void> {
    const { _context: context, _opened: opened } = this;
    const { text, format } = context.map;
    if (text !== this._editor.text) return this._compile();
    try {
      const compiled = await context.compile(text ?? '', format.id);
      if (this._isDisposed || opened !== this._opened || text !== this._editor.text) return;
      if (compiled.ok) this._say(undefined, compiled.warnings);
    } catch (error) {
      this._sayFailure(error);
    }
  }

  /** Shows why there is no answer, unless a later request is why. */
  private _sayFailure(error: unknown): void {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    this._say({ message: reasonOf(error), line: undefined, entity: undefined, brush: undefined }, []);
  }

  /** Shows what is wrong or odd; the last good map stays. */
  private _say(error: MapProblem | undefined, warnings: readonly MapProblem[]): void {
    this._error = error;
    this._problem.hidden = !error;
    this._problem.textContent = error ? sentence(capitalized(error.message)) : '';
    if (error) {
      this._status.textContent = 'The view still shows the map from before the mistake.';
    }
    this._warnings.hidden = warnings.length === 0;
    const shown = warnings.slice(0, 3).map(({ message, line }) => {
      const text = sentence(capitalized(message));
      const reveal = h(
        'button',
        { class: 'tool-link', type: 'button', onclick: () => this._reveal(line) },
        text,
      );
      return h('li', {}, line === undefined ? text : reveal);
    });
    const more = warnings.length - shown.length;
    this._warnings.replaceChildren(
      ...shown,
      ...(more > 0 ? [h('li', {}, `And ${count(more, 'more warning')}.`)] : []),
    );
    this._drawBrush();
  }

  private _reveal(line: number | undefined): void {
    if (line === undefined) return;
    this._editor.area.focus();
    this._editor.reveal(line);
    this._drawBrush();
  }

  /** Outlines the brush in which the caret is, and its side. */
  private _drawBrush(): void {
    const line = this._editor.line;
    const brush = brushAtLine(this._brushes, line);
    const error = this._error?.line;
    this._editor.mark({ block: brush && [brush.firstLine, brush.lastLine], error });
    const faces = brush?.isWhole ? facesOf(brush.sides) : [];
    this._outline.set(edgesOfFaces(faces));
    const side = brush?.sides.find((known) => known.line === line);
    this._side.set(faces.flatMap(({ plane, corners }) => (plane === side ? trianglesOf(corners) : [])));
    this._context.requestRender();
  }

  private _press(event: KeyboardEvent): void {
    const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
    if (!altKey || ctrlKey || metaKey || (key !== 'ArrowUp' && key !== 'ArrowDown')) return;
    event.preventDefault();
    const sign = key === 'ArrowUp' ? 1 : -1;
    if (shiftKey) this._moveSide(sign * SIDE);
    else this._nudge(sign * NUDGE);
  }

  private _nudge(by: number): void {
    const edit = nudge(this._editor.text, this._editor.caret, by);
    if (edit) this._editor.apply(edit);
    else this._context.announce('There is no number at the caret.');
  }

  private _moveSide(by: number): void {
    const edit = moveSide(this._editor.text, this._editor.caret, by);
    if (edit) this._editor.apply(edit, [0, 0]);
    else this._context.announce('The caret is not on the line of a side.');
  }

  private _revert(): void {
    this._editor.apply(difference(this._editor.text, this._context.map.original ?? ''), [0, 0]);
  }

  pointer({ type, x, y, button: pressed }: ToolPointer): boolean {
    if (type !== 'click' || pressed !== 0) return false;
    const point = this._context.pick(x, y)?.point;
    const found = point && brushAtPoint(this._brushes, point);
    if (!found) return false;
    this._editor.reveal(found.side.line);
    this._drawBrush();
    this._context.announce(`Found it on line ${found.side.line}.`);
    return true;
  }

  update(): void {
    this._handles.place();
  }

  worldChanged(): void {
    this._end();
    // Typing may have gone on since the map was handed over. The same text may also come from elsewhere, for another game.
    if (this._context.map.bytes !== this._handed) {
      this._opened++;
      this._take();
      void this._check();
    } else this._keepDraft();
    this._begin();
  }

  themeChanged(): void {
    this._probe.recolor();
    this._probe.draw();
    this._outline.color = this._context.colors.c;
    this._side.color = this._context.colors.c;
  }

  dispose(): void {
    this._isDisposed = true;
    this._end();
    this._outline.dispose();
    this._side.dispose();
    this._context.scene.remove(this._group);
    this._panel.replaceChildren();
  }
}

export const tool: Tool = { mount: (panel, context) => new Edit(panel, context) };
