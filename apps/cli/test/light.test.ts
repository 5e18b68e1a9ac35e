import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { roomFiles } from './room-files.ts';
import { rooms } from './rooms.ts';

const { folder, quake1, quake3, ufoai, printed, json } = roomFiles();

/** A map with bytes of light behind it: `place` is where the header says where these are. */
function litFile(format: 'quake1' | 'quake3', place: number, light: Uint8Array): Buffer {
  const bytes = Buffer.concat([rooms(format), light]);
  bytes.writeInt32LE(bytes.length - light.length, place);
  bytes.writeInt32LE(light.length, place + 4);
  return bytes;
}

const LIGHT_GRID = 8 + 8 * 15;
/** All cells of the rooms, each with light from all sides and some from straight above, which is 0 0. */
const grid = Uint8Array.from({ length: 8 * 5 * 5 * 2 }, (_, k) => [20, 10, 0, 0, 30, 0, 0, 0][k % 8]!);

function written(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

it('point says how light it is, and where that comes from', async () => {
  const map = written('grid.bsp', litFile('quake3', LIGHT_GRID, grid));
  const light = { light: [0.313725501, 0.156862751, 0], directedLight: [0, 0.470588237, 0] };
  expect(await json('point', map, '--at', '64,128,64')).toMatchObject({
    ...light,
    lightDirection: [0, 0, 1],
  });
  const text = (await printed('point', map, '--at', '64,128,64')).replaceAll(/ +/g, ' ');
  expect(text).toContain('\n light 0.3137 0.1569 0\n directed light 0 0.4706 0\n light direction 0 0 1\n');
});

it('point says whose light it is where faces have it', async () => {
  const bytes = litFile('quake1', 4 + 8 * 8, new Uint8Array(1000).fill(51));
  const [faces, length] = [bytes.readInt32LE(4 + 8 * 7), bytes.readInt32LE(8 + 8 * 7)];
  // All faces have the same samples, of the first style.
  for (let at = faces; at < faces + length; at += 20)
    bytes.fill(0, at + 12, at + 20).fill(255, at + 13, at + 16);
  const map = written('faces.bsp', bytes);
  const answer = await json('point', map, '--at', '64,128,64');
  expect(answer).toMatchObject({
    light: [0.400000006, 0.400000006, 0.400000006],
    lightSurface: expect.any(Number),
  });
  expect(answer).not.toHaveProperty('directedLight');
  const far = await json('point', map, '--at', '64,128,-64');
  expect(far.light).toEqual([0, 0, 0]);
  expect(far).not.toHaveProperty('lightSurface');
});

it('point says nothing of light in maps without, and what is wrong with light that is broken', async () => {
  for (const map of [quake1, quake3, ufoai])
    expect(Object.keys(await json('point', map, '--at', '64,128,64')).join()).not.toMatch(/light/i);
  const map = written('broken.bsp', litFile('quake3', LIGHT_GRID, grid.subarray(8)));
  const answer = await json('point', map, '--at', '64,128,64');
  expect(answer).toMatchObject({
    cluster: 0,
    lightProblem: expect.stringMatching(/^quake3: lightGrid: length 392 /),
  });
  expect(answer).not.toHaveProperty('light');
});
