import { Command } from 'commander';
import { type Point, parseNumber, parsePoint } from '../arguments.ts';
import { EXIT, withUserInput } from '../errors.ts';
import { askFormat } from '../formats/index.ts';
import { openMap } from '../open-world.ts';
import { printFields } from '../output.ts';

interface Options {
  readonly at: Point;
  readonly radius: number;
  readonly json?: boolean;
}

export function sphereCommand(): Command {
  return new Command('sphere')
    .description('tell whether a sphere is in the open; exit code 1 when it is not')
    .argument('<map>', 'map to look into')
    .requiredOption('--at <x,y,z>', 'middle of the sphere', parsePoint)
    .requiredOption('--radius <units>', 'its radius', parseNumber)
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
Example:
  bspkit sphere demo:arena --at 0,-256,64 --radius 48`,
    )
    .action((name: string, { at, radius, json }: Options) => {
      const map = openMap(name);
      const sphere = askFormat(map, 'sphere');
      const { yes, fields } = withUserInput(() => sphere(map, at, radius));
      printFields(name, fields, json);
      process.exitCode = yes ? EXIT.ok : EXIT.no;
    });
}
