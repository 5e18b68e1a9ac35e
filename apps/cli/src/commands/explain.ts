import type { Explanation } from '@bspkit/core';
import { noSteps, showVec } from '@bspkit/words';
import { Command } from 'commander';
import { parsePoint } from '../arguments.ts';
import { UsageError, withUserInput } from '../errors.ts';
import { explainSvg, type Filling } from '../explain-svg.ts';
import { explainSummary, explainText } from '../explain-text.ts';
import { listed } from '../numbers.ts';
import { type OpenMap, onlyFile, openMap } from '../open-map.ts';
import { printable } from '../printable.ts';
import type { Session } from '../session.ts';
import { checkTargets, writeFile } from '../sink.ts';
import { type Move, showShape, traceObject, traceText } from '../trace-text.ts';
import {
  addTracerOptions,
  createTracer,
  type Given,
  type MadeTracer,
  shapeFlags,
} from '../tracer-options.ts';

interface Options extends Move, Given {
  readonly svg?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function explainCommand(session: Session): Command {
  const command = new Command('explain')
    .description('trace, and show every step: nodes, leafs, brushes, sides, polygons')
    .argument('<map>', 'map to trace in')
    .requiredOption('--from <x,y,z>', 'start point', parsePoint)
    .requiredOption('--to <x,y,z>', 'end point', parsePoint)
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

Examples:
  bspkit explain demo:arena --from 0,-256,32 --to 0,512,32
  bspkit explain demo:arena --from 0,-256,32 --to 480,-384,32 --svg ramp.svg`,
    )
    .action(async (name: string, options: Options) => {
      const map = openMap(name, session);
      await checkTargets({ svg: options.svg }, session, options.json && '--json');
      const made = createTracer(map, options, session.formats);
      const explanation = explain(map, made, options);
      if (options.svg !== undefined) await draw(options.svg, map, made, options, explanation, session);
      const { out } = session;
      const { trace, steps } = explanation;
      if (options.json) {
        out.printJson({ ...traceObject(map, made, options, trace), steps });
        return;
      }
      const work = out.wrap(
        `  ${out.label('work')}      ${explainSummary(explanation, made.tracer.shape)}`,
        12,
      );
      const text = explainText(explanation, options.all ?? false, map.format.contents, out);
      out.print(`${text}${text && '\n'}${traceText(map, made, options, trace, out)}${work}\n`);
    });
}

function explain(map: OpenMap, { kind, tracer }: MadeTracer, options: Options): Explanation {
  const { name, format } = map;
  if (kind.explains) {
    try {
      return withUserInput(() => format.explain(tracer, options.from, options.to));
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

async function draw(
  path: string,
  map: OpenMap,
  { tracer: { shape } }: MadeTracer,
  { from, to }: Move,
  explanation: Explanation,
  session: Session,
): Promise<void> {
  const first = explanation.steps.find((step) => 'start' in step);
  if (!first) throw new UsageError(`--svg: there is nothing to draw: ${noSteps(shape)}`);
  const { format } = map;
  const file = onlyFile(map, 'section to draw');
  const svg = explainSvg(explanation, {
    title: `${printable(map.name)}: ${showShape(shape)} from ${showVec(from)} to ${showVec(to)}`,
    shape,
    start: first.start,
    end: first.end,
    brushes: [...(format.brushes?.(file) ?? [])],
    fillingOf: (contents) => fillingOf(format.contents.names(contents)),
  });
  await writeFile(path, svg, session);
}

/** How contents are drawn, by their names. */
function fillingOf(names: readonly string[]): Filling {
  if (names.includes('solid')) return 'solid';
  return names.length === 0 || names.includes('empty') ? undefined : 'other';
}
