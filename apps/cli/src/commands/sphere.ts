import { Command } from 'commander';
import { type Point, parseNumber, parsePoint } from '../arguments.ts';
import { MAP_FORMS } from '../maps.ts';
import { answer, onlyFor } from '../questions.ts';
import type { Session } from '../session.ts';

interface Options {
  readonly at: Point;
  readonly radius: number;
  readonly json?: boolean;
}

export function sphereCommand(session: Session): Command {
  const games = onlyFor(session.formats, ({ sphere }) => sphere !== undefined);
  return new Command('sphere')
    .description(`check whether a sphere is in the open${games}; exit code 1 when it is not`)
    .argument('<map>', MAP_FORMS)
    .requiredOption('--at <x,y,z>', 'centre of the sphere', parsePoint)
    .requiredOption('--radius <units>', 'its radius', parseNumber)
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
Example:
  bspkit sphere demo:arena --at 0,-256,64 --radius 48`,
    )
    .action((name: string, { at, radius, json }: Options) =>
      answer(name, session, json, 'sphere', ({ format, world }) => format.sphere?.(world, at, radius)),
    );
}
