import {
  cloneState,
  createQuake3Command,
  createQuake3Mover,
  createQuake3State,
  Predictor,
  type Quake3Command,
  type Quake3State,
} from '@bspkit/movement';
import { CONTENTS_WATER, createQuake3World, polygons, type Quake3World, readQuake3 } from '@bspkit/quake3';
import { BadLine } from './line.ts';
import { autopilot } from './play.ts';
import { packCommands, unpackSnapshot } from './protocol.ts';

/** Milliseconds of play in a frame. */
const FRAME = 16;
/** Frames between two messages to the server. */
const FRAMES_PER_MESSAGE = 2;

/** What has happened in the play so far, for the page and for tests. */
export interface Facts {
  frames: number;
  confirmed: number;
  corrections: number;
  /** The first field that ever had to be corrected. */
  corrected: string | undefined;
  pending: number;
  sent: number;
  lost: number;
  /** Units that the player has covered in all. */
  way: number;
  ended: boolean;
}

const query = new URLSearchParams(location.search);
const number = (name: string, usual: number): number => Number(query.get(name) ?? usual);
const options = {
  delay: number('delay', 100),
  loss: number('loss', 0.05),
  speed: number('speed', 1),
  seed: number('seed', 1),
};
/** Seconds for which it plays by itself, after which the page stops; if 0, you play. */
const auto = number('auto', 0);

const facts: Facts = {
  ...{ frames: 0, confirmed: 0, corrections: 0, corrected: undefined },
  ...{ pending: 0, sent: 0, lost: 0, way: 0, ended: false },
};
Object.assign(globalThis, { facts });

async function main(): Promise<void> {
  const map = new Uint8Array(await (await fetch('map.bsp')).arrayBuffer());
  const world = createQuake3World(readQuake3(map));
  const socket = new WebSocket(`ws://${location.host}`);
  socket.binaryType = 'arraybuffer';
  const said = createQuake3State();
  await new Promise<void>((resolve, reject) => {
    socket.onmessage = ({ data }) => {
      unpackSnapshot(new Uint8Array(data as ArrayBuffer), said);
      resolve();
    };
    socket.onclose = ({ reason }) => reject(new Error(reason || 'the server does not answer'));
  });
  const predictor = new Predictor(createQuake3Mover(world), said);
  socket.onmessage = ({ data }) => {
    const confirmed = unpackSnapshot(new Uint8Array(data as ArrayBuffer), said);
    const corrected = predictor.reconcile(confirmed, said);
    facts.corrected ??= corrected;
    facts.corrections = predictor.corrections;
    facts.confirmed = Math.max(facts.confirmed, confirmed);
  };
  socket.onclose = ({ reason }) => {
    if (!facts.ended) fail(reason || 'the server has gone');
  };
  run(socket, predictor, said, world);
}

function run(
  socket: WebSocket,
  predictor: Predictor<Quake3State, Quake3Command>,
  said: Quake3State,
  world: Quake3World,
): void {
  const line = new BadLine(options);
  const command = createQuake3Command();
  const draw = createPainter(world);
  const begin = performance.now();
  let before = cloneState(predictor.state);

  const send = (): void => {
    if (predictor.pending.length === 0) return;
    const bytes = packCommands(predictor.pending);
    line.send(() => socket.readyState === WebSocket.OPEN && socket.send(bytes));
  };

  const frame = (): void => {
    command.serverTime += FRAME;
    if (auto > 0 || plays) autopilot(facts.frames, command);
    else steer(command);
    predictor.predict(command);
    const { origin } = predictor.state;
    facts.way += Math.hypot(...[0, 1, 2].map((k) => origin[k]! - before.origin[k]!));
    before = cloneState(predictor.state);
    if (++facts.frames % FRAMES_PER_MESSAGE === 0) send();
  };

  const tick = (): void => {
    if (socket.readyState !== WebSocket.OPEN) return;
    const due = (options.speed * (performance.now() - begin)) / FRAME;
    const last = auto > 0 ? Math.min(due, (1000 * auto) / FRAME) : due;
    while (facts.frames < last && !predictor.isFull) frame();
    facts.pending = predictor.pending.length;
    facts.sent = line.sent;
    facts.lost = line.lost;
    draw(predictor.state, said);
    show();
    if (auto > 0 && facts.frames >= (1000 * auto) / FRAME) {
      // What was lost at the end is sent again until all of it is confirmed.
      if (facts.confirmed === facts.frames) {
        facts.ended = true;
        socket.close();
        return;
      }
      send();
    }
    setTimeout(tick, FRAME / options.speed);
  };
  tick();
}

