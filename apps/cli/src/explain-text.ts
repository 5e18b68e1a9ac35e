import type {
  BrushStep,
  Explanation,
  FacetStep,
  LeafStep,
  NodeStep,
  SideStep,
  StepVec,
  TraceStep,
} from '@bspkit/core';
import type { Walk } from './formats/adapter.ts';
import { show, showVec } from './numbers.ts';
import { label, paint } from './output.ts';

/** Outcomes of brushes that were looked at no closer; they are many and say little. */
const PASSED: ReadonlySet<string> = new Set(['again', 'masked', 'apart']);

/** The walk through the tree, a line a step, indented by depth. `all` also tells what was passed by unseen. */
export function explainText(
  { steps, trees = [] }: Walk,
  all: boolean,
  contentsNames: (contents: number) => string[],
): string {
  const lines: string[] = [];
  let depth = 0;
  let sides: SideStep[] = [];
  const names = new Map(trees.map(({ name, step }) => [step, name]));
  for (const [number, step] of steps.entries()) {
    const name = names.get(number);
    if (name !== undefined) lines.push(paint('underline', name));
    if (step.kind === 'node' || step.kind === 'leaf') depth = step.depth;
    if (step.kind === 'side') {
      sides.push(step);
      continue;
    }
    if (all || !('outcome' in step) || !PASSED.has(step.outcome)) {
      const inside = step.kind === 'brush' || step.kind === 'facet';
      lines.push(indent(depth + (inside ? 1 : 0)) + stepText(step, contentsNames));
      for (const side of sides) lines.push(indent(depth + 2) + sideText(side));
    }
    sides = [];
  }
  return `${lines.join('\n')}\n`;
}

/** How much work it was, in one line. */
export function explainSummary({ steps }: Explanation): string {
  const number = (kind: TraceStep['kind']): number => steps.filter((step) => step.kind === kind).length;
  const passed = steps.filter((step) => 'outcome' in step && PASSED.has(step.outcome)).length;
  const parts = (['node', 'leaf', 'brush', 'facet', 'side'] as const)
    .map((kind) => ({ kind, count: number(kind) }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${count === 1 ? kind : PLURALS[kind]}`);
  if (passed > 0) parts.push(`${passed} passed by (--all shows them)`);
  return parts.length > 0 ? parts.join(', ') : 'no steps: a position test walks no tree';
}

const PLURALS = { node: 'nodes', leaf: 'leafs', brush: 'brushes', facet: 'facets', side: 'sides' } as const;
const CHILDREN = ['front', 'back'] as const;

const indent = (depth: number): string => '  '.repeat(depth);

function stepText(step: Exclude<TraceStep, SideStep>, contentsNames: (contents: number) => string[]): string {
  if (step.kind === 'node') return nodeText(step);
  if (step.kind === 'leaf') return leafText(step, contentsNames);
  return clipText(step, contentsNames);
}

function nodeText({ node, normal, dist, startDist, endDist, offset, children, split }: NodeStep): string {
  const widened = offset > 0 ? ` ± ${show(offset, 2)}` : '';
  const ways = children.map((child) => CHILDREN[child]);
  const way =
    ways.length === 2 && split
      ? `${ways[0]} to ${show(split.near)}, then ${ways[1]} from ${show(split.far)}`
      : ways.join(', then ');
  const places = label(`at ${show(startDist, 2)} and ${show(endDist, 2)}`);
  return `${paint('bold', `node ${node}`)}  ${planeText(normal, dist)}${widened}  ${places}  ${way}`;
}

function leafText(
  { leaf, contents, startFraction, endFraction }: LeafStep,
  contentsNames: (contents: number) => string[],
): string {
  const names = contents === 0 ? '' : `  ${contentsNames(contents).join(' ')}`;
  return `${paint(['bold', 'cyan'], `leaf ${leaf}`)}${names}  ${label(`${show(startFraction)} to ${show(endFraction)}`)}`;
}

/** What became of a brush or facet, in words. */
const OUTCOMES = {
  again: 'seen before',
  masked: 'not in the mask',
  apart: 'its bounds are clear of the move',
  missed: 'missed',
  startSolid: 'the move starts in it and leaves',
  allSolid: 'the move stays in it',
  hit: 'hit',
  farther: 'hit, but something nearer was',
} as const;

function clipText(step: BrushStep | FacetStep, contentsNames: (contents: number) => string[]): string {
  const { outcome, enter } = step;
  const name =
    step.kind === 'brush'
      ? `brush ${step.brush}  ${contentsNames(step.contents).join(' ')}`
      : `facet ${step.facet} of patch ${step.patch}`;
  const style = outcome === 'hit' || outcome === 'allSolid' ? 'yellow' : 'dim';
  const where = outcome === 'hit' || outcome === 'farther' ? ` at ${show(enter, 6)}` : '';
  return `${name}  ${paint(style, OUTCOMES[outcome] + where)}`;
}

function sideText({ side, normal, dist, startDist, endDist, enter, leave }: SideStep): string {
  const stretch = `inside from ${enter < 0 ? 'before' : show(enter)} to ${leave > 1 ? 'after' : show(leave)}`;
  return label(
    `side ${side}  ${planeText(normal, dist)}  at ${show(startDist, 2)} and ${show(endDist, 2)}  ${stretch}`,
  );
}

/** A plane as an equation: `x = 128`, or with all of its normal. */
function planeText(normal: StepVec, dist: number): string {
  const axis = normal.findIndex((n) => Math.abs(n) === 1);
  if (axis < 0) return `(${showVec(normal, 3)}) · p = ${show(dist, 2)}`;
  const name = 'xyz'[axis]!;
  return normal[axis]! > 0 ? `${name} = ${show(dist, 2)}` : `${name} = ${show(-dist, 2)} (faces -${name})`;
}
