import type { BspWorld, Shape, Tracer, Vec3 } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import { addScaled, cross, dot, normalize } from '@bspkit/geometry';
import { expectBelow, expectSame } from '@bspkit/testkit/same';
import { formatOf, openBsp } from 'bspkit';
import { describe, expect, it } from 'vitest';
import {
  beginAt,
  bodyTracer,
  chunkCount,
  chunkOf,
  createJob,
  createTracer,
  type ExposureResult,
  entityPoints,
  type JobParts,
  mapInput,
  meshPoints,
  type OcclusionResult,
  openJob,
  pointBytes,
  type SightResult,
  sightTracer,
  stanceOf,
  startsOf,
  surfacePoints,
  walkableCells,
} from '../src/index.ts';
import { kindOf } from '../src/run.ts';
import { at, baked, make, openMap } from './in-map.ts';
import { MAPS } from './maps.ts';

describe.each(['quake1', 'quake2', 'quake3'])('in the arena of %s', async (name) => {
  const map = MAPS[name]!();
  const world: BspWorld = await openBsp(map);
  const format: BspFormat = await formatOf(name as 'quake3');

  it('players stop at the railing of clip, and shots do not', () => {
    const move = [
      [-200, 440, 200],
      [-200, 300, 200],
    ] as const;
    expect(make(format, world, sightTracer(format, world)).blocked(...move)).toBe(false);
    const trace = make(format, world, bodyTracer(format, world)).trace(...move);
    expect(trace.startSolid).toBe(false);
    expect(trace.endPos[1]).toBeGreaterThan(384);
    expect(trace.fraction).toBeLessThan(1);
  });
});

