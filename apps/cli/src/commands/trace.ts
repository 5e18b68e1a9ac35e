import { Command } from 'commander';
import { parsePoint } from '../arguments.ts';
import { withUserInput } from '../errors.ts';
import { MAP_FORMS } from '../maps.ts';
import { openMap } from '../open-map.ts';
import type { Session } from '../session.ts';
import { type Move, traceObject, traceText } from '../trace-text.ts';
import { addTracerOptions, createTracer, type Given } from '../tracer-options.ts';

interface Options extends Move, Given {
  readonly json?: boolean;
}

export function traceCommand(session: Session): Command {
  const command = new Command('trace')
    .description('move a ray, box, sphere or other shape through a map and show what stops it')
    .argument('<map>', MAP_FORMS)
    .requiredOption('--from <x,y,z>', 'start point', parsePoint)
    .requiredOption('--to <x,y,z>', 'end point', parsePoint)
    .option('--json', 'print one line of JSON');
  return addTracerOptions(command, session.formats)
    .addHelpText(
      'after',
      `
Points are in the map's own units: bspkit entities MAP prints the origin of each
thing in a map, such as the places where players start.

Examples:
  bspkit trace demo:arena --from 0,-256,32 --to 0,512,32
  bspkit trace demo:arena --from 0,-256,32 --to 512,0,32 --box -9,-9,-9,9,9,9
  bspkit trace demo:arena --from 0,-256,64 --to 480,-384,64 --sphere 16 --exact
  bspkit trace demo:arena --from 600,0,64 --to 700,0,64 --model 3`,
    )
    .action((name: string, options: Options) => {
      const map = openMap(name, session);
      const made = createTracer(map, options, session.formats);
      const trace = withUserInput(() => made.tracer.trace(options.from, options.to));
      const { out } = session;
      if (options.json) out.printJson(traceObject(map, made, options, trace));
      else out.print(traceText(map, made, options, trace, out));
    });
}
