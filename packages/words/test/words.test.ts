import { createTrace, type MoveExplanation, type MoveRound, type PolygonStep } from '@bspkit/core';
import { describe, expect, it } from 'vitest';
import {
  clipOutcome,
  count,
  featureName,
  featureOutcome,
  hitText,
  inWords,
  leafName,
  moveText,
  nodeName,
  noSteps,
  outcomeText,
  planeText,
  presetNotes,
  presetText,
  roundLines,
  show,
  showFraction,
  showVec,
} from '../src/index.ts';

describe('numbers', () => {
  it.each([
    [1.5, 4, '1.5'],
    [100, 0, '100'],
    [-0.00001, 4, '0'],
    [1 / 3, 2, '0.33'],
    [1e21, 4, '1e+21'],
  ])('%d has no tail of zeros', (value, digits, text) => {
    expect(show(value, digits)).toBe(text);
  });

  it.each([
    [1, '1'],
    [0, '0'],
    [-0, '0'],
    [0.4616562, '0.461656'],
    [Math.fround(1 - 2 ** -24), '0.99999994'],
    [1.2e-36, '1.2e-36'],
  ])('that are shares are 1 or 0 only when they are: %d', (value, text) => {
    expect(showFraction(value)).toBe(text);
  });

  it('are shown with their nouns, and side by side', () => {
    expect([count(1, 'brush'), count(2, 'brush', 'brushes'), count(1200, 'leaf')]).toEqual([
      '1 brush',
      '2 brushes',
      '1,200 leafs',
    ]);
    expect(showVec([1, 2.25, -0], 1)).toBe('1 2.3 0');
    expect(inWords('leafContents')).toBe('leaf contents');
  });
});

describe('an answer', () => {
  it.each([
    [{ fraction: 0.379375 }, 200, 'stopped after 75.88 of 200 units'],
    [{ allSolid: true, startSolid: true, fraction: 0 }, 10, 'in solid all the way'],
    [{ allSolid: true, startSolid: true, fraction: 0 }, 0, 'in solid'],
    [
      { allSolid: true, startSolid: true, fraction: 0.25 },
      8,
      'in solid all the way, and stopped after 2 of 8 units',
    ],
    [{ startSolid: true, fraction: 0 }, 10, 'starts in solid'],
    [{ fraction: 0 }, 10, 'stopped after 0 of 10 units'],
    [{ startSolid: true }, 10, 'starts in solid, then nothing in the way'],
    [{ startSolid: true, fraction: 0.5 }, 10, 'starts in solid, then stopped after 5 of 10 units'],
    [{}, 0, 'in the open'],
    [{}, 64, 'nothing in the way'],
  ])('has the outcome of %j', (changes, length, text) => {
    expect(outcomeText({ ...createTrace(), ...changes }, length)).toBe(text);
  });

  it('says what was hit', () => {
    expect(hitText(createTrace())).toBe('');
    expect(hitText({ ...createTrace(), model: 0, brush: 7, side: 0 })).toBe('the world, brush 7, side 0');
    expect(hitText({ ...createTrace(), model: 1, patch: 0 })).toBe('model *1, patch 0');
  });
});

describe('planes', () => {
  it.each([
    [[1, 0, 0], 128, 'x = 128'],
    [[0, 0, -1], 24, 'z = -24 (faces -z)'],
    [[0, -0, 0], 0, 'no plane'],
    [[0.6, 0, 0.8], 10.004, '(0.6 0 0.8) · p = 10'],
  ] as const)('%j at %d', (normal, dist, text) => {
    expect(planeText(normal, dist)).toBe(text);
  });
});

