import type { BrushStep, Explanation, FeatureStep, SideStep } from '@bspkit/core';
import { ModelFrames } from '@bspkit/words';
import { type Object3D, Vector3 } from 'three';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenMap } from '../../src/app/open-map.ts';
import { boundsPlanes, grow } from '../../src/tools/draw/polygons.ts';
import { StepPicture } from '../../src/tools/explain/picture.ts';
import { countWork, Walk } from '../../src/tools/explain/walk.ts';
import { stepText } from '../../src/tools/explain/words.ts';
import { createTracer } from '../../src/tools/query/query.ts';
import { openFixture } from './maps.ts';

/** One for each, so that what is drawn says what it is. */
const COLORS = { a: '#0000aa', b: '#0000bb', c: '#0000cc', d: '#0000dd', ray: '#00ff00', miss: '#0000ff' };

let arena: OpenMap;
let explanation: Explanation;
let walk: Walk;
beforeAll(async () => {
  arena = await openFixture('arena', 'quake3');
  const { format, world } = arena;
  const tracer = createTracer(format, world, { kind: 'box', size: [-15, -15, -24, 15, 15, 32], options: {} });
  explanation = format.explain(tracer, [0, -256, 32], [0, 512, 32]);
  walk = new Walk(explanation, () => boundsPlanes(grow(world.bounds, 64)));
});

/** Draws steps, and says which points are drawn in a colour, where they are in the scene. */
function drawing(map: OpenMap): { picture: StepPicture; drawn: (color: string) => number[][] } {
  const added: Object3D[] = [];
  const scene = { add: (object: Object3D) => added.push(object), remove: () => {} };
  const picture = new StepPicture({ map, scene, colors: COLORS, requestRender() {} } as never);
  const drawn = (color: string): number[][] => {
    for (const object of added) object.updateMatrixWorld();
    const points: number[][] = [];
    for (const object of added) {
      object.traverse((part) => {
        if (!(part instanceof LineSegments2) || !part.parent!.visible) return;
        if (part.material.color.getHexString() !== color || !part.material.depthTest) return;
        const { instanceCount, attributes } = part.geometry;
        for (let k = 0; k < instanceCount; k++) {
          for (const end of [attributes.instanceStart!, attributes.instanceEnd!])
            points.push(
              new Vector3()
                .fromBufferAttribute(end as never, k)
                .applyMatrix4(part.matrixWorld)
                .toArray(),
            );
        }
      });
    }
    return points;
  };
  return { picture, drawn };
}

const middleOf = (corners: readonly number[], axis: number): number =>
  corners.filter((_, k) => k % 3 === axis).reduce((sum, x) => sum + (3 * x) / corners.length, 0);