// Playing.

const keys = new Set<string>();
let plays = false;
addEventListener('keydown', (event) => {
  const key = event.key.toLowerCase();
  if (key === 'p' && !event.repeat) plays = !plays;
  // In a low window it would scroll as well.
  if (key === ' ') event.preventDefault();
  keys.add(key);
});
addEventListener('keyup', ({ key }) => keys.delete(key.toLowerCase()));
addEventListener('blur', () => keys.clear());

const held = (key: string): number => (keys.has(key) ? 1 : 0);

function steer(command: ReturnType<typeof createQuake3Command>): void {
  command.forward = 127 * (held('w') - held('s'));
  command.right = 127 * (held('d') - held('a'));
  command.up = 127 * (held(' ') - held('c'));
  command.angles[1] = (command.angles[1]! + 500 * (held('arrowleft') - held('arrowright'))) & 65535;
}

// Drawing.

function show(): void {
  const list = document.getElementById('facts')!;
  const rows: [string, string][] = [
    ['delay each way', `${options.delay} ms`],
    ['messages lost', `${facts.lost} of ${facts.sent}`],
    ['commands made', `${facts.frames}`],
    ['confirmed', `${facts.confirmed}`],
    ['on their way', `${facts.pending}`],
    ['corrections', `${facts.corrections}`],
  ];
  list.replaceChildren(...rows.flatMap(([name, value]) => [element('dt', name), element('dd', value)]));
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** Draws the map from above, the player, and where the server saw it last. */
function createPainter(world: Quake3World): (player: Quake3State, said: Quake3State) => void {
  const canvas = document.getElementById('map') as HTMLCanvasElement;
  const context = canvas.getContext('2d')!;
  const { mins, maxs } = world.bounds;
  const scale = canvas.width / Math.max(maxs[0]! - mins[0]!, maxs[1]! - mins[1]!);
  const x = (value: number): number => (value - mins[0]!) * scale;
  const y = (value: number): number => canvas.height - (value - mins[1]!) * scale;
  // What can be walked on, the lowest first; water is transparent.
  const floors = polygons(world)
    .filter(({ normal }) => normal[2]! > 0.7)
    .map(({ vertices, contents }) => ({
      points: vertices,
      wet: (contents & CONTENTS_WATER) !== 0,
      height: Math.max(...vertices.filter((_, k) => k % 3 === 2)),
    }))
    // The roof, seen from outside, would hide everything.
    .filter(({ height }) => height < maxs[2]! - 1)
    .sort((a, b) => a.height - b.height);
  const dot = (at: ArrayLike<number>, colour: string, filled: boolean): void => {
    context.beginPath();
    context.arc(x(at[0]!), y(at[1]!), 15 * scale, 0, 2 * Math.PI);
    context.fillStyle = context.strokeStyle = colour;
    context.lineWidth = 2;
    if (filled) context.fill();
    else context.stroke();
  };
  return (player, said) => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.lineWidth = 1;
    context.lineJoin = 'round';
    for (const { points, wet, height } of floors) {
      context.beginPath();
      for (let k = 0; k < points.length; k += 3) context.lineTo(x(points[k]!), y(points[k + 1]!));
      context.closePath();
      const light = 18 + Math.max(0, Math.min(30, height / 6));
      context.fillStyle = context.strokeStyle = wet ? 'hsl(205 60% 40% / 50%)' : `hsl(207 18% ${light}%)`;
      context.fill();
      // Triangles meet without a seam.
      if (!wet) context.stroke();
    }
    dot(said.origin, '#e0a458', false);
    dot(player.origin, '#7fd1a6', true);
    const yaw = (player.angles[1]! * Math.PI) / 180;
    context.beginPath();
    context.moveTo(x(player.origin[0]!), y(player.origin[1]!));
    context.lineTo(x(player.origin[0]! + 40 * Math.cos(yaw)), y(player.origin[1]! + 40 * Math.sin(yaw)));
    context.stroke();
  };
}

/** Says why there is nothing to play. */
function fail(reason: string): void {
  document.body.textContent = reason;
}

main().catch(({ message }: Error) => fail(message));
