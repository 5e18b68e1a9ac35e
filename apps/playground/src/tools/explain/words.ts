import type {
  BrushStep,
  FacetStep,
  FeatureStep,
  FlagNames,
  LeafStep,
  NodeStep,
  PolygonStep,
  SideStep,
} from '@bspkit/core';
import {
  capitalized,
  clipOutcome,
  featureName,
  featureOutcome,
  leafName,
  nodeName,
  planeText,
  show,
  showVec,
} from '@bspkit/words';
import type { Walk, WalkStep } from './walk.ts';

/** A step in words. */
export interface StepText {
  /** `node 12`, `brush 7`. */
  readonly name: string;
  /** What it found, in a few words. */
  readonly brief: string;
  /** What was decided there and why, in sentences. */
  readonly detail: string;
}

const CHILDREN = ['front', 'back'] as const;

/** What a step says. `contents` names the format's bits. */
export function stepText(walk: Walk, at: WalkStep, contents: FlagNames): StepText {
  const { step } = at;
  switch (step.kind) {
    case 'node':
      return nodeText(step);
    case 'leaf':
      return leafText(step, contents);
    case 'side':
      return sideText({ ...at, step }, walk);
    case 'feature':
      return featureText({ ...at, step }, walk);
    case 'polygon':
      return polygonText({ ...at, step }, walk);
    default:
      return clipText({ ...at, step }, walk, contents);
  }
}

function nodeText({ node, normal, dist, startDist, endDist, offset, children, split }: NodeStep): StepText {
  const ways = children.map((child) => CHILDREN[child]);
  if (normal.every((n) => n === 0)) {
    return {
      name: nodeName(node),
      brief: `${planeText(normal, dist)}: ${ways.join(', then ')}`,
      detail: 'A node without a plane joins two trees: both are walked, one after the other.',
    };
  }
  const widened = offset > 0 ? ` The shape widens it by ${unitsText(offset)} on each side.` : '';
  const measured = `The piece begins ${sideOf(startDist)} and ends ${sideOf(endDist)}.`;
  const decided =
    ways.length === 2
      ? `So it is split: the ${ways[0]} child first${split ? ` (up to ${show(split.near)} of the piece)` : ''}, then the ${ways[1]}${split ? ` (from ${show(split.far)})` : ''}.`
      : `So only the ${ways[0]} child is entered.`;
  return {
    name: nodeName(node),
    brief: `${planeText(normal, dist)}: ${ways.join(', then ')}`,
    detail: `Split plane ${planeText(normal, dist)}.${widened} ${measured} ${decided}`,
  };
}

const unitsText = (length: number): string => {
  const shown = show(length, 2);
  return `${shown} ${shown === '1' ? 'unit' : 'units'}`;
};

const sideOf = (distance: number): string =>
  distance === 0
    ? 'on the plane'
    : `${unitsText(Math.abs(distance))} ${distance > 0 ? 'in front of it' : 'behind it'}`;

function leafText({ leaf, contents, startFraction, endFraction }: LeafStep, flags: FlagNames): StepText {
  const names = contents === 0 ? [] : flags.names(contents);
  const held = names.join(', ');
  return {
    name: leafName(leaf),
    brief: held || 'no contents',
    detail: `The move is in this leaf from ${show(startFraction)} to ${show(endFraction)} of its length. Contents: ${held || 'none'}.`,
  };
}

/** Fractions of sides are -1 and 1 until a side narrows them. */
const insideText = (enter: number, leave: number): string => {
  if (enter > leave) return 'nowhere: it leaves before it would enter';
  return `from ${enter < 0 ? 'its start' : show(enter)} to ${leave >= 1 ? 'its end' : show(leave)}`;
};

function sideText({ owner, number, step }: WalkStep & { step: SideStep }, walk: Walk): StepText {
  const { side, normal, dist, startDist, endDist, enter, leave } = step;
  const about = walk.steps[owner]?.step;
  const of =
    about?.kind === 'brush'
      ? ` of brush ${about.brush}`
      : about?.kind === 'polygon'
        ? ` of polygon ${about.polygon}`
        : '';
  const isLast = owner === number + 1;
  const missed = isLast && about !== undefined && 'outcome' in about && about.outcome === 'missed';
  const verdict = sideVerdict(startDist, endDist, missed);
  return {
    name: `side ${side}`,
    brief: `${planeText(normal, dist)}: ${verdict.brief}`,
    detail: `Side ${side}${of}${walk.widens ? ', widened to' : ':'} ${planeText(normal, dist)}. The move begins ${sideOf(startDist)} and ends ${sideOf(endDist)}: ${verdict.detail} After it, the move is inside ${insideText(enter, leave)}.`,
  };
}

