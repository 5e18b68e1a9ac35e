import { showVec } from '@bspkit/words';
import { Command } from 'commander';
import { parsePositive } from '../arguments.ts';
import { type BrushProblem, type CheckedBrushes, findBrushProblems, GAP } from '../brush-problems.ts';
import { EXIT, UsageError, withMapName } from '../errors.ts';
import { MAP_FORMS } from '../maps.ts';
import { type OpenMap, openMap } from '../open-map.ts';
import type { Page } from '../page.ts';
import { printable } from '../printable.ts';
import { findProblems, type Problem } from '../problems.ts';
import { showStages } from '../progress.ts';
import type { Session } from '../session.ts';
import { type Column, formatTable } from '../table.ts';

interface Options {
  readonly gap: number;
  readonly brushes: boolean;
  readonly json?: boolean;
}

const ENTITY_COLUMNS: readonly Column[] = [
  { title: 'entity', align: 'right' },
  { title: 'class' },
  { title: 'at' },
  { title: 'problem' },
];

const BRUSH_COLUMNS: readonly Column[] = [
  { title: 'brush', align: 'right' },
  { title: 'in' },
  { title: 'problem' },
];

/** Longest names that are shown in full: longer ones would make all lines wide. */
const MOST_NAME = 40;

const NO_BRUSHES: CheckedBrushes = { brushes: null, problems: [] };

export function checkCommand(session: Session): Command {
  return new Command('check')
    .description("look for mistakes in a map's entities and brushes; exit code 1 when there are any")
    .argument('<map>', MAP_FORMS)
    .option('--gap <units>', 'report brushes whose gaps are wider than this', parsePositive, GAP)
    .option('--no-brushes', 'look at entities only')
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
What is looked for among entities, by the kind that --json gives:
  no-start      the map has no player start; tiles of assemblies need none
  no-hull       players start, but the map was made without hulls for them
  stuck         a player start is in a wall; func_wall and func_static are
                walls if they have no spawnflags, and what moves is not
  no-floor      there is no floor, or such a wall, below a player start
  target        what a target names is not there; upper and lower case count as
                the same, as in some games
  model         the map has no such inline model, or a door, a trigger or the
                like has no brushes
  origin        an origin is not three numbers that games can hold
  no-classname  an entity has no class

Among brushes, where moves meet those of the map, and not hulls made of them:
  in-air        a brush stops players in empty air: it lacks the bevels that
                boxes need at slanted edges
  parallel      two sides face the same way: one is useless or cuts the brush
  no-volume     the sides leave nothing between them
  not-closed    sides are missing, so that the brush has no end
  sides         there are too many sides to check
  crowded       not checked for in-air: too many brushes are in one place

Entities count from 0, the world, in the order of bspkit entities. Players stop
up to 1/8 of a unit in front of any brush, and compilers round, so only gaps of
more than --gap are reported, and only where no other brush is in the way.

For each in-air brush, --json has a move from the open that ends there. In
passages too narrow for any other, it leads along a wall, and would hold up
whoever runs or falls that way. Give it to bspkit trace or explain: from, to and
box, and mask where it is not null. For a brush of an inline model, add --model
with its number and --origin 0,0,0: that is where the file has it.

Examples:
  bspkit check demo:arena
  bspkit check level.bsp --json`,
    )
    .action((name: string, { gap, brushes: looksAtBrushes, json }: Options, command: Command) => {
      const asksForGap = command.getOptionValueSource('gap') !== 'default';
      if (!looksAtBrushes && asksForGap) {
        throw new UsageError(
          '--gap is about brushes, which --no-brushes leaves out: leave out one of the two',
        );
      }
      const map = openMap(name, session);
      if (asksForGap && !map.format.brushes) {
        throw new UsageError(`--gap is about brushes, and maps of ${map.format.name} have none`);
      }
      const { entities, starts, problems } = withMapName(name, () => findProblems(map));
      const { brushes, problems: brushProblems } = looksAtBrushes
        ? checkBrushes(map, gap, session)
        : NO_BRUSHES;
      const all = problems.length + brushProblems.length;
      const { out } = session;
      if (json) {
        const head = { map: map.name, format: map.format.id, entities, starts, problems };
        out.printJson({ ...head, brushes, brushProblems });
      } else {
        const counted = brushes === null ? {} : { brushes };
        out.printFields(map.name, { entities, starts, ...counted, problems: all });
        printTable(out, ENTITY_COLUMNS, problems.map(entityRow));
        printTable(out, BRUSH_COLUMNS, brushProblems.map(brushRow), brushProblems.map(brushText));
      }
      session.exitCode = all > 0 ? EXIT.no : EXIT.ok;
    });
}

/** Shows how far it is: large maps take seconds. */
function checkBrushes(map: OpenMap, gap: number, session: Session): CheckedBrushes {
  const stages = showStages(session);
  try {
    return findBrushProblems(map, gap, stages.update);
  } finally {
    stages.end();
  }
}

function printTable(
  out: Page,
  columns: readonly Column[],
  rows: readonly string[][],
  more: readonly string[] = [],
): void {
  if (rows.length === 0) return;
  const [titles, ...lines] = formatTable(columns, rows, (text) => out.label(text))
    .trimEnd()
    .split('\n');
  // Rows that are too long continue below their second column, and so does what more there is to say.
  const fit = (line: string, indent = 8): string => `${out.wrap(line, indent)}\n`;
  const text = lines.map((line, k) => fit(line) + (more[k] ? fit(`       ${more[k]}`, 9) : ''));
  out.print(`\n${fit(titles!)}${text.join('')}`);
}

const entityRow = ({ entity, classname, origin, problem }: Problem): string[] => [
  String(entity),
  printable(classname || '-', MOST_NAME),
  origin ? showVec(origin) : '-',
  printable(problem),
];

const brushRow = ({ brush, part, model, problem }: BrushProblem): string[] => [
  String(brush),
  [...(part === null ? [] : [printable(part, MOST_NAME)]), model === 0 ? 'world' : `*${model}`].join(' '),
  problem,
];

/** What and where a brush is. */
const brushText = ({ contentsNames, texture, mins, maxs }: BrushProblem): string =>
  [
    contentsNames.join(' ') || 'no contents',
    ...(texture === null ? [] : [printable(texture, MOST_NAME)]),
    ...(mins && maxs ? [`${showVec(mins, 2)} to ${showVec(maxs, 2)}`] : []),
  ].join('  ');
