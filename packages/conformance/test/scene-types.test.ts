import type { CapsuleSize, Trace, Vec3 } from '@bspkit/core';
import { readEngineMap } from '@bspkit/fixtures/engine';
import type { HullTrace, TraceOptions as Quake1Options, Quake1World } from '@bspkit/quake1';
import type { TraceOptions as Quake2Options, Quake2World } from '@bspkit/quake2';
import type { TraceOptions as Quake3Options, Quake3World } from '@bspkit/quake3';
import {
  type Body,
  createScene,
  type Scene,
  type SceneBodies,
  type SceneFilter,
  type SceneTrace,
  type SceneTracerSettings,
} from '@bspkit/scene';
import type { LineFilter, LineOptions, TraceFilter, UfoaiLineTrace, UfoaiWorld } from '@bspkit/ufoai';
import { type BspMap, openBsp } from 'bspkit';
import { describe, expect, expectTypeOf, it } from 'vitest';

// A scene offers what its world offers, and nothing else: in its types, and when it runs. `npm run check` checks the types; what
// runs here checks that types and factories agree.

const FACTORIES = ['ray', 'sphere', 'box', 'capsule', 'hull', 'line'] as const;
type Factory = (typeof FACTORIES)[number];

/** The factories that a type of scene has. */
type FactoriesOf<S> = Factory & keyof S;

/** What can be changed on the tracers of a scene's factory. */
type SettingsOf<F extends (...args: never) => { set(settings: never): unknown }> = Parameters<
  ReturnType<F>['set']
>[0];

/** Asks a scene for a tracer of every shape; returns the shapes that it makes. */
function madeBy(scene: object): Factory[] {
  const arguments_: Readonly<Record<Factory, readonly unknown[]>> = {
    ...{ ray: [], line: [], sphere: [8], hull: [0] },
    ...{
      box: [
        [-8, -8, -8],
        [8, 8, 8],
      ],
      capsule: [{ radius: 8, height: 32 }],
    },
  };
  return FACTORIES.filter((name) => {
    const factory = (scene as Readonly<Record<string, (...given: unknown[]) => unknown>>)[name]!;
    try {
      factory.apply(scene, [...arguments_[name]]);
      return true;
    } catch (error) {
      expect(error, name).toBeInstanceOf(name === 'hull' ? RangeError : TypeError);
      return false;
    }
  });
}

