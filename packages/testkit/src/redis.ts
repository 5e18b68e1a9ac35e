import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where redis-server is on this machine; `undefined` if it is not installed. */
export const REDIS_SERVER: string | undefined = [
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/bin',
  '/usr/local/bin',
]
  .map((folder) => join(folder, 'redis-server'))
  .find((file) => existsSync(file));

/** A Redis on a free port of this machine, which keeps an append-only file in a folder of its own. */
export interface TestRedis {
  readonly port: number;
  readonly url: string;
  /** Starts it, or starts it again with what its file contains. Resolves as soon as it accepts connections. */
  start(): Promise<void>;
  /** Its answer to a command, as sent over the wire; empty while it is not running. */
  ask(command: string): Promise<string>;
  /** Ends it at once, as kill -9 does. */
  kill(): Promise<void>;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
}

/** A port on which nothing listens, nor will: whoever asks for any free port gets a large one. */
export const SILENT_PORT = 1;

/** A port on which nothing listens yet. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts a Redis for a test.
 *
 * @param settings - for its configuration, a line each: `requirepass secret`. With one of TLS, that is all it speaks, and
 *   `url` and `ask` are of no use.
 */
export async function startRedis(...settings: readonly string[]): Promise<TestRedis> {
  for (let tries = 5; ; tries--) {
    const redis = redisAt(await freePort(), settings);
    try {
      await redis.start();
      return redis;
    } catch (error) {
      await redis.remove();
      // Somebody else, such as a test that starts one at the same time, may have come to have the port meanwhile.
      if (tries === 1 || !/Address already in use/.test(String(error))) throw error;
    }
  }
}

/** A Redis that is not running yet. */
function redisAt(port: number, settings: readonly string[]): TestRedis {
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-redis-'));
  const log = join(folder, 'log');
  const said = (): string => readFileSync(log, 'utf8');
  const config = [
    'bind 127.0.0.1',
    ...(settings.some((line) => line.startsWith('tls-')) ? ['port 0', `tls-port ${port}`] : [`port ${port}`]),
    `dir ${folder}`,
    `logfile ${log}`,
    'appendonly yes',
    'save ""',
    ...settings,
  ];
  let server: ChildProcess | undefined;
  const isOver = ({ exitCode, signalCode }: ChildProcess): boolean =>
    exitCode !== null || signalCode !== null;
  const kill = async (): Promise<void> => {
    if (!server || isOver(server)) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  // Whatever happens in the test, the server does not outlive it.
  const end = (): void => void server?.kill('SIGKILL');
  process.once('exit', end);
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    async start() {
      writeFileSync(log, '');
      server = spawn(REDIS_SERVER!, ['-'], { stdio: ['pipe', 'ignore', 'ignore'] });
      server.stdin!.end(config.join('\n'));
      // Its log tells that it is this one that answers, and not somebody else who has come to have the port.
      while (!/Ready to accept connections/.test(said())) {
        if (isOver(server)) throw new Error(`redis-server has ended: ${said().slice(-400)}`);
        await sleep(10);
      }
    },
    ask: (command) => ask(port, command),
    kill,
    async remove() {
      await kill();
      process.off('exit', end);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A way to a Redis that can be cut, for good: whoever is at its other end has gone without a word. */
export interface Wire {
  readonly url: string;
  cut(): void;
}

/**
 * Opens a way to a Redis.
 *
 * @param rate - bytes per second, each way, of each connection.
 */
export async function openWire(port: number, rate = Infinity): Promise<Wire> {
  const ends = new Set<Socket>();
  const pass = (from: Socket, to: Socket): void => {
    // When everything until now may have passed. A busy thread makes up for some of the time that it has lost.
    let due = 0;
    from.on('data', (part) => {
      to.write(part);
      const now = performance.now();
      due = Math.max(due, now - 100) + (1000 * part.length) / rate;
      if (due <= now) return;
      from.pause();
      setTimeout(() => from.resume(), due - now);
    });
    from.on('end', () => to.end());
  };
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const end of [near, far]) ends.add(end.on('error', () => {}));
    pass(near, far);
    pass(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as { port: number }).port}`,
    cut() {
      server.close();
      for (const end of ends) end.destroy();
    },
  };
}

/** What is answered to a command; nothing where nobody answers. */
function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`));
    socket.once('data', (bytes) => {
      socket.destroy();
      resolve(bytes.toString());
    });
    socket.once('error', () => resolve(''));
    socket.once('close', () => resolve(''));
  });
}
