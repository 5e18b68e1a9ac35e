import {
  type CompareStage,
  type Comparison,
  type Difference,
  QUERY_KINDS,
  type QueryKind,
  showShare,
} from '@bspkit/compare';
import { suitedPresets } from '@bspkit/core/format';
import { count, presetText, show } from '@bspkit/words';
import { h } from '../../app/dom.ts';
import { reasonOf } from '../../app/notice.ts';
import { button, choose, labelled, progressBar, swatches, ticked } from '../dom.ts';
import { formatOf } from '../query/format.ts';
import { writeQuery } from '../query/query.ts';
import { stateField, stateNumber, stateTexts } from '../state.ts';
import type { Json, MountedTool, Tool, ToolContext, ToolPointer } from '../tool.ts';
import { type Bar, barChart } from './chart.ts';
import { type Entrant, entrantName, NEAR, presetNamed, type Role } from './contest.ts';
import { DifferenceLines } from './differences.ts';
import { CompareRun } from './run.ts';
import { workText } from './work.ts';
import '../tools.css';

const ROLES: Readonly<Record<Role, string>> = { point: 'Rays', body: 'Bodies', ball: 'Spheres' };
const COUNTS = [2000, 20_000, 100_000];
const STAGES: Readonly<Record<CompareStage, string>> = {
  answers: 'Running the queries',
  timing: 'Timing',
  allocation: 'Measuring memory',
  work: 'Counting work',
};
/** Differences in the list. */
const LISTED = 8;

/** The latest of all, whoever started it. */
let run: CompareRun | undefined;

/** The same queries through several tracers: who agrees, who is how fast, where they differ. */
class Compare implements MountedTool {
  private readonly _context: ToolContext;
  private readonly _panel: HTMLElement;
  private readonly _drawn: DifferenceLines;
  private readonly _roles: HTMLSelectElement = h('select');
  private readonly _queries: HTMLSelectElement = h(
    'select',
    {},
    ...Object.entries(QUERY_KINDS).map(([kind, text]) => h('option', { value: kind }, text)),
  );
  private readonly _count: HTMLSelectElement = h(
    'select',
    {},
    ...COUNTS.map((number) => h('option', { value: String(number) }, number.toLocaleString('en'))),
  );
  private readonly _entrants: HTMLFieldSetElement = h('fieldset', { class: 'tool-checks' });
  private readonly _run: HTMLButtonElement = button('Compare', () => this._toggle(), {
    class: 'tool-button is-main',
  });
  private readonly _progress: HTMLProgressElement = progressBar();
  private readonly _say: HTMLElement = h('p', { class: 'tool-hint', role: 'status' });
  private readonly _results: HTMLElement = h('div', { class: 'tool-stack' });
  /** The run that is shown. */
  private _followed: CompareRun | undefined;

  constructor(panel: HTMLElement, context: ToolContext) {
    this._context = context;
    this._panel = panel;
    this._drawn = new DifferenceLines(context);
    this._roles.addEventListener('change', () => this._fillEntrants([]));
    panel.append(
      h('div', { class: 'tool-row' }, labelled('Shape', this._roles), labelled('Queries', this._count)),
      labelled('Moves', this._queries),
      this._entrants,
      h('div', { class: 'tool-row' }, this._run),
      this._progress,
      this._say,
      this._results,
    );
    this._count.value = '20000';
    this.themeChanged();
    this._read(context.state.get());
  }

  /** Sets the form as a link says, or as it was run, and runs what had been run. */
  private _read(asked: Json | undefined): void {
    const { map } = this._context;
    const own = run?.bytes === map.bytes ? run : undefined;
    const state = asked ?? own?.form;
    // The format's own tracers first: to ask about ellipsoids makes a world of them, while the page stands still.
    const roles = (Object.keys(ROLES) as Role[]).filter((role) =>
      [map.format, formatOf(map)].some((format) => suitedPresets(format, map.world, role).length > 0),
    );
    this._roles.replaceChildren(...roles.map((role) => h('option', { value: role }, ROLES[role])));
    choose(this._roles, stateField(state, 'role'));
    choose(this._queries, stateField(state, 'queries'));
    choose(this._count, stateNumber(state, 'count'));
    this._fillEntrants(stateTexts(state, 'tracers'));
    if (stateField(state, 'ran') !== true) return;
    if (own && JSON.stringify(state) === JSON.stringify(own.form)) this._follow(own);
    else if (this._chosen().length > 1) this._start();
    else this._context.state.set(undefined);
  }

