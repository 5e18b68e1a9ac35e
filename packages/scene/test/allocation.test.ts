import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Vec3 } from '@bspkit/core';
import { expectNoBytes } from '@bspkit/testkit/allocation';
import { describe, expect, it } from 'vitest';
import {
  type BodyChanges,
  createBody,
  createScene,
  createSceneTrace,
  type RulesName,
  type SceneTracer,
  type SceneTracerSettings,
  withPose,
} from '../src/index.ts';
import { ALL_RULES, sliced } from './answers.ts';

const player = { mins: [-15, -15, -24], maxs: [15, 15, 32] } as const;
const floor = createBody({ kind: 'box', mins: [-2000, -2000, -64], maxs: [2000, 2000, -24] });
const colliders = [
  createBody({ kind: 'box', ...player }),
  createBody({ kind: 'sphere', radius: 30 }),
  createBody({ kind: 'capsule', ...player }),
];

/** Moves all over the place, made before anything is measured. */
const moves = Array.from({ length: 256 }, (_, k) => ({
  start: Float32Array.of(450 * Math.sin(k), 450 * Math.cos(3 * k), 100 + 90 * Math.sin(7 * k)),
  end: Float32Array.of(500 * Math.sin(5 * k), 500 * Math.cos(2 * k), 150 + 160 * Math.sin(k + 1)),
}));

type Writable<T> = { -readonly [name in keyof T]: T[name] };

function crowd(rules: RulesName = 'nearest') {
  const scene = createScene(floor, { rules });
  const tile = { ...floor, ray: () => withPose(floor.ray()), bounds: floor.bounds };
  const bodies = [scene.add(tile, { origin: [0, 0, 500], angles: [20, 0, 0] })];
  for (let k = 0; k < 300; k++) {
    const angles = k % 7 === 0 ? [0, 30, 0] : [0, 0, 0];
    bodies.push(scene.add(colliders[k % 3]!, { origin: moves[k & 255]!.start, angles }));
  }
  // Last: scenes of the tests below that replace bodies do not have it.
  const inner = createScene();
  inner.add(colliders[1]!);
  bodies.push(scene.add(inner, { origin: moves[3]!.start, bounds: floor.bounds }));
  const tracers: Record<string, SceneTracer> = {
    ray: scene.ray({ mask: 0x2000000 }),
    box: scene.box(player.mins, player.maxs),
    sphere: scene.sphere(10),
    capsule: scene.capsule(player.mins, player.maxs, { ignore: 7 }),
  };
  return { scene, tracers, bodies };
}

