// What scripts that measure have in common.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Moves of a player's box through the arena: the header, then so many rows, as lines of text. */
export function* traceRows(count = Infinity) {
  const box = ['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz', 'capsule', 'mask'];
  const move = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez'];
  const columns = ['model', 'ox', 'oy', 'oz', 'pitch', 'yaw', 'roll', ...move, ...box];
  yield `${JSON.stringify({ game: 'quake3', map: 'arena', kind: 'trace', columns })}\n`;
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const point = () => [1000, 1000, 300].map((width) => Math.round(8 * width * (random() - 0.5)) / 8).join();
  for (let row = 0; row < count; row++) {
    yield `[0,0,0,0,0,0,0,${point()},${point()},-15,-15,-24,15,15,32,0,33619969]\n`;
  }
}

/** Starts a Redis that keeps an append-only file in a folder. */
export async function startRedis(folder) {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  const args = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes', '--save', ''];
  const server = spawn('redis-server', args.map(String), { stdio: 'ignore' });
  await sleep(300);
  return { server, url: `redis://127.0.0.1:${port}` };
}

/** Where figures were measured. */
export const machine = () =>
  `${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.version}, Redis on the same machine with its append-only file.`;
