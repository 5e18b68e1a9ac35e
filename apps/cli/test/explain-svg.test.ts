import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bspkit, WINDOWS } from './bspkit.ts';
import { ACROSS, hallFile, INTO_DOOR, INTO_WALL, roomFiles } from './room-files.ts';
import { extentOf, HIT, WIDENED } from './slice-extent.ts';

const { folder, quake1, quake3, ufoai, printed } = roomFiles();

const hall = hallFile(folder);

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