  /** The tracers of the role, and one of them without WebAssembly, where there is any. */
  private _fillEntrants(chosen: readonly string[]): void {
    const { map } = this._context;
    const format = formatOf(map);
    const own = new Set(map.format.tracers.presets.map(({ name }) => name));
    const entrants = suitedPresets(format, map.world, this._roles.value as Role).flatMap(
      ({ name }, k): Entrant[] => {
        const hasKernels = map.world.kernel !== 'js' && own.has(name);
        // The second kernel gives the same answers: one tracer is enough to show that.
        return hasKernels && k === 0
          ? [{ preset: name }, { preset: name, kernel: 'js' }]
          : [{ preset: name }];
      },
    );
    const isChosen = (name: string): boolean => chosen.length === 0 || chosen.includes(name);
    this._entrants.replaceChildren(
      h('legend', {}, 'Tracers, the first one ticked as the baseline'),
      ...entrants.map((entrant) => {
        const name = entrantName(entrant);
        const box = h('input', { type: 'checkbox', value: JSON.stringify(entrant), checked: isChosen(name) });
        box.addEventListener('change', () => this._allow());
        return ticked(box, name, h('small', {}, presetText(presetNamed(format, entrant.preset))));
      }),
    );
    this._allow();
  }

  private _chosen(): Entrant[] {
    const boxes = this._entrants.querySelectorAll<HTMLInputElement>('input:checked');
    return [...boxes].map(({ value }) => JSON.parse(value) as Entrant);
  }

  private _allow(): void {
    this._run.disabled = !this._followed?.goesOn && this._chosen().length < 2;
    this._run.title = this._run.disabled ? 'Choose two or more tracers' : '';
  }

  private _toggle(): void {
    if (!this._followed?.stop(this._context, this._form)) {
      this._start();
      return;
    }
    this._rest();
    this._say.textContent = 'Stopped.';
  }

  /** The form, as links have it. */
  private get _form() {
    return {
      role: this._roles.value,
      queries: this._queries.value as QueryKind,
      count: Number(this._count.value),
      tracers: this._chosen().map(entrantName),
    };
  }

  private _start(): void {
    const { _form: form } = this;
    const { queries, count } = form;
    run?.end();
    run = new CompareRun(this._context.map, { entrants: this._chosen(), queries, count, seed: 1 }, form);
    this._follow(run);
  }

  /** Shows what comes of a run, so far and from now on. */
  private _follow(own: CompareRun): void {
    this._rest();
    this._followed = own;
    this._context.state.set(own.form);
    own.tell = () => {
      this._tell(own);
      if (own.goesOn) return;
      this._say.scrollIntoView({ block: 'nearest' });
      this._results.firstElementChild?.scrollIntoView({ block: 'nearest' });
    };
    this._tell(own);
  }

  private _tell(own: CompareRun): void {
    const { goesOn, told } = own;
    this._progress.hidden = !goesOn;
    this._run.textContent = goesOn ? 'Stop' : 'Compare';
    this._allow();
    if (!told) this._say.textContent = 'Starting…';
    else if ('part' in told) {
      this._progress.value = told.part;
      this._say.textContent = `${STAGES[told.stage!]}…`;
    } else if ('error' in told) this._say.textContent = reasonOf(told.error);
    else this._show(own, told.result);
  }

  /** As where nothing was run. */
  private _rest(): void {
    this._followed = undefined;
    this._progress.hidden = true;
    this._progress.removeAttribute('value');
    this._run.textContent = 'Compare';
    this._say.textContent = '';
    this._results.replaceChildren();
    this._draw([]);
    this._allow();
  }

  private _show(own: CompareRun, comparison: Comparison): void {
    const { tracers, queries } = comparison;
    const differing = tracers.findIndex(({ agreement }) => agreement.worst.length > 0);
    own.shown ??= differing < 0 ? 1 : differing;
    this._say.textContent = `${count(queries, 'query', 'queries')} each; ends within ${NEAR} units count as equal. ns: nanoseconds per query.`;
    const bars = (value: (report: Comparison['tracers'][number]) => number): Bar[] =>
      tracers.map((report, k) => ({ value: value(report), color: chipColor(k) }));
    const speeds = bars(({ time }) => (time ? 1e3 / time.median : 0));
    const shares = bars(({ agreement }) => 100 * (1 - agreement.share));
    const list = h('div', { class: 'tool-stack' });
    this._results.replaceChildren(
      this._table(own, comparison, list),
      h('h3', {}, 'Million queries per second'),
      barChart('Speeds, as in the table', speeds, ''),
      h('h3', {}, 'Answers that differ from the baseline'),
      barChart('Agreement, as in the table', shares, ' %'),
      list,
    );
    this._list(own, comparison, list);
  }

