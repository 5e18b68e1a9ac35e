import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bspkit, WINDOWS } from './bspkit.ts';
import { ACROSS, hallFile, INTO_DOOR, INTO_WALL, roomFiles } from './room-files.ts';

const { folder, quake1, quake3, ufoai, printed } = roomFiles();

const hall = hallFile(folder);

const HIT = /<polygon class="hit".*/;
const WIDENED = /<polygon class="widened".*/;

/** How far from the start of the move, in units, a part of a picture begins and ends along the first axis. */
function extentOf(svg: string, part: RegExp): [number, number] {
  const [, start] = /class="move" x1="(\S+)"/.exec(svg)!.map(Number) as [number, number];
  const [, end, units] = /class="scale" d="M12 \S+ v8 H(\S+) v-8"\/>\n<text [^>]*>(\d+) units/
    .exec(svg)!
    .map(Number) as [number, number, number];
  const [element] = part.exec(svg)!;
  const points = /points="([^"]*)"/.exec(element)![1]!.split(' ');
  const along = points.map((point) => ((Number(point.split(',')[0]) - start) * units) / (end - 12));
  return [Math.round(Math.min(...along)), Math.round(Math.max(...along))];
}

describe('explain --svg', () => {
  it.each([
    ['from above', ACROSS.slice(0, 2), '224,192,64', 'seen from above'],
    ['from the side', ACROSS.slice(0, 2), '224,128,-200', 'seen from the side'],
  ])('draws the move %s', async (_, from, to, says) => {
    const path = join(folder, 'slice.svg');
    const name = WINDOWS ? 'a & b' : '"a" & b';
    const map = join(folder, `${name}.bsp`);
    copyFileSync(quake3, map);
    await printed('explain', map, ...from, '--to', to, '--box', '-15,-15,-24,15,15,32', '--svg', path);
    const svg = readFileSync(path, 'utf8');
    expect(svg).toMatch(/^<svg xmlns=[\s\S]*<\/svg>\n$/);
    expect(svg).toContain(says);
    // A screen reader has what it shows in a sentence, instead of the names of brushes and planes.
    const about = /^<svg [^>]*role="img" aria-label="([^"]*)">/.exec(svg)![1];
    const title = name.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    expect(about).toMatch(new RegExp(`${title}\\.bsp: box from .* to .*, ${says}, fraction 0\\.\\d+$`));
    expect(svg.match(/<polygon class="hit"/g)).toHaveLength(1);
    expect(svg.match(/<polygon class="widened"/g)).toHaveLength(1);
    expect(svg.match(/<polygon class="shape"/g)).toHaveLength(2);
    expect(svg).toMatch(/class="node"/);
    expect([...svg.matchAll(/class="place"[^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual([
      'start',
      'stop',
    ]);
    expect(svg).toMatch(/>enter 0\.\d+</);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it.each([['demo:arena@quake1'], ['demo:arena@quake3']])('draws ellipsoids in the map: %s', async (map) => {
    const move = ['--ellipsoid', '16,16,28', '--from=0,-256,60', '--to=800,-640,-50'];
    for (const more of [[], ['--slide'], ['--tutorial']]) {
      const path = join(folder, 'ellipsoid.svg');
      await printed('explain', map, ...move, ...more, '--svg', path);
      const svg = readFileSync(path, 'utf8');
      // Quake's maps keep no brushes: its surfaces are drawn, where they cross the slice.
      const kind = map.endsWith('quake1') ? 'wall' : 'solid';
      expect(svg.split(`class="${kind}"`).length).toBeGreaterThan(4);
      if (kind === 'solid') expect(svg).not.toContain('class="wall"');
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  it.each(['0', '1e-12', '1e-7', '0.001'])(
    'draws slides straight down, from which rounding has led %s units away',
    async (x) => {
      const path = join(folder, 'upright.svg');
      const move = ['--from', '0,-256,99', '--to', `${x},-256,-20`, '--ellipsoid', '9,9,9', '--slide'];
      await printed('explain', 'demo:arena', ...move, '--svg', path);
      const svg = readFileSync(path, 'utf8');
      expect(svg).toContain('seen from the side');
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    },
  );

  it('draws the box as it is', async () => {
    const path = join(folder, 'box.svg');
    const box = ['--box', '-15,-15,-24,15,15,32'];
    await printed('explain', quake3, ...ACROSS.slice(0, 2), '--to', '224,128,-200', ...box, '--svg', path);
    const [, points] = readFileSync(path, 'utf8').match(/<polygon class="shape" points="([^"]+)"/)!;
    const corners = points!.split(' ').map((corner) => corner.split(',').map(Number));
    const [wide, high] = [0, 1].map((axis) => {
      const along = corners.map((corner) => corner[axis]!);
      return Math.max(...along) - Math.min(...along);
    });
    expect(wide! / high!).toBeCloseTo(30 / 56, 2);
  });

  it.skipIf(WINDOWS)('has nothing of a file name that XML cannot hold', async () => {
    const [map, path] = [join(folder, 'a\u0001b.bsp'), join(folder, 'named.svg')];
    copyFileSync(quake3, map);
    await printed('explain', map, ...INTO_WALL, '--svg', path);
    expect(readFileSync(path, 'utf8')).toContain('a\\u0001b.bsp: ray from');
  });

  it('breaks a title that does not fit into one line', async () => {
    const name = `${'a-long-name-of-a-folder/'.repeat(6)}of maps.bsp`;
    const [map, path] = [join(folder, name), join(folder, 'titled.svg')];
    mkdirSync(dirname(map), { recursive: true });
    copyFileSync(quake3, map);
    await printed('explain', map, ...INTO_WALL, '--svg', path);
    const svg = readFileSync(path, 'utf8');
    const title = /aria-label="([^"]*), seen from/.exec(svg)![1]!;
    expect(title).toContain('maps.bsp: ray from 32 192 64 to 224 192 64');
    const lines = [...svg.split('<g class="slice"')[0]!.matchAll(/<text x="12" y="(\d+)">(.*)<\/text>/g)];
    expect(lines.map(([, y]) => Number(y))).toEqual(lines.map((_, k) => 20 + 22 * k));
    expect(Math.max(...lines.map(([, , text]) => text!.length))).toBeLessThanOrEqual(130);
    // Where a line ends between words, no space is left.
    expect(
      lines
        .map(([, , text]) => text)
        .join('')
        .replaceAll(' ', ''),
    ).toBe(title.replaceAll(' ', ''));
    const last = Number(lines.at(-1)![1]);
    expect(svg).toContain(`<g class="slice" transform="translate(0 ${last + 12})"`);
    const [whole, below] = [/viewBox="0 0 960 (\d+)"/, /<\/g>\n<g transform="translate\(0 (\d+)\)">/].map(
      (pattern) => Number(pattern.exec(svg)![1]),
    );
    expect(whole! - below!).toBeGreaterThan(44);
  });

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

  it('marks no place where a move leaves what it stays in', async () => {
    const path = join(folder, 'inside.svg');
    const move = ['--from=-200,-520,100', '--to=200,-520,100'];
    const text = await printed('explain', 'demo:arena', ...move, '--svg', path);
    expect(text).toContain('the move stays in it');
    const svg = readFileSync(path, 'utf8');
    expect(svg.match(/<polygon class="hit"/g)).toHaveLength(1);
    expect(svg).not.toContain('>leave ');
  });

  it('does not draw what is too long', async () => {
    const move = ['--from=3e38,0,0', '--to=-3e38,0,0', '--ellipsoid', '9,9,9', '--slide'];
    const { status, stderr } = await bspkit(
      'explain',
      'demo:arena@quake1',
      ...move,
      '--svg',
      join(folder, 'far.svg'),
    );
    expect(stderr).toContain('--svg: the move is too long to draw');
    expect(status).toBe(2);
  });

  it('names no node that is not in the file: of lines against models in UFO:AI', async () => {
    const path = join(folder, 'phantom.svg');
    const move = ['--from=-40,256,60', '--to=300,256,60', '--compat', 'engine'];
    const text = await printed('explain', hall, ...move, '--svg', path);
    expect(text).toMatch(/^node {2}x = 0/m);
    expect(text).not.toMatch(/node -1/);
    expect(readFileSync(path, 'utf8')).not.toContain('>-1<');
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

  it('draws what stopped a ray once: a point widens nothing', async () => {
    const path = join(folder, 'ray.svg');
    await printed('explain', quake3, ...INTO_WALL, '--svg', path);
    const svg = readFileSync(path, 'utf8');
    expect(svg.match(/<polygon class="hit"/g)).toHaveLength(1);
    expect(svg).not.toMatch(/class="widened"|widened by the shape/);
  });

  it.each([
    ['quake3', ['--box=-8,-8,-8,8,8,8'], '<polygon class="widened"'],
    ['quake3', ['--sphere', '16', '--exact'], '<circle class="shape"'],
    ['quake2', ['--box=-8,-8,-8,8,8,8'], '<line class="node"'],
  ] as const)(
    'draws a move against a %s model that stands turned, and no more of the map, with %j',
    async (name, shape, part) => {
      const map = join(folder, `arena-${name}.bsp`);
      await bspkit('compile', 'demo:arena', '--format', name, '--out', map);
      const path = join(folder, 'model.svg');
      const door = ['--model', '2', '--origin', '600,0,70', '--angles', '0,30,0'];
      const ends = ['--from', '500,0,64', '--to', '700,40,20'];
      const text = await printed('explain', map, ...ends, ...door, ...shape, '--svg', path);
      expect(text).toContain('hit ');
      const svg = readFileSync(path, 'utf8');
      expect(svg.match(/<title>brush \d+<\/title>/g)).toHaveLength(1);
      expect(svg.match(/<polygon class="hit"/g)).toHaveLength(1);
      expect(svg).toContain(part);
      expect(svg).toContain('in the frame of model *2</text>');
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
      // The move as the model sees it begins 82.4 units before the middle of a door 8 units thick.
      const [near, far] = extentOf(svg, HIT);
      expect(near).toBeGreaterThan(80);
      expect(far).toBeLessThan(95);
    },
  );

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
    ['where it is', [], [152, 168]],
    ['where it is placed', ['--origin', '150,256,64'], [102, 118]],
    ['as it is turned', ['--origin', '150,256,64', '--angles', '0,90,0'], [54, 166]],
    ['as it is turned where it is', ['--angles', '0,90,0'], [104, 216]],
  ])('draws a model in the way %s', async (_, pose, [near, far]) => {
    const path = join(folder, 'door.svg');
    const draw = async (...shape: string[]): Promise<string> => {
      await printed('explain', hall, ...INTO_DOOR, ...pose, ...shape, '--svg', path);
      return readFileSync(path, 'utf8');
    };
    const box = await draw('--box=-8,-8,-8,8,8,8');
    expect(extentOf(box, HIT)).toEqual([near, far]);
    expect(extentOf(box, WIDENED)).toEqual([near! - 8, far! + 8]);
    expect(box).not.toContain('in the frame of');
    const ray = await draw('--ray');
    expect(extentOf(ray, HIT)).toEqual([near, far]);
    // Two of the nodes are the faces that the move leads through.
    const nodes = [...ray.matchAll(/class="node" x1="(\S+)" y1="\S+" x2="(\S+)"/g)];
    const upright = new Set(nodes.flatMap(([, from, to]) => (from === to ? [from] : [])));
    const [, corners] = /class="hit" points="([^"]*)"/.exec(ray)!;
    for (const corner of corners!.split(' ')) expect(upright).toContain(corner.split(',')[0]);
    // The steps of lines have nothing of models, but what stopped them is drawn.
    expect(extentOf(await draw('--line'), HIT)).toEqual([near, far]);
  });

  it('draws a model in each of the places where it is in the way, and stops at that which was hit', async () => {
    const path = join(folder, 'doors.svg');
    const [from, to] = [INTO_DOOR.slice(0, 2), INTO_DOOR.slice(2, 4)];
    const twice = ['--models', '1,1', '--origin', '250,256,64,150,256,64'];
    await printed('explain', hall, ...from, ...to, ...twice, '--box=-8,-8,-8,8,8,8', '--svg', path);
    const svg = readFileSync(path, 'utf8');
    expect(extentOf(svg, HIT)).toEqual([102, 118]);
    expect(extentOf(svg, WIDENED)).toEqual([94, 126]);
    expect(svg.match(/<polygon class="hit"/g)).toHaveLength(1);
    const door = /<title>(brush \d+)</.exec(HIT.exec(svg)![0])![1]!;
    expect(svg.split(`<title>${door}</title>`)).toHaveLength(3);
    expect(extentOf(svg, new RegExp(`<polygon class="solid".*<title>${door}<.*`))).toEqual([202, 218]);
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

  it('says that there is nothing to draw of a position test against a model', async () => {
    const still = ['--from', '0,0,0', '--to', '0,0,0', '--model', '2', '--svg', join(folder, 'none.svg')];
    const { status, stderr } = await bspkit('explain', 'demo:arena', ...still);
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the move has length zero'),
    });
  });

  it('draws a move that is too short to have a direction', async () => {
    const path = join(folder, 'short.svg');
    await printed('explain', quake3, '--from', '0,128,64', '--to', '1e-30,128,64', '--svg', path);
    expect(readFileSync(path, 'utf8')).toContain('seen from the side');
  });

  it.each([
    ['a format that keeps no brushes, by the leafs', quake1, ['--hull', '1'], /<polygon class="hit".*leaf\b/],
    ['lines, whose steps name no brush', ufoai, [], /<polygon class="hit".*brush \d+/],
  ])('shows what stopped %s', async (_, map, args, hit) => {
    const path = join(folder, 'hit.svg');
    await printed('explain', map, ...INTO_WALL, ...args, '--svg', path);
    const svg = readFileSync(path, 'utf8');
    expect(svg.match(/<polygon class="hit"/g)).toHaveLength(1);
    expect(svg).toMatch(hit);
  });

  it('has a legend of what it draws, a scale, and labels that cover no others', async () => {
    const path = join(folder, 'legend.svg');
    await printed('explain', 'demo:arena', '--from', '0,-256,32', '--to', '480,-384,32', '--svg', path);
    const svg = readFileSync(path, 'utf8');
    for (const text of ['solid', 'what stopped the move', 'split plane', 'not reached']) {
      expect(svg).toContain(`>${text}</text>`);
    }
    expect(svg).not.toContain('>other contents</text>');
    expect(svg).toMatch(/>\d+ units; seen from above, fraction 0\.499/);
    const names = [...svg.matchAll(/class="node-name" x="([-\d.]+)" y="([-\d.]+)">(\d+)</g)];
    expect(names.length).toBeGreaterThan(5);
    const boxes = names.map(([, x, y, text]) => ({ x: Number(x), y: Number(y), width: 6 * text!.length }));
    for (const [k, a] of boxes.entries()) {
      for (const b of boxes.slice(k + 1)) {
        const apart = Math.abs(a.y - b.y) >= 12 || a.x + a.width <= b.x || b.x + b.width <= a.x;
        expect(apart, `${names[k]![3]} at ${a.x} ${a.y}`).toBe(true);
      }
    }
  });

  it('can be read on light pages and on dark ones', async () => {
    const path = join(folder, 'schemes.svg');
    await printed('explain', quake3, ...INTO_WALL, '--svg', path);
    const [, style] = /<style>(.*?)<\/style>/s.exec(readFileSync(path, 'utf8'))!;
    const luminance = (color: string): number => {
      const [red, green, blue] = [1, 3, 5].map((at) => {
        const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
    };
    const pages = style!.split('@media (prefers-color-scheme: dark)').map((rules) => {
      const fills = [...rules.matchAll(/^ *(\S.*?) \{ fill: (#\w{6})\b/gm)];
      const fillOf = Object.fromEntries(
        fills.flatMap(([, names, fill]) => names!.split(', ').map((name) => [name, luminance(fill!)])),
      );
      for (const text of [
        'text',
        'text.place',
        'text.round',
        'text.node-name',
        '.enter',
        '.touch',
        '.leave',
      ]) {
        const [dark, light] = [fillOf[text]!, fillOf['.page']!].sort((a, b) => a - b);
        // As WCAG asks for.
        expect((light! + 0.05) / (dark! + 0.05), text).toBeGreaterThan(4.5);
      }
      return fillOf['.page']!;
    });
    expect(pages).toHaveLength(2);
    expect(pages[0]).toBeGreaterThan(0.9);
    expect(pages[1]).toBeLessThan(0.1);
  });

  it('has nothing to list or to draw for a position test', async () => {
    const place = ['--from', '64,128,32', '--to', '64,128,32'];
    expect((await bspkit('explain', quake3, ...place)).stdout).toMatch(/^\S.* no steps: /s);
    expect(await bspkit('explain', quake3, ...place, '--svg', join(folder, 'none.svg'))).toMatchObject({
      status: 2,
    });
    expect((await bspkit('explain', quake3, ...place)).stdout).toContain('length zero');
  });

  it('says so where an ellipsoid has no polygons near, and so nothing to draw', async () => {
    const move = ['demo:arena', '--from', '927,5,101', '--to', '932,5,101'];
    const ellipsoid = ['explain', ...move, '--ellipsoid', '16,16,28', '--tutorial'];
    expect(await printed(...ellipsoid)).toMatch(/work +no steps: there are no polygons near the move/);
    const drawn = await bspkit(...ellipsoid, '--svg', join(folder, 'none.svg'));
    expect(drawn).toMatchObject({ status: 2 });
    expect(drawn.stderr).toContain('nothing to draw: there are no polygons near the move');
  });
});
