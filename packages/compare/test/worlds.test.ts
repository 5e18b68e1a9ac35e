import { type BspWorld, defineTracer, type Polygon, type Tracer, type Vec3 } from '@bspkit/core';
import { type BspFormat, playerPreset, suitedPresets, tracerOf } from '@bspkit/core/format';
import { compileFixture, FIXTURE_FORMATS } from '@bspkit/fixtures';
import { formatOf } from 'bspkit';
import { describe, expect, it } from 'vitest';
import {
  type CompareEntry,
  compare,
  entityOrigins,
  type MapQueryOptions,
  mapQueries,
  openQueries,
  planeQueries,
  playerQueries,
  type QueryKind,
  uniformQueries,
} from '../src/index.ts';

// The arena, compiled in every format, by several algorithms.

interface Arena {
  readonly format: BspFormat;
  readonly world: BspWorld;
}

const arenas: readonly Arena[] = await Promise.all(
  FIXTURE_FORMATS.map(async (id) => {
    const format = await formatOf(id);
    return { format, world: format.createWorld([format.read(compileFixture('arena', id).bytes)]) };
  }),
);

/** Rays and lines of a map, each by its game's algorithm and by others. */
const raysOf = (arena: Arena): CompareEntry[] =>
  suitedPresets(arena.format, arena.world, 'point').map((preset) => {
    const tracer = tracerOf(arena.format, arena.world, preset);
    const explain = (start: Vec3, end: Vec3) => arena.format.explain(tracer, start, end);
    return { name: `${arena.format.id} ${preset.name}`, tracer, explain };
  });

/** The least agreement of a ray, where that is below the usual: the game's own lines have its oddities. */
const LEAST_SHARES: Readonly<Record<string, number>> = { 'ufoai engine': 0.96 };

/** Rays against triangles, one after the other: what a mesh collider does. */
function mesh(polygons: readonly Polygon[]): Tracer {
  return defineTracer({
    shape: { kind: 'ray' },
    trace(start, end, out) {
      for (const { vertices, normal, dist } of polygons) {
        const side = (point: ArrayLike<number>): number =>
          point[0]! * normal[0]! + point[1]! * normal[1]! + point[2]! * normal[2]! - dist;
        const [near, far] = [side(start), side(end)];
        if (near <= 0 || far >= 0) continue;
        const fraction = near / (near - far);
        const at = [0, 1, 2].map((k) => start[k]! + fraction * (end[k]! - start[k]!));
        if (fraction >= out.fraction || !isInPolygon(at, vertices, normal)) continue;
        out.fraction = fraction;
        out.normal.set(normal);
      }
      for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + out.fraction * (end[k]! - start[k]!);
      return out;
    },
  });
}

function isInPolygon(at: number[], vertices: Float32Array, normal: Float32Array): boolean {
  for (let k = 0; k < vertices.length; k += 3) {
    const next = (k + 3) % vertices.length;
    const edge = [0, 1, 2].map((axis) => vertices[next + axis]! - vertices[k + axis]!);
    const to = at.map((x, axis) => x - vertices[k + axis]!);
    const cross = [0, 1, 2].map(
      (axis) => edge[(axis + 1) % 3]! * to[(axis + 2) % 3]! - edge[(axis + 2) % 3]! * to[(axis + 1) % 3]!,
    );
    if (cross.reduce((dot, x, axis) => dot + x * normal[axis]!, 0) < -1e-3) return false;
  }
  return true;
}

describe('one map in every format', () => {
  const named = (id: string): Arena => arenas.find(({ format }) => format.id === id)!;
  const rays = arenas.flatMap(raysOf);
  const ray = (wanted: string): CompareEntry => rays.find(({ name }) => name === wanted)!;
  // The arena was made for Quake 3. The other formats have no curves, and Quake 1's faces are its whole surface.
  const own = named('quake3');
  const { bounds } = own.world;
  const looks = openQueries(1000, {
    bounds,
    open: ray('quake3 ray').tracer,
    origins: entityOrigins(own.world),
  });
  const quake1 = named('quake1');
  const polygons = quake1.format.polygons(quake1.world).polygons();
  const first = ray('quake3 flat');
  const { tracers } = compare(
    [first, ...rays.filter((other) => other !== first), { name: 'faces as a mesh', tracer: mesh(polygons) }],
    looks,
    { rounds: 0, distance: 0.25, explained: 50 },
  );

  it('is traced in each of them', () => {
    for (const id of FIXTURE_FORMATS) expect(rays.some(({ name }) => name.startsWith(`${id} `))).toBe(true);
  });

  it.each(tracers.map((report) => [report.name, report] as const))(
    '%s agrees',
    (name, { hits, agreement }) => {
      expect(agreement.share).toBeGreaterThan(LEAST_SHARES[name] ?? 0.98);
      expect(hits / looks.length).toBeGreaterThan(0.05);
      expect(agreement.worst.length).toBe(Math.min(5, 1000 - agreement.agreed));
    },
  );

  it('does not agree if one keeps another distance and none is allowed', () => {
    const strict = compare([ray('quake3 ray'), ray('quake3 tutorial')], looks, { rounds: 0, tolerance: 0 });
    expect(strict.tracers[1]!.agreement.share).toBeLessThan(0.9);
  });

  it('takes different work for brushes and for trees', () => {
    const workOf = (name: string) => tracers.find((report) => report.name === name)!.work!;
    expect(workOf('quake3 flat').brushes).toBeGreaterThan(0.5);
    expect(workOf('quake3 flat').nodes).toBeGreaterThan(5);
    expect(workOf('quake1 hull0')).toMatchObject({ queries: 50, brushes: 0, sides: 0 });
    expect(workOf('quake1 hull0').nodes).toBeGreaterThan(5);
  });
});

