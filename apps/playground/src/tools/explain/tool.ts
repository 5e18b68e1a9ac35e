import { BspError, type Explanation, type MoveExplanation } from '@bspkit/core';
import { explainerOf } from '@bspkit/core/format';
import {
  capitalized,
  count,
  isCheck,
  ModelFrames,
  moveText,
  noSteps,
  outcomeName,
  outcomeText,
  roundLines,
  roundName,
  showVec,
} from '@bspkit/words';
import { h } from '../../app/dom.ts';
import { reasonOf } from '../../app/notice.ts';
import { button, problemLine, sayProblem, swatches, ticked } from '../dom.ts';
import { boundsPlanes, grow } from '../draw/polygons.ts';
import { shotAt } from '../query/aim.ts';
import { currentQuery, readCurrentQuery, setCurrentQuery } from '../query/current.ts';
import { formatOf } from '../query/format.ts';
import { Probe } from '../query/probe.ts';
import { kindOf, writeQuery } from '../query/query.ts';
import { stateField, stateNumber } from '../state.ts';
import type { MountedTool, Tool, ToolContext, ToolPointer } from '../tool.ts';
import { FractionBar } from './bar.ts';
import { StepList } from './list.ts';
import { PIECE, StepPicture } from './picture.ts';
import { Player } from './player.ts';
import { type AroundOf, countWork, Walk, type WalkStep } from './walk.ts';
import { type StepText, stepText } from './words.ts';
import '../tools.css';

/** How far beyond the world's bounds regions reach that nothing closes, in Quake units. */
const AROUND = 32;

/** Where the slider stops: a step of a walk, or a round as a whole. One trace is a single walk. */
interface Stop {
  readonly round: number;
  /** Number of the step; -1 for the round. */
  readonly number: number;
}

/** Takes a trace apart, or a whole move of what slides: every step of the literal algorithm, in words and in the scene. */
class Explain implements MountedTool {
  private readonly _context: ToolContext;
  private readonly _panel: HTMLElement;
  private _probe!: Probe;
  private _frames!: ModelFrames;
  private readonly _picture: StepPicture;
  private readonly _bar: FractionBar = new FractionBar();
  /** That of the trace, or those of the rounds; none if there is nothing to show. */
  private _walks: readonly Walk[] = [];
  /** The whole move, if that is asked for. */
  private _move: MoveExplanation | undefined;
  private _stops: readonly Stop[] = [];
  private _at = 0;
  private readonly _player: Player;
  private readonly _all: HTMLInputElement = h('input', { type: 'checkbox', onchange: () => this._choose() });
  private readonly _whole: HTMLInputElement = h('input', {
    type: 'checkbox',
    onchange: () => {
      this.worldChanged();
      this._say();
    },
  });
  /** A button for each round. */
  private readonly _rounds: HTMLElement = h('div', {
    class: 'tool-rounds',
    role: 'group',
    'aria-label': 'Rounds',
  });
  private readonly _choice: HTMLElement = h(
    'div',
    { class: 'tool-row tool-whole' },
    ticked(this._whole, 'The whole move'),
    this._rounds,
  );
  private readonly _summary: HTMLElement = h('p', { class: 'tool-hint tool-summary' });
  private readonly _title: HTMLElement = h('h3', { class: 'tool-step-title' });
  private readonly _detail: HTMLElement = h('p', { class: 'tool-step-detail' });
  /** Read out as it changes. */
  private readonly _step: HTMLElement = h(
    'div',
    { class: 'tool-step', 'aria-live': 'polite' },
    this._title,
    this._detail,
  );
  /** What colours in the view mean. */
  private readonly _legend: HTMLElement = h('div');
  private readonly _list: StepList;
  private readonly _body: HTMLElement;
  private readonly _problem: HTMLElement = problemLine();

  constructor(panel: HTMLElement, context: ToolContext) {
    this._context = context;
    this._panel = panel;
    const state = context.state.get();
    const problem = readCurrentQuery(context);
    this._all.checked = stateField(state, 'all') === true;
    this._whole.checked = stateNumber(state, 'r') !== undefined;
    this._player = new Player(
      (at) => this._show(at),
      this._step,
      () => context.announce(this._title.textContent!),
    );
    this._list = new StepList((at) => this._line(at));
    this._body = h(
      'div',
      { class: 'tool-explain' },
      this._bar.element,
      this._player.element,
      this._step,
      this._legend,
      this._list.element,
      ticked(this._all, 'Also list what was skipped'),
    );
    panel.append(
      this._choice,
      this._summary,
      this._problem,
      this._body,
      h(
        'div',
        { class: 'tool-row' },
        button('Side view', () => this._lookAt()),
      ),
    );
    this._picture = new StepPicture(context);
    this._begin({ round: stateNumber(state, 'r') ?? 0, number: stateNumber(state, 's') ?? 0 });
    this._say(problem);
  }

