import type {
  Bounds,
  CapsuleSize,
  Changeable,
  Trace,
  TraceBatch,
  Tracer,
  TracerChanges,
  Vec3,
} from '@bspkit/core';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type Body,
  type Collider,
  createBody,
  createScene,
  createSceneTrace,
  type Scene,
  type SceneBodies,
  type SceneTrace,
  type SceneTraceBatch,
  type SceneTracer,
} from '../src/index.ts';

// Worlds like those of the format packages; nothing here is run except the factories of `createBody`.

interface HullTrace extends Trace {
  inOpen: boolean;
}
interface HullTracer extends Tracer<HullTrace> {
  readonly hull: number;
}
interface HullOptions {
  readonly rules?: 'engine' | 'other' | undefined;
}
/** One whose shapes are hulls, without masks. */
interface HullWorld {
  readonly bounds: Bounds;
  readonly hulls: readonly Bounds[];
  ray(options?: HullOptions): HullTracer;
  box(mins: Vec3, maxs: Vec3, options?: HullOptions): HullTracer;
  hull(hull: number, options?: HullOptions): HullTracer;
}
interface BrushOptions {
  readonly mask?: number | undefined;
  readonly epsilon?: number | undefined;
  readonly curves?: boolean | undefined;
}
/** One with all shapes. */
interface BrushWorld {
  readonly bounds: Bounds;
  ray(options?: BrushOptions): Tracer;
  sphere(radius: number, options?: BrushOptions): Tracer;
  box(mins: Vec3, maxs: Vec3, options?: BrushOptions): Tracer;
  capsule(mins: Vec3, maxs: Vec3, options?: BrushOptions): Tracer;
  capsule(size: CapsuleSize, options?: BrushOptions): Tracer;
}
interface TileTrace extends Trace {
  tile: number;
}
interface LineTrace extends TileTrace {
  blocked: boolean;
}
interface LineTracer extends Tracer<LineTrace> {
  set(settings: LineOptions): this;
}
/** One that is made with models, but cannot change them. */
interface TileTracer extends Tracer<TileTrace>, Changeable {
  set(settings: { readonly levels?: number | undefined } & TracerChanges): this;
}
interface TileOptions {
  readonly mask?: number | undefined;
  readonly models?: readonly object[] | undefined;
}
interface LineOptions {
  readonly levels?: number | undefined;
}
/** One with lines. */
interface TileWorld {
  readonly bounds: Bounds;
  ray(options?: TileOptions): TileTracer;
  box(mins: Vec3, maxs: Vec3, options?: TileOptions): TileTracer;
  line(options?: LineOptions): LineTracer;
}
type AnyWorld = HullWorld | BrushWorld | TileWorld;

const body = createBody({ kind: 'sphere', radius: 8 });
const corners = [
  [-1, -1, -1],
  [1, 1, 1],
] as const;

/** The compiler checks the types; the code in here is not run. */
const never = (check: () => void): void => void check;

