import { sha256 } from '@bspkit/bake';
import { countClasses, layerMarks, type ReadOutcome, readOutcome, showValue } from '@bspkit/bake/picture';
import { capitalized, showVec } from '@bspkit/words';
import { h } from '../../app/dom.ts';
import { reasonOf } from '../../app/notice.ts';
import { button, FieldList } from '../dom.ts';
import type { MountedTool, Tool, ToolContext, ToolPointer } from '../tool.ts';
import { valueLegend } from './legend.ts';
import { ValueMesh } from './mesh.ts';
import { coloredTriangles, nearestPlace, type PlacedValues, placedValues } from './values.ts';
import '../tools.css';

/** A bake that was dropped. */
interface OpenBake {
  readonly name: string;
  readonly outcome: ReadOutcome;
}

/** Digits of a sha256 that are enough to tell maps apart. */
const DIGITS = 12;

/** What was computed for a whole map, on the surfaces that it is about. */
class Bakes implements MountedTool {
  private readonly _context: ToolContext;
  private readonly _panel: HTMLElement;
  private readonly _mesh: ValueMesh = new ValueMesh();
  private readonly _input: HTMLInputElement;
  private readonly _problem: HTMLElement = h('p', { class: 'tool-error bake-problem', role: 'alert' });
  private readonly _title: HTMLElement = h('p', { class: 'tool-outcome' });
  private readonly _fields: FieldList = new FieldList();
  private readonly _legend: HTMLElement = h('div');
  private readonly _hint: HTMLElement = h('p', { class: 'tool-hint', role: 'status' });
  private readonly _all: HTMLButtonElement;
  private readonly _result: HTMLElement;
  private _bake: OpenBake | undefined;
  private _values: PlacedValues | undefined;
  private _from: readonly number[] | undefined;
  /** What is being opened: something else may be, meanwhile, or the same for another map. */
  private _opening = 0;
  /** How many files were given, of which the last one counts. */
  private _given = 0;

  constructor(panel: HTMLElement, context: ToolContext) {
    this._context = context;
    this._panel = panel;
    context.scene.add(this._mesh.object);
    this._input = h('input', {
      type: 'file',
      hidden: true,
      'aria-label': 'Bake',
      onchange: () => this._picked(),
    });
    this._all = button('All points', () => this._look(undefined), { hidden: true });
    this._result = h(
      'div',
      { class: 'tool-result', role: 'group', 'aria-label': 'Bake', hidden: true },
      this._title,
      this._legend,
      this._fields.element,
      this._all,
    );
    panel.append(
      h(
        'div',
        { class: 'tool-row' },
        button('Open a bake…', () => this._input.click()),
        this._input,
      ),
      this._problem,
      this._result,
      this._hint,
    );
    this._show();
  }

  /** Shows a bake, or says why it cannot be shown. */
  async file(name: string, bytes: Uint8Array): Promise<void> {
    const opening = ++this._opening;
    this._given++;
    this._bake = undefined;
    this._from = undefined;
    this._problem.textContent = '';
    await this._try(
      name,
      () => opening === this._opening,
      async () => {
        this._bake = { name, outcome: readOutcome(bytes) };
        await this._check(opening);
      },
    );
  }

