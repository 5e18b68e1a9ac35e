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
import { contestText, formatsText, runContest } from '../demo-contest.ts';
import { FORMATS } from '../format-names.ts';
import { count, show, showTime } from '../numbers.ts';
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

/**
 * Where a player's box is swept, from x and y to x and y: between the pillars, at stairs, sloped block and ramp, through
 * the door, across the far room.
 */
const SWEEPS: readonly (readonly [number, number, number, number])[] = [
  [-256, 0, 480, 0],
  [-256, 0, -448, 480],
  [-256, 0, -320, -480],
  [-64, -384, 480, -384],
  [480, 0, 1104, 0],
  [1104, 0, 800, 224],
];
const SWEEP_HEIGHT = 32;

interface Move {
  readonly from: Point;
  readonly to: Point;
  readonly trace: Trace;
}

export function demoCommand(): Command {
  return new Command('demo')
    .description(
      'show the arena that comes with bspkit: draw it, trace through it, compare three games in it',
    )
    .addHelpText(
      'after',
      `
Example:
  bspkit demo`,
    )
    .action(run);
}

function run(): void {
  const began = performance.now();
  const maps = FORMATS.map((format) => openMap(`${MAP}@${format}`));
  const time = performance.now() - began;
  const map = maps.find((opened) => opened.format === 'quake3')!;
  const { world } = map;
  const ray = world.ray();
  const box = world.box(PLAYER.mins, PLAYER.maxs, { mask: MASK_PLAYERSOLID });
  const eye = playerStart(world);
  const fan = fanFrom(eye).map((to) => move(ray, eye, to));
  const sweeps = SWEEPS.map(([x, y, toX, toY]) => move(box, [x, y, SWEEP_HEIGHT], [toX, toY, SWEEP_HEIGHT]));
  print(`
${heading('bspkit')}  the arena: ${map.file.brushes.count} brushes of our own, compiled for three games and opened in ${showTime(time)}

${drawing(world, eye, fan, sweeps)}
${legend()}

${heading(`${RAYS} rays and ${count(sweeps.length, 'sweep')} of a player's box`)}, by what stops them
${hitTable(map, fan, sweeps)}
${heading('One place, three games')}
${formatsText(maps)}`);
  // What is above stands there while this is measured.
  print(`
${contestText(runContest(maps))}
Next:  bspkit compare ${maps.map(({ name }) => name).join(' ')}
       bspkit bench ${MAP}
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

const wayOf = ({ from, to, trace }: Move): number =>
  trace.fraction * Math.hypot(...from.map((x, k) => to[k]! - x));

/** Moves by the texture that stopped them, the most frequent first. */
function hitTable(map: Quake3Map, fan: readonly Move[], sweeps: readonly Move[]): string {
  const groups = new Map<string, { rays: number[]; sweeps: number[] }>();
  const add = (made: Move, kind: 'rays' | 'sweeps'): void => {
    const texture = made.trace.fraction === 1 ? 'nothing' : textureOf(map, made.trace);
    const group = groups.get(texture) ?? { rays: [], sweeps: [] };
    group[kind].push(wayOf(made));
    groups.set(texture, group);
  };
  for (const made of fan) add(made, 'rays');
  for (const made of sweeps) add(made, 'sweeps');
  const rows = [...groups]
    .sort(([, a], [, b]) => b.rays.length - a.rays.length || b.sweeps.length - a.sweeps.length)
    .map(([texture, { rays, sweeps: boxes }]) => [
      texture,
      String(rays.length || ''),
      String(boxes.length || ''),
      show(Math.min(...rays, ...boxes), 1),
      show(Math.max(...rays, ...boxes), 1),
      paint('yellow', '•'.repeat(rays.length)) + paint('cyan', '■'.repeat(boxes.length)),
    ]);
  return formatTable(
    [
      { title: 'texture' },
      { title: 'rays', align: 'right' },
      { title: 'sweeps', align: 'right' },
      { title: 'nearest', align: 'right' },
      { title: 'farthest', align: 'right' },
      { title: '' },
    ],
    rows,
    label,
  );
}