describe('a scene has the shapes of its world, with its options and the filter', () => {
  it('hulls', () => {
    never(() => {
      const scene = createScene({} as HullWorld, { rules: 'quake1' });
      expectTypeOf(scene.ray({ ignore: 1 })).toEqualTypeOf<SceneTracer<HullTrace>>();
      expectTypeOf(scene.ray({ ignore: 1, mask: -1, rules: 'engine' })).toExtend<Tracer<HullTrace>>();
      expectTypeOf(scene.box(...corners, { ignore: new Set([1]), move: 'missile' })).toExtend<SceneTracer>();
      expectTypeOf(scene.hull(1, { ignore: { owner: 2 } })).toEqualTypeOf<SceneTracer<HullTrace>>();
      expectTypeOf(scene.hull(1).trace(...corners).inOpen).toBeBoolean();
      expectTypeOf(scene.hull(1).createTrace()).toEqualTypeOf<HullTrace & SceneTrace>();
      // @ts-expect-error: not one of the rules
      scene.ray({ rules: 'none' });
      // @ts-expect-error: an option of other worlds
      scene.ray({ epsilon: 1 });
      expectTypeOf(scene).not.toHaveProperty('sphere');
      expectTypeOf(scene).not.toHaveProperty('capsule');
      expectTypeOf(scene).not.toHaveProperty('line');
    });
  });

  it('brushes', () => {
    never(() => {
      const scene = createScene({} as BrushWorld);
      const options = { ignore: 1, mask: 1, epsilon: 0.25, curves: false };
      expectTypeOf(scene.ray(options)).toEqualTypeOf<SceneTracer>();
      expectTypeOf(scene.sphere(8, options)).toEqualTypeOf<SceneTracer>();
      expectTypeOf(scene.box(...corners, options)).toEqualTypeOf<SceneTracer>();
      expectTypeOf(scene.capsule(...corners, options)).toEqualTypeOf<SceneTracer>();
      expectTypeOf(scene.capsule({ radius: 8, height: 40 }, options)).toEqualTypeOf<SceneTracer>();
      expectTypeOf(scene.capsule(...corners, { epsilon: 1 })).toEqualTypeOf<SceneTracer>();
      const tracer = scene.box(...corners);
      // @ts-expect-error: its tracers have no `set`
      tracer.set({ curves: false });
      // @ts-expect-error: not a number
      scene.capsule({ radius: 8, height: 40 }, { epsilon: '1' });
      // @ts-expect-error: no option of anyone's
      scene.capsule(...corners, { speed: 1 });
      // @ts-expect-error: a height is missing
      scene.capsule({ radius: 8 });
      expectTypeOf(scene).not.toHaveProperty('hull');
      expectTypeOf(scene.ray().trace(...corners, createSceneTrace())).toExtend<SceneTrace>();
    });
  });

  it('lines', () => {
    never(() => {
      const scene = createScene({} as TileWorld);
      expectTypeOf(scene.line({ levels: 3, ignore: 1 })).toExtend<SceneTracer<LineTrace>>();
      expectTypeOf(scene.line().trace(...corners).blocked).toBeBoolean();
      expectTypeOf(scene.box(...corners, { models: [], ignore: 1 })).toExtend<SceneTracer<TileTrace>>();
      expectTypeOf(scene.ray().trace(...corners).tile).toBeNumber();
      // @ts-expect-error: an option of rays
      scene.line({ models: [] });
      // @ts-expect-error its lines have levels instead of a mask
      scene.line({ mask: 1 });
      const box = scene.box(...corners);
      expectTypeOf(box.set({ levels: 3, mask: 1, ignore: 1, mins: [0, 0, 0] })).toEqualTypeOf(box);
      scene.line().set({ levels: 3, ignore: new Set([1]) });
      // @ts-expect-error as above
      scene.line().set({ mask: 1 });
      // @ts-expect-error: not a number
      box.set({ levels: '3' });
      // @ts-expect-error: chosen when it is made, by the world
      box.set({ models: [] });
      // @ts-expect-error: chosen when it is made, by the scene
      box.set({ levels: 3, move: 'missile' });
      // Of a scene around it, too.
      createScene(scene).line().set({ levels: 3 });
      const plain: SceneTracer = box;
      // @ts-expect-error: not every world has levels
      plain.set({ levels: 3 });
      expectTypeOf(scene).not.toHaveProperty('sphere');
    });
  });

  it('a world of any format: what all of them have', () => {
    never(() => {
      const scene = createScene({} as AnyWorld);
      const tracer = scene.ray({ ignore: 1, mask: 1 });
      expectTypeOf(tracer).toExtend<SceneTracer>();
      expectTypeOf(tracer.trace(...corners, createSceneTrace()).entity).toBeNumber();
      expectTypeOf(tracer.trace(...corners, tracer.createTrace()).fraction).toBeNumber();
      expectTypeOf(scene.box(...corners, { ignore: 1 })).toExtend<Tracer>();
      const trace = tracer.trace(...corners);
      if ('inOpen' in trace) expectTypeOf(trace.inOpen).toBeBoolean();
      expectTypeOf(scene).not.toHaveProperty('sphere');
      expectTypeOf(scene).not.toHaveProperty('hull');
      expectTypeOf(scene).not.toHaveProperty('line');
      expectTypeOf(scene).toExtend<Collider>();
    });
  });

  it('bodies of `createBody`, and nothing at all', () => {
    const [own, empty] = [createScene(body), createScene()];
    expectTypeOf(empty).toEqualTypeOf<Scene>();
    expectTypeOf(own).toEqualTypeOf<Scene<Body>>();
    for (const scene of [own, empty]) {
      expectTypeOf(scene.ray({ mask: 1, epsilon: 0, ignore: 2 })).toExtend<SceneTracer>();
      expectTypeOf(scene.sphere(1)).toExtend<SceneTracer>();
      const capsule = scene.capsule({ radius: 8, height: 40 }, { epsilon: 0 });
      expectTypeOf(capsule).toExtend<SceneTracer>();
      capsule.set({ epsilon: 0.25, mask: 1, ignore: 2 });
      // @ts-expect-error: an option of worlds
      const refused = () => capsule.set({ curves: false });
      expect(refused).toThrow("there is no option 'curves' here");
    }
  });

  it('a collider of your own, without options and with some of them', () => {
    never(() => {
      const scene = createScene({ ray: () => body.ray(), sphere: (radius: number) => body.sphere(radius) });
      expectTypeOf(scene.ray({ ignore: 1, mask: 2 })).toExtend<SceneTracer>();
      expectTypeOf(scene.sphere(1, { mask: 2 })).toExtend<SceneTracer>();
      expectTypeOf(scene).not.toHaveProperty('box');
      const single = createScene({ capsule: (mins: Vec3, maxs: Vec3) => body.capsule(mins, maxs) });
      expectTypeOf(single.capsule(...corners, { ignore: 1 })).toExtend<SceneTracer>();
      // A scene is a collider, too.
      expectTypeOf(createScene(scene).ray()).toExtend<SceneTracer>();
      scene.add(createScene({} as AnyWorld));
      scene.add({} as HullWorld);
      scene.add({} as BrushWorld);
      scene.add({} as TileWorld);
      // @ts-expect-error: nothing that makes tracers
      scene.add(5);
      // @ts-expect-error: nothing that makes tracers
      createScene('e1m1');
    });
  });
});

