import { createTrace, entityVector, type Trace, type Tracer } from '@bspkit/core';
import {
  CONTENTS_LAVA,
  CONTENTS_SLIME,
  CONTENTS_WATER,
  MASK_PLAYERSOLID,
  MASK_SOLID,
  MASK_WATER,
  type Quake3World,
} from '@bspkit/quake3';
import { Command } from 'commander';
import type { Point } from '../arguments.ts';
import { count, show, showTime, showVec } from '../numbers.ts';
import { openMap, type Quake3Map } from '../open-world.ts';
import { heading, label, paint, print } from '../output.ts';
import { type Ground, Picture } from '../picture.ts';
import { formatTable } from '../table.ts';

const MAP = 'demo:arena';
const RAYS = 33;
/** Degrees from the first ray of the fan to the last. */
const FAN = 160;
const REACH = 2048;
/** The player of Quake 3, in Quake units around its origin. */
const PLAYER = { mins: [-15, -15, -24], maxs: [15, 15, 32] } as const;
/** Height at which the picture cuts the map, and above which a floor counts as raised. */
const SLICE = 40;
const STEP = 8;

/** Where the players' boxes are swept: from, to, and what it is about. */
const SWEEPS: readonly (readonly [Point, Point, string])[] = [
  [[-256, 0, 32], [480, 0, 32], 'between the pillars'],
  [[-256, 0, 32], [-448, 480, 32], 'at the stairs'],
  [[-256, 0, 32], [-320, -480, 32], 'at the sloped block'],
  [[-64, -384, 32], [480, -384, 32], 'at the ramp'],
  [[480, 0, 32], [1104, 0, 32], 'through the door'],
  [[1104, 0, 32], [800, 224, 32], 'across the far room'],
];

interface Move {
  readonly from: Point;
  readonly to: Point;
  readonly trace: Trace;
}

export function demoCommand(): Command {
  return new Command('demo')
    .description('trace rays and boxes through the arena that comes with bspkit, and draw it')
    .addHelpText(
      'after',
      `
Example:
  bspkit demo`,
    )
    .action(run);
}

