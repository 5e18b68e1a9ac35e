import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bspkit } from './bspkit.ts';
import { INTO_WALL, roomFiles } from './room-files.ts';
import { extentOf, HIT, WIDENED } from './slice-extent.ts';

const { folder, quake1, quake3, printed } = roomFiles();

describe('shapes of explain --svg', () => {
  it.each([
    ['a box', 'quake3', ['--box=-700,-1,-24,300,1,32']],
    ['a capsule', 'quake3', ['--capsule', '500,1000']],
    ['an ellipsoid', 'quake1', ['--ellipsoid', '300,300,28']],
    ['an ellipsoid that slides', 'quake1', ['--ellipsoid', '300,300,28', '--slide']],
    ['a sphere', 'quake3', ['--sphere', '400', '--exact']],
  ])('shows all of %s that is larger than its move', async (_, game, shape) => {
    const path = join(folder, 'large.svg');
    await printed(
      'explain',
      `demo:arena@${game}`,
      '--from',
      '0,-256,64',
      '--to=40,-256,64',
      ...shape,
      '--svg',
      path,
    );
    const svg = readFileSync(path, 'utf8');
    const height = Number(/<clipPath id="frame"><rect width="960" height="(\d+)"/.exec(svg)![1]);
    const round = [...svg.matchAll(/<circle class="shape" cx="(\S+)" cy="(\S+)" r="(\S+)"/g)].flatMap(
      (circle) => {
        const [x, y, r] = circle.slice(1).map(Number) as [number, number, number];
        return [
          [x - r, y - r],
          [x + r, y + r],
        ];
      },
    );
    const corners = [...svg.matchAll(/<polygon class="shape" points="([^"]*)"/g)].flatMap(([, points]) =>
      points!.split(' ').map((point) => point.split(',').map(Number)),
    );
    const all = [...round, ...corners] as [number, number][];
    expect(all.length).toBeGreaterThan(3);
    expect(Math.min(...all.flat())).toBeGreaterThanOrEqual(0);
    expect(Math.max(...all.map(([x]) => x))).toBeLessThanOrEqual(960);
    expect(Math.max(...all.map(([, y]) => y))).toBeLessThanOrEqual(height);
    expect(svg).toMatch(/class="place"[^>]*>start/);
  });

  it('draws very flat ellipsoids round', async () => {
    const path = join(folder, 'flat.svg');
    const move = ['--from', '0,-256,64', '--to', '0,-256,20', '--ellipsoid', '300,300,4'];
    await printed('explain', 'demo:arena@quake1', ...move, '--svg', path);
    const [, points] = readFileSync(path, 'utf8').match(/<polygon class="shape" points="([^"]*)"/)!;
    const corners = points!.split(' ').map((point) => point.split(',').map(Number) as [number, number]);
    const [wide, high] = [0, 1].map(
      (k) => Math.max(...corners.map((at) => at[k]!)) - Math.min(...corners.map((at) => at[k]!)),
    );
    const area = corners.reduce((sum, [x, y], k) => {
      const [nextX, nextY] = corners[(k + 1) % corners.length]!;
      return sum + (x * nextY - nextX * y) / 2;
    }, 0);
    expect(Math.abs(area) / ((Math.PI / 4) * wide! * high!)).toBeCloseTo(1, 1);
    expect(wide! / high!).toBeGreaterThan(60);
  });

  it('draws the section of an ellipsoid, the polygon that stopped it as it is widened, and the brush behind that', async () => {
    const path = join(folder, 'ellipsoid.svg');
    const ellipsoid = ['--ellipsoid', '16,16,28', '--tutorial'];
    await printed('explain', quake3, ...INTO_WALL, ...ellipsoid, '--svg', path);
    const svg = readFileSync(path, 'utf8');
    for (const style of ['hit', 'widened']) {
      expect(svg.match(new RegExp(`<polygon class="${style}"`, 'g')), style).toHaveLength(1);
    }
    const shapes = [...svg.matchAll(/<polygon class="shape" points="([^"]*)"/g)].map(([, points]) =>
      points!.split(' '),
    );
    expect(shapes.map((points) => points.length)).toEqual([128, 128]);
    // A map without brushes has nothing behind it.
    await printed('explain', quake1, ...INTO_WALL, ...ellipsoid, '--svg', join(folder, 'quake1.svg'));
    expect(readFileSync(join(folder, 'quake1.svg'), 'utf8')).toMatch(/<polygon class="widened"/);
    expect(svg).toMatch(/>enter 0\.\d+</);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('draws an exact ellipsoid with the brush that it touches, around which nothing is widened', async () => {
    const path = join(folder, 'exact.svg');
    await printed('explain', quake3, ...INTO_WALL, '--ellipsoid', '16,16,28', '--svg', path);
    const svg = readFileSync(path, 'utf8');
    expect(svg.match(/<polygon class="hit"/g)).toHaveLength(1);
    expect(svg).not.toMatch(/class="(widened|leave)"|NaN|undefined|Infinity/);
    expect(svg).toMatch(/>enter 0\.\d+</);
  });

  it('draws the round shape of an exact sphere, and the brush that it hits as it is', async () => {
    const path = join(folder, 'exact-sphere.svg');
    await printed('explain', quake3, ...INTO_WALL, '--sphere', '16', '--exact', '--svg', path);
    const svg = readFileSync(path, 'utf8');
    expect(svg.match(/<polygon class="hit"/g)).toHaveLength(1);
    expect(svg.match(/<circle class="shape"/g)!.length).toBeGreaterThan(1);
    expect(svg).not.toMatch(/class="(widened|leave)"|NaN|undefined|Infinity/);
    expect(svg).toMatch(/>enter 0\.\d+</);
  });

  it.each(['quake2', 'quake3', 'ufoai'])(
    'draws a box that is not around its traced point in front of the turned model that it hits, in %s',
    async (name) => {
      const map = join(folder, `turned-${name}.bsp`);
      await bspkit('compile', 'demo:arena', '--format', name, '--out', map);
      const path = join(folder, 'turned.svg');
      // Down onto a door that lies flat.
      const door = ['--model', '2', '--origin', '0,0,0', '--angles', '90,0,0'];
      const move = ['--from', '0,0,200', '--to', '0,0,-200', '--box=-8,-2,-40,8,14,8'];
      await printed('explain', map, ...move, ...door, '--svg', path);
      const [last] = readFileSync(path, 'utf8')
        .match(/<polygon class="shape".*/g)!
        .slice(-1);
      const svg = readFileSync(path, 'utf8');
      const [near] = extentOf(svg, HIT);
      expect(extentOf(svg, new RegExp(last!))[1]).toBe(near);
    },
  );

  it.each([
    ['a box, seen from above', 'top', ['--box', '-15,-15,-24,15,15,32']],
    ['a box, seen from the side', 'side', ['--box', '-15,-15,-24,15,15,32']],
    ['a capsule', 'top', ['--capsule', '15,64']],
  ])('draws %s in front of the wall that stopped it, wherever the move leads', async (_, view, shape) => {
    const path = join(folder, 'aslant.svg');
    const move =
      view === 'top' ? ['300,128,150', '--to', '600,200,20'] : ['300,128,290', '--to', '600,200,120'];
    await printed('explain', 'demo:arena@quake3', '--from', ...move, ...shape, '--svg', path);
    const svg = readFileSync(path, 'utf8');
    expect(svg).toContain(view === 'top' ? 'seen from above' : 'seen from the side');
    const last = svg.match(/<polygon class="shape".*/g)!.at(-1)!;
    expect(extentOf(svg, new RegExp(last))[1]).toBe(extentOf(svg, HIT)[0]);
  });

  describe('draws a capsule', () => {
    const path = join(folder, 'capsule.svg');
    /** How far the shape reaches at the end of a move down the first axis, how far what it hits does, and that widened. */
    const drawn = async (map: string, ...move: string[]): Promise<[number, number][]> => {
      await printed('explain', map, ...move, '--capsule', '8,64', '--svg', path);
      const svg = readFileSync(path, 'utf8');
      const last = svg.match(/<polygon class="shape".*/g)!.at(-1)!;
      return [new RegExp(last), HIT, WIDENED].map((part) => extentOf(svg, part));
    };

    it('that stands upright as it is seen from above', async () => {
      const [shape, hit, widened] = await drawn(quake3, ...INTO_WALL);
      expect(shape![1] - shape![0]).toBe(16);
      expect([shape![1], widened![0]]).toEqual([hit![0], hit![0] - 8]);
      // Not as the box around it.
      expect(readFileSync(path, 'utf8')).not.toMatch(/class="shape" points="(\S+ ){3}\S+"/);
    });

    it.each([
      // The door is 8 units thick. Along its normal, the capsule has half its length there, half of it and its radius, or that.
      [90, ['--from', '0,0,200', '--to', '0,0,-200'], 64],
      [30, ['--from', '-100,0,0', '--to', '100,0,0'], 16 + 48 * 0.5],
      [0, ['--from', '-100,0,0', '--to', '100,0,0'], 16],
    ] as const)('as a model sees it that is pitched by %d degrees', async (pitch, move, length) => {
      const arena = join(folder, 'arena-capsule.bsp');
      await bspkit('compile', 'demo:arena', '--format', 'quake3', '--out', arena);
      const door = ['--model', '2', '--origin', '0,0,0', '--angles', `${pitch},0,0`];
      const [shape, hit, widened] = await drawn(arena, ...move, ...door);
      expect(shape![1] - shape![0]).toBe(length);
      expect(shape![1]).toBe(hit![0]);
      expect(widened).toEqual([hit![0] - length / 2, hit![1] + length / 2]);
    });
  });

  it.each([
    [
      'of a hull around the traced point, which its steps are about',
      () => quake1,
      ['--hull', '1'],
      [-24, 32],
    ],
    [
      'of a hull around its origin, which is not the traced point of a box of another size',
      () => quake1,
      ['--box=-10,-10,-20,10,10,20'],
      [-24, 32],
    ],
    ['of a box around its middle', () => quake3, ['--box', '-16,-16,-24,16,16,32'], [-28, 28]],
  ])('draws the shape %s', async (_, map, shape, reach) => {
    const path = join(folder, 'reach.svg');
    const upward = ['--from', '0,-256,32', '--to', '0,-256,90'];
    await printed('explain', map(), ...upward, ...shape, '--svg', path);
    const svg = readFileSync(path, 'utf8');
    const [, end, units] = /class="scale" d="M12 \S+ v8 H(\S+) v-8"\/>\n<text [^>]*>(\d+) units/
      .exec(svg)!
      .map(Number) as [number, number, number];
    const [, start] = /class="move" x1="\S+" y1="(\S+)"/.exec(svg)!.map(Number) as [number, number];
    const [, points] = /class="shape" points="([^"]*)"/.exec(svg)!;
    const up = points!
      .split(' ')
      .map((point) => ((start - Number(point.split(',')[1])) * units) / (end - 12));
    expect([Math.round(Math.min(...up)), Math.round(Math.max(...up))]).toEqual(reach);
  });

  it.each([['quake2'], ['ufoai']])(
    'draws the position test of a box where that is, in %s',
    async (format) => {
      const path = join(folder, 'still.svg');
      const still = ['--from', '0,-256,32', '--to', '0,-256,32', '--box=-8,-8,-8,8,8,24'];
      await printed('explain', `demo:arena@${format}`, ...still, '--svg', path);
      const svg = readFileSync(path, 'utf8');
      expect(svg).toContain('>start and stop</text>');
      const [first, second] = [...svg.matchAll(/<polygon class="shape" points="([^"]*)"/g)].map(
        ([, at]) => at,
      );
      expect(first).toBe(second);
    },
  );
});
