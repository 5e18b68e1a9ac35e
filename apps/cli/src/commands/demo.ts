import { entityVector, type Trace, type Tracer } from '@bspkit/core';
import { playerPreset } from '@bspkit/core/format';
import { count, show } from '@bspkit/words';
import { Command } from 'commander';
import type { Point } from '../arguments.ts';
import { contestText, formatsText, runContests } from '../demo-contest.ts';
import { demoNames, demoSource } from '../demo-maps.ts';
import { UsageError } from '../errors.ts';
import { countInWords, showTime } from '../numbers.ts';
import { type OpenMap, openMap } from '../open-map.ts';
import type { Page } from '../page.ts';
import { type Ground, Picture } from '../picture.ts';
import { presetTracer } from '../presets.ts';
import type { Session } from '../session.ts';

const NAME = 'arena';
const RAYS = 33;
/** Degrees from the first ray of the fan to the last. */
const FAN = 160;
const REACH = 2048;
/** Height at which the picture cuts the map, and above which a floor counts as raised. */
const SLICE = 40;
const STEP = 8;
/** The picture is at most this wide. */
const MOST_COLUMNS = 120;

/**
 * Where a player's box is swept, from x and y to x and y: between the pillars, at stairs, sloped block and ramp, through the
 * door, across the far room.
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

export function demoCommand(session: Session): Command {
  return new Command('demo')
    .description('draw the arena that comes with bspkit, trace through it, and compare all formats')
    .addHelpText(
      'after',
      `
Example:
  bspkit demo`,
    )
    .action(() => run(session));
}

function run(session: Session): void {
  const { out } = session;
  const began = session.now();
  const maps = demoNames(NAME, session.formats).map((name) => openMap(name, session));
  const time = session.now() - began;
  const [map] = maps;
  if (!map) throw new UsageError(`demo:${NAME} cannot be compiled for any format that is opened here`);
  const ray = rayTracer(map);
  const box = presetTracer(map, playerPreset(map.format));
  const eye = playerStart(map);
  const fan = fanFrom(eye).map((to) => move(ray, eye, to));
  const sweeps = SWEEPS.map(([x, y, toX, toY]) => move(box, [x, y, SWEEP_HEIGHT], [toX, toY, SWEEP_HEIGHT]));
  const brushes = demoSource(NAME).entities.reduce((sum, entity) => sum + (entity.brushes?.length ?? 0), 0);
  const games = countInWords(maps.length, 'game');
  out.print(`
${out.wrap(`${out.heading('bspkit')}  the arena: ${brushes} brushes, compiled and opened for ${games} in ${showTime(time)}`)}

${drawing(map, eye, fan, sweeps, out)}
${out.wrap(legend(out))}

${out.wrap(`${out.heading(`${RAYS} rays and ${count(sweeps.length, 'sweep')} of a player's box`)}, by what stops them`)}
${hitTable(map, fan, sweeps, out)}
${out.heading(`One place, ${games}`)}
${formatsText(maps, out)}`);
  // A command line is never wrapped, and more names would not fit.
  const names = maps.slice(0, 3).map(({ name }) => name);
  // Printed before this is measured.
  out.print(`
${contestText(runContests(maps, session), out)}
Next:  npx bspkit compare ${names.join(' ')}
       npx bspkit bench demo:${NAME}
       npx bspkit trace demo:${NAME} --from 0,-256,32 --to 0,512,32
       npx bspkit --help
`);
}

const rayTracer = ({ format, world }: OpenMap): Tracer => format.tracers.kinds[0]!.create(world, [], {});

function move(tracer: Tracer, from: Point, to: Point): Move {
  return { from, to, trace: tracer.trace(from, to) };
}

function playerStart({ world }: OpenMap): Point {
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

function drawing(
  map: OpenMap,
  eye: Point,
  fan: readonly Move[],
  sweeps: readonly Move[],
  { width, paint }: Page,
): string {
  const picture = new Picture(map.world.bounds, Math.min(width, MOST_COLUMNS) - 2);
  picture.survey(groundOf(map));
  for (const { from, trace } of fan) picture.line(from, trace.endPos, 'yellow');
  for (const { from, trace } of sweeps) picture.line(from, trace.endPos, 'cyan');
  for (const { trace } of fan) picture.mark(trace.endPos, '•', ['yellow', 'bold']);
  for (const { trace } of sweeps) picture.mark(trace.endPos, '■', ['cyan', 'bold']);
  picture.mark(eye, '@', ['yellow', 'bold']);
  return picture.draw(paint).trimEnd();
}

const LIQUIDS = ['water', 'slime', 'lava'] as const;

/** What is below a place, found by a ray straight down from the height of the slice. */
function groundOf({ format, world }: OpenMap): (x: number, y: number) => Ground {
  const { contents, tracers } = format;
  const kind = tracers.kinds[0]!;
  const names = ['solid', ...LIQUIDS].filter((name) => Object.hasOwn(contents.table, name));
  // Liquids can be seen if rays can choose what stops them.
  const down = kind.create(world, [], kind.options.includes('mask') ? { mask: names.join(',') } : {});
  const trace = down.createTrace();
  return (x, y) => {
    down.trace([x, y, SLICE], [x, y, world.bounds.mins[2]! - 1], trace);
    if (trace.startSolid) return 'wall';
    if (trace.fraction === 1) return 'outside';
    const met = contents.names(trace.contents);
    return LIQUIDS.find((liquid) => met.includes(liquid)) ?? (trace.endPos[2]! > STEP ? 'raised' : 'floor');
  };
}

