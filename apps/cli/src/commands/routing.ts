import { drawSheet, ROOM, rampColor, toPng, toSvg, type ValueLayer } from '@bspkit/bake/picture';
import type { FormatRouting, WalkCells } from '@bspkit/core/format';
import { Command } from 'commander';
import { EXIT, UsageError, withMapName } from '../errors.ts';
import { MAP_FORMS, titleOf } from '../maps.ts';
import { showBytes, showTime } from '../numbers.ts';
import { type OpenMap, onlyFile, openMap } from '../open-map.ts';
import { printable } from '../printable.ts';
import { showStages } from '../progress.ts';
import { onlyFor } from '../questions.ts';
import type { Session } from '../session.ts';
import { checkTargets, writeFile } from '../sink.ts';

interface Options {
  readonly check?: boolean;
  readonly out?: string;
  readonly png?: string;
  readonly svg?: string;
  readonly json?: boolean;
}

export function routingCommand(session: Session): Command {
  const own = session.formats.find(({ routing }) => routing)?.id;
  const games = onlyFor(session.formats, ({ routing }) => routing !== undefined);
  return new Command('routing')
    .description(`compute the table of where walkers can go${games}`)
    .argument('<map>', MAP_FORMS)
    .option('--check', "compare it with the file's own")
    .option('-o, --out <file>', 'write it, packed as in a map file; - is stdout')
    .option('--png <file>', 'draw the cells in which walkers can stand, storey by storey')
    .option('--svg <file>', 'the same as SVG')
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
The table is computed from the map's trees alone; that of an assembly, from its
maps' tables. With --check, the exit code is 0 if it equals the file's own, byte
for byte, and 1 if it does not.

Examples:
  bspkit routing demo:house@${own} --svg house.svg
  bspkit routing farmhouse.bsp --check`,
    )
    .action((name: string, options: Options) => run(name, options, session));
}

async function run(name: string, options: Options, session: Session): Promise<void> {
  const { check, json, png, svg } = options;
  const map = openMap(name, session);
  const { format } = map;
  const { routing } = format;
  if (!routing) throw new UsageError(`${name}: maps of ${format.name} have no table of where walkers can go`);
  const targets = { out: options.out, png, svg };
  if (!check && Object.values(targets).every((target) => target === undefined)) {
    throw new UsageError('say what to do with the table: --check, --out, --png or --svg');
  }
  const own = check ? onlyFile(map, 'table of its own') : map.file;
  const stored = own && routing.stored(own);
  await checkTargets(targets, session, json && '--json');
  const began = session.now();
  const packed = compute(routing, map, session);
  const time = session.now() - began;
  const difference =
    check && stored ? withMapName(name, () => findDifference(routing, stored, packed)) : undefined;
  if (options.out !== undefined) await writeFile(options.out, packed, session);
  if (png !== undefined || svg !== undefined) {
    const cells = routing.cells(packed);
    const drawing = drawSheet(layerOf(cells), {
      name: printable(titleOf(name)),
      levelHeight: cells.levelHeight,
    });
    if (png !== undefined) await writeFile(png, await toPng(drawing), session);
    if (svg !== undefined) await writeFile(svg, toSvg(drawing), session);
  }
  if (difference !== undefined) session.exitCode = EXIT.no;
  const { out } = session;
  if (options.out === '-') return;
  if (json) {
    const compared = check ? { equal: difference === undefined, difference: difference ?? null } : {};
    const sizes = { bytes: packed.length, storedBytes: stored?.length ?? null };
    out.printJson({ map: name, ...sizes, ...compared });
    return;
  }
  out.print(`${out.title(name, `${showBytes(packed.length)} in ${showTime(time)}`)}\n`);
  if (!check) return;
  if (difference === undefined)
    out.print(`${out.paint('green', 'equal')} to the file's own, byte for byte\n`);
  else out.print(`${out.wrap(`${out.paint('red', 'different')}  ${difference}`, 11)}\n`);
}

function compute(routing: FormatRouting, map: OpenMap, session: Session): Uint8Array {
  const stages = showStages(session);
  const onProgress = (part: number): void => stages.update('cells', part);
  const files = map.parts.map(({ file }) => file);
  try {
    return withMapName(map.name, () =>
      routing.assemble && !map.file
        ? routing.assemble(files, map.world, onProgress)
        : routing.compute(onlyFile(map, 'table'), onProgress),
    );
  } finally {
    stages.end();
  }
}

/** Compares what the file has with what it should have. */
function findDifference(routing: FormatRouting, stored: Uint8Array, packed: Uint8Array): string | undefined {
  if (stored.length === 0) return 'the file has no table';
  const difference = routing.difference(stored, packed);
  // As compilers leave it on request.
  const isEmpty = difference !== undefined && routing.cells(stored).ways.length === 0;
  return isEmpty ? "the file's table is empty: nobody can stand anywhere" : difference;
}

/** In how many directions an actor can leave a cell: the least of each class, and its name. */
const WAYS: readonly (readonly [least: number, name: string])[] = [
  [0, 'no way out'],
  [1, '1 to 3 ways out'],
  [4, '4 to 7'],
  [8, 'all 8'],
];

/** The cells by how many ways lead out of them. */
function layerOf({ positions, ways, size }: WalkCells): ValueLayer {
  return {
    title: 'where walkers can go',
    measure: 'directions in which an actor can leave a cell',
    nouns: ['cell to stand in', 'cells to stand in'],
    positions,
    step: size,
    values: Array.from(ways, (way) => WAYS.filter(([least]) => way >= least).length - 1),
    scale: {
      classes: WAYS.map(([, name], k) => ({
        name,
        color: rampColor(ROOM, 0.1 + (0.8 * k) / (WAYS.length - 1)),
      })),
    },
    marks: [],
  };
}