  /** Turns the view to the way that was made. */
  private _lookAt(): void {
    if (this._move) this._context.camera.lookAt(this._probe.query.start, this._move.endPos);
    else this._probe.lookAt();
  }

  /** Says what came of the move, for those who do not see it, or why another one was asked for. */
  private _say(problem?: string): void {
    this._context.announce(problem ?? capitalized(this._outcome()));
  }

  private _outcome(): string {
    const { trace, length } = this._probe;
    return this._move ? moveText(this._move) : outcomeText(trace, length);
  }

  private _begin(stop: Stop): void {
    const { map } = this._context;
    this._probe = new Probe(this._context, currentQuery(map), true);
    const { query } = this._probe;
    this._choice.hidden = !kindOf(formatOf(map), query.kind)?.slides;
    this._move = undefined;
    const explanations = this._explain();
    const around = boundsPlanes(grow(map.world.bounds, AROUND));
    this._frames = new ModelFrames(map.world, query.options);
    const aroundOf: AroundOf = (at) => around.map((plane) => this._frames.of(at).enterPlane(plane));
    this._walks = explanations.map((explanation) => new Walk(explanation, aroundOf));
    this._findStops();
    this._body.hidden = explanations.length === 0;
    this._rounds.hidden = !this._move;
    if (explanations.length === 0) {
      this._picture.clear();
      this._list.show(0, 0);
      this._summary.textContent = '';
      this._context.state.set({ q: writeQuery(query) });
      return;
    }
    this._summary.textContent = this._summarize();
    this._fillRounds();
    this._show(Math.max(0, this._find(stop)));
  }

  /** A button for each round of a whole move. */
  private _fillRounds(): void {
    const move = this._move;
    if (!move) return;
    this._rounds.replaceChildren(
      ...move.rounds.map((_, round) =>
        button(
          isCheck(move, round) ? 'check' : String(round + 1),
          () => this._player.go(this._find({ round, number: -1 })),
          { 'aria-label': capitalized(roundName(move, round)) },
        ),
      ),
    );
  }

  /** The explanations of the current move: of the trace, or of the rounds; says why there are none. */
  private _explain(): readonly Explanation[] {
    const { map } = this._context;
    const format = formatOf(map);
    const { query, tracer } = this._probe;
    const { start, end } = query;
    let problem = '';
    try {
      if (kindOf(format, query.kind)?.slides && this._whole.checked) {
        this._move = format.explainMove!(tracer, start, end);
        return this._move.rounds;
      }
      const explain = explainerOf(format, map.world, query, tracer);
      const explanation = explain?.(start, end);
      if (explanation && explanation.steps.length > 0) return [explanation];
      const others = format.tracers.kinds.filter(({ explains }) => explains).map(({ name }) => name);
      problem = explanation
        ? reasonOf(noSteps(tracer.shape))
        : `A sweep of this shape has no steps to show. Shapes whose steps can be shown: ${others.join(', ')}.`;
    } catch (error) {
      if (!(error instanceof BspError)) throw error;
      problem = reasonOf(error);
    } finally {
      sayProblem(this._problem, problem);
    }
    return [];
  }

  private _findStops(): void {
    this._stops = this._walks.flatMap((walk, round) => [
      ...(this._move ? [{ round, number: -1 }] : []),
      ...walk.stops(this._all.checked).map((number) => ({ round, number })),
    ]);
  }

  /** The first stop at or after another. */
  private _find({ round, number }: Stop): number {
    return this._stops.findIndex(
      (stop) => stop.round > round || (stop.round === round && stop.number >= number),
    );
  }

  private _summarize(): string {
    const { query } = this._probe;
    const steps = this._walks.flatMap(({ explanation }) => explanation.steps);
    const { node, leaf, brush, facet, polygon, side, feature, skipped } = countWork(steps);
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
    const told = `${capitalized(query.kind)} from ${showVec(query.start)} to ${showVec(query.end)}: ${this._outcome()}.`;
    return work.length > 0 ? `${told} ${work.join(', ')}${left}.` : told;
  }

  /** Other stops, at or after the same step. */
  private _choose(): void {
    const stop = this._stops[this._at];
    if (!stop) return;
    this._findStops();
    const at = this._find(stop);
    this._show(at < 0 ? this._stops.length - 1 : at);
  }