function legend({ paint }: Page): string {
  return [
    `${paint(['yellow', 'bold'], '@')} eye`,
    `${paint('yellow', '⠒⠒')}${paint(['yellow', 'bold'], '•')} ray and hit`,
    `${paint('cyan', '⠒⠒')}${paint(['cyan', 'bold'], '■')} box and stop`,
    '█ wall',
    `${paint('dim', '░')} raised`,
    `${paint('blue', '~')} liquid`,
  ].join('   ');
}

const textureOf = ({ world }: OpenMap, { texture }: Trace): string =>
  world.textureNames()[texture]?.replace(/^textures\//, '') ?? 'nothing';

const wayOf = ({ from, to, trace }: Move): number =>
  trace.fraction * Math.hypot(...from.map((x, k) => to[k]! - x));

/** Moves by the texture that stopped them, the most frequent first. */
function hitTable(map: OpenMap, fan: readonly Move[], sweeps: readonly Move[], page: Page): string {
  const groups = new Map<string, { rays: number[]; sweeps: number[] }>();
  const add = (made: Move, kind: 'rays' | 'sweeps'): void => {
    const texture = made.trace.fraction === 1 ? 'nothing' : textureOf(map, made.trace);
    const group = groups.get(texture) ?? { rays: [], sweeps: [] };
    group[kind].push(wayOf(made));
    groups.set(texture, group);
  };
  for (const made of fan) add(made, 'rays');
  for (const made of sweeps) add(made, 'sweeps');
  const sorted = [...groups].sort(
    ([, a], [, b]) => b.rays.length - a.rays.length || b.sweeps.length - a.sweeps.length,
  );
  const rows = sorted.map(([texture, { rays, sweeps: boxes }]) => [
    texture,
    String(rays.length || ''),
    String(boxes.length || ''),
    show(Math.min(...rays, ...boxes), 1),
    show(Math.max(...rays, ...boxes), 1),
  ]);
  // A mark for each move: all of them or none.
  const most = Math.max(...sorted.map(([, { rays, sweeps: boxes }]) => rays.length + boxes.length));
  return page.table(
    [
      { title: 'texture' },
      { title: 'rays', align: 'right' },
      { title: 'sweeps', align: 'right' },
      { title: 'nearest', align: 'right' },
      { title: 'farthest', align: 'right' },
    ],
    rows,
    {
      title: '',
      least: most,
      most,
      draw(row) {
        const [, { rays, sweeps: boxes }] = sorted[row]!;
        return page.paint('yellow', '•'.repeat(rays.length)) + page.paint('cyan', '■'.repeat(boxes.length));
      },
    },
  );
}