/** What the ends' distances mean: a move that stays outside of one side misses the brush. `missed` by this side. */
function sideVerdict(
  startDist: number,
  endDist: number,
  missed: boolean,
): { readonly brief: string; readonly detail: string } {
  if (missed && startDist > 0 && endDist > 0) {
    return { brief: 'outside all the way', detail: 'it stays outside this side, so it misses.' };
  }
  if (startDist <= 0 && endDist <= 0) {
    return { brief: 'inside all the way', detail: 'it stays inside, so this side does not matter.' };
  }
  if (startDist <= endDist) return { brief: 'left', detail: 'it leaves through this side.' };
  if (endDist <= 0) return { brief: 'entered', detail: 'it enters through this side.' };
  return {
    brief: 'touched',
    detail: 'it ends closer than the distance that traces keep, which counts as entering.',
  };
}

function featureText({ owner, step }: WalkStep & { step: FeatureStep }, walk: Walk): StepText {
  const about = walk.steps[owner]?.step;
  const isPolygon = about?.kind === 'polygon';
  const of = isPolygon
    ? ` of polygon ${about.polygon}`
    : about?.kind === 'brush'
      ? ` of brush ${about.brush}`
      : about?.kind === 'facet'
        ? ` of ${facetName(about)}`
        : '';
  const how = isPolygon || step.feature === 'face' ? HOW[step.feature] : HOW_SPHERE[step.feature];
  const name = featureName(step);
  const found = featureOutcome(step);
  const points = step.points.map((point) => showVec(point)).join(' to ');
  return {
    name,
    brief: found,
    detail: `${capitalized(name)}${of}${step.feature === 'face' ? '' : `, ${points}`}: ${found}. ${how}`,
  };
}

/** How the exact sweep finds when a feature is touched. */
const HOW: Readonly<Record<FeatureStep['feature'], string>> = {
  face: 'A face is touched first at one point of its plane, which must be within its edges.',
  edge: 'Divided by the radii, the shape is a ball: an edge is touched where its line comes within 1 of the middle, between both ends.',
  corner:
    'Divided by the radii, the shape is a ball: a corner is touched where it comes within 1 of the middle.',
};

/** The same of exact spheres, which keep a distance. */
const HOW_SPHERE: Readonly<Record<Exclude<FeatureStep['feature'], 'face'>, string>> = {
  edge: 'An edge is touched where its line comes within the radius, and the distance that traces keep, of the middle, between both ends.',
  corner:
    'A corner is touched where it comes within the radius, and the distance that traces keep, of the middle.',
};

const facetName = ({ facet, patch }: FacetStep): string => `facet ${facet} of patch ${patch}`;

/** The tutorial's method chooses by facing values, and has tested the planes around what it hits; the exact sweep has not. */
function polygonText({ number, step }: WalkStep & { step: PolygonStep }, walk: Walk): StepText {
  const { polygon, normal, dist, startDist, endDist, offset, facing, outcome } = step;
  const found = clipOutcome(step);
  const plane = planeText(normal, dist);
  const isFaced = walk.steps[number - 1]?.step.kind === 'side';
  const most = isFaced
    ? 'it is the one that faces the move most: it pushes, unless a later one does'
    : 'it is the first: it stops the move, unless a later one does before';
  const why = outcome === 'hit' ? ` Of those so far that it hits, ${most}.` : '';
  return {
    name: `polygon ${polygon}`,
    brief: found,
    detail: `Polygon ${polygon}, ${plane}: ${found}. The shape reaches ${unitsText(offset)} towards it. The move begins ${sideOf(startDist)} and ends ${sideOf(endDist)}. Facing value: ${show(facing)}.${why}`,
  };
}

function clipText(
  { number, step }: WalkStep & { step: BrushStep | FacetStep },
  walk: Walk,
  flags: FlagNames,
): StepText {
  const { outcome, enter, leave } = step;
  const found = clipOutcome(step);
  // An exact sphere meets faces, edges and corners, and does not look for where it would leave.
  const isRound = walk.steps[number - 1]?.step.kind === 'feature';
  const name = step.kind === 'brush' ? `brush ${step.brush}` : facetName(step);
  const held = step.kind === 'brush' ? ` Contents: ${flags.names(step.contents).join(', ') || 'none'}.` : '';
  const entered =
    step.kind === 'brush' && outcome === 'hit' && step.side >= 0
      ? isRound
        ? ` What is touched faces as side ${step.side} does, more than as any other.`
        : ` Side ${step.side} was entered last.`
      : '';
  const inside =
    isRound || outcome === 'again' || outcome === 'masked' || outcome === 'apart'
      ? ''
      : ` The move is inside ${insideText(enter, leave)}.`;
  return {
    name,
    brief: found,
    detail: `${capitalized(name)}: ${found}.${held}${inside}${entered}`,
  };
}
