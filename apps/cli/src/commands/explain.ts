import type { Explanation, NodeStep, Shape } from '@bspkit/core';
import { Command } from 'commander';
import { parsePoint } from '../arguments.ts';
import { UsageError, withUserInput } from '../errors.ts';
import { explainSvg } from '../explain-svg.ts';
import { explainSummary, explainText } from '../explain-text.ts';
import { adapterOf, askFormat, createTracer } from '../formats/index.ts';
import { showVec } from '../numbers.ts';
import { type OpenMap, openMap } from '../open-world.ts';
import { label, print, printJson } from '../output.ts';
import { writeFile } from '../sink.ts';
import { type Move, showShape, traceObject, traceText } from '../trace-text.ts';
import { addTracerOptions, type TracerOptions } from '../tracer-options.ts';

interface Options extends TracerOptions, Move {
  readonly svg?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function explainCommand(): Command {
  const command = new Command('explain')
    .description('trace, and tell every step: nodes, leafs, brushes, sides')
    .argument('<map>', 'map to trace in')
    .requiredOption('--from <x,y,z>', 'where the move starts', parsePoint)
    .requiredOption('--to <x,y,z>', 'where it shall end', parsePoint)
    .option('--svg <file>', 'also draw a slice that holds the move')
    .option('--all', 'also tell of brushes that were passed by unseen')
    .option('--json', 'print one line of JSON');
  return addTracerOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  bspkit explain demo:arena --from 0,-256,32 --to 0,512,32
  bspkit explain demo:arena --from 0,-256,32 --to 480,-384,32 --svg ramp.svg`,
    )
    .action(run);
}

function run(name: string, options: Options): void {
  const map = openMap(name);
  const explain = askFormat(map, 'explain');
  const tracer = createTracer(map, options);
  const explanation = withUserInput(() => explain(tracer, options.from, options.to));
  const { trace, steps } = explanation;
  if (options.svg !== undefined) draw(options.svg, map, tracer.shape, options, explanation);
  if (options.json) {
    printJson({ ...traceObject(map, tracer.shape, options, trace), steps });
    return;
  }
  const { contentsNames } = adapterOf(map);
  print(`${explainText(explanation, options.all ?? false, contentsNames)}
${traceText(map, tracer.shape, options, trace)}  ${label('work')}      ${explainSummary(explanation)}
`);
}

function draw(path: string, map: OpenMap, shape: Shape, { from, to }: Move, explanation: Explanation): void {
  const first = explanation.steps.find((step): step is NodeStep => step.kind === 'node');
  if (!first) throw new UsageError('--svg: there is nothing to draw: the move walks no tree');
  const { brushes, contentsNames } = adapterOf(map);
  const svg = explainSvg(explanation, {
    title: `${map.name}: ${showShape(shape)} from ${showVec(from)} to ${showVec(to)}`,
    shape,
    start: first.start,
    end: first.end,
    brushes: brushes?.(map) ?? [],
    isSolid: (contents) => contentsNames(contents).includes('solid'),
  });
  writeFile(path, svg);
}
