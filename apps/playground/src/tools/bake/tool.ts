import { sha256 } from '@bspkit/bake';
import { countClasses, layerMarks, type ReadOutcome, readOutcome, showValue } from '@bspkit/bake/picture';
import { capitalized, showVec } from '@bspkit/words';
import { h } from '../../app/dom.ts';
import { reasonOf } from '../../app/notice.ts';
import { saveFile } from '../../app/save.ts';
import { button, commandLine, FieldList } from '../dom.ts';
import type { MountedTool, Tool, ToolContext, ToolPointer } from '../tool.ts';
import { valueLegend } from './legend.ts';
import { Maker } from './maker.ts';
import { ValueMesh } from './mesh.ts';
import { coloredTriangles, nearestPlace, type PlacedValues, placedValues } from './values.ts';
import '../tools.css';

/** A bake that was opened, or computed here. */
interface OpenBake {
  readonly name: string;
  readonly outcome: ReadOutcome;
  /** Its file, if it was computed here: it is nowhere else. */
  readonly computed?: Uint8Array;
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
  private readonly _save: HTMLButtonElement;
  private readonly _maker: Maker;
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
    this._save = button('Save .bake', () => this._keep());
    this._result = h(
      'div',
      { class: 'tool-result', role: 'group', 'aria-label': 'Bake', hidden: true },
      this._title,
      this._legend,
      this._fields.element,
      h('div', { class: 'tool-row' }, this._all, this._save),
    );
    this._maker = new Maker(
      context,
      {
        made: (bytes) => this._made(bytes),
        failed: (problem) => this._clear(problem),
        changed: () => this._clear(),
      },
      button('Open a bake…', () => this._input.click()),
      this._input,
    );
    panel.append(this._maker.element, this._problem, this._result, this._hint);
    this._show();
    this._maker.read(context.state.get());
  }

  /** Shows a bake, or says why it cannot be shown. */
  async file(name: string, bytes: Uint8Array): Promise<void> {
    this._maker.leave();
    this._context.state.set(undefined);
    this._clear();
    const opening = this._opening;
    await this._try(
      name,
      () => opening === this._opening,
      async () => {
        this._bake = { name, outcome: readOutcome(bytes) };
        await this._check(opening);
      },
    );
  }

  /** Takes away what is shown, and what is being opened; says why, if something is wrong. */
  private _clear(problem = ''): void {
    this._opening++;
    this._given++;
    this._bake = undefined;
    this._values = undefined;
    this._from = undefined;
    this._problem.textContent = problem;
    this._show();
  }

  /** Shows what was computed for the map that is open. */
  private _made(bytes: Uint8Array): void {
    this._clear();
    const { name } = this._context.map;
    const outcome = readOutcome(bytes);
    this._bake = { name: `${name.replace(/(\.bsp|\.map)?(\.gz)?$/i, '')}.bake`, outcome, computed: bytes };
    this._values = placedValues(outcome, undefined);
    this._show();
    this._context.announce(`${capitalized(this._values.layer.title)}.`);
  }

  private _keep(): void {
    const { name, computed } = this._bake!;
    saveFile(name, computed as Uint8Array<ArrayBuffer>);
    this._context.announce(`Saved ${name}.`);
  }

  /** Does something with a bake, and says what goes wrong, unless something else is wanted by then. */
  private async _try(name: string, isWanted: () => boolean, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isWanted()) this._clear(`${name}: ${reasonOf(error)}`);
    }
  }

  /** Shows the bake if it is of the map that is open. */
  private async _check(opening: number): Promise<void> {
    const bake = this._bake!;
    const { map } = this._context;
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
      const { kind, step } = this._maker.asked;
      const points = kind === 'sight' ? ' --points cells' : '';
      const command = `npx @bspkit/cli bake ${map} --kind ${kind}${points} --step ${step} --out ${out}.bake`;
      this._hint.replaceChildren('The same on all cores, for large maps: ', commandLine(command));
    } else this._hint.textContent = '';
    if (values && bake) this._draw(values, bake);
    else this._mesh.set(undefined);
    this._context.requestRender();
  }

  private _draw(values: PlacedValues, { name, computed }: OpenBake): void {
    const { map } = this._context;
    const { layer } = values;
    const { every, ...triangles } = coloredTriangles(values, map.format.mesh?.(map.file));
    this._mesh.set(triangles);
    this._title.textContent = capitalized(layer.title);
    this._legend.replaceChildren(valueLegend(layer));
    const count = `${layer.values.length.toLocaleString('en')}${every > 1 ? `, of which 1 in ${every} is drawn` : ''}`;
    this._fields.set([
      ...(computed ? [] : [['file', name] as const]),
      [layer.nouns[layer.values.length === 1 ? 0 : 1], count],
      ...countClasses(layer).map(({ name, count }) => [name, count.toLocaleString('en')] as const),
      ...layerMarks(layer).map(({ at, label }) => [label, showVec(at, 1)] as const),
    ]);
    this._all.hidden = this._from === undefined;
    this._save.hidden = computed === undefined;
  }

  private get _isSight(): boolean {
    return this._bake?.outcome.kind === 'sight';
  }

  /** For sight: what is seen from a place, or from all. */
  private _look(from: readonly number[] | undefined): void {
    this._from = from;
    this._values = placedValues(this._bake!.outcome, from);
    this._show();
    this._context.announce(`${capitalized(this._values.layer.title)}.`);
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
    this._maker.leave();
    this._context.state.set(undefined);
    // What was computed is of the map before.
    if (this._bake?.computed) this._bake = undefined;
    this._values = undefined;
    this._show();
    const opening = ++this._opening;
    if (!this._bake) {
      this._problem.textContent = '';
      this._maker.read(undefined);
      return;
    }
    const isWanted = (): boolean => opening === this._opening;
    void this._try(this._bake.name, isWanted, () => this._check(opening));
  }

  dispose(): void {
    this._opening++;
    this._given++;
    this._maker.leave();
    this._mesh.dispose();
    this._panel.replaceChildren();
  }
}

export const tool: Tool = { mount: (panel, context) => new Bakes(panel, context) };
