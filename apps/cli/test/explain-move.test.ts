import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MoveRound } from '@bspkit/core';
import { createEllipsoidWorld, EllipsoidSlider } from '@bspkit/ellipsoid';
import { compileFixture } from '@bspkit/fixtures';
import { between, createRandom } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { formatOf, openBsp } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { bspkit } from './bspkit.ts';
import { INTO_WALL, roomFiles } from './room-files.ts';

const { folder, quake1, quake3, printed, json } = roomFiles();

const ELLIPSOID = ['--ellipsoid', '16,16,28', '--slide'];
/** Into a wall and, from there, down to the floor. */
const SLIDE = ['demo:arena', '--from', '-470,-200,40', '--to', '-600,-150,10', ...ELLIPSOID];

interface Told {
  readonly endPos: number[];
  readonly remaining: number[];
  readonly rounds: (MoveRound & {
    readonly name: string;
    readonly polygon?: number;
    readonly normal: number[];
    readonly brush: number;
  })[];
}

describe('explain --slide', () => {
  it('tells each round above its steps, and all of them in short', async () => {
    const text = await printed('explain', ...SLIDE);
    const at = text.indexOf('\ndemo:arena  ');
    const [steps, short] = [text.slice(0, at), text.slice(at + 1)];
    expect(steps.match(/^round \d$/gm)).toEqual(['round 1', 'round 2', 'round 3']);
    const [first, second, third] = steps.split(/^round \d\n/m).slice(1);
    expect(first).toMatch(/^polygon \d+ {2}x = -512 \+ 16 [\s\S]*\n {4}face {2}touched at 0\.2\n/m);
    expect(second).toMatch(/^polygon \d+ {2}z = 0 \+ 28 [\s\S]*\n {4}face {2}touched at 0\.250225\n/m);
    expect(third).toBe('there are no polygons near the move\n');
    expect(short).toMatchInlineSnapshot(`
      "demo:arena  ellipsoid of radii 16 16 28
        from     -470 -200 40
        to       -600 -150 10
        round 1  from -470 -200 40 to -600 -150 10
        touches  the face of polygon 208, brush #, x = -512, at 0.2
        stops    after 28.46 of 142.48 units, at -495.9688 -190.012 34.0072
        then     along it: 46.66 of the 114.02 units left, to -495.9688 -150 10
        round 2  from -495.9688 -190.012 34.0072 to -495.9688 -150 10
        touches  the face of polygon 105, brush #, z = 0, at 0.250225
        stops    after 11.62 of 46.66 units, at -495.9688 -180.0521 28.0313
        then     along it: 30.05 of the 35.05 units left, to -495.9688 -150 28.0313
        round 3  from -495.9688 -180.0521 28.0313 to -495.9688 -150 28.0313
        ends     nothing is in the way
        result   3 rounds: nothing is in the way
        end      -495.9688 -150 28.0313
        work     15 polygons, 105 faces, edges and corners
      "
    `);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("tells the rounds of the tutorial's method, which push the end", async () => {
    const text = await printed('explain', ...SLIDE, '--tutorial');
    expect(text).toMatch(/^round 1\npolygon \d+ {2}[\s\S]*\n {4}side # /);
    expect(text).toMatch(/^check$/m);
    expect(text.slice(text.indexOf('\ndemo:arena  ') + 1)).toMatchInlineSnapshot(`
      "demo:arena  ellipsoid of radii 16 16 28
        from     -470 -200 40
        to       -600 -150 10
        round 1  from -470 -200 40 to -600 -150 10
        hits     polygon 208, brush #, x = -512, at 0.2, facing -0.9124
        then     its end is pushed out by 104 units, to -496 -150 10
        round 2  from -470 -200 40 to -496 -150 10
        hits     polygon 103, brush #, z = 0, at 0.4, facing -0.2106
        then     its end is pushed out by 18 units, to -496 -150 28
        check    from -470 -200 40 to -496 -150 28
        ends     nothing is in the way
        result   2 rounds: nothing is in the way
        end      -496 -150 28
        work     360 polygons, 303 sides, 238 skipped (--all lists them)
      "
    `);
  });

  it('lists what was skipped in each round with --all', async () => {
    const text = await printed('explain', ...SLIDE, '--tutorial', '--all');
    const skipped = text.replace(/\n +/g, ' ').match(/does not come to its plane/g)!;
    expect(skipped.length).toBe(Number(/(\d+) skipped/.exec(text)![1]));
  });

  it('tells of the way out of what it overlaps at the start', async () => {
    const text = await printed(
      'explain',
      'demo:arena',
      '--from',
      '0,-256,20',
      '--to',
      '10,-256,20',
      ...ELLIPSOID,
    );
    expect(text).toMatch(/pushed +out of polygon \d+, 8 units deep, to 0 -256 28\.0313\n +round 1 /);
  });

  it.each([
    ['straight', '-162,-299,93', '21,99,93', 'no way is left', []],
    ['back', '-137,-209,197', '-385,269,6', 'the only way left leads back', []],
    ['corner', '-416,-357,144', '348,-326,132', 'stuck in the corner', []],
    ['limit', '-362,-328,29', '-75,407,262', 'that is the limit of rounds', []],
    ['returned', '-296,-91,193', '-406,390,33', 'still in the way, so back to the start', ['--tutorial']],
  ])('tells why it ended: %s', async (ended, from, to, result, args) => {
    const move = ['explain', 'demo:arena', '--from', from, '--to', to, ...ELLIPSOID, ...args];
    const text = await printed(...move);
    const names = ((await json(...move)).rounds as Told['rounds']).map(({ name }) => name);
    const numbered = names.filter((name) => name !== 'check');
    expect(numbered.length).toBeLessThanOrEqual(5);
    expect(names.length - numbered.length).toBe(args.length);
    expect(text).toContain(
      `result${text.includes('remaining') ? '     ' : '   '}${numbered.length} rounds: ${result}\n`,
    );
    expect(text.slice(text.indexOf('\ndemo:arena')).match(/^ {2}(round \d|check)/gm)).toEqual(
      names.map((name) => `  ${name}`),
    );
    expect(await json(...move)).toMatchObject({ ended });
    if (ended === 'corner')
      expect(text.replace(/\n +/g, ' ')).toContain('between it and what round 1 and round 2 touched ');
    if (ended === 'limit') expect(text).toMatch(/^ {2}remaining {2}58\.7615 /m);
  });

  it('has a shape that programs can rely on', async () => {
    const told = await json('explain', ...SLIDE);
    expect(Object.keys(told)).toEqual([
      ...['map', 'format', 'tracer', 'shape', 'from', 'to'],
      ...['move', 'ended', 'endPos', 'remaining', 'pushes', 'rounds'],
    ]);
    const [first, second, third] = told.rounds as Told['rounds'];
    expect(Object.keys(first!)).toEqual([
      ...['name', 'start', 'end', 'stop', 'next', 'along', 'touched'],
      ...['fraction', 'endPos', 'normal', 'dist', 'startSolid', 'allSolid', 'contents', 'contentsNames'],
      ...[
        'surfaceFlags',
        'surfaceNames',
        'model',
        'brush',
        'side',
        'plane',
        'patch',
        'texture',
        'textureName',
      ],
      ...['polygon', 'touches', 'steps'],
    ]);
    expect(first).toMatchObject({ along: [0], brush: 10, touched: { feature: 'face', enter: 0.2 } });
    expect(second).toMatchObject({ along: [1], brush: 0, start: first!.stop, end: first!.next });
    expect(third).toMatchObject({ along: [], brush: -1, touched: null, stop: third!.end });
    const pushed = await json('explain', ...SLIDE, '--tutorial');
    expect(Object.keys(pushed)).toEqual(Object.keys(told));
    expect(pushed).toMatchObject({ move: 'push', ended: 'free', endPos: [-496, -150, 28] });
  });

  it('has the numbers of slides and moves, bit for bit', async () => {
    const map = await openBsp(compileFixture('arena', 'quake3').bytes);
    const world = createEllipsoidWorld((await formatOf(map)).polygons(map));
    const slider = new EllipsoidSlider(world, [16, 16, 28]);
    const tutorial = world.tutorial([16, 16, 28]);
    const random = createRandom(seedOf(6));
    let contacts = 0;
    for (let k = 0; k < 24; k++) {
      const point = (): number[] => [450, 450, 150].map((most) => Math.round(between(random, -most, most)));
      const [from, to] = [point(), point()].map(([x, y, z]) => [x!, y!, z! + 160]);
      const move = ['explain', 'demo:arena', `--from=${from}`, `--to=${to}`, ...ELLIPSOID];
      const told = (await json(...move)) as unknown as Told;
      const slide = slider.slide(from!, to!);
      expect(Float32Array.from(told.endPos)).toEqual(slide.endPos);
      expect(Float32Array.from(told.remaining)).toEqual(slide.remaining);
      const touching = told.rounds.filter(({ along }) => along.length > 0);
      expect(touching.map(({ polygon }) => polygon)).toEqual([...slide.polygons.subarray(0, slide.contacts)]);
      expect(Float32Array.from(touching.flatMap(({ normal }) => normal))).toEqual(
        slide.normals.slice(0, 3 * slide.contacts),
      );
      contacts += slide.contacts;
      const pushed = (await json(...move, '--tutorial')) as unknown as Told;
      const moved = tutorial.move(from!, to!);
      expect(Float32Array.from(pushed.endPos)).toEqual(moved.endPos);
      expect(pushed.rounds.map(({ name }) => name)).toEqual([
        ...Array.from({ length: moved.iterations }, (_, round) => `round ${round + 1}`),
        'check',
      ]);
      expect(pushed.rounds.slice(0, -1).map(({ polygon }) => polygon)).toEqual([
        ...moved.collided.subarray(0, moved.iterations),
      ]);
    }
    expect(contacts).toBeGreaterThan(8);
  });

  it('takes the options of sliders', async () => {
    const map = await openBsp(compileFixture('arena', 'quake3').bytes);
    const world = createEllipsoidWorld((await formatOf(map)).polygons(map));
    const [from, to] = [
      [-114, -128, 284],
      [-246, 115, 77],
    ] as const;
    const move = ['explain', 'demo:arena', `--from=${from}`, `--to=${to}`, ...ELLIPSOID];
    const slide = new EllipsoidSlider(world, [16, 16, 28], { gap: 2, maxContacts: 3 }).slide(from, to);
    const told = (await json(...move, '--gap', '2', '--max-contacts', '3')) as unknown as Told;
    expect(told.rounds).toHaveLength(slide.contacts);
    expect(Float32Array.from(told.endPos)).toEqual(slide.endPos);
    expect(Float32Array.from(told.remaining)).toEqual(slide.remaining);
    expect(slide.endPos).not.toEqual(new EllipsoidSlider(world, [16, 16, 28]).slide(from, to).endPos);
  });

  it.each([
    [['--gap', '1', '--tutorial'], "--gap must be left out: the tutorial's method has none"],
    [
      ['--max-contacts', '3', '--tutorial'],
      "--max-contacts must be left out: the tutorial's method has none",
    ],
    [['--gap', '0'], '--gap must be above 0'],
    [['--gap', '-1'], '--gap must be'],
    [['--max-contacts', '17'], '--max-contacts must be a whole number from 1 to 16, got'],
    [['--max-contacts', '2.5'], '--max-contacts must be a whole number from 1 to 16, got'],
  ])('names what is wrong with options of sliders: %j', async (args, message) => {
    const run = await bspkit('explain', quake3, ...INTO_WALL, ...ELLIPSOID, ...args);
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toContain(message);
  });

  it.each(['--gap', '--max-contacts'])('says that %s belongs to --slide', async (flag) => {
    const run = await bspkit('explain', quake3, ...INTO_WALL, '--ellipsoid', '16,16,28', flag, '3');
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toContain(`${flag} applies only with --slide`);
  });

  it.each([
    [[], '--slide does not apply to --ray: it belongs to --ellipsoid'],
    [['--box=-15,-15,-24,15,15,32'], '--slide does not apply to --box: it belongs to --ellipsoid'],
    [['--ellipsoid', '16,16,0'], '--ellipsoid: radii[2] must be a radius'],
    [['--ellipsoid', '16,16,28', '--mask', 'solid'], '--mask does not apply to --ellipsoid'],
    [['--ellipsoid', '16,16,28', '--json', '--svg', '-'], '--json and --svg - both print to stdout'],
  ])('names options that do not go together: %j', async (args, message) => {
    const run = await bspkit('explain', quake3, ...INTO_WALL, '--slide', ...args);
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toContain(message);
  });
});

describe('explain --slide --svg', () => {
  const drawn = async (...args: string[]): Promise<string> => {
    const path = join(folder, 'slide.svg');
    await printed('explain', ...args, '--svg', path);
    const svg = readFileSync(path, 'utf8');
    expect(svg).toMatch(/^<svg xmlns=[\s\S]*<\/svg>\n$/);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    return svg;
  };
  const count = (svg: string, pattern: RegExp): number => svg.match(pattern)?.length ?? 0;

  it('draws the way of each round, what it touched, and the shape where it stopped', async () => {
    const svg = await drawn(...SLIDE);
    const classes = ['shape', 'hit', 'move', 'rest', 'touch'].map((name) => [
      name,
      count(svg.split('<g transform="translate(0')[0]!, new RegExp(`<\\w+ class="${name}"`, 'g')),
    ]);
    expect(classes).toEqual([
      ['shape', 4],
      ['hit', 1],
      ['move', 3],
      ['rest', 2],
      ['touch', 4],
    ]);
    expect([...svg.matchAll(/<text class="round"[^>]*>(\d)</g)].map(([, number]) => number)).toEqual([
      '1',
      '2',
      '3',
    ]);
    expect(svg).toMatch(/>seen from|units; seen from above, 3 rounds: nothing is in the way; the way leaves/);
    for (const text of ['what was touched', 'move, by rounds', 'where a round would have led']) {
      expect(svg).toContain(`>${text}</text>`);
    }
  });

  it("draws the pushes of the tutorial's method", async () => {
    const svg = await drawn(...SLIDE, '--tutorial');
    const slice = svg.split('<g transform="translate(0')[0]!;
    expect(
      ['shape', 'wanted', 'push', 'move', 'rest'].map((name) =>
        count(slice, new RegExp(`class="${name}"`, 'g')),
      ),
    ).toEqual([2, 2, 2, 1, 1]);
    expect(svg).toContain('>pushes, by rounds</text>');
    const numbers = [...svg.matchAll(/<text class="round"[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(numbers).toEqual(['1', '2']);
  });

  const named = (svg: string): string[] =>
    [...svg.matchAll(/<text class="place"[^>]*>([^<]*)</g)].map(([, text]) => text!);

  it('names the shapes at the start and the end', async () => {
    expect(named(await drawn(...SLIDE))).toEqual(['start', 'end']);
    expect(named(await drawn(...SLIDE, '--tutorial'))).toEqual(['start', 'end']);
    const back = ['demo:arena', '--from=-296,-91,193', '--to=-406,390,33', ...ELLIPSOID, '--tutorial'];
    const svg = await drawn(...back);
    expect(named(svg)).toEqual(['start and end']);
    expect(svg).toContain('>still in the way</text>');
    expect(svg).toContain('side, 5 rounds: still in the way');
  });

  it('says what the way out of an overlap is', async () => {
    const svg = await drawn('demo:arena', '--from', '0,-256,20', '--to', '10,-256,20', ...ELLIPSOID);
    expect(svg).toContain('>pushed out of an overlap</text>');
  });

  it('looks at a slide along a floor from the side, however flat it is', async () => {
    const flat = ['demo:arena', '--from', '-400,-300,60', '--to', '-100,-300,-40', ...ELLIPSOID];
    expect(await drawn(...flat)).toContain('seen from the side');
    expect(await drawn(...flat.slice(0, -1))).toContain('seen from above');
  });

  it('draws a move that goes nowhere, and maps without brushes', async () => {
    const still = ['--from', '64,128,64', '--to', '64,128,64', ...ELLIPSOID];
    expect(await drawn(quake3, ...still)).toContain('1 round: nothing is in the way');
    expect(count(await drawn(quake1, ...INTO_WALL, ...ELLIPSOID), /class="hit"/g)).toBe(0);
  });
});
