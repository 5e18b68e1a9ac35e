import { Command } from 'commander';
import { parsePoint } from '../arguments.ts';
import { withUserInput } from '../errors.ts';
import { createTracer } from '../formats/index.ts';
import { openMap } from '../open-world.ts';
import { print, printJson } from '../output.ts';
import { type Move, traceObject, traceText } from '../trace-text.ts';
import { addTracerOptions, type TracerOptions } from '../tracer-options.ts';

interface Options extends TracerOptions, Move {
  readonly json?: boolean;
}

export function traceCommand(): Command {
  const command = new Command('trace')
    .description('move a ray, sphere, box or capsule through a map and tell what stops it')
    .argument('<map>', 'map to trace in')
    .requiredOption('--from <x,y,z>', 'where the move starts', parsePoint)
    .requiredOption('--to <x,y,z>', 'where it shall end', parsePoint)
    .option('--json', 'print one line of JSON');
  return addTracerOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  bspkit trace demo:arena --from 0,-256,32 --to 0,512,32
  bspkit trace demo:arena --from 0,-256,32 --to 512,0,32 --sphere 24 --exact`,
    )
    .action(run);
}

function run(name: string, options: Options): void {
  const map = openMap(name);
  const tracer = createTracer(map, options);
  const trace = withUserInput(() => tracer.trace(options.from, options.to));
  if (options.json) printJson(traceObject(map, tracer.shape, options, trace));
  else print(traceText(map, tracer.shape, options, trace));
}