describe('a preset', () => {
  it.each([
    [{ name: 'ray', kind: 'ray' }, ''],
    [{ name: 'flat', kind: 'ray', options: { curves: false } }, 'ray, no curves'],
    [{ name: 'sphere', kind: 'sphere', size: [16] }, 'size 16'],
    [{ name: 'precise', kind: 'hull', size: [0], options: { precise: true } }, 'hull 0, precise'],
    [{ name: 'tutorial', kind: 'ray', options: { epsilon: 0.03125 } }, 'ray, epsilon 0.03125'],
  ])('%o is "%s"', (preset, text) => {
    expect(presetText(preset)).toBe(text);
  });

  it('is explained once, and only where its name does not say all', () => {
    const flat = { name: 'flat', kind: 'ray', options: { curves: false } };
    const ray = { name: 'ray', kind: 'ray' };
    expect(presetNotes([ray, flat, flat, { name: 'point', kind: 'ray' }])).toBe(
      'flat (ray, no curves), point (ray)',
    );
    expect(presetNotes([ray])).toBe('');
  });

  it('is told for each game where one name stands for different things', () => {
    const box = (title: string, edge: number) => ({ name: 'box', kind: 'box', size: [-edge, edge], title });
    expect(presetNotes([box('quake3 ', 15), box('quake2 ', 16)])).toBe(
      'quake3 box (size -15 15), quake2 box (size -16 16)',
    );
    expect(presetNotes([box('a.bsp ', 15), box('b.bsp ', 15)])).toBe('box (size -15 15)');
  });
});

it('names nodes and leafs by their numbers, if the file has them', () => {
  expect([7, 0, -1].map(nodeName)).toEqual(['node 7', 'node 0', 'node']);
  expect([7, 0, -1].map(leafName)).toEqual(['leaf 7', 'leaf 0', 'leaf']);
});

it('says why there are no steps', () => {
  expect(noSteps({ kind: 'ray' })).toBe('the move has length zero, or comes near nothing that may stop it');
  expect(noSteps({ kind: 'ellipsoid', radii: [1, 1, 1] })).toBe('there are no polygons near the move');
});

describe('outcomes of brushes and polygons', () => {
  it('say where a move enters what it hits, or would hit', () => {
    const at = (
      outcome: Parameters<typeof clipOutcome>[0]['outcome'],
      kind: 'brush' | 'polygon' = 'brush',
    ): string => clipOutcome({ kind, outcome, enter: 0.7330729 });
    expect(at('hit')).toBe('hit at 0.733073');
    expect(at('farther')).toBe('would be hit at 0.733073, but something before it is no farther');
    expect(at('missed')).toBe('missed');
    expect(at('hit', 'polygon')).toBe('hit at 0.733073');
    expect(at('farther', 'polygon')).toBe('would be hit at 0.733073, but something before it is no farther');
    expect(at('outfaced', 'polygon')).toBe(
      'would be hit at 0.733073, but one before it faces the move no less',
    );
    for (const outcome of ['apart', 'startSolid', 'allSolid'] as const) {
      expect(at(outcome)).not.toBe(at(outcome, 'polygon'));
    }
  });
});

describe('faces, edges and corners', () => {
  it('have a name, and are touched or not', () => {
    const names = (['face', 'edge', 'corner'] as const).map((feature) => featureName({ feature, number: 2 }));
    expect(names).toEqual(['face', 'edge 2', 'corner 2']);
    expect(featureName({ feature: 'face', number: 2, side: 40 })).toBe('face of side 40');
    expect(featureOutcome({ enter: 0.7330729 })).toBe('touched at 0.733073');
    expect(featureOutcome({ enter: -1 })).toBe('not touched');
  });
});

