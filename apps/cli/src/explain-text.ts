import type {
  BrushStep,
  Explanation,
  FacetStep,
  FeatureStep,
  FlagNames,
  LeafStep,
  NodeStep,
  PolygonStep,
  Shape,
  SideStep,
  TraceStep,
} from '@bspkit/core';
import {
  clipOutcome,
  featureName,
  featureOutcome,
  leafName,
  nodeName,
  noSteps,
  planeText,
  SKIPPED,
  show,
  showVec,
} from '@bspkit/words';
import type { Page } from './page.ts';

/** The walk through the tree, one line per step, indented by depth. `all` lists what was skipped too. */
export function explainText(
  { steps, trees = [] }: Explanation,
  all: boolean,
  contents: FlagNames,
  page: Page,
): string {
  const words = new Words(contents, page);
  const lines: string[] = [];
  let depth = 0;
  let parts: (SideStep | FeatureStep)[] = [];
  const names = new Map(trees.map(({ name, step }) => [step, name]));
  const add = (indent: number, text: string): void => {
    // Deep in a tree, there would be no room left for the text.
    const before = 2 * Math.min(indent, Math.floor(page.width / 4));
    lines.push(page.wrap(' '.repeat(before) + text, before + 4));
  };
  for (const [number, step] of steps.entries()) {
    const name = names.get(number);
    if (name !== undefined) lines.push(page.paint('underline', name));
    if (step.kind === 'node' || step.kind === 'leaf') depth = step.depth;
    if (step.kind === 'side' || step.kind === 'feature') {
      parts.push(step);
      continue;
    }
    if (all || !('outcome' in step) || !SKIPPED.has(step.outcome)) {
      const inside = step.kind === 'brush' || step.kind === 'facet';
      add(depth + (inside ? 1 : 0), words.step(step));
      for (const part of parts) add(depth + 2, words.part(part));
    }
    parts = [];
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** How much work it was, in one line. */
export function explainSummary({ steps }: Explanation, shape: Shape): string {
  const number = (kind: TraceStep['kind']): number => steps.filter((step) => step.kind === kind).length;
  const skipped = steps.filter((step) => 'outcome' in step && SKIPPED.has(step.outcome)).length;
  const parts = (['node', 'leaf', 'brush', 'facet', 'polygon', 'side', 'feature'] as const)
    .map((kind) => ({ kind, count: number(kind) }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${count === 1 ? kind : PLURALS[kind]}`);
  if (skipped > 0) parts.push(`${skipped} skipped (--all lists them)`);
  return parts.length > 0 ? parts.join(', ') : `no steps: ${noSteps(shape)}`;
}

const PLURALS = {
  node: 'nodes',
  leaf: 'leafs',
  brush: 'brushes',
  facet: 'facets',
  polygon: 'polygons',
  side: 'sides',
  feature: 'faces, edges and corners',
} as const;
const CHILDREN = ['front', 'back'] as const;

/** Steps in words; parts of a line are two spaces apart. */
class Words {
  private readonly _contents: FlagNames;
  private readonly _page: Page;

  constructor(contents: FlagNames, page: Page) {
    this._contents = contents;
    this._page = page;
  }

  step(step: Exclude<TraceStep, SideStep | FeatureStep>): string {
    if (step.kind === 'node') return this._node(step);
    if (step.kind === 'polygon') return this._polygon(step);
    return step.kind === 'leaf' ? this._leaf(step) : this._clip(step);
  }

  /** A side, or a face, an edge or a corner. */
  part(step: SideStep | FeatureStep): string {
    return this._page.label(step.kind === 'side' ? this._side(step) : this._feature(step));
  }

  private _side({ side, normal, dist, startDist, endDist, enter, leave }: SideStep): string {
    const from = enter < 0 ? 'before' : show(enter);
    const inside = enter > leave ? 'nowhere' : `from ${from} to ${leave > 1 ? 'after' : show(leave)}`;
    return `side ${side}  ${planeText(normal, dist)}  ${distances(startDist, endDist)}  inside ${inside}`;
  }

  private _feature(step: FeatureStep): string {
    const from =
      step.feature === 'face' ? [] : [step.points.map((point) => `(${showVec(point)})`).join(' to ')];
    return [featureName(step), ...from, featureOutcome(step)].join('  ');
  }

  private _node({ node, normal, dist, startDist, endDist, offset, children, split }: NodeStep): string {
    const { paint, label } = this._styles;
    const widened = offset > 0 ? ` ± ${show(offset, 2)}` : '';
    const ways = children.map((child) => CHILDREN[child]);
    const way =
      ways.length === 2 && split
        ? `${ways[0]} to ${show(split.near)}, then ${ways[1]} from ${show(split.far)}`
        : ways.join(', then ');
    const hasPlane = normal.some((n) => n !== 0);
    const measured = hasPlane ? `${widened}  ${label(distances(startDist, endDist))}` : '';
    return `${paint('bold', nodeName(node))}  ${planeText(normal, dist)}${measured}  ${way}`;
  }

  private _leaf({ leaf, contents, startFraction, endFraction }: LeafStep): string {
    const { paint, label } = this._styles;
    const names = contents === 0 ? '' : `  ${this._contents.names(contents).join(' ')}`;
    const part = label(`${show(startFraction)} to ${show(endFraction)}`);
    return `${paint(['bold', 'cyan'], leafName(leaf))}${names}  ${part}`;
  }

  private _polygon(step: PolygonStep): string {
    const { polygon, normal, dist, startDist, endDist, offset, facing } = step;
    const measured = this._page.label(`${distances(startDist, endDist)}  facing ${show(facing)}`);
    const plane = `${planeText(normal, dist)} + ${show(offset, 2)}`;
    return `polygon ${polygon}  ${plane}  ${measured}  ${this._outcome(step)}`;
  }

  private _clip(step: BrushStep | FacetStep): string {
    const name =
      step.kind === 'brush'
        ? `brush ${step.brush}  ${this._contents.names(step.contents).join(' ')}`
        : `facet ${step.facet} of patch ${step.patch}`;
    return `${name}  ${this._outcome(step)}`;
  }

  private _outcome(step: BrushStep | FacetStep | PolygonStep): string {
    const style = step.outcome === 'hit' || step.outcome === 'allSolid' ? 'yellow' : 'dim';
    return this._page.paint(style, clipOutcome(step));
  }

  private get _styles(): { paint: Page['paint']; label: (text: string) => string } {
    return { paint: this._page.paint, label: (text) => this._page.label(text) };
  }
}

const distances = (start: number, end: number): string => `at ${show(start, 2)} and ${show(end, 2)}`;
