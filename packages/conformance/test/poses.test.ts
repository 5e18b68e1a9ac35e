import type { BspFormat } from '@bspkit/core/format';
import { createScene } from '@bspkit/scene';
import { formatOf } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { ufoaiHouse, worlds } from './worlds.ts';

// One rule for tracers of models in every game: a pose applies only to its own tracer.

describe.each(Object.entries(worlds()))('tracers of models of %s', (_, world) => {
  const model = world.model(1);
  // Half a turn, or none if the game's rules ignore angles: the middle of the model is in one of two places.
  const pose = { origin: [1000, 2000, 3000], angles: [0, 180, 0] };
  const middle = [0, 1, 2].map((k) => (model.bounds.mins[k]! + model.bounds.maxs[k]!) / 2);

  /** Moves down through the model where `pose` puts it, and past it. */
  const moves = Array.from({ length: 2 * 441 }, (_, k) => {
    const side = k % 2 === 0 ? 1 : -1;
    const cell = k >> 1;
    const at = [
      1000 + side * middle[0]! + 20 * ((cell % 21) - 10),
      2000 + side * middle[1]! + 20 * (Math.floor(cell / 21) - 10),
    ];
    return [
      [...at, 3000 + middle[2]! + 500],
      [...at, 3000 + middle[2]! - 500],
    ];
  });
  const hits = (tracer: { blocked(start: number[], end: number[]): boolean }): string =>
    moves.map(([start, end]) => (tracer.blocked(start!, end!) ? '#' : '.')).join('');

  it('are where their options or `place` put them, and move no others', () => {
    const [still, moved] = [model.ray(), model.ray()];
    const before = hits(still);
    const asked = hits(model.ray(pose));
    expect(asked).toContain('#');
    expect(asked).not.toBe(before);
    expect(hits(moved.place(pose))).toBe(asked);
    expect(hits(model.ray({ angles: pose.angles }).place({ origin: pose.origin }))).toBe(asked);
    expect([hits(still), hits(model.ray())]).toEqual([before, before]);
  });

  it('have the contents that are there', () => {
    const turns = hits(model.ray(pose)) !== hits(model.ray({ origin: pose.origin })) ? -1 : 1;
    const { mins, maxs } = model.bounds;
    const still = { origin: [0, 0, 0], angles: [0, 0, 0] };
    const empty = model.contents([mins[0]! - 8.3, mins[1]! - 8.3, mins[2]! - 8.3], still);
    let filled = 0;
    for (let k = 0; k < 64; k++) {
      const cell = [k & 3, (k >> 2) & 3, k >> 4];
      const at = cell.map((n, axis) => mins[axis]! + (maxs[axis]! - mins[axis]!) * (0.5 * n - 0.3));
      const there = [1000 + turns * at[0]!, 2000 + turns * at[1]!, 3000 + at[2]!];
      expect(model.contents(there, pose), `at ${at}`).toBe(model.contents(at, still));
      if (model.contents(at, still) !== empty) filled++;
    }
    expect(filled).toBeGreaterThan(0);
  });

  it('in scenes have the pose of the world or of their body, not each other’s', () => {
    const scene = createScene(world.model(1));
    const far = [5000, 0, 0];
    scene.add(world.model(1), { origin: far, angles: [0, 0, 0] });
    const near = [0, 0, 100];
    const ray = scene.ray({ origin: near, angles: [0, 0, 0] });
    const above = [middle[0]!, middle[1]!, middle[2]! + 500];
    const below = [middle[0]!, middle[1]!, middle[2]! - 500];
    const plus = (a: number[], b: number[]): number[] => a.map((x, k) => x + b[k]!);
    const alone = model.ray({ origin: [0, 0, 0], angles: [0, 0, 0] }).trace(above, below).endPos[2]!;
    expect(alone).toBeGreaterThan(below[2]!);
    expect(ray.trace(above, below).endPos[2]).toBeCloseTo(alone + 100, 3);
    expect(ray.trace(plus(above, far), plus(below, far)).endPos[2]).toBeCloseTo(alone, 3);
  });

  it('say which surface was hit wherever the model is, as others that ask by its pose', async () => {
    const format = (await formatOf(world)) as BspFormat;
    const here = model.ray({ origin: [0, 0, 0], angles: [0, 0, 0] });
    const turned = model.ray({ origin: [0, 0, 0], angles: [0, 180, 0] });
    const behind = [-middle[0]!, -middle[1]!, middle[2]!];
    const sides = turned.blocked(behind, behind) ? [1, -1] : [1];
    for (const side of sides) {
      const far = { origin: [1000, 500, 300], angles: [0, side > 0 ? 0 : 180, 0] };
      const there = model.ray(far);
      const move = ([x, y, z]: number[]): number[] => [1000 + side * x!, 500 + side * y!, 300 + z!];
      const hit = Array.from({ length: 60 }, (_, k) => {
        const away = [400 * Math.cos(k), 400 * Math.sin(k), 200 * Math.sin(7 * k)];
        const start = middle.map((x, axis) => x + away[axis]!);
        const surface = format.surfaceAt(world, here.trace(start, middle));
        const moved = there.trace(move(start), move(middle));
        expect(format.surfaceAt(world, moved, far), `from ${start}, ${far.angles}`).toEqual(surface);
        return surface?.polygon;
      });
      expect(hit.filter((polygon) => polygon).length).toBeGreaterThan(50);
    }
    // Single-player Quake's rules alone leave models as they were built.
    expect(sides.length).toBe(world.format === 'quake1' ? 1 : 2);
  });

  it('refuse invalid poses', () => {
    expect(() => model.ray({ origin: [0, Number.NaN, 0] })).toThrow('origin[1] must be a finite float32');
    expect(() => model.ray({ angles: [0, 0, Infinity] })).toThrow('angles[2] must be a finite float32');
  });
});

it('a scene puts back a model that others have moved, whatever it changes next', () => {
  const world = ufoaiHouse();
  const model = world.model(1);
  const scene = createScene(world);
  const origin = Array.from(model.origin, (x) => x + 8);
  const body = scene.add(model, { origin });
  model.place({ origin: [0, 0, 0], angles: [0, 90, 0] });
  scene.move(body, {});
  expect(Array.from(model.origin)).toEqual(origin);
  expect(Array.from(model.angles)).toEqual(Array.from(scene.body(body).angles));
});