  private _show(at: number): void {
    if (this._stops.length === 0) return;
    this._at = Math.max(0, Math.min(this._stops.length - 1, at));
    const stop = this._stops[this._at]!;
    const { round, number } = stop;
    const { name, detail } = this._text(stop);
    const full = this._move && number >= 0 ? `${roundName(this._move, round)}, ${name}` : name;
    this._player.set(this._at, this._stops.length);
    this._title.textContent = `${this._at + 1} / ${this._stops.length} · ${full}`;
    this._detail.textContent = detail;
    for (const [k, each] of [...this._rounds.children].entries()) {
      each.ariaCurrent = String(k === round);
    }
    this._draw(stop);
    this._list.show(this._at, this._stops.length);
    this._context.state.set({
      q: writeQuery(this._probe.query),
      ...(this._move && { r: round }),
      s: number,
      ...(this._all.checked && { all: true }),
    });
  }

  private _text({ round, number }: Stop): StepText {
    const walk = this._walks[round]!;
    if (number >= 0) {
      const at = walk.steps[number]!;
      const text = stepText(walk, at, this._context.map.format.contents);
      return { ...text, detail: text.detail + this._frameOf(at) };
    }
    const [[name, way], ...lines] = roundLines(this._move!, round, -1, 2) as [
      [string, string],
      ...[string, string][],
    ];
    return {
      name,
      brief: lines[0]![1],
      detail: [`${capitalized(way)}.`, ...lines.map(([what, text]) => `${capitalized(what)}: ${text}.`)].join(
        ' ',
      ),
    };
  }

  /** Says so where a plane is that of a model which does not stand where it was built. */
  private _frameOf({ step, at }: WalkStep): string {
    const hasPlane = step.kind === 'node' || step.kind === 'side';
    const model = at?.model ?? this._frames.model;
    return hasPlane && !this._frames.of(at).isWorld ? ` This plane is in the frame of model *${model}.` : '';
  }

  private _draw({ round, number }: Stop): void {
    const walk = this._walks[round]!;
    const { trace } = walk.explanation;
    const move = this._move;
    this._picture.clear();
    if (move) this._picture.drawMove(move, this._probe);
    if (move && number < 0) {
      const { start, end, stop, next, along } = move.rounds[round]!;
      const isPush = move.kind === 'push' && along.length > 0;
      this._picture.drawPiece(isPush ? end : start, isPush ? next : stop);
      this._bar.set({ from: 0, to: trace.fraction }, {}, trace.fraction);
      const { ray, d } = this._context.colors;
      const hasPushes = move.kind === 'push' || move.pushes.length > 0;
      this._legend.replaceChildren(
        swatches([['round', PIECE], ['move', ray], ...(hasPushes ? [['pushes', d] as const] : [])]),
      );
      return;
    }
    const picture = walk.at(number);
    this._bar.set(picture.current.span, picture, trace.fraction);
    this._legend.replaceChildren(swatches(this._picture.colorsOf(walk, picture)));
    this._picture.draw(walk, picture, this._probe.query);
  }

  /** A line of the list. */
  private _line(at: number): HTMLElement {
    const stop = this._stops[at]!;
    const about = this._walks[stop.round]!.steps[stop.number];
    const { name, brief } = this._text(stop);
    const outcome = about && 'outcome' in about.step ? about.step : undefined;
    const line = h(
      'button',
      {
        type: 'button',
        class: `tool-step-line is-${about?.step.kind ?? 'round'} ${outcome ? `is-${outcome.outcome}` : ''}`,
        style: `--depth: ${Math.min(about?.depth ?? 0, 14)}`,
        'aria-current': at === this._at ? 'step' : undefined,
        title: about?.tree ?? (outcome && outcomeName(outcome)),
        onclick: () => this._player.go(at),
      },
      h('b', {}, name),
      ` ${brief}`,
    );
    return h('li', {}, ...(about?.tree ? [h('span', { class: 'tool-tree' }, about.tree)] : []), line);
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
    this._player.step(key === '.' ? 1 : -1);
    return true;
  }

  worldChanged(): void {
    this._player.stop();
    this._probe.dispose();
    this._begin({ round: 0, number: -1 });
  }

  themeChanged(): void {
    this._probe.recolor();
    this._probe.draw();
    this._picture.recolor();
    this._show(this._at);
  }

  dispose(): void {
    this._player.stop();
    this._list.dispose();
    this._probe.dispose();
    this._picture.dispose();
    this._panel.replaceChildren();
  }
}

export const tool: Tool = { mount: (panel, context) => new Explain(panel, context) };
