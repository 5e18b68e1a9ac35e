import { expect, it } from 'vitest';
import { bspkit } from './bspkit.ts';
import { ACROSS, INTO_WALL, roomFiles } from './room-files.ts';

const { quake1, quake3, ufoai, printed, json } = roomFiles();

it('says what a ray hits', async () =>
  expect(await printed('trace', quake3, ...INTO_WALL)).toMatchSnapshot());

it('names no texture where there is none, and rounds no fraction to 0', async () => {
  // Far behind a sky, which has no face there.
  const far = ['demo:arena@quake1', '--from', '0,0,40', '--to', '0,0,3e38'];
  const text = await printed('trace', ...far);
  expect(text).toMatch(/\n {2}fraction +1\.\d+e-36\n/);
  expect(text).not.toContain('texture');
  expect(await json('trace', ...far)).toMatchObject({ textureName: null });
});

it('numbers planes from 0', async () => {
  const ahead = ['--from', '0,0,40', '--to=-4000,0,32'];
  expect(await json('trace', 'demo:arena', ...ahead)).toMatchObject({ plane: 0, normal: [1, 0, 0] });
  expect((await bspkit('trace', 'demo:arena', ...ahead)).stdout).toMatch(/\n {2}surface .*, plane 0\n/);
});

it('says which box is moved where the game has no such box', async () => {
  const text = await printed('trace', quake1, ...INTO_WALL, '--box=-8,-8,-8,8,8,8');
  // The hull of the map's that is at least as wide, from the box's own lowest corner.
  expect(text.split('\n')[0]).toContain('box from -8 -8 -8 to 24 24 48');
  expect(text).toMatch(/\n {2}asked for +box from -8 -8 -8 to 8 8 8; traced as the box above\n/);
  expect(await printed('trace', quake1, ...INTO_WALL, '--box=-16,-16,-24,16,16,32')).not.toContain('asked');
  expect(await printed('trace', quake3, ...INTO_WALL, '--box=-8,-8,-8,8,8,8')).not.toContain('asked');
});

it('passes through the doorway, and not through the door', async () => {
  expect(await json('trace', quake3, ...ACROSS)).toMatchObject({
    fraction: 1,
    endPos: [224, 128, 64],
    brush: -1,
  });
  const door = await json('trace', quake3, ...ACROSS, '--model', '1');
  expect(door).toMatchObject({ model: 1, normal: [-1, 0, 0], textureName: 'textures/test/door' });
  expect(await json('trace', quake3, ...ACROSS, '--model', '*1')).toEqual(door);
  expect((await bspkit('trace', quake3, ...ACROSS, '--model', '**1')).status).toBe(2);
  expect(await json('trace', quake3, ...ACROSS, '--model', '1', '--origin', '0,0,-200')).toMatchObject({
    fraction: 1,
  });
});

it.each([
  ['box', '-15,-15,-24,15,15,32', 120 - 15 - 0.125],
  ['sphere', '20', 120 - 20 - 0.125],
  ['capsule', '10,60', 120 - 10 - 0.125],
  ['ellipsoid', '10,10,30', 120 - 10],
])('moves a %s', async (shape, size, stop) => {
  const answer = await json('trace', quake3, ...INTO_WALL, `--${shape}`, size);
  expect(answer.shape).toMatchObject({ kind: shape });
  expect((answer.endPos as number[])[0]).toBeCloseTo(stop, 4);
});

it('takes mask and epsilon', async () => {
  const down = ['--from', '40,40,100', '--to', '40,40,-8'];
  expect(await json('trace', quake3, ...down)).toMatchObject({ contentsNames: ['solid'] });
  expect(await json('trace', quake3, ...down, '--mask', 'solid,water')).toMatchObject({
    contentsNames: ['water'],
  });
  expect((await json('trace', quake3, ...down, '--mask', '0x20', '--epsilon', '0')).endPos).toEqual([
    40, 40, 24,
  ]);
});

it('keeps the sign of zeros in JSON', async () => {
  const { stdout } = await bspkit('trace', quake3, '--from', '-0,128,64', '--to', '-0,128,96', '--json');
  expect(stdout).toContain('"from":[-0,128,64]');
});

it('tests a position where the ends are equal', async () => {
  const place = ['--from', '64,128,32', '--to', '64,128,32'];
  expect(await printed('trace', quake3, ...place, '--sphere', '16')).toContain('in the open');
  expect(await printed('trace', quake3, ...place, '--sphere', '60')).toContain('in solid');
  // A line that starts in solid meets no surface.
  const wall = ['--from', '-520,0,64', '--to', '0,0,64'];
  const text = await printed('trace', 'demo:arena@ufoai', ...wall);
  expect(text).toMatch(/result +starts in solid\n/);
  expect(text).not.toContain('surface');
});

it('moves the hulls of a Quake 1 map', async () => {
  const hull = await json('trace', quake1, ...INTO_WALL, '--hull', '1');
  expect(hull).toMatchObject({ inOpen: true, inWater: false, contentsNames: ['solid'] });
  expect((hull.endPos as number[])[0]).toBeCloseTo(120 - 16 - 0.03125, 4);
  expect((await json('trace', quake1, ...INTO_WALL, '--precise')).endPos).toEqual([120, 192, 64]);
  expect((await json('trace', quake1, ...INTO_WALL, '--box', '-15,-15,-24,15,15,32')).shape).toMatchObject({
    mins: [-15, -15, -24],
    maxs: [17, 17, 32],
  });
});

it('draws lines of sight through a UFO:AI map', async () => {
  expect(await json('trace', ufoai, ...INTO_WALL)).toMatchObject({ normal: [-1, 0, 0], tile: 0 });
  expect(await json('trace', ufoai, ...ACROSS, '--levels', '1,actorClip')).toMatchObject({ fraction: 1 });
  expect(await json('trace', ufoai, ...ACROSS, '--model', '1')).toMatchObject({ model: 1 });
  expect(await json('trace', ufoai, ...INTO_WALL, '--box', '-9,-9,-24,9,9,20')).toMatchObject({ model: 0 });
});

it('puts several doors of a UFO:AI map where they are asked to be, three numbers each', async () => {
  const moves = [
    ['--from', '384,50,30', '--to', '384,200,30'],
    ['--from', '600,256,30', '--to', '700,256,30'],
  ];
  // Doors 1 and 2 as they are, and with one or both of them 200 units higher.
  const [hinged, sliding] = ['352,100,32', '0,0,0'];
  const [high, higher] = ['352,100,232', '0,0,200'];
  for (const [origin, hit] of [
    [`${hinged},${sliding}`, [1, 2]],
    [`${hinged},${higher}`, [1, -1]],
    [`${high} ${sliding}`, [-1, 2]],
    [`${high}, ${higher}`, [-1, -1]],
  ] as const) {
    for (const [k, move] of moves.entries()) {
      const asked = ['demo:house@ufoai', ...move, '--models', '1,2', '--origin', origin];
      for (const command of ['trace', 'explain'])
        expect(await json(command, ...asked), `${command} ${origin}`).toMatchObject({ model: hit[k] });
      // Three numbers for each of the three.
      const all = ['--models', 'all', '--origin', `${origin},0,0,0`, '--angles', '0 90 0 0 0 0 0 0 0'];
      expect(await json('trace', 'demo:house@ufoai', ...move, ...all)).toMatchObject({
        model: k === 0 ? -1 : hit[k],
      });
    }
  }
});
