import { Command } from 'commander';
import { type Point, parsePoint } from '../arguments.ts';
import { MAP_FORMS } from '../maps.ts';
import { answer } from '../questions.ts';
import type { Session } from '../session.ts';

interface Options {
  readonly from: Point;
  readonly to: Point;
  readonly json?: boolean;
}

export function sightCommand(session: Session): Command {
  return new Command('sight')
    .description('check whether there is a line of sight between two points; exit code 1 when there is none')
    .argument('<map>', MAP_FORMS)
    .requiredOption('--from <x,y,z>', 'one point', parsePoint)
    .requiredOption('--to <x,y,z>', 'the other', parsePoint)
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
Example:
  bspkit sight demo:arena --from 0,-256,32 --to 1100,64,32`,
    )
    .action((name: string, { from, to, json }: Options) =>
      answer(name, session, json, 'sight', ({ format, world }) => format.sight?.(world, from, to)),
    );
}
