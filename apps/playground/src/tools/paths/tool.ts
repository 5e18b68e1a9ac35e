import type { ValueLayer } from '@bspkit/bake/picture';
import { BspError, type Vec3 } from '@bspkit/core';
import type { WalkCells, WalkReach } from '@bspkit/core/format';
import { count, showVec } from '@bspkit/words';
import { Group } from 'three';
import { h } from '../../app/dom.ts';
import { reasonOf } from '../../app/notice.ts';
import { findSpawns } from '../../camera/spawn.ts';
import { valueLegend } from '../bake/legend.ts';
import { ValueMesh } from '../bake/mesh.ts';
import { coloredTriangles } from '../bake/values.ts';
import { FieldList, labelled, progressBar } from '../dom.ts';
import { Lines } from '../draw/lines.ts';
import { Handles } from '../query/handles.ts';
import { stateField, stateNumber } from '../state.ts';
import type { Json, MountedTool, Tool, ToolContext, ToolPointer } from '../tool.ts';
import { cellAt, farthestCell, floorOf, nearestCell, reachLayers, waySegments, wayTo } from './routes.ts';
import { computeTable, knownTable, type Table } from './tables.ts';
import '../tools.css';

/** Both ends of a path, and how many time units it may take; each the first choice where it is left open. */
interface Asked {
  readonly from?: Vec3 | undefined;
  readonly to?: Vec3 | undefined;
  readonly limit?: number | undefined;
}

/** Where walkers of the map's game can go, what it costs them, and the way to the cell under the pointer. */
class Paths implements MountedTool {
  private readonly _context: ToolContext;
  private readonly _panel: HTMLElement;
  private readonly _group: Group = new Group();
  private readonly _within: ValueMesh = new ValueMesh();
  private readonly _beyond: ValueMesh = new ValueMesh(0.4);
  private readonly _way: Lines = new Lines({ width: 4, hidden: 0.45 });
  private readonly _label: HTMLElement = h('span', { class: 'tool-label', 'aria-hidden': 'true' });
  private readonly _outcome: HTMLElement = h('p', { class: 'tool-outcome' });
  private readonly _legend: HTMLElement = h('div', { class: 'tool-stack' });
  private readonly _fields: FieldList = new FieldList();
  private readonly _size: HTMLSelectElement = h('select', {});
  private readonly _posture: HTMLSelectElement = h(
    'select',
    {},
    h('option', { value: 'standing' }, 'Standing'),
    h('option', { value: 'crouched' }, 'Crouching'),
  );
  private readonly _limit: HTMLInputElement = h('input', { type: 'range', class: 'tool-slider', min: '0' });
  private readonly _limitName: HTMLElement = labelled('Time units', this._limit);
  private readonly _answer: HTMLElement;
  private readonly _form: HTMLElement;
  private readonly _progress: HTMLProgressElement = progressBar();
  private readonly _say: HTMLElement = h('p', { class: 'tool-hint', role: 'status' });
  private _handles: Handles | undefined;
  private _stop: (() => void) | undefined;
  private _table: Table | undefined;
  private _cells: WalkCells | undefined;
  private _reach: WalkReach | undefined;
  private _from = -1;
  private _to = -1;
  /** What is asked for, whichever cells there are. */
  private _asked: Asked = {};
  /** Where the pointer has moved to since the last frame. */
  private _pointed: { readonly x: number; readonly y: number } | undefined;

  constructor(panel: HTMLElement, context: ToolContext) {
    this._context = context;
    this._panel = panel;
    for (const { object } of [this._within, this._beyond, this._way]) this._group.add(object);
    context.scene.add(this._group);
    this._size.addEventListener('change', () => this._setSize());
    this._posture.addEventListener('change', () => this._search());
    this._limit.addEventListener('input', () => this._search());
    this._answer = h(
      'div',
      { class: 'tool-result', role: 'group', 'aria-label': 'Path' },
      this._outcome,
      this._legend,
      this._fields.element,
    );
    this._form = h(
      'div',
      { class: 'tool-stack' },
      h('div', { class: 'tool-row' }, labelled('Who walks', this._size), labelled('Posture', this._posture)),
      this._limitName,
    );
    panel.append(this._progress, this._answer, this._form, this._say);
    context.overlay.append(this._label);
    void this._begin(context.state.get());
  }

