import { showVec } from '@bspkit/core/format';
import { Command } from 'commander';
import { EXIT, withMapName } from '../errors.ts';
import { openMap } from '../open-map.ts';
import { printable } from '../printable.ts';
import { findProblems, type Problem } from '../problems.ts';
import type { Session } from '../session.ts';
import { type Column, formatTable } from '../table.ts';

interface Options {
  readonly json?: boolean;
}

const COLUMNS: readonly Column[] = [
  { title: 'entity', align: 'right' },
  { title: 'class' },
  { title: 'at' },
  { title: 'problem' },
];

/** Longest class name that is shown in full: a longer one would make all lines wide. */
const MOST_CLASS = 40;

export function checkCommand(session: Session): Command {
  return new Command('check')
    .description("look for mistakes in a map's entities; exit code 1 when there are any")
    .argument('<map>', 'map to inspect')
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
What is looked for: maps without a player start (tiles of assemblies need none),
player starts in a wall or with no floor below, targets that name nothing (upper
and lower case count as the same, as in some games), inline models that the map
does not have, doors, triggers and the like without brushes, origins that are
not three numbers, and entities without a class. Entities count from 0, the
world, in the order of bspkit entities.

Examples:
  bspkit check demo:arena
  bspkit check level.bsp --json`,
    )
    .action((name: string, { json }: Options) => {
      const map = openMap(name, session);
      const { entities, starts, problems } = withMapName(name, () => findProblems(map));
      const { out } = session;
      if (json) out.printJson({ map: map.name, format: map.format.id, entities, starts, problems });
      else {
        const found = { entities, starts, problems: problems.length };
        out.printFields(map.name, found);
        if (problems.length > 0) {
          const table = formatTable(COLUMNS, problems.map(rowOf), (text) => out.label(text));
          // Rows that are too long continue below their class.
          out.print(`\n${table.replace(/.+/g, (line) => out.wrap(line, 8))}`);
        }
      }
      session.exitCode = problems.length > 0 ? EXIT.no : EXIT.ok;
    });
}

const rowOf = ({ entity, classname, origin, problem }: Problem): string[] => [
  String(entity),
  printable(classname || '-', MOST_CLASS),
  origin ? showVec(origin) : '-',
  printable(problem),
];
