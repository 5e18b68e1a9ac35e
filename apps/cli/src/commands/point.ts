import { Command } from 'commander';
import { type Point, parsePoint } from '../arguments.ts';
import { withUserInput } from '../errors.ts';
import { askFormat } from '../formats/index.ts';
import { openMap } from '../open-world.ts';
import { printFields } from '../output.ts';

interface Options {
  readonly at: Point;
  readonly json?: boolean;
}

export function pointCommand(): Command {
  return new Command('point')
    .description('tell what is at a point: leaf, contents, cluster')
    .argument('<map>', 'map to look into')
    .requiredOption('--at <x,y,z>', 'the point', parsePoint)
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
Example:
  bspkit point demo:arena --at 256,256,-64`,
    )
    .action((name: string, { at, json }: Options) => {
      const map = openMap(name);
      const point = askFormat(map, 'point');
      printFields(
        name,
        withUserInput(() => point(map, at)),
        json,
      );
    });
}