  /** Finds the map's table, or has it worked out, and shows it. */
  private async _begin(state: Json | undefined): Promise<void> {
    const { map } = this._context;
    this._end();
    this._show(false);
    try {
      const table = knownTable(map) ?? (await this._compute());
      if (map !== this._context.map) return;
      this._progress.hidden = true;
      this._open(table, state);
    } catch (error) {
      this._progress.hidden = true;
      const problem = error instanceof BspError ? 'The table in this file is broken. ' : '';
      this._say.textContent = problem + reasonOf(error);
    }
  }

  private _compute(): Promise<Table> {
    this._progress.removeAttribute('value');
    this._progress.hidden = false;
    this._say.textContent = 'The file has no table of paths, so it is computed here…';
    const { table, stop } = computeTable(this._context.map, (part) => {
      this._progress.value = part;
    });
    this._stop = stop;
    return table;
  }

  private _open(table: Table, state: Json | undefined): void {
    const { map } = this._context;
    this._table = table;
    const { sizes } = map.format.routing!;
    this._size.replaceChildren(
      ...sizes.map((size) => h('option', { value: String(size) }, `${size} × ${count(size, 'cell')}`)),
    );
    const size = stateNumber(state, 'size');
    this._size.value = String(sizes.find((known) => known === size) ?? sizes[0]);
    if (stateField(state, 'crouched') === true) this._posture.value = 'crouched';
    const [from, to] = [readPoint(stateField(state, 'from')), readPoint(stateField(state, 'to'))];
    this._asked = { from, to, limit: stateNumber(state, 'limit') };
    this._setSize();
  }

  /** Takes the cells of the chosen size, with start and end where they are. */
  private _setSize(): void {
    const { map } = this._context;
    const cells = this._table!.cells(Number(this._size.value));
    const isEmpty = cells.ways.length === 0;
    this._cells = isEmpty ? undefined : cells;
    this._handles?.dispose();
    this._handles = undefined;
    this._show(!isEmpty);
    this._say.textContent = isEmpty ? 'This map has no cell in which such an actor can stand.' : HINT;
    const { from, to, limit = cells.mostTime } = this._asked;
    this._limit.max = String(cells.mostTime);
    this._limit.value = String(limit);
    if (!isEmpty) {
      const { mins, maxs } = map.world.bounds;
      const middle = [0, 1, 2].map((k) => (mins[k]! + maxs[k]!) / 2);
      this._from = nearestCell(cells, from ?? findSpawns(map.world)[0]?.position ?? middle);
      this._to = to ? nearestCell(cells, to) : -1;
      this._handles = new Handles(
        this._context,
        [
          {
            name: 'Start of the paths',
            style: 'start',
            steps: [cells.size, cells.levelHeight],
            get: () => floorOf(cells, this._from),
            set: (point) => this._start(nearestCell(cells, point)),
          },
        ],
        this._outcome,
      );
    }
    this._search();
  }

  private _start(cell: number): void {
    if (cell === this._from) return;
    this._from = cell;
    this._search();
  }

  /** Looks where one can go. */
  private _search(): void {
    const { _cells: cells } = this;
    const limit = Number(this._limit.value);
    this._limitName.querySelector('label')!.textContent = `Time units: ${limit}`;
    if (!cells) {
      this._keep({ ...this._asked, limit });
      return;
    }
    const crouched = this._posture.value === 'crouched';
    const reach = cells.reach(this._from, { limit, crouched });
    this._reach = reach;
    if (this._to < 0) this._to = farthestCell(reach);
    const [within, beyond] = reachLayers(cells, reach);
    this._draw(this._within, within);
    this._draw(this._beyond, beyond);
    const classes = [within, beyond].flatMap(({ scale }) => ('classes' in scale ? scale.classes : []));
    this._legend.replaceChildren(
      h('p', { class: 'tool-hint' }, within.measure),
      valueLegend({ ...within, scale: { classes } }),
    );
    this._tell();
  }

  private _draw(mesh: ValueMesh, layer: ValueLayer): void {
    mesh.set(
      layer.values.length === 0 ? undefined : coloredTriangles({ layer, normals: undefined }, undefined),
    );
  }

