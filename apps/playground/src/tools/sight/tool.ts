import { show } from '@bspkit/words';
import { Group } from 'three';
import { h } from '../../app/dom.ts';
import { sightRulesOf } from '../../games/index.ts';
import { FieldList, labelled, ticked } from '../dom.ts';
import { Lines } from '../draw/lines.ts';
import { boxEdges } from '../draw/shapes.ts';
import { firstQuery } from '../query/current.ts';
import { Handles } from '../query/handles.ts';
import { stateField, stateNumber, stateTexts } from '../state.ts';
import type { Json, MountedTool, Tool, ToolContext, ToolPointer } from '../tool.ts';
import { type Look, lookAt, type SightRules } from './rules.ts';
import '../tools.css';

/** Half the size of the cross where a line is stopped, in Quake units. */
const CROSS = 4;

/** How far from the map's bounds the first target is kept, in Quake units. */
const EDGE = 48;

type Posture = keyof SightRules['eyes'];

/** Lines of sight from cell to cell. */
class SightLines implements MountedTool {
  private readonly _context: ToolContext;
  private readonly _panel: HTMLElement;
  private readonly _group: Group = new Group();
  private readonly _free: Lines = new Lines({ width: 2.5, hidden: 0.35 });
  private readonly _blocked: Lines = new Lines({ width: 2.5, hidden: 0.45 });
  private readonly _rest: Lines = new Lines({ width: 1, opacity: 0.6, hidden: 0.25 });
  private readonly _cells: Lines = new Lines({ width: 1.5, opacity: 0.9, hidden: 0.3 });
  private readonly _parts: readonly Lines[] = [this._free, this._blocked, this._rest, this._cells];
  private readonly _outcome: HTMLElement = h('p', { class: 'tool-outcome' });
  private readonly _fields: FieldList = new FieldList();
  private readonly _levels: HTMLFieldSetElement = h('fieldset', { class: 'tool-checks tool-levels' });
  private readonly _clips: HTMLFieldSetElement = h('fieldset', { class: 'tool-checks' });
  private readonly _posture: HTMLSelectElement = h(
    'select',
    {},
    h('option', { value: 'standing' }, 'Standing'),
    h('option', { value: 'crouching' }, 'Crouching'),
  );
  private _handles: Handles | undefined;
  private _rules: SightRules | undefined;
  private _look: Look | undefined;
  private _from: readonly number[] = [];
  private _to: readonly number[] = [];
  private _isDisposed = false;

  constructor(panel: HTMLElement, context: ToolContext) {
    this._context = context;
    this._panel = panel;
    for (const { object } of this._parts) this._group.add(object);
    context.scene.add(this._group);
    this._posture.addEventListener('change', () => this._change());
    panel.append(
      h(
        'div',
        { class: 'tool-result', role: 'group', 'aria-label': 'Answer' },
        this._outcome,
        this._fields.element,
      ),
      labelled('Viewer', this._posture),
      this._levels,
      this._clips,
    );
    void this._begin(context.state.get());
  }

  private async _begin(state: Json | undefined): Promise<void> {
    const { map } = this._context;
    const loaded = await sightRulesOf(map)?.();
    if (!loaded || this._isDisposed || map !== this._context.map) return;
    const { rules } = loaded;
    this._rules = rules;
    this._look = rules.createLook(map.world);
    const { start, end } = firstQuery(map);
    const { mins, maxs } = map.world.bounds;
    const within = end.map((x, k) => Math.max(mins[k]! + EDGE, Math.min(maxs[k]! - EDGE, x)));
    this._from = readCell(rules, stateField(state, 'from')) ?? rules.cellAt(start);
    this._to = readCell(rules, stateField(state, 'to')) ?? rules.cellAt(within);
    if (stateField(state, 'posture') === 'crouching') this._posture.value = 'crouching';
    this._fillLevels(rules, stateNumber(state, 'levels') ?? -1);
    this._fillClips(rules, stateTexts(state, 'clips'));
    this._handles?.dispose();
    this._handles = new Handles(
      this._context,
      [
        {
          name: 'Cell of the eye',
          style: 'start',
          steps: rules.size,
          get: () => rules.middleOf(this._from),
          set: (point) => this._move(rules.cellAt(point), this._to),
        },
        {
          name: 'Cell of the target',
          style: 'end',
          steps: rules.size,
          get: () => rules.middleOf(this._to),
          set: (point) => this._move(this._from, rules.cellAt(point)),
        },
      ],
      this._outcome,
    );
    this.themeChanged();
    this._say();
  }

  private _fillLevels({ levels }: SightRules, mask: number): void {
    const boxes = Array.from({ length: levels }, (_, k) =>
      this._box(String(1 << k), (mask & (1 << k)) !== 0, String(k + 1)),
    );
    this._levels.replaceChildren(h('legend', {}, 'Levels whose walls block; none means all'), ...boxes);
  }