describe('a whole move', () => {
  const polygon: PolygonStep = {
    kind: 'polygon',
    ...{ polygon: 12, normal: [1, 0, 0], dist: 0, start: [0, 0, 0], end: [1, 0, 0] },
    ...{ startDist: 1, endDist: 0, offset: 1, facing: -1, outcome: 'hit', enter: 0.5 },
  };
  const missed: PolygonStep = { ...polygon, polygon: 13, outcome: 'farther' };
  const corner = { kind: 'feature', feature: 'corner', number: 2, points: [[0, 0, 0]], enter: 0.5 } as const;
  const round = (more: Partial<MoveRound>): MoveRound => ({
    ...{ trace: createTrace(), steps: [polygon, missed], along: [0] },
    ...{ start: [0, 0, 0], end: [10, 0, 0], stop: [5, 0, 0], next: [5, 3, 0] },
    ...more,
  });

  const told = (
    kind: MoveExplanation['kind'],
    ended: MoveExplanation['ended'],
    ...rounds: Partial<MoveRound>[]
  ): MoveExplanation => ({
    ...{ kind, ended, pushes: [], endPos: [0, 0, 0], remaining: [0, 0, 0] },
    rounds: rounds.map(round),
  });
  const free = { along: [], steps: [] };

  it.each<[Partial<MoveRound>, string]>([
    [{}, 'polygon 12, no plane, at 0.5'],
    [{ touched: corner }, 'corner 2 of polygon 12, no plane, at 0.5'],
    [{ touched: { ...corner, feature: 'face' } }, 'the face of polygon 12, no plane, at 0.5'],
    [{ steps: [missed] }, ''],
    [{ steps: [], body: 3 }, 'body 3'],
  ])('tells what was touched: %j', (more, text) => {
    expect(roundLines(told('slide', 'free', more), 0)[1]).toEqual(
      text ? ['touches', text] : ['ends', 'nothing is in the way'],
    );
  });

  it.each<[MoveExplanation, string, string]>([
    [told('slide', 'free', free), 'nothing is in the way', '1 round: nothing is in the way'],
    [told('slide', 'free', {}, free), 'nothing is in the way', '2 rounds: nothing is in the way'],
    [told('slide', 'straight', {}), 'no way is left', '1 round: no way is left'],
    [
      told('slide', 'straight', {}, { along: [1, 0] }),
      'no way is left between it and what round 1 touched',
      '2 rounds: no way is left',
    ],
    [
      told('slide', 'corner', {}, {}, { along: [2, 0, 1] }),
      'stuck in the corner between it and what round 1 and round 2 touched',
      '3 rounds: stuck in the corner',
    ],
    [told('slide', 'back', {}), 'the only way left leads back', '1 round: the only way left leads back'],
    [
      told('slide', 'limit', {}),
      'along it: 3 of the 5 units left, but that is the limit of rounds',
      '1 round: that is the limit of rounds',
    ],
    [
      told('push', 'returned', {}, {}),
      'still in the way, so back to the start',
      '1 round: still in the way, so back to the start',
    ],
    [told('push', 'free', {}, {}, free), 'nothing is in the way', '2 rounds: nothing is in the way'],
    [told('push', 'free', free), 'nothing is in the way', 'nothing is in the way'],
  ])('tells why it ended', (move, last, all) => {
    expect([roundLines(move, move.rounds.length - 1).at(-1), moveText(move)]).toEqual([['ends', last], all]);
  });

  it('tells what a round did', () => {
    const slide = told('slide', 'free', { touched: corner }, { along: [1, 0] }, free);
    slide.rounds[0]!.trace.normal[2] = 1;
    expect(roundLines(slide, 0, 7)).toEqual([
      ['round 1', 'from 0 0 0 to 10 0 0'],
      ['touches', 'corner 2 of polygon 12, brush 7, z = 0, at 0.5'],
      ['stops', 'after 5 of 10 units, at 5 0 0'],
      ['then', 'along it: 3 of the 5 units left, to 5 3 0'],
    ]);
    expect(roundLines(slide, 1).at(-1)![1]).toBe(
      'along the crease between it and what round 1 touched: 3 of the 5 units left, to 5 3 0',
    );
    expect(roundLines(told('slide', 'free', { start: [0.125, 1 / 3, 0] }, free), 0, -1, 2)[0]![1]).toBe(
      'from 0.13 0.33 0 to 10 0 0',
    );
    const push = told('push', 'free', { next: [10, 4, 0] }, { steps: [], body: 3 }, free);
    expect(roundLines(push, 0).slice(1)).toEqual([
      ['hits', 'polygon 12, no plane, at 0.5, facing -1'],
      ['then', 'its end is pushed out by 4 units, to 10 4 0'],
    ]);
    expect(roundLines(push, 1)[1]).toEqual(['hits', 'body 3']);
    expect(roundLines(push, 2)).toEqual([
      ['check', 'from 0 0 0 to 10 0 0'],
      ['ends', 'nothing is in the way'],
    ]);
  });
});
