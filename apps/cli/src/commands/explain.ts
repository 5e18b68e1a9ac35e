import type { BspError, Explanation, MoveExplanation, Shape, StepVec, Vec3 } from '@bspkit/core';
import type { MoveOptions } from '@bspkit/core/format';
import { addScaled, lengthOf, subtract } from '@bspkit/geometry';
import { type AskedModels, moveEnds, noSteps, showVec } from '@bspkit/words';
import { Command } from 'commander';
import { parseNumber, parsePoint } from '../arguments.ts';
import { isBspError, UsageError, withMapName, withUserInput } from '../errors.ts';
import { explainSvg, type Solids, type TraceDrawing } from '../explain-svg.ts';
import { explainSummary, explainText } from '../explain-text.ts';
import { MAP_FORMS } from '../maps.ts';
import { MoveFrame } from '../move-frame.ts';
import { moveSvg } from '../move-svg.ts';
import { moveObject, moveTexts } from '../move-text.ts';
import { listed } from '../numbers.ts';
import { type OpenMap, onlyFile, openMap } from '../open-map.ts';
import { printable } from '../printable.ts';
import type { Session } from '../session.ts';
import { checkTargets, writeFile } from '../sink.ts';
import type { Drawing, Filling } from '../slice-picture.ts';
import { type Move, showShape, traceObject, traceText } from '../trace-text.ts';
import {
  addTracerOptions,
  createTracer,
  type Given,
  type MadeTracer,
  shapeFlags,
} from '../tracer-options.ts';