  /** Does something with a bake, and says what goes wrong, unless something else is wanted by then. */
  private async _try(name: string, isWanted: () => boolean, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isWanted()) this._fail(`${name}: ${reasonOf(error)}`);
    }
  }

  /** Shows the bake if it is of the map that is open. */
  private async _check(opening: number): Promise<void> {
    const { _bake: bake } = this;
    const { map } = this._context;
    if (!bake) {
      // What was wrong with a file is about it and the map before.
      this._problem.textContent = '';
      this._show();
      return;
    }
    const hash = await sha256(map.bytes);
    // Another bake or map may have been opened meanwhile.
    if (opening !== this._opening || map !== this._context.map) return;
    const isOurs = hash === bake.outcome.map;
    this._problem.textContent = isOurs
      ? ''
      : `${bake.name} was made from another map than ${map.name}: from one whose sha256 begins with ` +
        `${bake.outcome.map.slice(0, DIGITS)}, while that of ${map.name} begins with ${hash.slice(0, DIGITS)}. ` +
        'Open the map that it was made from. An edited map, or one compiled for another game, is a different map.';
    this._values = isOurs ? placedValues(bake.outcome, this._from) : undefined;
    this._show();
    if (isOurs) this._context.announce(`${bake.name}: ${this._values!.layer.title}.`);
  }

  private _fail(problem: string): void {
    this._bake = undefined;
    this._values = undefined;
    this._problem.textContent = problem;
    this._show();
  }

  private _show(): void {
    const { _values: values, _bake: bake } = this;
    this._result.hidden = !values;
    if (values) {
      this._hint.textContent = this._isSight
        ? 'Click a place to see what is visible from there.'
        : 'Click a place to see its value.';
    } else if (this._problem.textContent === '') {
      // The command has our own maps, as they come.
      const { name, isOwn, format, text, original } = this._context.map;
      const [map, out] =
        isOwn && text === original ? [`demo:${name}@${format.id}`, name] : ['level.bsp', 'level'];
      this._hint.replaceChildren(
        'To make one: ',
        h('code', {}, `npx @bspkit/cli bake ${map} --kind exposure --out ${out}.bake`),
      );
    } else this._hint.textContent = '';
    if (values && bake) this._draw(values, bake);
    else this._mesh.set(undefined);
    this._context.requestRender();
  }

  private _draw(values: PlacedValues, { name }: OpenBake): void {
    const { map } = this._context;
    const { layer } = values;
    const { every, ...triangles } = coloredTriangles(values, map.format.mesh?.(map.file));
    this._mesh.set(triangles);
    this._title.textContent = capitalized(layer.title);
    this._legend.replaceChildren(valueLegend(layer));
    const count = `${layer.values.length.toLocaleString('en')}${every > 1 ? `, of which 1 in ${every} is drawn` : ''}`;
    this._fields.set([
      ['file', name],
      [layer.nouns[layer.values.length === 1 ? 0 : 1], count],
      ...countClasses(layer).map(({ name, count }) => [name, count.toLocaleString('en')] as const),
      ...layerMarks(layer).map(({ at, label }) => [label, showVec(at, 1)] as const),
    ]);
    this._all.hidden = this._from === undefined;
  }

  private get _isSight(): boolean {
    return this._bake?.outcome.kind === 'sight';
  }

  /** For sight: what is seen from a place, or from all. */
  private _look(from: readonly number[] | undefined): void {
    this._from = from;
    this._values = placedValues(this._bake!.outcome, from);
    this._show();
    this._context.announce(`${this._bake!.name}: ${this._values.layer.title}.`);
  }

  /** A click tells the value there, or looks from there. */
  pointer({ type, x, y, button: pressed }: ToolPointer): boolean {
    const { _values: values } = this;
    if (type !== 'click' || pressed !== 0 || !values) return false;
    const picked = this._context.pick(x, y);
    if (!picked) return false;
    const { layer } = values;
    const nearest = nearestPlace(layer.positions, picked.point, 2 * layer.step);
    if (nearest < 0) {
      this._hint.textContent = 'There is no value near this place.';
      return true;
    }
    const at = [0, 1, 2].map((axis) => layer.positions[3 * nearest + axis]!);
    if (this._isSight) this._look(at);
    else if (!('classes' in layer.scale)) {
      const value = showValue(layer.values[nearest]!, layer.scale);
      this._hint.textContent = `${value}${layer.scale.unit === 'units' ? ' units' : ''} at ${showVec(at, 1)}.`;
    }
    return true;
  }

  private _picked(): void {
    const file = this._input.files?.[0];
    this._input.value = '';
    if (!file) return;
    const given = ++this._given;
    const isWanted = (): boolean => given === this._given;
    // It may be gone by now, or not be ours to read; or another one was given while it was read.
    void this._try(file.name, isWanted, async () => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (isWanted()) await this.file(file.name, bytes);
    });
  }

  worldChanged(): void {
    this._values = undefined;
    this._show();
    const opening = ++this._opening;
    const isWanted = (): boolean => opening === this._opening;
    void this._try(this._bake?.name ?? '', isWanted, () => this._check(opening));
  }

  dispose(): void {
    this._opening++;
    this._given++;
    this._mesh.dispose();
    this._panel.replaceChildren();
  }
}

export const tool: Tool = { mount: (panel, context) => new Bakes(panel, context) };
