import { BspError, type Explanation } from '@bspkit/core';
import { capitalized, count, noSteps, outcomeName, outcomeText, showVec } from '@bspkit/words';
import { h } from '../../app/dom.ts';
import { button, swatches } from '../dom.ts';
import { boundsPlanes, grow } from '../draw/polygons.ts';
import { shotAt } from '../query/aim.ts';
import { currentQuery, readCurrentQuery, setCurrentQuery } from '../query/current.ts';
import { formatOf } from '../query/format.ts';
import { Probe } from '../query/probe.ts';
import { kindOf, writeQuery } from '../query/query.ts';
import { stateField } from '../state.ts';
import type { MountedTool, Tool, ToolContext, ToolPointer } from '../tool.ts';
import { FractionBar } from './bar.ts';
import { StepPicture } from './picture.ts';
import { countWork, Walk } from './walk.ts';
import { stepText } from './words.ts';
import '../tools.css';

/** How far beyond the world's bounds regions reach that nothing closes, in Quake units. */
const AROUND = 32;
/** Lines of the list before and after the current step, at least, and the height of one, in CSS pixels with the usual font. */
const NEAR = 5;
const LINE = 24;
/** Milliseconds per step while it plays. */
const PACE = 450;

/** Takes a trace apart: every step of the literal algorithm, in words and in the scene. */
class Explain implements MountedTool {
  private readonly _context: ToolContext;
  private readonly _panel: HTMLElement;
  private _probe!: Probe;
  private readonly _picture: StepPicture;
  private readonly _bar: FractionBar = new FractionBar();
  private _walk: Walk | undefined;
  /** Numbers of the steps that the slider stops at. */
  private _stops: readonly number[] = [];
  private _at = 0;
  private _timer: ReturnType<typeof setInterval> | undefined;
  private readonly _slider: HTMLInputElement = h('input', {
    type: 'range',
    min: '0',
    value: '0',
    class: 'tool-slider',
    'aria-label': 'Step',
  });
  private readonly _play: HTMLButtonElement = button('Play', () => this._togglePlay());
  private readonly _all: HTMLInputElement = h('input', { type: 'checkbox' });
  private readonly _summary: HTMLElement = h('p', { class: 'tool-hint tool-summary' });
  private readonly _title: HTMLElement = h('h3', { class: 'tool-step-title' });
  private readonly _detail: HTMLElement = h('p', { class: 'tool-step-detail' });
  /** What colours in the view mean. */
  private readonly _legend: HTMLElement = h('div');
  private readonly _list: HTMLOListElement = h('ol', {
    class: 'tool-steps',
    'aria-label': 'Steps around this one',
  });
  private readonly _body: HTMLElement;
  private readonly _resized: ResizeObserver = new ResizeObserver(() => {
    if (this._walk) this._fillList(this._walk);
  });
  private readonly _problem: HTMLElement = h('p', { class: 'tool-error', role: 'alert', hidden: true });

  constructor(panel: HTMLElement, context: ToolContext) {
    this._context = context;
    this._panel = panel;
    const state = context.state.get();
    const problem = readCurrentQuery(context);
    this._all.checked = stateField(state, 'all') === true;
    this._all.addEventListener('change', () => this._choose());
    this._slider.addEventListener('input', () => this._go(Number(this._slider.value)));
    this._body = h(
      'div',
      { class: 'tool-explain' },
      this._bar.element,
      h(
        'div',
        { class: 'tool-player' },
        button('◂', () => this._go(this._at - 1), { 'aria-label': 'Step back', title: 'Step back (,)' }),
        this._slider,
        button('▸', () => this._go(this._at + 1), {
          'aria-label': 'Step forward',
          title: 'Step forward (.)',
        }),
        this._play,
      ),
      h('div', { class: 'tool-step', 'aria-live': 'polite' }, this._title, this._detail),
      this._legend,
      this._list,
      h('label', { class: 'tool-check' }, this._all, 'Also list what was skipped'),
    );
    panel.append(
      this._summary,
      this._problem,
      this._body,
      h(
        'div',
        { class: 'tool-row' },
        button('Side view', () => this._probe.lookAt()),
      ),
    );
    this._picture = new StepPicture(context);
    this._resized.observe(this._list);
    this._begin(Number(stateField(state, 's') ?? 0));
    this._say(problem);
  }

