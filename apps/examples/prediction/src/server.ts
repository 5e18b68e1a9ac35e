import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createQuake3Mover, createQuake3State, type Quake3Mover } from '@bspkit/movement';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { type WebSocket, WebSocketServer } from 'ws';
import { BadLine, type LineOptions } from './line.ts';
import { yard } from './map.ts';
import { MOST_COMMANDS, packSnapshot, unpackCommands } from './protocol.ts';

/** Milliseconds of play between two states that are sent to a client. */
const SNAPSHOT = 50;
/** How far a client's time may be ahead of ours, in milliseconds. */
const AHEAD = 1000;

/** Where a player starts. */
const START = [0, 0, 40];

/** How the server runs. */
export interface ServerOptions extends LineOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** The file of the page's script. */
  readonly script: URL;
}

/** A running server. */
export interface GameServer {
  readonly url: string;
  /** Messages to and from all clients. */
  readonly lines: { sent: number; lost: number };
  close(): Promise<void>;
}

/**
 * Serves the page and the map, and has the last word on where players are: it moves each by the commands that its client sends,
 * in their order, and tells the client 20 times a second where it is.
 */
export async function startServer(options: ServerOptions): Promise<GameServer> {
  const map = yard();
  const mover = createQuake3Mover(createQuake3World(readQuake3(map)));
  const page = readFileSync(new URL('../index.html', import.meta.url));
  const files: Record<string, readonly [type: string, read: () => Uint8Array]> = {
    '/': ['text/html', () => page],
    '/client.js': ['text/javascript', () => readFileSync(options.script)],
    '/map.bsp': ['application/octet-stream', () => map],
  };
  const http = createServer(({ url = '/' }, response) => {
    const file = files[url.split('?')[0]!];
    if (file) response.writeHead(200, { 'content-type': file[0] }).end(file[1]());
    else response.writeHead(404).end();
  });
  const sockets = new WebSocketServer({ server: http, maxPayload: 32 * MOST_COMMANDS });
  // The HTTP server reports the same error.
  sockets.on('error', () => {});
  const lines = { sent: 0, lost: 0 };
  sockets.on('connection', (socket) => servePlayer(socket, mover, options, lines));
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    lines,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function servePlayer(
  socket: WebSocket,
  mover: Quake3Mover,
  options: ServerOptions,
  lines: GameServer['lines'],
): void {
  const { speed, seed } = options;
  const line = new BadLine({ ...options, seed: seed + 1 });
  const state = createQuake3State();
  state.origin.set(START);
  let last = 0;
  const begin = performance.now();
  const now = (): number => speed * (performance.now() - begin);
  const tell = (): void => {
    const bytes = packSnapshot(last, state);
    line.send(() => socket.send(bytes));
  };
  // The first one is not lost: nothing can begin without it.
  socket.send(packSnapshot(last, state));
  const timer = setInterval(tell, SNAPSHOT / speed);
  socket.on('message', (data) => {
    try {
      for (const { number, command } of unpackCommands(new Uint8Array(data as Buffer))) {
        // Sent again, or sent after one that was lost: the client will send that one again.
        if (number !== last + 1) continue;
        if (command.serverTime > now() + AHEAD) throw new RangeError('the client is ahead of time');
        mover.move(state, command);
        last = number;
      }
    } catch (error) {
      // Whoever sends nonsense is not one of our clients.
      socket.close(1008, (error as Error).message.slice(0, 100));
    }
  });
  socket.on('close', () => {
    clearInterval(timer);
    lines.sent += line.sent;
    lines.lost += line.lost;
  });
  socket.on('error', () => socket.terminate());
}