describe('nothing is allocated by', () => {
  const { tracers } = crowd();
  const out = createSceneTrace();

  it.each(Object.entries(tracers))('%s: trace with out, and blocked', (_, tracer) => {
    let hits = 0;
    expectNoBytes((call) => {
      const { start, end } = moves[call & 255]!;
      if (tracer.trace(start, end, out).entity > 0) hits++;
    });
    expectNoBytes((call) => {
      const { start, end } = moves[call & 255]!;
      if (tracer.blocked(start, end)) hits++;
    });
    expect(hits).toBeGreaterThan(0);
  });

  it.each(ALL_RULES)("traces by rules '%s'", (rules) => {
    const { scene, tracers, bodies } = crowd(rules);
    const pose = { origin: new Float32Array(3), owner: -1 };
    let hits = 0;
    expectNoBytes((call) => {
      const { start, end } = moves[call & 255]!;
      pose.origin[0] = start[0]! + (call & 7);
      pose.owner = call & 31;
      scene.move(bodies[1 + (call % 300)]!, pose);
      if (tracers.box!.trace(start, end, out).entity > 0) hits++;
      if (tracers.capsule!.blocked(start, end)) hits++;
    });
    expect(hits).toBeGreaterThan(0);
  });

  it('looking for bodies that an area touches', () => {
    const { scene } = crowd();
    const sphere = { center: new Float32Array(3), radius: 0 };
    const found = new Int32Array(64);
    let count = 0;
    expectNoBytes((call) => {
      const { start } = moves[call & 255]!;
      for (let k = 0; k < 3; k++) sphere.center[k] = start[k]!;
      sphere.radius = 20 + (call & 63);
      count += scene.touching(sphere, -1, found);
    });
    expect(count).toBeGreaterThan(0);
  });

  it('looking for bodies that are linked to an area, and for their boxes', () => {
    const { scene, bodies } = crowd();
    const area = { mins: new Float32Array(3), maxs: new Float32Array(3) };
    const box = { mins: new Float32Array(3), maxs: new Float32Array(3) };
    const found = new Int32Array(64);
    let count = 0;
    expectNoBytes((call) => {
      const { start } = moves[call & 255]!;
      for (let k = 0; k < 3; k++) {
        area.mins[k] = start[k]! - (call & 63);
        area.maxs[k] = start[k]! + (call & 63);
      }
      count += scene.linked(area, -1, found);
      scene.linkedBounds(bodies[1 + (call % 300)]!, box);
      scene.ownBounds(bodies[1 + (call % 300)]!, box);
    });
    expect(count).toBeGreaterThan(0);
  });

  it('moving bodies, near and far, and turning them', () => {
    const { scene, tracers, bodies } = crowd();
    const pose = { origin: new Float32Array(3), angles: new Float32Array(3) };
    expectNoBytes((call) => {
      const { start, end } = moves[call & 255]!;
      pose.origin[0] = start[0]! + (call & 7);
      pose.origin[1] = call & 64 ? start[1]! : end[1]!;
      pose.angles[1] = call & 16;
      scene.move(bodies[1 + (call % 300)]!, pose);
      tracers.box!.trace(start, end, out);
      scene.pose(bodies[1]!, pose);
    });
  });

  it('asking for contents, with and without a filter', () => {
    let bits = 0;
    const told = { ...colliders[0]!, contents: (point: Vec3) => (point[0]! > 0 ? 2 : 4) };
    const scene = createScene(told, { rules: 'quake3' });
    const body = { ...told };
    for (let k = 0; k < 100; k++) scene.add(body, { origin: moves[k]!.start });
    const filters = [{ ignore: 3 }, { ignore: new Set([1, 2]) }, { ignore: { owner: 4 } }, undefined];
    expectNoBytes((call) => {
      bits |= scene.contents(moves[call & 255]!.start, filters[call & 3]);
    });
    expect(bits).toBe(6);
  });

  it('adding and removing bodies whose colliders the scene knows', () => {
    const { scene, tracers, bodies } = crowd();
    const place = { origin: new Float32Array(3), contents: 1 };
    expectNoBytes((call) => {
      const at = 1 + ((call * 7) % 300);
      scene.remove(bodies[at]!);
      place.origin[0] = moves[call & 255]!.end[0]!;
      place.origin[1] = moves[call & 255]!.end[1]!;
      bodies[at] = scene.add(colliders[call % 3]!, place);
      tracers.ray!.trace(moves[call & 255]!.start, moves[call & 255]!.end, out);
    }, 10_000);
    expect(scene.count).toBe(302);
  });

  it.each(['whatever their area', 'with area portals'])(
    'asking which bodies may be seen and heard, while they move, %s',
    (title) => {
      const { world } = sliced((from, to) => (from + to) % 3 === 0);
      const divided = {
        ...world,
        hearable: world.visible,
        area: (leaf: number) => leaf >> 3,
        areasConnected: (a: number, b: number) => a - b < 2 && b - a < 2,
      };
      const scene = createScene(divided, { areaPortals: title === 'with area portals' });
      for (let k = 0; k < 100; k++) scene.add(colliders[k % 3]!, { origin: moves[k]!.start });
      const found = new Int32Array(128);
      const box = { mins: Float32Array.of(-150, 0, 0), maxs: Float32Array.of(150, 9, 9) };
      const place: Writable<BodyChanges> = {};
      let count = 0;
      expectNoBytes((call) => {
        const { start, end } = moves[call & 255]!;
        place.origin = end;
        scene.move(1 + (call % 100), place);
        count += scene.visibleFrom(call & 1 ? start : box, -1, found);
        scene.hearableFrom(call & 1 ? box : start, -1, found);
      }, 2_000);
      expect(count).toBeGreaterThan(10_000);
    },
  );

  it('changing filter and size', () => {
    const { tracers } = crowd();
    const set = new Set([1, 2, 3]);
    const mins = [-8, -8, -8];
    const settings: Writable<SceneTracerSettings> = { ignore: 0, mask: 0, mins, maxs: [8, 8, 8] };
    const pair = { body: 0, also: 0 };
    expectNoBytes((call) => {
      pair.body = call & 31;
      pair.also = call & 63;
      settings.ignore = call & 4 ? pair : call & 2 ? set : call & 127;
      settings.mask = call & 1 ? -1 : 1;
      mins[2] = -8 - (call & 7);
      tracers.box!.set(settings).trace(moves[call & 255]!.start, moves[call & 255]!.end, out);
    }, 10_000);
  });

  it('comparing sizes that are fractions', () => {
    const box = createScene().box([-8, -8, -8], [8, 8, 8]);
    const sizes = [8.5, 9.25, 10.75, 12.125].map((size) => ({ mins: new Float32Array(3).fill(-size) }));
    expectNoBytes((call) => {
      box.set(sizes[call & 3]!);
    });
  });

  it('changing what the world’s own tracers can change', () => {
    const inner = crowd().scene;
    let levels = 0;
    const ray = () => {
      const tracer = colliders[0]!.ray();
      return Object.assign(Object.create(tracer) as typeof tracer, {
        set(changes: { readonly levels?: number | undefined }) {
          levels += changes.levels ?? 0;
          return this;
        },
      });
    };
    const scene = createScene({ ray, traceOptions: ['levels'] });
    scene.add(inner, { bounds: { mins: [-500, -500, -500], maxs: [500, 500, 500] } });
    for (const collider of colliders) scene.add(collider);
    const tracer = scene.ray();
    const settings = { levels: 0 };
    expectNoBytes((call) => {
      settings.levels = 1 << (call & 7);
      tracer.set(settings);
    }, 10_000);
    expect(levels).toBeGreaterThan(10_000);
  });
});

describe('tracers that are no longer used', () => {
  it('are collected, even while new ones are made all the time', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { scene } = crowd();
    const made: WeakRef<SceneTracer>[] = [];
    const shoot = (): void => {
      const tracer = scene.ray();
      tracer.trace(moves[1]!.start, moves[1]!.end);
      made.push(new WeakRef(tracer));
    };
    for (let k = 0; k < 40; k++) shoot();
    // References that were made or followed in a job keep their targets alive until its end.
    await new Promise(setImmediate);
    shoot();
    collect();
    await new Promise(setImmediate);
    expect(made.filter((reference) => reference.deref()).length).toBeLessThan(10);
  });
});