  /** Says what came of the move, for those who do not see it, or why another one was asked for. */
  private _say(problem?: string): void {
    const { trace, length } = this._probe;
    this._context.announce(problem ?? capitalized(outcomeText(trace, length)));
  }

  private _begin(step: number): void {
    const { map } = this._context;
    this._probe = new Probe(this._context, currentQuery(map), true);
    const explanation = this._explain();
    this._body.hidden = !explanation;
    this._walk = explanation && new Walk(explanation, boundsPlanes(grow(map.world.bounds, AROUND)));
    if (!this._walk || !explanation) {
      this._picture.clear();
      this._summary.textContent = '';
      this._context.state.set({ q: writeQuery(this._probe.query) });
      return;
    }
    this._summary.textContent = this._summarize(explanation);
    this._stops = this._walk.stops(this._all.checked);
    const at = this._stops.findIndex((number) => number >= step);
    this._show(Math.max(0, at));
  }

  /** The explanation of the current move; says why where there is none. */
  private _explain(): Explanation | undefined {
    const format = formatOf(this._context.map);
    const { query, tracer } = this._probe;
    try {
      if (!kindOf(format, query.kind)?.explains)
        throw new TypeError(`a sweep of this shape has no steps to show`);
      const explanation = format.explain(tracer, query.start, query.end);
      if (explanation.steps.length === 0) throw new TypeError(noSteps(tracer.shape));
      this._problem.hidden = true;
      return explanation;
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof BspError)) throw error;
      const others = format.tracers.kinds.filter(({ explains }) => explains).map(({ name }) => name);
      this._problem.textContent = `${capitalized(error.message)}. Shapes whose steps can be shown: ${others.join(', ')}.`;
      this._problem.hidden = false;
      return undefined;
    }
  }

  private _summarize(explanation: Explanation): string {
    const { query, trace, length } = this._probe;
    const { node, leaf, brush, facet, polygon, side, feature, skipped } = countWork(explanation);
    const parts = [
      [node, 'node'],
      [leaf, 'leaf', 'leafs'],
      [brush, 'brush', 'brushes'],
      [facet, 'facet'],
      [polygon, 'polygon'],
      [side, 'side'],
      [feature, 'feature'],
    ] as const;
    const work = parts.flatMap(([number, one, many]) => (number > 0 ? [count(number, one, many)] : []));
    const left = skipped > 0 ? `; ${skipped} skipped` : '';
    return `${capitalized(query.kind)} from ${showVec(query.start)} to ${showVec(query.end)}: ${outcomeText(trace, length)}. ${work.join(', ')}${left}.`;
  }

  /** Other stops, at or after the same step. */
  private _choose(): void {
    if (!this._walk) return;
    const number = this._stops[this._at] ?? 0;
    this._stops = this._walk.stops(this._all.checked);
    const at = this._stops.findIndex((stop) => stop >= number);
    this._show(at < 0 ? this._stops.length - 1 : at);
  }

  private _go(at: number): void {
    this._stop();
    this._show(at);
  }

  private _show(at: number): void {
    const walk = this._walk;
    if (!walk) return;
    this._at = Math.max(0, Math.min(this._stops.length - 1, at));
    const number = this._stops[this._at]!;
    const picture = walk.at(number);
    const { contents } = this._context.map.format;
    const { name, detail } = stepText(walk, picture.current, contents);
    this._slider.max = String(this._stops.length - 1);
    this._slider.value = String(this._at);
    this._slider.setAttribute('aria-valuetext', `${this._at + 1} of ${this._stops.length}: ${name}`);
    this._title.textContent = `${this._at + 1} / ${this._stops.length} · ${name}`;
    this._detail.textContent = detail;
    this._bar.set(picture, walk.explanation.trace.fraction);
    this._legend.replaceChildren(swatches(this._picture.colorsOf(walk, picture)));
    this._fillList(walk);
    const [start, end] = this._line(walk);
    this._picture.draw(walk, picture, start, end, this._probe.query);
    this._context.state.set({
      q: writeQuery(this._probe.query),
      s: number,
      ...(this._all.checked && { all: true }),
    });
  }

  /** The move as the steps have it: that of the shape's middle. */
  private _line({ steps }: Walk): readonly [readonly number[], readonly number[]] {
    const first = steps.find(({ step }) => 'start' in step)?.step;
    const { start, end } = first && 'start' in first ? first : this._probe.query;
    return [start, end];
  }

  private _fillList(walk: Walk): void {
    const { contents } = this._context.map.format;
    // As many as there is room for: the list takes what height the panel has left.
    const near = Math.max(NEAR, Math.floor((this._list.clientHeight / LINE - 1) / 2));
    const length = Math.min(this._stops.length, 2 * near + 1);
    const first = Math.max(0, Math.min(this._stops.length - length, this._at - near));
    const focused = this._list.contains(document.activeElement);
    const items = this._stops.slice(first, first + length).map((number, k) => {
      const at = first + k;
      const step = walk.steps[number]!;
      const { name, brief } = stepText(walk, step, contents);
      const outcome = 'outcome' in step.step ? step.step.outcome : '';
      const line = h(
        'button',
        {
          type: 'button',
          class: `tool-step-line is-${step.step.kind} ${outcome && `is-${outcome}`}`,
          style: `--depth: ${Math.min(step.depth, 14)}`,
          'aria-current': at === this._at ? 'step' : undefined,
          title: step.tree ?? ('outcome' in step.step ? outcomeName(step.step) : undefined),
          onclick: () => this._go(at),
        },
        h('b', {}, name),
        ` ${brief}`,
      );
      return h('li', {}, ...(step.tree ? [h('span', { class: 'tool-tree' }, step.tree)] : []), line);
    });
    this._list.start = first + 1;
    this._list.replaceChildren(...items);
    const current = this._list.querySelector<HTMLElement>('[aria-current]');
    if (focused) current?.focus({ preventScroll: true });
    if (!current) return;
    // Lines with a word on the tree above them are higher. Only the list scrolls, not the panel around it.
    const [line, list] = [current.getBoundingClientRect(), this._list.getBoundingClientRect()];
    this._list.scrollTop += (line.top + line.bottom - list.top - list.bottom) / 2;
  }

  private _togglePlay(): void {
    if (this._timer !== undefined) {
      this._stop();
      return;
    }
    if (this._at === this._stops.length - 1) this._show(0);
    this._play.textContent = 'Pause';
    this._timer = setInterval(() => {
      this._show(this._at + 1);
      if (this._at === this._stops.length - 1) this._stop();
    }, PACE);
  }

  private _stop(): void {
    clearInterval(this._timer);
    this._timer = undefined;
    this._play.textContent = 'Play';
  }

  /** A click takes apart a shot from the eye, of the same shape; Back leads to the one before, and to the step it was at. */
  pointer({ type, x, y, button: pressed }: ToolPointer): boolean {
    if (type !== 'click' || pressed !== 0) return false;
    this._context.leaveBehind();
    setCurrentQuery(this._context.map, {
      ...this._probe.query,
      ...shotAt(this._context, this._probe.tracer, x, y),
    });
    this.worldChanged();
    this._say();
    return true;
  }

  key({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    if (ctrlKey || metaKey || altKey || (key !== ',' && key !== '.')) return false;
    this._go(this._at + (key === '.' ? 1 : -1));
    return true;
  }

  worldChanged(): void {
    this._stop();
    this._probe.dispose();
    this._begin(0);
  }

  themeChanged(): void {
    this._probe.recolor();
    this._probe.draw();
    this._picture.recolor();
    if (this._walk) this._show(this._at);
  }

  dispose(): void {
    this._stop();
    this._resized.disconnect();
    this._probe.dispose();
    this._picture.dispose();
    this._panel.replaceChildren();
  }
}

export const tool: Tool = { mount: (panel, context) => new Explain(panel, context) };