describe.each(Object.keys(MAPS))('in a map of %s', async (name) => {
  const { map, world, format, ray, body, cells } = await openMap(name);
  const some = cells.slice(0, 3 * 40);

  it('cells are where a body stands, each in reach of another', () => {
    expect(startsOf(world).length).toBeGreaterThan(0);
    expect(cells.length / 3).toBeGreaterThan(20);
    for (let k = 0; k < cells.length / 3; k++) {
      const cell = at(cells, k);
      const down = body.trace(cell, [cell[0]!, cell[1]!, cell[2]! - 1]);
      // By a move: where nothing moves, Quake 2 counts touching a wall as being in it.
      expectSame(down.startSolid, false, `cell ${k}`);
      expectBelow(down.fraction, 1, `cell ${k}`);
      expectSame([cell[0]! % 96, cell[1]! % 96].map(Math.abs), [0, 0], `cell ${k}`);
    }
    expect(() => walkableCells(world, body, { step: 96, most: 3 })).toThrow('there are more than 3 cells');
    expect(() => walkableCells(world, body, { step: 0 })).toThrow('step must be 1 or more, got 0');
    for (const name of ['climb', 'fall'])
      expect(() => walkableCells(world, body, { [name]: -1 })).toThrow(`${name} must be 0 or more, got -1`);
    expect(() => walkableCells(world, {} as never)).toThrow('shape must be a tracer');
  });

  it('cells can lie between the multiples of the step', () => {
    const [x, y, z] = at(cells, 0);
    const between = walkableCells(world, body, { step: 96, offset: 40, starts: [x!, y!, z! + 8] });
    expect(between.length / 3).toBeGreaterThan(10);
    for (let k = 0; k < between.length / 3; k++) {
      const cell = at(between, k);
      expectSame([(cell[0]! - 40) % 96, (cell[1]! - 40) % 96].map(Math.abs), [0, 0], `cell ${k}`);
      expectSame(body.trace(cell, [cell[0]!, cell[1]!, cell[2]! - 1]).startSolid, false, `cell ${k}`);
    }
    expect(() => walkableCells(world, body, { offset: Number.NaN })).toThrow(
      'offset must be a finite float32',
    );
  });

  it('cells are found from starts that touch the floor, as games put players higher than those', () => {
    const [x, y, z] = at(cells, 0);
    const drop = { step: 96, starts: [x!, y!, z! + 8] };
    const sunk = { step: 96, starts: [x!, y!, z! - 1] };
    const found = walkableCells(world, body, drop);
    expect(found.length / 3).toBeGreaterThan(10);
    expect(walkableCells(world, body, sunk)).toEqual(found);
    // Quake 2 lifts players by 10 units, and nudges them out of a floor that they still touch.
    expect(walkableCells(world, body, { ...sunk, starts: [x!, y!, z! - 10.1] })).toEqual(found);
    expect(walkableCells(world, body, { ...sunk, starts: [x!, y!, z! - 20] }).length).toBe(0);
  });

  it('bodies stand on the floor below them, and have eyes', () => {
    expect(stanceOf(body)).toEqual({ floor: 24, eye: name === 'ufoai' ? 15 : 24 });
    const shaped = (shape: Shape) => stanceOf(Object.create(body, { shape: { value: shape } }) as Tracer);
    expect(shaped({ kind: 'sphere', radius: 16 })).toEqual({ floor: 16, eye: 12 });
    expect(shaped({ kind: 'ellipsoid', radii: [16, 16, 28] })).toEqual({ floor: 28, eye: 21 });
    expect(shaped({ kind: 'ray' })).toEqual({ floor: 0, eye: 0 });
    expect(() => stanceOf({} as never)).toThrow('shape must be a tracer');
  });

  it('players begin at their start, or on the floor that it is in', () => {
    const [x, y, z] = at(cells, 0);
    expect(beginAt(body, [x!, y!, z! + 8])).toEqual(Float32Array.of(x!, y!, z! + 8));
    for (const sunk of [1, 10.1, 17]) expect(beginAt(body, [x!, y!, z! - sunk])).toEqual(at(cells, 0));
    expect(beginAt(body, [x!, y!, z! - 20])).toBeUndefined();
    // Where it touches the floor, or nearly: by how much tracers keep away from it in these games.
    for (const gap of [1 / 8, 1 / 32]) {
      const begin = beginAt(body, [x!, y!, z! - gap])!;
      const down = body.trace(begin, [begin[0]!, begin[1]!, begin[2]! - 512]);
      expect([gap, down.startSolid, down.fraction < 1]).toEqual([gap, false, true]);
    }
    expect(() => beginAt({} as never, [0, 0, 0])).toThrow('shape must be a tracer');
    const careless = {
      ...body,
      createTrace: () => body.createTrace(),
      trace: (a: Vec3, b: Vec3) => body.trace(a, b),
    };
    for (const use of [
      () => beginAt(careless, [x!, y!, z!]),
      () => walkableCells(world, careless, { starts: cells }),
    ]) {
      expect(use).toThrow('trace of a tracer must fill the answer given as out, and return it');
    }
    expect(() => beginAt(body, [0, 0, Number.NaN])).toThrow('origin[2] must be a finite float32');
  });

  it('cells that are many are counted while they are found', () => {
    const told: number[] = [];
    const most = 10_000;
    const walk = (): unknown =>
      walkableCells(world, body, { step: 1, most, onProgress: (count) => void told.push(count) });
    expect(walk).toThrow(`there are more than ${most} cells`);
    expect(told).toEqual([4096, 8192]);
  });

  it('sight is what the tracer says of each pair', async () => {
    const result = await baked<SightResult>({
      kind: 'sight',
      map,
      inputs: { points: pointBytes(some) },
      parameters: { eye: 7 },
    });
    const count = some.length / 3;
    expect(result.rowBytes).toBe(Math.ceil(count / 8));
    let seen = 0;
    for (let from = 0; from < count; from++) {
      for (let to = 0; to < count; to++) {
        const [x, y, z] = at(some, from);
        const sees = !ray.blocked([x!, y!, z! + 7], at(some, to));
        expectSame(result.sees(from, to), sees, `from ${from} to ${to}`);
        seen += sees ? 1 : 0;
      }
    }
    expect(seen).toBeGreaterThan(count);
    expect(() => result.sees(count, 0)).toThrow('from must be a whole number');
  });

  it('sight has targets of its own, and an end', async () => {
    const inputs = { points: pointBytes(some), targets: pointBytes(some.subarray(0, 9)) };
    const near = await baked<SightResult>({ kind: 'sight', map, inputs, parameters: { distance: 0 } });
    expect(near.bits).toHaveLength(some.length / 3);
    for (let from = 0; from < 3; from++) expect(near.sees(from, from)).toBe(true);
    expect(near.sees(0, 1)).toBe(false);
  });

  it.each([undefined, 250])(
    'exposure is the share of cells that see a cell, as far as %s',
    async (distance) => {
      const result = await baked<ExposureResult>({
        kind: 'exposure',
        map,
        inputs: { points: pointBytes(some) },
        parameters: { eye: 10, step: 96, distance },
      });
      const count = some.length / 3;
      let [near, far] = [0, 0];
      for (let cell = 0; cell < count; cell += 7) {
        let open = 0;
        for (let other = 0; other < count; other++) {
          const [x, y, z] = at(some, other);
          if (other === cell || ray.blocked([x!, y!, z! + 10], at(some, cell))) continue;
          const [u, v, w] = at(some, cell);
          const isNear = Math.hypot(u! - x!, v! - y!, w! - z! - 10) <= (distance ?? Infinity);
          open += isNear ? 1 : 0;
          if (isNear) near++;
          else far++;
        }
        expect(result.exposure[cell]).toBe(Math.fround(open / (count - 1)));
      }
      expect([near > 0, far > 0]).toEqual([true, distance !== undefined]);
    },
  );

  it('exposure counts cells that are exactly as far away as it goes', async () => {
    const twice = pointBytes([...at(some, 0), ...at(some, 0)] as number[]);
    const parameters = { eye: 0, distance: 0 };
    const { exposure } = await baked<ExposureResult>({
      kind: 'exposure',
      map,
      inputs: { points: twice },
      parameters,
    });
    expect([...exposure]).toEqual([1, 1]);
  });

  it('exposure and sight measure from where the eye is as a float32', async () => {
    const inputs = { points: pointBytes([...at(some, 0), ...at(some, 0)] as number[]) };
    const parameters = { eye: 24 + 2 ** -30, distance: 24 };
    const { sees } = await baked<SightResult>({ kind: 'sight', map, inputs, parameters });
    const { exposure } = await baked<ExposureResult>({ kind: 'exposure', map, inputs, parameters });
    expect([sees(0, 1), sees(1, 0), ...exposure]).toEqual([true, true, 1, 1]);
  });

  it('occlusion is a share that grows with the room', async () => {
    const { points, normals } = surfacePoints(format.mesh!(format.read(map)), 128);
    const inputs = { points: pointBytes(points), normals: pointBytes(normals!) };
    const [near, far, other] = await Promise.all(
      [{ distance: 8 }, { distance: 4096 }, { distance: 8, seed: 2 }].map((parameters) =>
        baked<OcclusionResult>({ kind: 'occlusion', map, inputs, parameters: { ...parameters, rays: 16 } }),
      ),
    );
    const mean = ({ visibility }: OcclusionResult): number =>
      visibility.reduce((sum, share) => sum + share, 0) / visibility.length;
    expect(near!.visibility).toHaveLength(points.length / 3);
    expect(mean(near!)).toBeGreaterThan(mean(far!) + 0.1);
    for (const share of near!.visibility) expectSame((share * 16) % 1, 0);
    expect(other!.visibility).not.toEqual(near!.visibility);
    expect(near!.normals).toEqual(normals);
  });

  it('occlusion follows the cosine law: what leans away from a wall sees that much more of it', async () => {
    const sight = make(format, world, sightTracer(format, world));
    const start = startsOf(world);
    const from: Vec3 = [start[0]!, start[1]!, start[2]!];
    const points: number[] = [];
    const normals: number[] = [];
    const expected: number[] = [];
    for (const way of [
      [-1, 0, 0],
      [1, 0, 0],
      [0, -1, 0],
      [0, 1, 0],
      [0, 0, -1],
    ]) {
      const { endPos, normal, fraction } = sight.trace(from, addScaled(from, 4096, way));
      if (fraction === 1) continue;
      const along = normalize(cross(normal, [normal[1]!, normal[2]!, normal[0]!]))!;
      for (const lean of [0, 1, 1e6]) {
        const leaning = normalize(addScaled(normal, lean, along))!;
        points.push(...endPos);
        normals.push(...leaning);
        expected.push((1 + dot(leaning, normal)) / 2);
      }
    }
    const inputs = { points: pointBytes(points), normals: pointBytes(normals) };
    const parameters = { rays: 2048, distance: 8, offset: 0 };
    const { visibility } = await baked<OcclusionResult>({ kind: 'occlusion', map, inputs, parameters });
    for (const [k, share] of visibility.entries()) expect(Math.abs(share - expected[k]!)).toBeLessThan(0.04);
  });

  it('points are taken from entities and vertices', () => {
    const { points } = entityPoints(world);
    expect(points.length).toBeGreaterThan(0);
    expect(entityPoints(world, 'info_*').points.length).toBeGreaterThan(0);
    expect(entityPoints(world, 'info_*').points.length).toBeLessThanOrEqual(points.length);
    expect(entityPoints(world, 'nothing_at_all').points).toHaveLength(0);
    const mesh = format.mesh!(format.read(map));
    expect(meshPoints(mesh).points).toEqual(mesh.positions);
    expect(() => surfacePoints(mesh, 0)).toThrow('spacing must be more than 0, got 0');
    expect(() => surfacePoints(mesh, 1e-4)).toThrow('makes more than 16777216 points');
    // Not of one whose arrays were sent to another thread: it would seem to have none.
    for (const name of ['positions', 'normals', 'indices'] as const) {
      const sent = { ...mesh, [name]: mesh[name].slice() };
      structuredClone(sent[name], { transfer: [sent[name].buffer as ArrayBuffer] });
      const gone = new TypeError(`mesh.${name} must not have been transferred or cut off`);
      if (name !== 'indices') expect(() => meshPoints(sent)).toThrow(gone);
      if (name !== 'normals') expect(() => surfacePoints(sent, 64)).toThrow(gone);
    }
  });

  it('a tracer that the format does not have is refused by name', async () => {
    const parts = { kind: 'sight', map, inputs: { points: pointBytes(some) } };
    const load = async (parameters: JobParts['parameters']): Promise<unknown> => {
      const job = await createJob({ ...parts, parameters });
      return openJob(job, { trusted: true, load: (hash) => (hash === job.map ? map : parts.inputs.points) });
    };
    await expect(load({ tracer: { kind: 'gizmo' } })).rejects.toThrow('tracer.kind must be ');
    await expect(load({ tracer: { kind: 1 } as never })).rejects.toThrow(
      'tracer.kind must be a string, got 1',
    );
    await expect(load({ tracer: { ...sightTracer(format, world), option: {} } })).rejects.toThrow(
      new TypeError("there is no option 'option' here; the options are kind, size, options"),
    );
    await expect(load({ tracer: { kind: 'box', size: [1] } })).rejects.toThrow(
      'size must be 6 numbers, got 1',
    );
    await expect(load({})).resolves.toBeTruthy();
  });
});