interface Options extends Move, Given, MoveOptions, AskedModels {
  readonly slide?: boolean;
  readonly svg?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function explainCommand(session: Session): Command {
  const command = new Command('explain')
    .description('trace, and show every step: nodes, leafs, brushes, sides, polygons')
    .argument('<map>', MAP_FORMS)
    .requiredOption('--from <x,y,z>', 'start point', parsePoint)
    .requiredOption('--to <x,y,z>', 'end point', parsePoint)
    .option('--slide', 'with --ellipsoid: the whole move, as it slides along what it hits')
    .option('--gap <units>', 'with --slide: distance to keep from what it slides along', parseNumber)
    .option('--max-contacts <n>', 'with --slide: contacts that the move may have', parseNumber)
    .option('--svg <file>', 'also draw a slice of the map along the move; - is stdout')
    .option('--all', 'also list what was skipped')
    .option('--json', 'print one line of JSON');
  return addTracerOptions(command, session.formats, ({ explains }) => explains !== false)
    .addHelpText(
      'after',
      `
Points are in the map's own units: bspkit entities MAP prints the origin of each
thing in a map, such as the places where players start.

A node cuts a piece of the move: "front to 0.6" is 0.6 of that piece. Numbers of
leafs, brushes and sides are parts of the whole move.

Planes and points of steps are in the frame of the model that they belong to.
Where several trees are walked, "trees" in JSON has the name, model and first
step of each and, where --models names its model, its place in that list, from 0
("listed"). A picture has everything where it is in the world or, with --model,
in that model's frame.

With --slide, a move goes on along what it touches, round by round: each round is
a trace of its own, and its numbers are parts of that. It keeps a distance of
1/32 of a unit (--gap) from what it touches, and ends after 5 contacts
(--max-contacts, 1 to 16). With --tutorial, rounds push the end of the move out
of what it hits, five at most. A check comes after them: in JSON, it is the last
of the rounds.

Examples:
  bspkit explain demo:arena --from 0,-256,32 --to 0,512,32
  bspkit explain demo:arena --from 0,-256,32 --to 480,-384,32 --svg ramp.svg
  bspkit explain demo:arena --from 0,0,99 --to 99,0,0 --ellipsoid 9,9,9 --slide`,
    )
    .action(async (name: string, options: Options) => {
      const map = openMap(name, session);
      await checkTargets({ svg: options.svg }, session, options.json && '--json');
      const made = createTracer(map, options, session.formats);
      checkMoveOptions(options);
      if (options.slide) await showMove(map, made, options, session);
      else await showTrace(map, made, options, session);
    });
}

async function showTrace(map: OpenMap, made: MadeTracer, options: Options, session: Session): Promise<void> {
  const explanation = explain(map, made, options);
  if (options.svg !== undefined) {
    if (explanation.steps.length === 0) {
      throw new UsageError(`--svg: there is nothing to draw: ${noSteps(made.tracer.shape)}`);
    }
    const frame = new MoveFrame(map.world, options);
    const placed = frame.place(explanation);
    const ends = endsOf(placed, made.tracer.shape, options, frame);
    const svg = explainSvg(placed, { ...drawing(map, made, options, frame), ...ends });
    await writeFile(options.svg, svg, session);
  }
  const { out } = session;
  const { trace, steps, trees } = explanation;
  if (options.json) {
    out.printJson({ ...traceObject(map, made, options, trace), steps, trees });
    return;
  }
  const work = out.wrap(`  ${out.label('work')}      ${explainSummary(explanation, made.tracer.shape)}`, 12);
  const text = explainText(explanation, options.all ?? false, map.format.contents, out);
  out.print(`${text}${text && '\n'}${traceText(map, made, options, trace, out)}${work}\n`);
}

async function showMove(map: OpenMap, made: MadeTracer, options: Options, session: Session): Promise<void> {
  const told = explainMove(map, made, options);
  const frame = new MoveFrame(map.world, options);
  if (options.svg !== undefined) {
    await writeFile(options.svg, moveSvg(told, drawing(map, made, options, frame)), session);
  }
  const { out } = session;
  const solids = map.file ? brushesOf(map, frame) : { brushes: [], fillingOf: () => undefined };
  if (options.json) out.printJson(moveObject(map, made, options, told, solids));
  else out.print(moveTexts(map, made, options, told, solids, options.all ?? false, out));
}

function checkMoveOptions({ slide, gap, maxContacts }: Options): void {
  const given = gap !== undefined ? '--gap' : maxContacts !== undefined ? '--max-contacts' : undefined;
  if (given && !slide) throw new UsageError(`${given} applies only with --slide`);
}

function explain(map: OpenMap, { kind, tracer }: MadeTracer, options: Options): Explanation {
  const { name, format } = map;
  if (kind.explains) {
    try {
      return explaining(name, () => format.explain(tracer, options.from, options.to));
    } catch (error) {
      // The tracer is one of this format, but not one with a literal algorithm.
      if (!(error instanceof UsageError && error.cause instanceof TypeError)) throw error;
      const flags = shapeFlags(map, kind, options);
      const why = error.cause.message;
      throw new UsageError(`${flags} has no steps to show for ${name}: ${why}`, { cause: error });
    }
  }
  const others = format.tracers.kinds.filter(({ explains }) => explains).map((other) => `--${other.name}`);
  throw new UsageError(`--${kind.name} has no steps to show for ${name}; ${listed(others)} do`);
}

/** Runs what explains something. A question of whose steps there are too many is for the user to ask otherwise. */
function explaining<T>(name: string, run: () => T): T {
  try {
    return withMapName(name, () => withUserInput(run));
  } catch (error) {
    const { cause, message } = error as Error;
    const isTooLong = isBspError(cause) && (cause as BspError).code === 'limit';
    throw isTooLong ? new UsageError(message, { cause }) : error;
  }
}

function explainMove(
  { name, format }: OpenMap,
  { kind, tracer }: MadeTracer,
  { from, to, gap, maxContacts }: Options,
): MoveExplanation {
  if (kind.slides && format.explainMove) {
    return explaining(name, () => format.explainMove!(tracer, from, to, { gap, maxContacts }));
  }
  const others = format.tracers.kinds.filter(({ slides }) => slides).map(({ name }) => `--${name}`);
  throw new UsageError(`--slide does not apply to --${kind.name}: it belongs to ${listed(others, 'or')}`);
}

/** Places this close to each other are the same: float32 rounds them. */
const SAME = 0.1;

const add = (a: Vec3, b: Vec3): Vec3 => addScaled(a, 1, b);

/**
 * The ends of a move as the steps have them, in the frame of the move, and how far the middle of the shape is from these: some
 * games' steps are about the middle, others' about the traced point or the origin of a hull.
 */
function endsOf(
  { steps }: Explanation,
  shape: Shape,
  { from, to }: Move,
  frame: MoveFrame,
): Required<Pick<TraceDrawing, 'start' | 'end' | 'middle'>> {
  const middle = [0, 1, 2].map((k) => ('mins' in shape ? (shape.mins[k]! + shape.maxs[k]!) / 2 : 0));
  const enter = (point: Vec3): StepVec => frame.enter(add(point, middle));
  // Where a model has no tree, no step has them.
  const { start, end } = moveEnds(steps) ?? { start: enter(from), end: enter(to) };
  const [x, y, z] = subtract(enter(from), start);
  // Boxes are not turned. Into the frame of a model, some games turn the way to their middle, others add it there.
  const isTurned = lengthOf(x, y, z) < SAME;
  return { start, end, middle: isTurned ? [0, 0, 0] : subtract(add(frame.enter(from), middle), start) };
}

/** The brushes of a map with a single file that are in the frame of a move. */
function brushesOf(map: OpenMap, frame: MoveFrame): Solids {
  const { format } = map;
  return {
    brushes: frame.brushes(format.brushes?.(onlyFile(map, 'section to draw')) ?? []),
    fillingOf: (contents) => fillingOf(format.contents.names(contents)),
  };
}

function drawing(
  map: OpenMap,
  { tracer: { shape } }: MadeTracer,
  { from, to }: Move,
  frame: MoveFrame,
): Drawing {
  const { model } = frame;
  const solids = brushesOf(map, frame);
  const where = model === 0 ? '' : `, in the frame of model *${model}`;
  const isAmongPolygons = shape.kind === 'ellipsoid' && solids.brushes.length === 0;
  return {
    title: `${printable(map.name)}: ${showShape(shape)} from ${showVec(from)} to ${showVec(to)}${where}`,
    shape,
    up: frame.up,
    ...solids,
    polygons: isAmongPolygons ? map.format.polygons(map.world).polygons() : [],
  };
}

/** How contents are drawn, by their names. */
function fillingOf(names: readonly string[]): Filling {
  if (names.includes('solid')) return 'solid';
  return names.length === 0 || names.includes('empty') ? undefined : 'other';
}