function run(): void {
  const map = openMap(MAP) as Quake3Map;
  const { world } = map;
  const ray = world.ray();
  const box = world.box(PLAYER.mins, PLAYER.maxs, { mask: MASK_PLAYERSOLID });
  const eye = playerStart(world);
  const fan = fanFrom(eye).map((to) => move(ray, eye, to));
  const sweeps = SWEEPS.map(([from, to]) => move(box, from, to));
  print(`
${heading('bspkit')}  ${map.file.brushes.count} brushes of our own, compiled to a Quake 3 map and opened in ${showTime(map.readTime + map.buildTime)}

${drawing(world, eye, fan, sweeps)}
${legend()}

${heading(`${RAYS} rays`)} from ${showVec(eye)}, by what they hit
${fanTable(map, fan)}
${heading(`${count(sweeps.length, 'sweep')} of a player's box`)}, 30 x 30 x 56 units
${sweepTable(map, sweeps)}
Here, on one thread: ${paint('green', rate(ray, fan))} rays and ${paint('green', rate(box, sweeps))} boxes a second.

Next:  bspkit info ${MAP}
       bspkit trace ${MAP} --from 0,-256,32 --to 0,512,32 --sphere 16
       bspkit --help
`);
}

function move(tracer: Tracer, from: Point, to: Point): Move {
  return { from, to, trace: tracer.trace(from, to) };
}

function playerStart(world: Quake3World): Point {
  const start = world.entities().find(({ classname }) => classname === 'info_player_start');
  return (start && entityVector(start, 'origin')) ?? [0, 0, SLICE];
}

/** Ends of rays that spread out to the north. */
function fanFrom([x, y, z]: Point): Point[] {
  return Array.from({ length: RAYS }, (_, k) => {
    const angle = ((90 + FAN * (0.5 - k / (RAYS - 1))) * Math.PI) / 180;
    return [x + REACH * Math.cos(angle), y + REACH * Math.sin(angle), z];
  });
}

function drawing(world: Quake3World, eye: Point, fan: readonly Move[], sweeps: readonly Move[]): string {
  const columns = Math.min(process.stdout.columns ?? 80, 120) - 2;
  const picture = new Picture(world.bounds, columns);
  picture.survey(groundOf(world));
  for (const { from, trace } of fan) picture.line(from, trace.endPos, 'yellow');
  for (const { from, trace } of sweeps) picture.line(from, trace.endPos, 'cyan');
  for (const { trace } of fan) picture.mark(trace.endPos, '•', ['yellow', 'bold']);
  for (const { trace } of sweeps) picture.mark(trace.endPos, '■', ['cyan', 'bold']);
  picture.mark(eye, '@', ['yellow', 'bold']);
  return picture.toString().trimEnd();
}

/** What lies under a place, by a ray straight down from the height of the slice. */
function groundOf(world: Quake3World): (x: number, y: number) => Ground {
  const down = world.ray({ mask: MASK_SOLID | MASK_WATER });
  const trace = createTrace();
  return (x, y) => {
    down.trace([x, y, SLICE], [x, y, world.bounds.mins[2]! - 1], trace);
    if (trace.startSolid) return 'wall';
    if (trace.fraction === 1) return 'outside';
    if (trace.contents & CONTENTS_WATER) return 'water';
    if (trace.contents & CONTENTS_SLIME) return 'slime';
    if (trace.contents & CONTENTS_LAVA) return 'lava';
    return trace.endPos[2]! > STEP ? 'raised' : 'floor';
  };
}

function legend(): string {
  return [
    `${paint(['yellow', 'bold'], '@')} eye`,
    `${paint('yellow', '⠒⠒')}${paint(['yellow', 'bold'], '•')} ray and hit`,
    `${paint('cyan', '⠒⠒')}${paint(['cyan', 'bold'], '■')} box and stop`,
    '█ wall',
    `${paint('dim', '░')} raised`,
    `${paint('blue', '~')} liquid`,
  ].join('    ');
}

const textureOf = ({ file }: Quake3Map, { texture }: Trace): string =>
  file.shaders[texture]?.name.replace(/^textures\//, '') ?? 'nothing';

const lengthOf = ({ from, to }: Move): number => Math.hypot(...from.map((x, k) => to[k]! - x));
const wayOf = (made: Move): number => made.trace.fraction * lengthOf(made);

function fanTable(map: Quake3Map, fan: readonly Move[]): string {
  const groups = new Map<string, number[]>();
  for (const made of fan) {
    const texture = textureOf(map, made.trace);
    groups.set(texture, [...(groups.get(texture) ?? []), wayOf(made)]);
  }
  const rows = [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([texture, ways]) => [
      texture,
      String(ways.length),
      show(Math.min(...ways), 1),
      show(Math.max(...ways), 1),
      paint('yellow', '▪'.repeat(ways.length)),
    ]);
  return formatTable(
    [
      { title: 'texture' },
      { title: 'rays', align: 'right' },
      { title: 'nearest', align: 'right' },
      { title: 'farthest', align: 'right' },
      { title: '' },
    ],
    rows,
    label,
  );
}

function sweepTable(map: Quake3Map, sweeps: readonly Move[]): string {
  const rows = sweeps.map((made, k) => {
    const { fraction, normal } = made.trace;
    const whole = fraction === 1;
    return [
      SWEEPS[k]![2],
      `${show(wayOf(made), 1)} of ${show(lengthOf(made), 1)}`,
      whole ? paint('green', 'free') : textureOf(map, made.trace),
      whole ? '' : showVec(normal, 3),
    ];
  });
  return formatTable(
    [
      { title: 'way' },
      { title: 'units moved', align: 'right' },
      { title: 'stopped by' },
      { title: 'normal' },
    ],
    rows,
    label,
  );
}

/** Traces a second, from the best of some short runs over the same moves. */
function rate(tracer: Tracer, moves: readonly Move[]): string {
  const out = createTrace();
  let best = 0;
  for (let run = 0; run < 5; run++) {
    const began = performance.now();
    let traces = 0;
    let time = 0;
    while (time < 15) {
      for (const { from, to } of moves) tracer.trace(from, to, out);
      traces += moves.length;
      time = performance.now() - began;
    }
    best = Math.max(best, (1000 * traces) / time);
  }
  return `${show(best / 1e6, 2)} million`;
}