describe('a walk through the tree', () => {
  it('keeps what was found at a brush when it comes to it again', () => {
    const { format, world } = arena;
    const box = { kind: 'box', size: [-15, -15, -24, 15, 15, 32], options: {} };
    // Close above the floor, which is in many leafs.
    const told = format.explain(createTracer(format, world, box), [0, 0, 24.25], [700, 500, 24.25]);
    const low = new Walk(told, () => boundsPlanes(world.bounds));
    const outcomes = new Map<number, string>();
    let again = 0;
    for (const { step, number } of low.steps) {
      if (step.kind !== 'brush') continue;
      if (step.outcome !== 'again') outcomes.set(step.brush, step.outcome);
      else again++;
      const shown = low.at(number).brushes.find(({ brush }) => brush === step.brush);
      expect(shown?.outcome).toBe(outcomes.get(step.brush));
    }
    expect(again).toBeGreaterThan(0);
  });

  it('knows the way down to every step', () => {
    expect(walk.steps).toHaveLength(explanation.steps.length);
    for (const { step, parent, child, number } of walk.steps) {
      if (step.kind !== 'node' && step.kind !== 'leaf') continue;
      if (step.depth === 0) expect(parent).toBe(-1);
      else {
        const node = explanation.steps[parent]!;
        if (node.kind !== 'node') throw new Error('a parent is a node');
        expect(node.depth).toBe(step.depth - 1);
        expect(node.children).toContain(child);
        expect(parent).toBeLessThan(number);
      }
    }
  });

  it('gives every side to the brush that is told after it', () => {
    const sides = walk.steps.filter(({ step }) => step.kind === 'side');
    expect(sides.length).toBeGreaterThan(5);
    for (const side of sides) {
      const owner = walk.steps[side.owner]!;
      expect(['brush', 'facet']).toContain(owner.step.kind);
      expect(owner.number).toBeGreaterThan(side.number);
      expect(walk.steps.slice(side.number, owner.number).every(({ step }) => step.kind === 'side')).toBe(
        true,
      );
    }
  });

  it('draws split planes within the regions of their nodes', () => {
    const nodes = walk.steps.filter(({ step }) => step.kind === 'node');
    for (const { number } of nodes) {
      const { planes, region } = walk.at(number);
      expect(region.length).toBeGreaterThanOrEqual(4);
      const own = planes.at(-1)!;
      expect(own.number).toBe(number);
      for (const { plane } of region) {
        for (let at = 0; at < own.corners.length; at += 3) {
          const [x, y, z] = own.corners.slice(at, at + 3) as [number, number, number];
          const { normal, dist } = plane;
          expect(normal[0]! * x + normal[1]! * y + normal[2]! * z).toBeLessThan(dist + 0.1);
        }
      }
    }
  });

  it('has the middle of the piece of the move in the region of its leaf', () => {
    const leafs = walk.steps.filter(({ step }) => step.kind === 'leaf');
    expect(leafs.length).toBeGreaterThan(2);
    const [first] = leafs;
    const at = walk.at(first!.number);
    expect(at.leafs).toHaveLength(1);
    expect(at.leafs[0]!.from).toBe(0);
    expect(at.planes.every(({ number }) => number < first!.number)).toBe(true);
    expect(
      Math.abs(
        middleOf(
          at.region.flatMap(({ corners }) => [...corners]),
          0,
        ),
      ),
    ).toBeLessThan(1000);
  });

  it('narrows the widened brush side by side down to where the move enters', () => {
    const hit = walk.steps.filter(({ step }) => step.kind === 'brush' && step.outcome === 'hit').at(-1)!;
    if (hit.step.kind !== 'brush') throw new Error('it is a brush');
    const picture = walk.at(hit.number);
    expect(picture.inside!.from).toBe(explanation.trace.fraction);
    const tested = picture.brushes.find(({ brush }) => brush === walk.brushOf(hit));
    expect(tested?.outcome).toBe('hit');
    expect(picture.widened.length).toBeGreaterThanOrEqual(4);
    expect(walk.brushOf(walk.steps[hit.number - 1]!)).toBe(hit.step.brush);
    const firstSide = walk.steps.find(({ owner }) => owner === hit.number)!;
    expect(walk.at(firstSide.number).widened).toEqual([]);
  });

  it('stops at all steps, or at those that say something', () => {
    const all = walk.stops(true);
    const some = walk.stops(false);
    expect(all).toHaveLength(walk.steps.length);
    expect(some.length).toBe(all.length - countWork(explanation.steps).skipped);
  });

  it('stops at what was skipped where there is nothing else', () => {
    const { format, world } = arena;
    const mover = { kind: 'ellipsoid', size: [16, 16, 28], options: { tutorial: true } };
    const told = format.explain(createTracer(format, world, mover), [0, -256, 100], [0, -250, 100]);
    const own = new Walk(told, () => boundsPlanes(world.bounds));
    expect(countWork(told.steps)).toMatchObject({ polygon: told.steps.length, skipped: told.steps.length });
    expect(own.stops(false)).toEqual(own.stops(true));
    expect(own.stops(false).length).toBeGreaterThan(5);
  });

  it('is told in words', () => {
    const { contents } = arena.format;
    const texts = walk.steps.map((step) => stepText(walk, step, contents));
    expect(texts[0]!.name).toMatch(/^node \d+$/);
    expect(texts[0]!.detail).toMatch(/^Split plane .+ So (only|it is split)/);
    const hit = walk.steps.filter(({ step }) => step.kind === 'brush' && step.outcome === 'hit').at(-1)!;
    expect(texts[hit.number]!.brief).toMatch(/^hit at 0\.\d+$/);
    const missed = walk.steps.filter(({ step }) => step.kind === 'brush' && step.outcome === 'missed');
    for (const { number } of missed) {
      // The last side says why.
      expect(texts[number - 1]!.detail).toMatch(/outside|leaves before it would enter|inside/);
    }
    for (const { name, brief, detail } of texts) {
      expect(`${name}${brief}${detail}`).not.toMatch(/undefined|NaN/);
    }
  });

  it.each([
    // Distances of the ends from a side, where the move is inside after it, what became of it there, and from where to where.
    [[4, -4, 0.5, 1], 'entered', 'from 0.5 to its end'],
    [[4, 0, 0.9, 1], 'entered', 'from 0.9 to its end'],
    [[4, 0.1, 0.9, 1], 'touched', 'from 0.9 to its end'],
    [[-4, 4, -1, 0.5], 'left', 'from its start to 0.5'],
    [[0, 4, -1, 0], 'left', 'from its start to 0'],
    [[-4, 0, -1, 1], 'inside all the way', 'from its start to its end'],
    [[4, -4, 0.5, 0.25], 'entered', 'nowhere: it leaves before it would enter'],
  ] as const)('says what a side does to a move: %j', ([startDist, endDist, enter, leave], brief, inside) => {
    const found = walk.steps.find(({ step }) => step.kind === 'side')!;
    const step = { ...found.step, startDist, endDist, enter, leave } as SideStep;
    const text = stepText(walk, { ...found, step }, arena.format.contents);
    expect(text.brief).toMatch(new RegExp(`: ${brief}$`));
    expect(text.detail).toMatch(new RegExp(`the move is inside ${inside}\\.$`));
  });

  it('speaks of widened sides only where the shape widens them', () => {
    const isSaid = (kind: string, size: number[]): boolean => {
      const { format, world } = arena;
      const tracer = createTracer(format, world, { kind, size, options: {} });
      const own = new Walk(format.explain(tracer, [0, -256, 56], [300, 300, 40]), () =>
        boundsPlanes(world.bounds),
      );
      const sides = own.steps.filter(({ step }) => step.kind === 'side');
      expect(sides.length).toBeGreaterThan(0);
      return sides.some((step) => stepText(own, step, format.contents).detail.includes('widened'));
    };
    expect(isSaid('ray', [])).toBe(false);
    expect(isSaid('box', [-15, -15, -24, 15, 15, 32])).toBe(true);
  });

  it('shows a polygon as far as the planes around it leave it, and where the middle of the shape may not be', () => {
    const { format, world } = arena;
    const mover = { kind: 'ellipsoid', size: [16, 16, 28], options: { tutorial: true } };
    const told = format.explain(createTracer(format, world, mover), [0, -256, 32], [0, 512, 32]);
    const own = new Walk(told, () => boundsPlanes(world.bounds));
    const step = own.steps.filter((at) => at.step.kind === 'polygon' && at.step.outcome === 'hit').at(-1)!;
    const { face, widened, inside } = own.at(step.number);
    // A wall across the move, 448 units high and wider than the arena, before which the ellipsoid stops.
    expect(told.trace.normal[1]).toBe(-1);
    const reach = (corners: ArrayLike<number>[], k: number): [number, number] => {
      const all = corners.flatMap((each) => Array.from(each).filter((_, i) => i % 3 === k));
      return [Math.min(...all), Math.max(...all)];
    };
    const solid = widened.map(({ corners }) => corners);
    expect(reach([face!], 1)).toEqual([512, 512]);
    expect(reach(solid, 1)).toEqual([496, 512]);
    for (const [k, edge] of reach([face!], 2).entries()) expect(reach(solid, 2)[k]).toBeCloseTo(edge);
    expect(inside!.from).toBeCloseTo(told.trace.fraction, 6);
    const { name, brief, detail } = stepText(own, step, format.contents);
    expect(`${name}: ${brief}`).toMatch(/^polygon \d+: hit at 0\.979/);
    expect(detail).toContain(
      'The shape reaches 16 units towards it. The move begins 768 units in front of it',
    );
    expect(detail).toContain('Facing value: -1.');
    expect(stepText(own, own.steps[step.number - 1]!, format.contents).detail).toContain('of polygon');
    const { polygon, side, skipped } = countWork(told.steps);
    expect(polygon).toBeGreaterThan(10);
    expect(side + polygon).toBe(told.steps.length);
    expect(own.stops(false).length).toBe(told.steps.length - skipped);
    // Of one whose plane is not crossed there is only the plane.
    const apart = own.steps.find((at) => at.step.kind === 'polygon' && at.step.outcome === 'apart')!;
    expect(own.at(apart.number)).toMatchObject({ widened: [], inside: undefined, face: expect.anything() });
  });

  it('shows the polygons of an exact ellipsoid, and the face, edge or corner that is tested', () => {
    const { format, world } = arena;
    const exact = { kind: 'ellipsoid', size: [16, 16, 28], options: {} };
    const told = format.explain(createTracer(format, world, exact), [0, -256, 56], [300, 300, 40]);
    const own = new Walk(told, () => boundsPlanes(world.bounds));
    const step = own.steps.filter((at) => at.step.kind === 'polygon' && at.step.outcome === 'hit').at(-1)!;
    expect(stepText(own, step, format.contents).detail).toMatch(
      /Of those so far that it hits, it is the first: it stops the move, unless a later one does before\.$/,
    );
    const { feature, polygon, skipped } = countWork(told.steps);
    expect([feature + polygon, own.stops(false).length]).toEqual([
      told.steps.length,
      told.steps.length - skipped,
    ]);
    const features = own.steps.filter(({ owner }) => owner === step.number);
    expect(features.length).toBe(7);
    const [face] = features;
    const corners = face!.step.kind === 'feature' ? face!.step.points.flat() : [];
    expect(corners.length).toBe(9);
    for (const at of [...features, step]) {
      expect(own.at(at.number)).toMatchObject({
        polygon: corners,
        face: undefined,
        widened: [],
        inside: undefined,
      });
      expect(at.depth).toBe(at === step ? 1 : 2);
    }
    // No leaf says for which part of the move a polygon is asked about.
    expect(step.span).toEqual({ from: 0, to: 1 });
    const touched = features.find((at) => at.step.kind === 'feature' && at.step.enter >= 0)!;
    expect(touched.span).toEqual({ from: 0, to: expect.closeTo(0.23605, 5) });
    const { name, brief, detail } = stepText(own, touched, format.contents);
    expect(`${name}: ${brief}`).toMatch(/^edge \d: touched at 0\.23605$/);
    expect(detail).toMatch(
      /^Edge \d of polygon \d+, 77 -110 \S+ to 77 -110 \S+: touched at .+ between both ends\.$/,
    );
    expect(stepText(own, face!, format.contents).detail).toMatch(
      /^Face of polygon \d+: not touched\. A face is /,
    );
  });

  it('shows the brushes that an exact sphere meets, and what of them is touched', () => {
    const { format, world } = arena;
    const exact = { kind: 'sphere', size: [16], options: { exact: true } };
    const told = format.explain(createTracer(format, world, exact), [-256, 0, 56], [1000, 0, 56]);
    const own = new Walk(told, () => boundsPlanes(world.bounds));
    const step = own.steps.filter((at) => at.step.kind === 'brush' && at.step.outcome === 'hit').at(-1)!;
    const { name, brief, detail } = stepText(own, step, format.contents);
    expect(`${name}: ${brief}`).toMatch(/^brush \d+: hit at 0\.878881$/);
    expect(detail).toMatch(
      / Contents: solid\. What is touched faces as side \d+ does, more than as any other\.$/,
    );
    const features = own.steps.filter(({ owner }) => owner === step.number);
    // A pillar with twelve sides.
    const numberOf = (feature: FeatureStep['feature']): number =>
      features.filter((at) => at.step.kind === 'feature' && at.step.feature === feature).length;
    expect([numberOf('edge'), numberOf('corner')]).toEqual([36, 24]);
    // The line through the edge on the other side is also met, but later.
    const touched = features.find(({ span }) => span.to < 0.9)!;
    expect(touched.span).toEqual({ from: 0, to: expect.closeTo(0.878881, 6) });
    const text = stepText(own, touched, format.contents);
    expect(`${text.name}: ${text.brief}`).toMatch(/^edge \d+: touched at 0\.878881$/);
    expect(text.detail).toMatch(
      /^Edge \d+ of brush \d+, 864 0 0 to 864 0 256: touched at .+ within the radius, /,
    );
    expect(stepText(own, features[0]!, format.contents).name).toMatch(/^face of side \d+$/);
    // The brush itself is drawn.
    expect(own.at(touched.number)).toMatchObject({ polygon: undefined, widened: [], inside: undefined });
  });

  it('shows the facets that an exact sphere meets', () => {
    const { format, world } = arena;
    const exact = { kind: 'sphere', size: [16], options: { exact: true } };
    const ends = [
      [336, 230, 0.25],
      [626, -89, 187],
    ] as const;
    const told = format.explain(createTracer(format, world, exact), ...ends);
    const own = new Walk(told, () => boundsPlanes(world.bounds));
    const step = own.steps.find(
      (at) => own.steps[at.number - 1]?.step.kind === 'feature' && at.step.kind === 'facet',
    )!;
    const features = own.steps.filter(({ owner }) => owner === step.number);
    const text = stepText(own, features[0]!, format.contents);
    expect(`${text.name}: ${text.detail}`).toMatch(/^face: Face of facet \d+ of patch \d+: /);
    const corners = (features[0]!.step as FeatureStep).points.flat();
    for (const at of [...features, step]) expect(own.at(at.number).polygon).toEqual(corners);
    expect(stepText(own, step, format.contents).detail).not.toContain('The move is inside');
  });

  it('names the trees where several are walked', async () => {
    const house = await openFixture('house', 'ufoai');
    const tracer = createTracer(house.format, house.world, { kind: 'line', size: [], options: {} });
    const { mins, maxs } = house.world.bounds;
    const told = house.format.explain(tracer, Array.from(mins), Array.from(maxs));
    const trees = new Walk(told, () => boundsPlanes(house.world.bounds)).steps.filter(({ tree }) => tree);
    expect(trees.length).toBeGreaterThan(1);
    expect(trees[0]!.parent).toBe(-1);
  });

  it.each(['quake2', 'ufoai'] as const)('has no move where a box is only tested, in %s', async (id) => {
    const { format, world } = await openFixture('arena', id);
    const tracer = createTracer(format, world, { kind: 'box', size: [-8, -8, -8, 8, 8, 24], options: {} });
    const told = format.explain(tracer, [0, -256, 32], [0, -256, 32]);
    const own = new Walk(told, () => boundsPlanes(world.bounds));
    // Steps are about the middle of the shape.
    const at = [0, -256, 40];
    const tested = own.steps.find(({ step }) => 'start' in step)!;
    expect(own.moveIn(tested.at)).toEqual({ start: at, end: at });
  });

  it('draws the steps of inline models where these stand, and what was found before where that is', async () => {
    const map = await openFixture('arena', 'ufoai');
    const { format, world } = map;
    // At the door in the arena's middle, which stands where its entity does.
    const query = {
      kind: 'ray',
      size: [],
      options: { models: 'all' },
      start: [436, 0, 60],
      end: [636, 0, 60],
    };
    const told = format.explain(createTracer(format, world, query), query.start, query.end);
    expect(told.trace.model).toBe(2);
    const frames = new ModelFrames(world, query.options);
    const around = boundsPlanes(grow(world.bounds, 64));
    const own = new Walk(told, (at) => around.map((plane) => frames.of(at).enterPlane(plane)));
    const { picture, drawn } = drawing(map);
    const hit = own.steps.filter(({ step }) => step.kind === 'brush' && step.outcome === 'hit').at(-1)!;
    expect(hit.at?.model).toBe(2);
    picture.draw(own, own.at(hit.number), query);
    // The piece is on the move, and the brush is around where it stops.
    const piece = drawn('ffffff');
    expect(piece).toHaveLength(2);
    for (const [x, y, z] of piece) {
      expect(x).toBeGreaterThanOrEqual(436);
      expect(x).toBeLessThanOrEqual(636);
      expect([y, z]).toEqual([0, 60]);
    }
    const brush = drawn('0000bb');
    for (const axis of [0, 1, 2]) {
      const at = told.trace.endPos[axis]!;
      expect(Math.min(...brush.map((point) => point[axis]!))).toBeLessThanOrEqual(at + 1);
      expect(Math.max(...brush.map((point) => point[axis]!))).toBeGreaterThanOrEqual(at - 1);
    }
    // The leafs of the world, and of the model, are parts of the same move.
    for (const [x, y, z] of drawn('0000aa')) {
      expect(x).toBeGreaterThanOrEqual(436);
      expect(x).toBeLessThanOrEqual(636);
      expect([y, z]).toEqual([0, 60]);
    }
    // What the world's trees showed stays there: nothing is drawn beyond the map.
    const { mins, maxs } = world.bounds;
    for (const point of drawn('0000ff'))
      for (const axis of [0, 1, 2]) {
        expect(point[axis]).toBeGreaterThanOrEqual(mins[axis]! - 1);
        expect(point[axis]).toBeLessThanOrEqual(maxs[axis]! + 1);
      }
    // Regions that nothing closes end at the edges of the map.
    const leaf = own.steps.filter(({ step, at }) => step.kind === 'leaf' && at?.model === 2).at(-1)!;
    for (const { corners } of own.at(leaf.number).region) {
      for (let at = 0; at < corners.length; at += 3) {
        for (const [k, x] of frames
          .of({ model: 2 })
          .leave(corners.slice(at, at + 3))
          .entries()) {
          expect(x).toBeGreaterThanOrEqual(mins[k]! - 65);
          expect(x).toBeLessThanOrEqual(maxs[k]! + 65);
        }
      }
    }
  });

  it('draws a model that options name several times in each of its places', async () => {
    const map = await openFixture('arena', 'ufoai');
    const { format, world } = map;
    // The first is behind the second, which is turned the other way, and stops the move.
    const options = { models: '2,2', origin: [596, -64, 60, 536, 64, 60], angles: [0, 0, 0, 0, 180, 0] };
    const query = { kind: 'ray', size: [], options, start: [436, 0, 60], end: [636, 0, 60] };
    const told = format.explain(createTracer(format, world, query), query.start, query.end);
    const own = new Walk(told, () => boundsPlanes(grow(world.bounds, 64)));
    const hits = own.steps.filter(({ step }) => step.kind === 'brush' && step.outcome === 'hit');
    expect(hits.map(({ at }) => [at?.model, at?.listed])).toEqual([
      [2, 0],
      [2, 1],
    ]);
    const { picture, drawn } = drawing(map);
    const xs = (color: string): number[] => drawn(color).map(([x]) => Math.round(x!));
    const rows = (at: number): number[] => [at - 4, at + 4];
    for (const [k, { number, step }] of hits.entries()) {
      picture.draw(own, own.at(number), query);
      expect([...new Set(xs('0000bb'))].sort()).toEqual(rows([596, 536][k]!));
      // What was tested before stays where it is.
      const tested = own
        .at(number)
        .brushes.filter(({ at, brush }) => at && brush === (step as BrushStep).brush);
      expect(tested.map(({ at }) => at?.listed)).toEqual([0, 1].slice(0, k + 1));
    }
    for (const x of rows(596)) expect(xs('0000ff')).toContain(x);
  });

  it('tells a node that joins two trees from one that splits', () => {
    const [first] = explanation.steps;
    if (first?.kind !== 'node') throw new Error('the first step is a node');
    const joint = { ...first, normal: [0, 0, 0] as const, dist: 0, children: [0, 1] as const };
    const joined = new Walk({ ...explanation, steps: [joint] }, () => boundsPlanes(arena.world.bounds));
    expect(stepText(joined, joined.steps[0]!, arena.format.contents).brief).toBe(
      'no plane: front, then back',
    );
    expect(joined.at(0).planes).toEqual([]);
  });

  it('counts the work', () => {
    const work = countWork(explanation.steps);
    const { node, leaf, brush, facet, side } = work;
    expect(node + leaf + brush + facet + side).toBe(explanation.steps.length);
  });
});