describe.each(arenas.map((arena) => [arena.format.id, arena] as const))(
  'a world and its copy: %s',
  (_, arena) => {
    const { format, world } = arena;
    const { bounds } = world;
    const origins = entityOrigins(world);
    const presets = suitedPresets(format, world);
    const player = tracerOf(format, world, playerPreset(format));
    const sets: Record<QueryKind, Float32Array> = {
      uniform: uniformQueries(300, { bounds }),
      open: openQueries(300, { bounds, open: raysOf(arena)[0]!.tracer, origins }),
      planes: planeQueries(300, { bounds, planes: format.polygons(world).polygons() }),
      player: playerQueries(300, { tracer: player, bounds, origins }),
    };
    const kinds = Object.entries(sets) as [QueryKind, Float32Array][];
    const copy: Arena = { format, world: format.open(world.data.slice(0)) };

    it.each(kinds)('are asked the same %s queries by kind', (kind, queries) => {
      expect(mapQueries(300, { format, world, kind })).toEqual(queries);
      expect(mapQueries(300, { format, world, kind, seed: 2 })).not.toEqual(queries);
    });

    it('have queries begin where there is room for a player', () => {
      const looks = mapQueries(300, { format, world, room: 'player' });
      expect(looks).toEqual(openQueries(300, { bounds, open: player, origins }));
      expect(looks).not.toEqual(sets.open);
    });

    it.each(kinds)('agree to the last bit on %s queries', (__, queries) => {
      for (const preset of presets.filter(({ measured }) => measured)) {
        const entries = [
          { name: 'world', tracer: tracerOf(arena.format, arena.world, preset) },
          { name: 'copy', tracer: tracerOf(copy.format, copy.world, preset) },
        ];
        const { agreement } = compare(entries, queries, { rounds: 0, tolerance: 0, sides: 'number' })
          .tracers[1]!;
        expect(agreement.worst).toEqual([]);
        expect(agreement.share).toBe(1);
      }
    });

    it('walk where a player can walk', () => {
      const trace = player.createTrace();
      const walk = sets.player;
      let moved = 0;
      for (let k = 0; k < walk.length; k += 6) {
        player.trace(walk.subarray(k, k + 3), walk.subarray(k + 3, k + 6), trace);
        expect(trace.startSolid).toBe(false);
        if (trace.fraction > 0) moved++;
      }
      expect(moved).toBeGreaterThan(100);
    });
  },
);

describe('queries about a map', () => {
  const { format, world } = arenas[0]!;

  it('in the open are refused if no entity is in the open', () => {
    const bare: BspWorld = Object.assign(Object.create(world), { entities: () => [] });
    const message = 'no entity is in the open, where queries of this kind begin';
    expect(entityOrigins(bare)).toEqual([]);
    expect(() => mapQueries(1, { format, world: bare })).toThrow(new RangeError(message));
    expect(() => mapQueries(1, { format, world: bare, kind: 'player' })).toThrow(new RangeError(message));
    expect(mapQueries(1, { format, world: bare, kind: 'uniform' })).toHaveLength(6);
  });

  it('begin at no entity beyond all numbers that games can hold', () => {
    const far = [{ classname: 'light', origin: '1e39 0 0' }, ...world.entities()];
    const astray: BspWorld = Object.assign(Object.create(world), { entities: () => far });
    expect(entityOrigins(astray)).toEqual(entityOrigins(world));
    expect(mapQueries(20, { format, world: astray })).toEqual(mapQueries(20, { format, world }));
  });

  it('in the open are refused for another reason if entities are, but outside the bounds', () => {
    const bounds = { mins: [0, 0, 4000], maxs: [8, 8, 4008] };
    const outside: BspWorld = Object.assign(Object.create(world), { bounds });
    const problem = /^there is no room around the entities within the bounds of the world, where queries/;
    for (const kind of ['open', 'player'] as const) {
      expect(() => mapQueries(1, { format, world: outside, kind })).toThrow(problem);
    }
  });

  it.each([
    ['a kind that there is not', 1, { format, world, kind: 'odd' }, RangeError, /^kind must be 'open', /],
    ['room for what there is not', 1, { format, world, room: 'cat' }, RangeError, /^room must be 'point' or/],
    ['half a query', 0.5, { format, world }, RangeError, /^count must be/],
    ['a seed of text', 1, { format, world, seed: 'a' }, TypeError, /^seed must be/],
    ['no world', 1, { format }, TypeError, /^world must be/],
    ['no format', 1, { world }, TypeError, /^format must be/],
    ['another option', 1, { format, world, queries: 'open' }, TypeError, /^there is no option 'queries'/],
  ])('%s is refused', (_, count, options, kind, message) => {
    const ask = (): unknown => mapQueries(count, options as unknown as MapQueryOptions);
    expect(ask).toThrow(kind);
    expect(ask).toThrow(message);
  });
});