  /** Shows the way to the chosen cell. */
  private _tell(): void {
    const { _cells: cells, _reach: reach } = this;
    if (!cells || !reach) return;
    const way = wayTo(reach, this._to);
    const cost = reach.costs[this._to]!;
    const limit = Number(this._limit.value);
    this._outcome.textContent =
      cost < 0
        ? `No path within ${count(limit, 'time unit')}`
        : cost === 0
          ? 'The start'
          : `${count(cost, 'time unit')}, ${count(way.length - 1, 'step')}`;
    this._answer.classList.toggle('is-hit', cost > 0);
    this._label.textContent = cost < 0 ? '–' : String(cost);
    const within = reach.costs.reduce((sum, at) => sum + (at >= 0 ? 1 : 0), 0);
    this._fields.set([
      ['from', showVec(floorOf(cells, this._from), 1)],
      ['to', showVec(floorOf(cells, this._to), 1)],
      ['cells in reach', `${within.toLocaleString('en')} of ${cells.ways.length.toLocaleString('en')}`],
      ['table', this._table!.isStored ? 'from the file' : 'computed here'],
    ]);
    this._way.set(waySegments(cells, way));
    this._keep({ from: floorOf(cells, this._from), to: floorOf(cells, this._to), limit });
    this.themeChanged();
    this._context.announce(this._outcome.textContent!);
  }

  private _keep(asked: Asked): void {
    this._asked = asked;
    const { from, to, limit } = asked;
    this._context.state.set({
      ...(from && { from: Array.from(from) }),
      ...(to && { to: Array.from(to) }),
      ...(limit !== undefined && { limit }),
      size: Number(this._size.value),
      ...(this._posture.value === 'crouched' && { crouched: true }),
    });
  }

  /** Hovering shows the way there. A click makes it the start; on touch screens, a tap shows the way. */
  pointer({ type, x, y, button, isDown, isTouch }: ToolPointer): boolean {
    if (!this._cells) return false;
    if (type === 'move' && !isDown && !isTouch) {
      this._pointed = { x, y };
      this._context.requestRender();
      return false;
    }
    if (type !== 'click' || button !== 0) return false;
    const cell = this._cellUnder(x, y);
    if (cell < 0) return false;
    if (isTouch) this._go(cell);
    else this._start(cell);
    return true;
  }

  private _go(cell: number): void {
    if (cell < 0 || cell === this._to) return;
    this._to = cell;
    this._tell();
  }

  private _cellUnder(x: number, y: number): number {
    const picked = this._context.pick(x, y);
    if (!picked || !this._cells) return -1;
    // Before the surface, so that one looks at the floor in front of a wall.
    return cellAt(
      this._cells,
      [0, 1, 2].map((k) => picked.point[k]! + 2 * picked.normal[k]!),
    );
  }

  update(): void {
    const { _pointed: pointed, _cells: cells } = this;
    this._pointed = undefined;
    if (pointed) this._go(this._cellUnder(pointed.x, pointed.y));
    this._handles?.place();
    const at = cells && this._context.project(floorOf(cells, this._to));
    this._label.hidden = !at;
    if (at) this._label.style.transform = `translate(${at.x}px, ${at.y}px)`;
  }

  private _show(isShown: boolean): void {
    this._answer.hidden = !isShown;
    this._form.hidden = !this._table;
    this._group.visible = isShown;
    this._label.hidden = true;
    this._context.requestRender();
  }

  /** Lets go of a map. */
  private _end(): void {
    this._stop?.();
    this._stop = undefined;
    this._handles?.dispose();
    this._handles = undefined;
    this._table = undefined;
    this._cells = undefined;
    this._reach = undefined;
    this._from = -1;
    this._to = -1;
  }

  worldChanged(): void {
    void this._begin(undefined);
  }

  themeChanged(): void {
    this._way.color = this._context.colors.warning;
    this._context.requestRender();
  }

  dispose(): void {
    this._end();
    for (const part of [this._within, this._beyond, this._way]) part.dispose();
    this._context.scene.remove(this._group);
    this._label.remove();
    this._panel.replaceChildren();
  }
}

const HINT =
  'Point at a cell to see the path to it; click to start from it. On touch screens, tap a cell, and drag the start. ' +
  'To look inside, cut away what is above with the view options or the keys [\u00a0and\u00a0].';

/** A point from a link; `undefined` for anything else. */
function readPoint(value: Json | undefined): Vec3 | undefined {
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  return value.every((x) => typeof x === 'number' && Number.isFinite(x)) ? (value as number[]) : undefined;
}

export const tool: Tool = { mount: (panel, context) => new Paths(panel, context) };
