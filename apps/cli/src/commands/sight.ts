import { Command } from 'commander';
import { type Point, parsePoint } from '../arguments.ts';
import { EXIT, withUserInput } from '../errors.ts';
import { askFormat } from '../formats/index.ts';
import { openMap } from '../open-world.ts';
import { printFields } from '../output.ts';

interface Options {
  readonly from: Point;
  readonly to: Point;
  readonly json?: boolean;
}

export function sightCommand(): Command {
  return new Command('sight')
    .description('tell whether two points see each other; exit code 1 when they do not')
    .argument('<map>', 'map to look into')
    .requiredOption('--from <x,y,z>', 'one point', parsePoint)
    .requiredOption('--to <x,y,z>', 'the other', parsePoint)
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
Example:
  bspkit sight demo:arena --from 0,-256,32 --to 1100,64,32`,
    )
    .action((name: string, { from, to, json }: Options) => {
      const map = openMap(name);
      const sight = askFormat(map, 'sight');
      const { yes, fields } = withUserInput(() => sight(map, from, to));
      printFields(name, fields, json);
      process.exitCode = yes ? EXIT.ok : EXIT.no;
    });
}
