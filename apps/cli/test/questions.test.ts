import { expect, it } from 'vitest';
import { bspkit } from './bspkit.ts';
import { ACROSS, INTO_WALL, roomFiles } from './room-files.ts';

const { quake1, quake2, quake3, ufoai, printed, json } = roomFiles();

it('says what is at a point', async () => {
  expect(await printed('point', quake3, '--at', '40,40,12')).toMatchSnapshot();
  expect(await json('point', quake3, '--at', '40,40,60')).toMatchObject({ contents: 0, cluster: 0 });
  expect(await json('point', quake1, '--at', '40,40,12')).toMatchObject({
    contentsNames: ['water'],
    inside: true,
  });
  expect(await json('point', ufoai, '--at', '40,40,12')).toMatchObject({ level: 1, cell: [129, 129, 0] });
  expect(await json('point', quake1, '--at', '64,192,100')).toMatchObject({ distanceToSolid: 28 });
});

it.each([
  ['quake1', quake1],
  ['quake3', quake3],
])('tells whether a sphere is in the open (%s)', async (_, map) => {
  expect(await bspkit('sphere', map, '--at', '64,128,64', '--radius', '40')).toMatchObject({
    status: 0,
    stderr: '',
  });
  expect(await bspkit('sphere', map, '--at', '64,128,64', '--radius', '70')).toMatchObject({
    status: 1,
    stderr: '',
  });
});

it.each([
  ['quake1', quake1],
  ['quake2', quake2],
  ['quake3', quake3],
  ['ufoai', ufoai],
])('checks lines of sight (%s)', async (_, map) => {
  expect(await bspkit('sight', map, ...ACROSS)).toMatchObject({ status: 0, stderr: '' });
  const blocked = await bspkit('sight', map, ...INTO_WALL);
  expect(blocked).toMatchObject({ status: 1, stderr: '' });
  expect(blocked.stdout).toMatch(/visible +no/);
});

it('say in words where there is no cluster', async () => {
  for (const map of [quake2, quake3]) {
    const ends = ['--from', '32,128,64', '--to', '32,128,-4'];
    const { stdout } = await bspkit('sight', map, ...ends);
    expect(stdout).toMatch(/from cluster +0\n {2}to cluster +-1: none, as in solid or outside the map\n/);
    expect(JSON.parse((await bspkit('sight', map, ...ends, '--json')).stdout)).toMatchObject({
      toCluster: -1,
    });
    expect((await bspkit('point', map, '--at', '32,128,-4')).stdout).toMatch(/cluster +-1: none, as in/);
  }
});

it('answers say in JSON which map they are about', async () => {
  const at = ['--at', '32,128,64'];
  for (const [map, ...args] of [
    [quake1, 'point', ...at],
    [quake1, 'sphere', ...at, '--radius', '1'],
    [quake3, 'sight', '--from', '32,128,64', '--to', '32,128,-4'],
  ] as const) {
    const [command, ...more] = args;
    const { stdout } = await bspkit(command!, map, ...more, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ map, format: map === quake1 ? 'quake1' : 'quake3' });
  }
});