  private _table(own: CompareRun, comparison: Comparison, list: HTMLElement): HTMLElement {
    const { tracers, queries } = comparison;
    const rows = tracers.map(({ name, hits, agreement, time, work }, k) => {
      const cell = k === 0 ? 'baseline' : agreement.agreed === queries ? 'all' : showShare(agreement.share);
      const pick = button(cell, () => {
        own.shown = k;
        this._list(own, comparison, list);
      });
      pick.className = 'tool-link';
      pick.title = 'Show where it differs';
      const steps = work ? workText(work) : '';
      return h(
        'tr',
        {},
        h(
          'th',
          { scope: 'row' },
          h('i', { class: 'tool-chip', style: `--chip: ${chipColor(k)}` }, String(k + 1)),
          name,
          ...(steps === '' ? [] : [h('small', {}, steps)]),
        ),
        h('td', {}, hits.toLocaleString('en')),
        h('td', {}, k > 0 && agreement.agreed < queries ? pick : cell),
        h('td', {}, time ? Math.round(time.median).toLocaleString('en') : '–'),
      );
    });
    const heads = ['tracer', 'hits', 'agrees', 'ns'];
    return h(
      'div',
      { class: 'tool-table-frame' },
      h(
        'table',
        { class: 'tool-table' },
        h('caption', {}, 'Hits, agreement and time'),
        h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
        h('tbody', {}, ...rows),
      ),
    );
  }

  /** Lists and draws where one of the tracers differs most. */
  private _list({ entrants, shown }: CompareRun, { tracers }: Comparison, list: HTMLElement): void {
    const { name, agreement } = tracers[shown!]!;
    const { worst } = agreement;
    this._draw(worst);
    if (worst.length === 0) {
      list.replaceChildren(h('p', { class: 'tool-hint' }, 'No differences.'));
      return;
    }
    const items = worst.slice(0, LISTED).map((difference) =>
      h(
        'li',
        {},
        h(
          'button',
          {
            type: 'button',
            class: 'tool-step-line',
            style: '--depth: 0',
            title: 'Open it in Shoot',
            onclick: () => this._open(entrants[shown!]!, difference),
          },
          h('b', {}, `${show(difference.gap, 2)} units`),
          ` ${difference.kinds.join(', ')}; query ${difference.query}`,
        ),
      ),
    );
    list.replaceChildren(
      h('h3', {}, `Where ${name} differs most`),
      swatches([
        ['its end', chipColor(shown!)],
        ['gap to the baseline', 'var(--warning)'],
        ['move', 'var(--miss)'],
      ]),
      h('ol', { class: 'tool-steps' }, ...items),
      h('p', { class: 'tool-hint' }, 'Click one here or in the view to open it in Shoot.'),
    );
  }

  /** Goes to a query with the tracer that differs. */
  private _open({ preset: name }: Entrant, { start, end }: Difference): void {
    const preset = formatOf(this._context.map).tracers.presets.find((known) => known.name === name)!;
    const { kind, size = [], options = {} } = preset;
    this._context.openTool('shoot', { q: writeQuery({ kind, size, options, start, end }) });
  }

  private _draw(differences: readonly Difference[]): void {
    this._drawn.set(differences, this._color());
  }

  /** That of the tracer whose differences are shown. */
  private _color(): string {
    return this._context.colors[colorOf(this._followed?.shown ?? 0)];
  }

  pointer({ type, x, y, button: pressed }: ToolPointer): boolean {
    if (type !== 'click' || pressed !== 0) return false;
    const nearest = this._drawn.at(x, y);
    if (!nearest) return false;
    this._open(this._followed!.entrants[this._followed!.shown!]!, nearest);
    return true;
  }

  private _leave(): void {
    this._followed?.leave(this._context, 'The comparison is done.', 'The comparison failed.');
  }

  worldChanged(): void {
    this._leave();
    this._rest();
    this._context.state.set(undefined);
    this._read(undefined);
  }

  themeChanged(): void {
    const { colors } = this._context;
    for (const name of [...COLORS, 'warning', 'miss'] as const)
      this._results.style.setProperty(`--${name}`, colors[name]);
    this._drawn.recolor(this._color());
  }

  dispose(): void {
    this._leave();
    this._drawn.dispose();
    this._panel.replaceChildren();
  }
}

/** Colours of tracers, one after the other; the results have them by these names, as the theme has them. */
const COLORS = ['a', 'b', 'c', 'd'] as const;
const colorOf = (k: number): (typeof COLORS)[number] => COLORS[k % COLORS.length]!;
const chipColor = (k: number): string => `var(--${colorOf(k)})`;

export const tool: Tool = { mount: (panel, context) => new Compare(panel, context) };