describe('a scene has the factories of its world', () => {
  it('and `visibleFrom` if the world knows what is visible', () => {
    expectTypeOf<Scene<Quake1World>['visibleFrom']>().toBeCallableWith([0, 0, 0], -1, new Int32Array(1));
    expectTypeOf<Scene<Quake2World>['visibleFrom']>().returns.toBeNumber();
    expectTypeOf<Scene<Quake3World>['visibleFrom']>().toBeCallableWith(
      { mins: [0, 0, 0], maxs: [1, 1, 1] },
      -1,
      new Int32Array(1),
    );
    expectTypeOf<Scene<UfoaiWorld>>().not.toHaveProperty('visibleFrom');
    expectTypeOf<Scene<Quake2World>['hearableFrom']>().toBeCallableWith([0, 0, 0], -1, new Int32Array(1));
    expectTypeOf<Scene<Quake3World>>().not.toHaveProperty('hearableFrom');
  });

  it('in Quake 1', async () => {
    expectTypeOf<FactoriesOf<Scene<Quake1World>>>().toEqualTypeOf<'ray' | 'box' | 'hull'>();
    expectTypeOf<Parameters<Scene<Quake1World>['hull']>[0]>().toEqualTypeOf<number>();
    expectTypeOf<Parameters<Scene<Quake1World>['hull']>[1]>().toEqualTypeOf<
      (Quake1Options & SceneFilter) | undefined
    >();
    expectTypeOf<ReturnType<ReturnType<Scene<Quake1World>['hull']>['trace']>>().toExtend<
      HullTrace & SceneTrace
    >();
    expectTypeOf<SettingsOf<Scene<Quake1World>['hull']>>().toExtend<Quake1Options>();
    const world = await openBsp(readEngineMap('quake1/arena.bsp'), { format: 'quake1' });
    expectTypeOf(world).toEqualTypeOf<Quake1World>();
    expect(madeBy(createScene(world))).toEqual(['ray', 'box', 'hull']);
  });

  it('in Quake 2', async () => {
    expectTypeOf<FactoriesOf<Scene<Quake2World>>>().toEqualTypeOf<'ray' | 'box'>();
    expectTypeOf<Parameters<Scene<Quake2World>['box']>[0]>().toEqualTypeOf<Vec3>();
    expectTypeOf<Parameters<Scene<Quake2World>['box']>[1]>().toEqualTypeOf<Vec3>();
    expectTypeOf<Parameters<Scene<Quake2World>['box']>[2]>().toEqualTypeOf<
      (Quake2Options & SceneFilter) | undefined
    >();
    const world = await openBsp(readEngineMap('quake2/arena.bsp'), { format: 'quake2' });
    expectTypeOf(world).toEqualTypeOf<Quake2World>();
    expect(madeBy(createScene(world))).toEqual(['ray', 'box']);
  });

  it('in Quake 3', async () => {
    expectTypeOf<FactoriesOf<Scene<Quake3World>>>().toEqualTypeOf<'ray' | 'sphere' | 'box' | 'capsule'>();
    expectTypeOf<Parameters<Scene<Quake3World>['box']>[0]>().toEqualTypeOf<Vec3>();
    expectTypeOf<Parameters<Scene<Quake3World>['box']>[1]>().toEqualTypeOf<Vec3>();
    expectTypeOf<Parameters<Scene<Quake3World>['box']>[2]>().toEqualTypeOf<
      (Quake3Options & SceneFilter) | undefined
    >();
    expectTypeOf<Scene<Quake3World>['capsule']>().toBeCallableWith(
      { radius: 8, height: 32 },
      { curves: false },
    );
    expectTypeOf<Scene<Quake3World>['capsule']>().toBeCallableWith([-8, -8, -16], [8, 8, 16], { ignore: 1 });
    expectTypeOf<SettingsOf<Scene<Quake3World>['capsule']>>().toExtend<Quake3Options>();
    const world = await openBsp(readEngineMap('quake3/arena.bsp'), { format: 'quake3' });
    expectTypeOf(world).toEqualTypeOf<Quake3World>();
    expect(madeBy(createScene(world))).toEqual(['ray', 'sphere', 'box', 'capsule']);
  });

  it('in UFO:AI', async () => {
    expectTypeOf<FactoriesOf<Scene<UfoaiWorld>>>().toEqualTypeOf<'ray' | 'box' | 'line'>();
    expectTypeOf<Parameters<Scene<UfoaiWorld>['line']>[0]>().toEqualTypeOf<
      (LineOptions & Omit<SceneFilter, 'mask'>) | undefined
    >();
    expectTypeOf<ReturnType<ReturnType<Scene<UfoaiWorld>['line']>['trace']>>().toExtend<
      UfoaiLineTrace & SceneTrace
    >();
    expectTypeOf<SettingsOf<Scene<UfoaiWorld>['line']>>().toExtend<LineFilter & SceneTracerSettings>();
    expectTypeOf<SettingsOf<Scene<UfoaiWorld>['box']>>().toExtend<TraceFilter & SceneTracerSettings>();
    expectTypeOf<SettingsOf<Scene<UfoaiWorld>['line']>>().not.toHaveProperty('models');
    const world = await openBsp(readEngineMap('ufoai/house.bsp'), { format: 'ufoai' });
    expectTypeOf(world).toEqualTypeOf<UfoaiWorld>();
    expect(madeBy(createScene(world))).toEqual(['ray', 'box', 'line']);
  });

  it('in a world of any format: what all have', async () => {
    expectTypeOf<FactoriesOf<Scene<BspMap>>>().toEqualTypeOf<'ray' | 'box'>();
    expectTypeOf<Scene<Quake3World>>().toExtend<Scene<Quake2World | Quake3World>>();
    expectTypeOf<Scene<Quake3World>>().toExtend<SceneBodies>();
    const world = await openBsp(readEngineMap('quake3/arena.bsp'));
    expectTypeOf(world).toEqualTypeOf<BspMap>();
    const trace = createScene(world).box([-8, -8, -8], [8, 8, 8], { ignore: 3 }).trace([0, 0, 0], [0, 0, 9]);
    expectTypeOf(trace).toExtend<Trace & SceneTrace>();
  });

  it('without a world: what bodies have', () => {
    expectTypeOf(createScene()).toEqualTypeOf<Scene<Body>>();
    expectTypeOf<FactoriesOf<Scene<Body>>>().toEqualTypeOf<'ray' | 'sphere' | 'box' | 'capsule'>();
    expectTypeOf<Parameters<Scene<Body>['capsule']>[0]>().toEqualTypeOf<CapsuleSize>();
  });
});
