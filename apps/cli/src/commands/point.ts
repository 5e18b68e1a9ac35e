import { Command } from 'commander';
import { type Point, parsePoint } from '../arguments.ts';
import { withMapName, withUserInput } from '../errors.ts';
import { lightFields } from '../light-fields.ts';
import { MAP_FORMS } from '../maps.ts';
import { openMap } from '../open-map.ts';
import { printAnswer } from '../questions.ts';
import type { Session } from '../session.ts';

interface Options {
  readonly at: Point;
  readonly json?: boolean;
}

export function pointCommand(session: Session): Command {
  return new Command('point')
    .description('show what is at a point: leaf, contents, cluster, light')
    .argument('<map>', MAP_FORMS)
    .requiredOption('--at <x,y,z>', 'the point', parsePoint)
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
Example:
  bspkit point demo:arena --at 256,256,-64`,
    )
    .action((name: string, { at, json }: Options) => {
      const map = openMap(name, session);
      const fields = withMapName(name, () => withUserInput(() => map.format.point(map.world, at)));
      printAnswer(map, { ...fields, ...lightFields(map, at) }, session, json);
    });
}