  private _fillClips({ clips }: SightRules, chosen: readonly string[]): void {
    const boxes = Object.entries(clips).map(([name, title]) => this._box(name, chosen.includes(name), title));
    this._clips.replaceChildren(h('legend', {}, 'Also blocks'), ...boxes);
  }

  private _box(value: string, checked: boolean, label: string): HTMLElement {
    return ticked(h('input', { type: 'checkbox', value, checked, onchange: () => this._change() }), label);
  }

  private _move(from: readonly number[], to: readonly number[]): void {
    this._from = from;
    this._to = to;
    this._tell();
  }

  private _change(): void {
    this._tell();
    this._say();
  }

  private _say(): void {
    this._context.announce(this._outcome.textContent!);
  }

  /** Looks again, and shows what is seen. */
  private _tell(): void {
    const { _rules: rules, _look: look } = this;
    if (!rules || !look) return;
    const ticked = (set: HTMLElement): string[] =>
      [...set.querySelectorAll<HTMLInputElement>('input:checked')].map(({ value }) => value);
    const levels = ticked(this._levels).reduce((mask, bit) => mask | Number(bit), 0);
    const clips = ticked(this._clips);
    look.set({ levels, clips });
    const posture = this._posture.value as Posture;
    const sights = lookAt(rules, look, this._from, this._to, posture);
    const seen = sights.filter(({ isBlocked }) => !isBlocked).length;
    this._outcome.textContent =
      seen === 0 ? 'Not seen' : seen === sights.length ? 'Seen' : `Seen in part: ${seen} of ${sights.length}`;
    this._outcome.parentElement!.classList.toggle('is-hit', seen < sights.length);
    this._fields.set([
      ['from cell', this._from.join(' ')],
      ['to cell', this._to.join(' ')],
      ...sights.map(
        ({ name, isBlocked, fraction, stop }) =>
          [
            name,
            isBlocked ? `blocked at ${show(fraction)}, ${stop.map((x) => show(x, 1)).join(' ')}` : 'free',
          ] as const,
      ),
    ]);
    const segment = (a: readonly number[], b: readonly number[]): number[] => [...a, ...b];
    this._free.set(sights.flatMap(({ isBlocked, start, end }) => (isBlocked ? [] : segment(start, end))));
    const stopped = sights.filter(({ isBlocked }) => isBlocked);
    this._blocked.set(
      stopped.flatMap(({ start, stop }) => [
        ...segment(start, stop),
        ...[0, 1, 2].flatMap((axis) =>
          [-CROSS, CROSS].flatMap((by) => stop.map((x, k) => (k === axis ? x + by : x))),
        ),
      ]),
    );
    this._rest.set(stopped.flatMap(({ stop, end }) => segment(stop, end)));
    this._cells.set([this._from, this._to].flatMap((cell) => cellEdges(rules, cell)));
    this._context.state.set({
      from: this._from,
      to: this._to,
      posture,
      levels,
      clips,
    });
    this._context.requestRender();
  }

  /** A click puts the target's cell there. */
  pointer({ type, x, y, button }: ToolPointer): boolean {
    if (type !== 'click' || button !== 0 || !this._rules) return false;
    const picked = this._context.pick(x, y);
    if (!picked) return false;
    // Before the surface, and somewhat above floors.
    const point = [0, 1, 2].map((k) => picked.point[k]! + 4 * picked.normal[k]!);
    this._move(this._from, this._rules.cellAt(point));
    this._say();
    return true;
  }

  update(): void {
    this._handles?.place();
  }

  worldChanged(): Promise<void> {
    return this._begin(undefined);
  }

  themeChanged(): void {
    const { colors } = this._context;
    this._free.color = colors.c;
    this._blocked.color = colors.warning;
    this._rest.color = colors.miss;
    this._cells.color = colors.a;
    this._tell();
  }

  dispose(): void {
    this._isDisposed = true;
    this._handles?.dispose();
    for (const part of this._parts) part.dispose();
    this._context.scene.remove(this._group);
    this._panel.replaceChildren();
  }
}

/** The edges of a cell. */
function cellEdges({ size: [width, height], middleOf }: SightRules, cell: readonly number[]): number[] {
  const half = [width / 2, width / 2, height / 2];
  const middle = middleOf(cell);
  return boxEdges(
    middle.map((x, k) => x - half[k]!),
    middle.map((x, k) => x + half[k]!),
  );
}

/** A cell from a link; `undefined` for anything that is not a cell of this game. */
function readCell({ middleOf }: SightRules, value: Json | undefined): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length !== 3 || !value.every(Number.isInteger)) return undefined;
  try {
    middleOf(value as number[]);
    return value as number[];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export const tool: Tool = { mount: (panel, context) => new SightLines(panel, context) };