describe('the data of bodies', () => {
  interface Entity {
    health: number;
  }

  it('is of the type that the scene is said to have', () => {
    never(() => {
      const scene: Scene<HullWorld, Entity> = createScene({} as HullWorld, { rules: 'quake1' });
      const alone: Scene<Body, Entity> = createScene();
      for (const bodies of [scene, alone]) {
        const number = bodies.add(body, { data: { health: 100 } });
        bodies.move(number, { data: { health: 50 } });
        // @ts-expect-error: no entity
        bodies.add(body, { data: 'health' });
        // @ts-expect-error: no entity
        bodies.move(number, { data: { health: 'full' } });
        // A body may have been added without it.
        expectTypeOf(bodies.body(number).data).toEqualTypeOf<Entity | undefined>();
        expectTypeOf([...bodies][0]!.data?.health).toEqualTypeOf<number | undefined>();
      }
      expectTypeOf(createScene<HullWorld, Entity>({} as HullWorld)).toEqualTypeOf(scene);
      // Tracers and options are the same.
      expectTypeOf(scene.hull(1)).toEqualTypeOf<SceneTracer<HullTrace>>();
      // What takes any bodies takes these.
      const any: SceneBodies = scene;
      const world: Scene<HullWorld> = scene;
      expectTypeOf(any.body(1).data).toBeUnknown();
      expectTypeOf(world).toExtend<Collider>();
    });
  });

  it('is unknown otherwise', () => {
    never(() => {
      const scene = createScene({} as HullWorld);
      scene.add(body, { data: 'jump pad' });
      expectTypeOf(scene.body(1).data).toBeUnknown();
    });
  });
});

describe('a scene’s tracers', () => {
  it('are tracers, whatever fields their traces have', () => {
    never(() => {
      const hulls = createScene({} as HullWorld);
      const tracers: SceneTracer[] = [hulls.ray(), createScene(body).ray()];
      const plain: Tracer = hulls.ray();
      expectTypeOf(plain.trace(...corners)).toEqualTypeOf<Trace>();
      expectTypeOf(tracers[0]!.set({ ignore: 1, radius: 3 })).toEqualTypeOf<SceneTracer>();
      // @ts-expect-error: chosen when it is made
      tracers[0]!.set({ move: 'missile' });
      const segments = new Float32Array(6);
      expectTypeOf(hulls.ray().traceBatch(segments)).toEqualTypeOf<SceneTraceBatch>();
      expectTypeOf(hulls.ray().traceBatch(segments, {} as TraceBatch)).toEqualTypeOf<TraceBatch>();
    });
  });
});
