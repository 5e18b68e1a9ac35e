import { compileMap, hullBrush, roomBrushes, type SourceBrush } from '@bspkit/compile';
import { type BspFile, bodyPreset, type FileBrush, tracerOf } from '@bspkit/core/format';
import { between, createRandom } from '@bspkit/geometry';
import { SEED } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { type BrushProblem, findBrushProblems, GAP } from '../src/brush-problems.ts';
import { cutSides, open, opened, start, world } from './crystals.ts';

describe('problems of brushes', () => {
  const NORMALS = [
    [-1, 0, 0],
    [1, 0, 0],
    [0, -1, 0],
    [0, 1, 0],
    [0, 0, -1],
    [0, 0, 1],
  ];
  const box = NORMALS.map((normal) => ({ normal, dist: 32 }));
  type Planes = FileBrush['planes'];
  const { bytes } = compileMap({ entities: [world, start] }, { format: 'quake3' });
  const brushOf = (planes: Planes, brush = 7): FileBrush => ({
    ...{ brush, model: 0, contents: 1, planes },
    textures: planes.map(() => 0),
  });
  const problemsOf = async (planes: Planes, gap = 0.5): Promise<readonly BrushProblem[]> =>
    problemsOfAll([brushOf(planes)], gap);
  const problemsOfAll = async (brushes: FileBrush[], gap = 0.5): Promise<readonly BrushProblem[]> => {
    const { format, file } = await opened(bytes);
    const map = { format: { ...format, brushes: () => brushes }, file, world: format.createWorld([file]) };
    return findBrushProblems({ ...open, ...map }, gap).problems;
  };
  /** A box with one more side, this far inside. */
  const doubled = (...apart: number[]): Planes => [
    ...box,
    ...apart.map((far) => ({ normal: [0, 0, 1], dist: 32 - far })),
  ];

  /**
   * Octahedra without bevels, a way apart from a number on, and how often it was looked what they are made of: those before
   * `water` are solid.
   */
  async function octahedra(count: number, apart: number, since = 0, water = Infinity) {
    const side = 1 / Math.sqrt(3);
    const planes = [-side, side].flatMap((x) =>
      [-side, side].flatMap((y) => [-side, side].map((z) => ({ normal: [x, y, z], dist: 18 }))),
    );
    let looks = 0;
    const brushes = Array.from({ length: count }, (_, k): FileBrush => {
      const moved = planes.map(({ normal, dist }) => ({
        normal,
        dist: dist + normal[0]! * apart * Math.max(0, k - since),
      }));
      return {
        ...brushOf(moved, k),
        get contents() {
          looks++;
          return k < water ? 1 : 32;
        },
      };
    });
    return { problems: await problemsOfAll(brushes), looks };
  }

  it('are looked for among the brushes nearby', async () => {
    const { problems, looks } = await octahedra(300, 200);
    expect(problems).toEqual([]);
    expect(looks).toBeGreaterThanOrEqual(300);
    expect(looks).toBeLessThan(300 * 20);
  });

  it('are not looked for any longer where hundreds of brushes are in one place', async () => {
    const { problems, looks } = await octahedra(600, 0);
    expect(looks).toBeLessThan(600 * 30);
    expect(problems.length).toBeGreaterThan(500);
    expect(problems.at(-1)).toMatchObject({
      ...{ brush: 599, kind: 'crowded', gap: null, from: null },
      problem: 'is not checked for where it stops players: too many brushes of the map are in one place',
    });
  });

  it('are looked for away from such a place, whatever comes first in the file', async () => {
    const { problems } = await octahedra(620, 200, 600);
    const crowded = problems.filter(({ kind }) => kind === 'crowded');
    expect(crowded.length).toBeGreaterThan(500);
    // Number 601 is 200 units away from the others.
    expect(problems.filter(({ brush }) => brush > 600)).toEqual([]);
  });

  it('are not looked for in brushes that no player is stopped by, not even in such a place', async () => {
    const { problems } = await octahedra(620, 0, 0, 600);
    expect(problems.length).toBeGreaterThan(500);
    expect(problems.filter(({ brush }) => brush >= 600)).toEqual([]);
  });

  it('are none in a box', async () => {
    expect(await problemsOf(box)).toEqual([]);
  });

  it('include sides that face the same way', async () => {
    const planes = [...box, { normal: [0, 0, 1], dist: 30.75 }];
    expect(await problemsOf(planes)).toMatchObject([
      {
        ...{ brush: 7, model: 0, contents: 1, contentsNames: ['solid'], kind: 'parallel', gap: 1.25 },
        ...{ mins: [-32, -32, -32], maxs: [32, 32, 30.75], from: null, to: null, end: null, normal: null },
        ...{ box: null, mask: null },
        problem: 'has two sides that face the same way, 1.25 units apart',
      },
    ]);
    const near = await problemsOf([...box, { normal: [0, 0, 1], dist: 31.997 }], 0.001);
    expect(near).toMatchObject([{ problem: 'has two sides that face the same way, 0.003 units apart' }]);
    expect(await problemsOf(planes, 1.25)).toEqual([]);
    // Wedges have sides that face nearly the same way.
    expect(await problemsOf([...box, { normal: [0, 0.02, Math.sqrt(1 - 0.02 ** 2)], dist: 30 }])).toEqual([]);
  });

  it('are as far apart as the outermost and the innermost of such sides, with the digits of a float32', async () => {
    expect(await problemsOf(doubled(2, 0.5))).toMatchObject([{ kind: 'parallel', gap: 2 }]);
    expect(await problemsOf(doubled(1.3))).toMatchObject([{ kind: 'parallel', gap: 1.3 }]);
    // Normals are float32, each rounded by its compiler.
    const slanted = [0.6, 0.6000001].map((x, k) => ({
      normal: [Math.fround(x), Math.fround(0.8), 0],
      dist: 30 - 2 * k,
    }));
    const [{ kind, gap }] = (await problemsOf([...box, ...slanted])) as [BrushProblem];
    expect(kind).toBe('parallel');
    expect(gap).toBeCloseTo(2, 4);
  });

  it('come with the worst first, then by brush, from all maps of an assembly', async () => {
    const nothing: Planes = [...box, { normal: [1, 0, 0], dist: -40 }];
    const brushes = [
      brushOf(nothing, 9),
      brushOf(doubled(1), 3),
      brushOf(doubled(2), 5),
      brushOf(nothing, 4),
    ];
    const found = await problemsOfAll(brushes);
    expect(found.map(({ brush, gap }) => [brush, gap])).toEqual([
      [4, null],
      [9, null],
      [5, 2],
      [3, 1],
    ]);
    const [{ format, file }, { file: other }] = [await opened(bytes), await opened(bytes)];
    const parts = [file, other, file].map((part) => ({ file: part, name: part === file ? 'a' : 'b' }));
    const assembly = {
      ...{ ...open, file: undefined, parts: parts as never, world: format.createWorld([file]) },
      format: { ...format, brushes: (of: BspFile) => [brushOf(doubled(of === file ? 1 : 2))] },
    };
    const { brushes: count, problems } = findBrushProblems(assembly, 0.5);
    expect(count).toBe(2);
    expect(problems.map(({ part, gap }) => [part, gap])).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
  });

  it('name the texture on the largest face', async () => {
    const { format, file } = await opened(bytes);
    const names = format.createWorld([file]).textureNames();
    expect(names.length).toBeGreaterThan(1);
    // Longest along x, and higher than wide: the largest sides face along y.
    const long = NORMALS.map((normal, side) => ({ normal, dist: [64, 64, 16, 16, 32, 32][side]! }));
    const brush = brushOf([...long, { normal: [0, 0, 1], dist: 40 }]);
    const textures = brush.planes.map((_, side) => (side === 2 ? 1 : 0));
    expect(await problemsOfAll([{ ...brush, textures }])).toMatchObject([{ texture: names[1] }]);
  });

  it('are none in small brushes, but in those that are hardly there', async () => {
    const small = (dist: number): Planes => NORMALS.map((normal) => ({ normal, dist }));
    expect(await problemsOf(small(0.25))).toEqual([]);
    expect(await problemsOf(small(0.04))).toMatchObject([{ kind: 'no-volume' }]);
  });

  it('include brushes without volume', async () => {
    const none = { kind: 'no-volume', gap: null, mins: null, maxs: null };
    expect(await problemsOf([...box, { normal: [1, 0, 0], dist: -40 }])).toMatchObject([none]);
    const flat = await problemsOf([...box, { normal: [1, 0, 0], dist: -32 }]);
    expect(flat).toMatchObject([{ kind: 'no-volume', mins: [-32, -32, -32], maxs: [-32, 32, 32] }]);
  });

  it('leave out brushes without sides, which the games skip', async () => {
    expect(await problemsOf([])).toEqual([]);
  });

  it.each([0, 3, 5])('include brushes that are not closed: side %i is missing', async (missing) => {
    const open = { kind: 'not-closed', mins: null, maxs: null };
    expect(await problemsOf(box.filter((_, side) => side !== missing))).toMatchObject([open]);
  });

  it('include brushes with too many sides, which take no time', async () => {
    const planes = Array.from({ length: 100_000 }, (_, k) => {
      const angle = (2 * Math.PI * k) / 100_000;
      return { normal: [Math.cos(angle), Math.sin(angle), 0], dist: 64 };
    });
    expect(await problemsOf([...planes, ...box.slice(4)])).toMatchObject([
      {
        kind: 'sides',
        problem: 'has 100,002 sides, too many to check',
        mins: null,
        gap: null,
        texture: null,
      },
    ]);
    const round = (sides: number): Planes => [
      ...planes.filter((_, k) => k % 390 === 0).slice(0, sides - 2),
      ...box.slice(4),
    ];
    expect(await problemsOf(round(256))).toEqual([]);
    expect(await problemsOf(round(257))).toMatchObject([{ kind: 'sides', mins: null }]);
  });

  it('include every brush that random moves run into in empty air, however little of it others leave', async () => {
    const random = createRandom(SEED);
    const size = 220;
    const brushes: SourceBrush[] = [...roomBrushes([0, 0, 0], [size, size, size], 16)];
    for (let k = 0; k < 25; k++) {
      const [x, y, z] = [0, 1, 2].map(() => between(random, 40, size - 40)) as [number, number, number];
      const reach = (): number => between(random, 10, 40);
      const corners = [
        [x - reach(), y, z],
        [x + reach(), y, z],
        [x, y - reach(), z],
        [x, y + reach(), z],
        [x, y, z - reach()],
        [x, y, z + reach()],
      ] as const;
      brushes.push(hullBrush(corners, { material: 'crystal' }));
    }
    const entities = [{ properties: { classname: 'worldspawn' }, brushes }];
    const { bytes } = compileMap({ entities }, { format: 'quake3' });
    const { format, file: whole, brushes: compiled } = await opened(bytes);
    const wholeWorld = format.createWorld([whole]);
    const preset = bodyPreset(format, wholeWorld)!;
    // Where it fits, no brush with all its bevels is within the gap.
    const larger = tracerOf(format, wholeWorld, {
      ...preset,
      size: preset.size!.map((x) => x + Math.sign(x) * (GAP + 0.2)),
    });
    let stops = 0;
    for (const crystal of compiled.filter(({ planes }) => planes.length > 6 + 8).slice(0, 12)) {
      const bare = bytes.slice();
      cutSides(bare, await opened(bare), crystal, 6 + 8);
      const { file } = await opened(bare);
      const world = format.createWorld([file]);
      const player = tracerOf(format, world, preset);
      let isMet = false;
      for (let k = 0; k < 500 && !isMet; k++) {
        const from = [0, 1, 2].map((axis) => {
          // The first six planes are the box around it.
          const [low, high] = [-crystal.planes[2 * axis]!.dist, crystal.planes[2 * axis + 1]!.dist];
          return between(random, low - 40, high + 40);
        }) as [number, number, number];
        const to = from.map((x) => x + between(random, -12, 12)) as [number, number, number];
        const { startSolid, fraction, endPos, brush } = player.trace(from, to);
        isMet =
          !startSolid && fraction < 1 && brush === crystal.brush && !larger.trace(endPos, endPos).startSolid;
      }
      if (!isMet) continue;
      stops++;
      const { problems } = findBrushProblems({ ...open, format, file, world }, GAP);
      expect(problems).toMatchObject([{ kind: 'in-air', brush: crystal.brush }]);
    }
    expect(stops).toBeGreaterThan(2);
  });
});
