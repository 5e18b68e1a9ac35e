import { type Bounds, defineTracer, type Vec3 } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { createScene } from '../src/index.ts';
import { hit, miss } from './answers.ts';

/** The next float32 number, up or down. */
function nextAfter(x: number, side: number): number {
  const bits = new Int32Array(Float32Array.of(x).buffer);
  bits[0]! += Math.sign(x) * side;
  return new Float32Array(bits.buffer)[0]!;
}

const small: Bounds = { mins: [-8, -8, -8], maxs: [8, 8, 8] };

describe('contents at a point', () => {
  const at: Vec3 = [4, 0, 0];
  /** A model whose contents show its pose: 64, and the x of its origin. */
  const told = () =>
    Object.assign(hit(1), {
      contents: (_: Vec3, { origin }: { origin?: Vec3 } = {}) => 64 | Math.trunc(origin?.[0] ?? 0),
    });
  const world = () => Object.assign(miss(), { contents: (point: Vec3) => (point[0]! > 0 ? 1 : 0) });

  it('are those of the world and of bodies around it, if the rules count them', () => {
    for (const [rules, expected] of [
      ['nearest', 1 | 64 | 2],
      ['quake3', 1 | 64 | 2 | 8 | 4],
      ['quake3-client', 1 | 64 | 2],
      ['quake2', 1 | 64 | 2 | 8],
      ['quake2-list', 1 | 64 | 2 | 8],
      ['quake1', 1],
      ['halflife', 1],
      ['ufoai', 1],
    ] as const) {
      const scene = createScene(world(), { rules });
      scene.add(told(), { origin: [2, 0, 0], bounds: small, solid: 'model' });
      scene.add(told(), { origin: [32, 0, 0], bounds: small, solid: 'model' });
      scene.add(told(), { origin: [8, 0, 0], bounds: small, solid: 'box' });
      scene.add(told(), { origin: [12, 0, 0], bounds: small, solid: 'trigger' });
      scene.add(told(), { origin: [4.5, 0, 0], bounds: small, solid: 'none' });
      scene.add(hit(1), { origin: [0, 0, 0], bounds: small, solid: 'model' });
      const withoutContents = Object.assign(hit(1), { entities: () => [] });
      scene.add(withoutContents, { origin: [0, 0, 0], bounds: small, solid: 'model' });
      expect(scene.contents(at), rules).toBe(expected);
    }
  });

  it('reach as far as a model that is turned, which triggers are in Quake 3', () => {
    const long: Bounds = { mins: [-64, -8, -8], maxs: [64, 8, 8] };
    const beside: Vec3 = [0.5, 50, 0];
    for (const [solid, rules, expected] of [
      ['model', 'nearest', 1 | 64],
      ['model', 'quake3', 1 | 64],
      ['model', 'quake2', 1 | 64],
      ['trigger', 'quake3', 1 | 64],
      ['trigger', 'quake2', 1],
    ] as const) {
      const scene = createScene(world(), { rules });
      scene.add(told(), { angles: [0, 90, 0], bounds: long, solid });
      expect(scene.contents(beside), `${solid} ${rules}`).toBe(expected);
    }
    const scene = createScene(world(), { rules: 'quake3' });
    scene.add(Object.assign(told(), { resize: () => {} }), {
      angles: [0, 90, 0],
      bounds: long,
      solid: 'trigger',
    });
    expect(scene.contents(beside)).toBe(1);
  });

  it('reach exactly as far as a turned model in float32, step by step', () => {
    const f = Math.fround;
    const random = createRandom(seedOf(44));
    const place = (size: number): number[] => [0, 1, 2].map(() => f(size * (random() - 0.5)));
    for (let k = 0; k < 20; k++) {
      const [a, b, origin] = [place(90), place(90), place(500)];
      const bounds = { mins: a.map((x, i) => Math.min(x, b[i]!)), maxs: a.map((x, i) => Math.max(x, b[i]!)) };
      const most = a.map((x, i) => Math.max(Math.abs(x), Math.abs(b[i]!)));
      const sum = most.reduce((all, x) => f(all + f(x * x)), 0);
      for (const [rules, far] of [
        ['quake3', f(Math.sqrt(sum))],
        ['quake2', Math.max(...most)],
      ] as const) {
        const scene = createScene(world(), { rules });
        const body = scene.add(told(), { angles: [0, 90, 0], bounds: bounds as never, solid: 'model' });
        for (let axis = 0; axis < 3; axis++) {
          for (const side of [1, -1]) {
            // The margin leads to numbers that are twice as fine.
            origin[axis] = f(-side * (far + 128 + random()));
            scene.move(body, { origin: origin as never });
            const last = f(f(origin[axis]! + side * far) + side);
            const isIn = [last, nextAfter(last, side)].map((x) => {
              const point = origin.map((y, i) => (i === axis ? x : y)) as unknown as Vec3;
              return (scene.contents(point) & 64) !== 0;
            });
            expect([rules, axis, side, ...isIn]).toEqual([rules, axis, side, true, false]);
          }
        }
      }
    }
  });

  it('are those of the world alone if they are not bits', () => {
    const numbers = { contentsAreBits: false } as const;
    for (const rules of ['nearest', 'quake3', 'quake2'] as const) {
      const options = { bounds: small, solid: 'model' } as const;
      const scene = createScene(world(), { rules });
      scene.add(Object.assign(told(), numbers), options);
      // A whole world, and a scene of one.
      const odd = Object.assign(world(), numbers, { entities: () => [] });
      scene.add(odd, options);
      scene.add(createScene(odd), options);
      expect(scene.contents(at), rules).toBe(1);
      for (const own of [-2, 3]) {
        const numbered = createScene(Object.assign(miss(), numbers, { contents: () => own }), { rules });
        numbered.add(told(), options);
        expect(numbered.contents(at), rules).toBe(own);
      }
    }
  });

  it('are refused where they would be those of too many scenes', () => {
    const scenes = Array.from({ length: 30 }, () => createScene(world()));
    for (const [k, scene] of scenes.entries()) {
      for (const inner of [scenes[k + 1], scenes[k + 1]]) if (inner) scene.add(inner, { bounds: small });
    }
    expect(scenes[20]!.contents(at)).toBe(1);
    expect(() => scenes[0]!.contents(at)).toThrow('a scene must consist of at most 16384 scenes');
  });

  it('leave out whom they are told to ignore, and nobody else', () => {
    for (const rules of ['nearest', 'quake3', 'quake2'] as const) {
      const scene = createScene(world(), { rules });
      const options = { bounds: small, solid: 'model' } as const;
      const one = scene.add(told(), { ...options, origin: [2, 0, 0] });
      const two = scene.add(told(), { ...options, origin: [8, 0, 0], owner: one });
      for (const [ignore, expected] of [
        [-1, 1 | 64 | 2 | 8],
        [one, 1 | 64 | 8],
        [two, 1 | 64 | 2],
        [new Set([one, two]), 1],
        [{ body: two, also: one }, 1],
        [{ owner: one }, 1],
        [{ owner: two }, 1 | 64 | 2],
        [{ owner: -1 }, 1 | 64 | 2 | 8],
        [undefined, 1 | 64 | 2 | 8],
      ] as const) {
        expect(scene.contents(at, { ignore }), rules).toBe(expected);
      }
      // Of a scene among the bodies, only as a whole.
      const around = createScene(world(), { rules });
      around.add(scene, options);
      expect(around.contents(at, { ignore: two }), rules).toBe(1 | 64 | 2 | 8);
      expect(around.contents(at, { ignore: 1 }), rules).toBe(1);
      expect(scene.contents(at), rules).toBe(1 | 64 | 2 | 8);
      expect(() => scene.contents(at, { ignore: -2 })).toThrow(RangeError);
      expect(() => scene.contents(at, { mask: 1 } as object)).toThrow(TypeError);
    }
  });

  it('count within the box of a body as it is linked', () => {
    for (const [rules, reach] of [
      ['quake3', 9],
      ['quake2', 9],
      ['quake2-list', 9],
    ] as const) {
      const scene = createScene(world(), { rules });
      scene.add(told(), { bounds: small, solid: 'model' });
      expect([scene.contents([-reach, 0, 0]), scene.contents([-reach - 0.01, 0, 0])], rules).toEqual([64, 0]);
    }
  });

  it('are asked of a scene in a scene in its own frame, as its tracers are', () => {
    const asked: number[][] = [];
    const inner = createScene({
      ...miss(),
      contents: (point: Vec3) => asked.push(Array.from(point)),
      ray: () =>
        defineTracer({
          shape: { kind: 'ray' },
          trace: (start, end, out) => {
            asked.push(Array.from(start));
            for (let k = 0; k < 3; k++) out.endPos[k] = end[k]!;
            return out;
          },
        }),
    });
    const scene = createScene(world());
    const body = scene.add(inner, { origin: [100, 50, 20], angles: [0, 90, 0], bounds: small });
    scene.contents([100, 53, 20]);
    for (const [k, x] of [3, 0, 0].entries()) expect(asked[0]![k]).toBeCloseTo(x, 5);
    scene.move(body, { angles: [10, 20, 30] });
    const point: Vec3 = [100.1, 53.2, 20.3];
    scene.contents(point);
    scene.ray().trace(point, [100, 0, 0]);
    expect(asked).toHaveLength(3);
    expect(asked[1]).toEqual(asked[2]);
  });

  it('leave out the same bodies after a collider was refused an answer', () => {
    const scene = createScene(world(), { rules: 'quake3' });
    const options = { bounds: small, solid: 'model' } as const;
    const contents = (): number => {
      expect(() => scene.contents(at)).toThrow('cannot ask for the contents of the scene');
      return 32;
    };
    scene.add(Object.assign(hit(1), { contents }), options);
    const others = new Set([
      scene.add(told(), options),
      scene.add(told(), { ...options, origin: [8, 0, 0] }),
    ]);
    expect(scene.contents(at, { ignore: others })).toBe(1 | 32);
  });

  it('cannot be asked for, nor bodies changed, by a collider that is being asked for its own', () => {
    for (const rules of ['nearest', 'quake3', 'quake2'] as const) {
      const scene = createScene(world(), { rules });
      let act = (): unknown => undefined;
      const contents = (): number => {
        act();
        return 32;
      };
      const asking = Object.assign(hit(1), { contents });
      const options = { bounds: small, solid: 'model' } as const;
      scene.add(asking, options);
      const other = scene.add(told(), options);
      act = () => scene.contents([100, 0, 0]);
      expect(() => scene.contents(at), rules).toThrow('cannot ask for the contents of the scene');
      act = () => scene.remove(other);
      expect(() => scene.contents(at), rules).toThrow('bodies cannot be added, moved or removed');
      act = () => scene.ray().blocked(at, at);
      expect(scene.contents(at), rules).toBe(1 | 32 | 64);
      scene.remove(other);
      expect(scene.contents(at), rules).toBe(1 | 32);
    }
  });

  it('cannot be asked for, nor bodies changed, by a world that is being asked for its own', () => {
    let act = (): unknown => undefined;
    const asking = Object.assign(miss(), {
      contents: () => {
        act();
        return 1;
      },
    });
    const scene = createScene(asking);
    scene.add(told(), { bounds: small, solid: 'model' });
    act = () => scene.contents([100, 0, 0]);
    expect(() => scene.contents(at)).toThrow('cannot ask for the contents of the scene');
    act = () => scene.remove(1);
    expect(() => scene.contents(at)).toThrow('bodies cannot be added, moved or removed');
    act = () => scene.ray().blocked(at, at);
    expect(scene.contents(at)).toBe(1 | 64);
  });

  it('are asked at a point that float32 has, in the frame of another map that stands far away', () => {
    const far = 3e38;
    const most = nextAfter(Number.POSITIVE_INFINITY, -1);
    const points: number[][] = [];
    const map = Object.assign(miss(), {
      entities: () => [],
      bounds: { mins: [-most, -most, -most], maxs: [most, most, most] } satisfies Bounds,
      contents: (point: Vec3) => {
        points.push(Array.from(point));
        return 2;
      },
    });
    const scene = createScene(world());
    scene.add(map, { origin: [-far, far, 0], angles: [0, 45, 0] });
    expect(scene.contents([2e38, -2e38, 0])).toBe(1 | 2);
    expect(points.length).toBe(1);
    expect(points.flat().every(Number.isFinite)).toBe(true);
  });

  it('of another map among the bodies end at its bounds, in a scene as well, however they are turned', () => {
    const open = Object.assign(miss(), { entities: () => [], contents: () => 0 });
    // As in Quake 2: solid but for a room, also around the map.
    const isInRoom = (point: Vec3): boolean => Array.from(point).every((x) => Math.abs(x) < 48);
    const bounds: Bounds = { mins: [-64, -64, -64], maxs: [64, 64, 64] };
    const map = Object.assign(miss(), {
      entities: () => [],
      bounds,
      contents: (point: Vec3) => (isInRoom(point) ? 0 : 1),
    });
    const wide: Bounds = { mins: [-500, -500, -500], maxs: [500, 500, 500] };
    for (const yaw of [0, 45]) {
      const angles: Vec3 = [0, yaw, 0];
      const scene = createScene(open);
      scene.add(map, { angles });
      const outer = createScene(open);
      outer.add(createScene(map), { angles, bounds: wide });
      const far = yaw === 0 ? 64 : 90;
      for (const each of [scene, outer]) {
        expect([40, far - 1, far + 1.5, 200].map((x) => each.contents([x, 0, 0]))).toEqual([0, 1, 0, 0]);
        expect(each.contents([0, 0, -65])).toBe(0);
      }
    }
    expect(createScene(map).contents([200, 0, 0])).toBe(1);
    const endless = createScene(open);
    endless.add({ ...map, bounds: undefined }, { bounds: wide });
    expect(endless.contents([200, 0, 0])).toBe(1);
    expect(createScene(createScene(map)).contents([200, 0, 0])).toBe(1);
  });

  it('need a world that has contents, and a point', () => {
    const mute = createScene(miss()) as unknown as { contents(point: Vec3): number };
    expect(() => mute.contents(at)).toThrow('the world has no contents()');
    expect(() => createScene(world()).contents([0, Number.NaN, 0])).toThrow(
      'point[1] must be a finite float32',
    );
  });
});