describe('what takes maps, tracers and kinds', () => {
  it('refuses by name what is none', async () => {
    const format = await formatOf('quake3');
    const world = await openBsp(MAPS.quake3!());
    const tracer = sightTracer(format, world);
    expect(createTracer(format, world, tracer).shape).toBeTruthy();
    const refusals: readonly (readonly [() => unknown, string])[] = [
      [() => createTracer(null as never, world, tracer), 'format must be an object, got null'],
      [() => createTracer(format, null as never, tracer), 'world must be an object, got null'],
      [() => createTracer(format, world, 'ray' as never), "tracer must be an object, got 'ray'"],
      [() => sightTracer(format, 5 as never), 'world must be an object, got 5'],
      [() => sightTracer({} as never, world), 'format.tracers must be an object, got undefined'],
      [() => bodyTracer(null as never, world), 'format must be an object, got null'],
      [
        () => meshPoints({ positions: new Float32Array(3) } as never),
        "mesh must be a mesh, such as mesh() of a map's package makes, got an object",
      ],
      [
        () => surfacePoints({ positions: new Float32Array(9), indices: new Uint32Array(3) } as never, 8),
        "mesh must be a mesh, such as mesh() of a map's package makes, got an object",
      ],
      [() => startsOf({} as never), 'world must be a world, as openBsp opens it, got an object'],
      [() => kindOf('x', 0 as never), 'kinds must be an array, got 0'],
      [() => mapInput(Symbol('x') as never), 'name must be a string, got Symbol(x)'],
      [() => mapInput('x', 7 as never), 'hash must be a string, got 7'],
    ];
    for (const [call, problem] of refusals) expect(call).toThrow(new TypeError(problem));
  });

  it('says which tracer must be named where the format has none that suits the map', async () => {
    const format = await formatOf('quake3');
    const world = await openBsp(MAPS.quake3!());
    const bare = { ...format, tracers: { ...format.tracers, presets: [] } };
    const problem = `is needed: this map of ${format.name} has nothing`;
    expect(() => sightTracer(bare, world)).toThrow(new RangeError(`tracer ${problem} to see with`));
    expect(() => bodyTracer(bare, world)).toThrow(
      new RangeError(`shape ${problem} that stands for a player`),
    );
  });
});

describe('chunks', () => {
  it('depend on nothing but the job', async () => {
    const map = MAPS.quake3!();
    const inputs = { points: pointBytes(Float32Array.from({ length: 90 }, (_, k) => (k * 37) % 400)) };
    const job = await createJob({ kind: 'occlusion', map, inputs, chunkSize: 4 });
    const load = (hash: string): Uint8Array => (hash === job.map ? map : inputs.points);
    const all = Array.from({ length: chunkCount(job) }, (_, k) => chunkOf(job, k));
    const one = await openJob(job, { load });
    const forwards = all.map((chunk) => one.run(chunk));
    const other = await openJob(job, { load });
    const backwards = [...all].reverse().map((chunk) => other.run(chunk));
    expect(backwards.reverse()).toEqual(forwards);
    const whole = await createJob({ kind: 'occlusion', map, inputs, chunkSize: 30 });
    const [answer] = [(await openJob(whole, { load })).run(chunkOf(whole, 0))];
    expect(Buffer.concat(forwards)).toEqual(Buffer.from(answer));
  });
});
