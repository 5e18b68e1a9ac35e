import { BspError } from '@bspkit/core';
import {
  checkFlag,
  checkKind,
  checkMask,
  checkObject,
  checkOptions,
  checkText,
  checkWholeFrom,
  showValue,
} from '@bspkit/core/format';
import { Puzzle, type ToPlace } from './puzzle.ts';
import { Random } from './random.ts';
import {
  GRID_FIELDS,
  type UmpAssembly,
  type UmpChoice,
  type UmpFile,
  type UmpPart,
  type UmpTile,
} from './ump.ts';

/** Side of a field, in cells. */
const FIELD_CELLS = 8;
/** How many seeds the game draws from if an assembly lists none. */
const SEEDS = 50;
/** How often it tries again with a seed of the list. */
const MAX_RETRIES = 2;

/** How a map is put together. */
export interface AssembleOptions {
  /** The assembly, by its name; drawn by default. */
  readonly assembly?: string | undefined;
  /** The seed for everything that is drawn at random, 32 bits; 1 by default. */
  readonly seed?: number | undefined;
  /** Tiles by the names of variables: `{ rm_drop: '+craft_drop_raptor' }`. By default those that the file gives. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether it is for several players: with tiles that exist only then. */
  readonly multiplayer?: boolean | undefined;
  /**
   * Steps after which the search gives up; 1,000,000,000 by default, which takes from a few seconds to half a minute. The game's
   * own assemblies take at most half of that, except for `test` of `country.ump` with a few seeds. What no search could fill,
   * because of the numbers and the ground of its tiles, is given up at once.
   */
  readonly limit?: number | undefined;
}

const LIMIT = 1e9;

const OPTIONS: readonly string[] = [
  'assembly',
  'seed',
  'variables',
  'multiplayer',
  'limit',
] satisfies (keyof AssembleOptions)[];

/** A tile at its place in an assembly. */
export interface PlacedTile {
  /** File without its ending: `farm/f_silo`. */
  readonly name: string;
  /** Offset in cells, and in levels for z: those of `createUfoaiWorld`. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A map that was put together. */
export interface AssembledMap {
  readonly assembly: UmpAssembly;
  readonly tiles: readonly PlacedTile[];
}

/**
 * Puts a map together from tiles as the game does (release 2.5 for Linux): numbers that the C library draws after `srand(seed)`
 * first decide between tiles of sets, in all assemblies of the file, then on the assembly, then on the seed of the search. Fixed
 * tiles come first, then those that must be there, then those that fill the gaps.
 *
 * @throws RangeError when there is no such assembly, or no such tile for a variable, or one that is too large for its fixed
 *   place; BspError (`value`) when the file has no assemblies, or the tiles cannot fill the map, with the reason where no search
 *   is needed to find it, (`limit`) when finding that out takes more than `limit` steps, or the map has more than 64 tiles.
 */
export function assembleTiles(ump: UmpFile, options: AssembleOptions = {}): AssembledMap {
  const isFile = Array.isArray(ump?.assemblies) && Array.isArray(ump.tiles) && Array.isArray(ump.sets);
  checkKind(isFile, ump, 'ump', 'what readUmp has read');
  checkOptions(options, OPTIONS);
  const { assembly: name, seed = 1, variables = {}, multiplayer = false, limit = LIMIT } = options;
  checkMask(seed, 'seed');
  checkObject(variables, 'variables');
  checkFlag(multiplayer, 'multiplayer');
  checkWholeFrom(limit, 'limit', 0);
  if (name !== undefined) checkText(name, 'assembly');
  if (ump.assemblies.length === 0) {
    throw new BspError('value', { format: 'ufoai' }, 'ump has no assemblies');
  }
  const random = new Random(seed);
  const drawn = ump.assemblies.map((assembly) =>
    drawParts(ump, assembly, { variables, multiplayer, random }),
  );
  const by = random.below(ump.assemblies.length);
  const at = name === undefined ? by : ump.assemblies.findIndex((assembly) => assembly.name === name);
  const assembly = ump.assemblies[at];
  if (!assembly) {
    const names = ump.assemblies.map((other) => other.name.replace(/^(.{40}).+$/su, '$1…')).join(', ');
    throw new RangeError(`assembly must be one of ${names}, got ${showValue(name)}`);
  }
  for (const { tile, x, y } of drawn[at]!.fixed) {
    if (x + tile.width <= GRID_FIELDS && y + tile.height <= GRID_FIELDS) continue;
    // Reading has checked the tiles that the file names, so this one is a variable's.
    const problem = `tile ${showValue(tile.name)} at ${x} ${y} reaches beyond ${GRID_FIELDS} fields`;
    throw new RangeError(`variables must be tiles that fit where they are fixed: ${problem}`);
  }
  const puzzle = new Puzzle(assembly, drawn[at]!.counts, ump.lines, limit);
  const fail = (reason: string): never => {
    throw new BspError(
      'value',
      { format: 'ufoai' },
      `tiles cannot fill assembly ${showValue(assembly.name)}${reason}`,
    );
  };
  let dice = random;
  for (let tries = 0; ; tries++) {
    const { seeds } = assembly;
    dice = new Random(seeds.length > 0 ? seeds[dice.below(seeds.length)]! : dice.below(SEEDS));
    puzzle.start(drawn[at]!.fixed);
    const reason = tries === 0 ? puzzle.impossible() : undefined;
    if (reason !== undefined) fail(`: ${reason}`);
    if (puzzle.solve(dice)) break;
    if (seeds.length === 0 || tries > MAX_RETRIES) fail('');
    dice = new Random(seeds[0]!);
  }
  const tiles = puzzle.placed.map(({ tile, x, y }) => ({
    name: tile.name.startsWith('+') ? ump.base + tile.name.slice(1) : tile.name,
    x: (x - Math.trunc(assembly.width / 2)) * FIELD_CELLS,
    y: (y - Math.trunc(assembly.height / 2)) * FIELD_CELLS,
    z: 0,
  }));
  return { assembly, tiles };
}

/** What is drawn for an assembly before its tiles are placed. */
interface Drawn {
  readonly fixed: { readonly tile: UmpTile; readonly x: number; readonly y: number }[];
  /** Kinds of tiles that may be used, the largest first. */
  readonly counts: ToPlace[];
}

interface Draw {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly multiplayer: boolean;
  readonly random: Random;
}

/** Takes an assembly's parts in their order: of two counts for a tile, the later one is used. */
function drawParts(ump: UmpFile, { parts }: UmpAssembly, { variables, multiplayer, random }: Draw): Drawn {
  const fixed: Drawn['fixed'] = [];
  const counts = new Map<UmpTile, { min: number; max: number }>();
  const countOf = (tile: UmpTile): { min: number; max: number } => {
    const count = counts.get(tile) ?? { min: 0, max: 0 };
    counts.set(tile, count);
    return count;
  };
  const draw = (from: (UmpPart & { kind: 'set' })['from']): UmpTile =>
    from.tiles[random.below(from.tiles.length)]!;
  for (const part of parts) {
    switch (part.kind) {
      case 'fixed': {
        const { from, x, y } = part;
        fixed.push({ tile: 'tiles' in from ? draw(from) : chosenTile(ump, from, variables), x, y });
        break;
      }
      case 'tile':
        Object.assign(countOf(chosenTile(ump, part.from, variables)), { min: part.min, max: part.max });
        break;
      case 'multiplayer':
        if (multiplayer) Object.assign(countOf(chosenTile(ump, part.from, variables)), { min: 1, max: 1 });
        break;
      case 'set':
        for (let k = 0; k < part.max; k++) {
          const count = countOf(draw(part.from));
          count.max++;
          if (k < part.min) count.min++;
        }
    }
  }
  const list = ump.tiles
    .filter((tile) => (counts.get(tile)?.max ?? 0) > 0)
    .map((tile) => ({ tile, ...counts.get(tile)!, count: 0 }));
  return { fixed, counts: list.sort((a, b) => b.tile.area - a.tile.area) };
}

/** The tile of a variable: any tile whose name contains the value, within the folder of the default tile if that has one. */
function chosenTile(ump: UmpFile, { variable, tile }: UmpChoice, variables: Draw['variables']): UmpTile {
  // A file's variables may have names of properties that every object has.
  const isGiven = variable !== undefined && Object.hasOwn(variables, variable);
  const value = isGiven ? variables[variable] : undefined;
  if (value === undefined) return tile;
  checkText(value, `variables.${variable}`);
  const slash = tile.name.lastIndexOf('/');
  const folder = tile.name.slice(0, slash).toLowerCase();
  const found =
    (slash >= 0 ? ump.tiles.find(({ name }) => isLike(name, folder, value.replace('+', ''))) : undefined) ??
    ump.tiles.find(({ name }) => name === value);
  if (!found)
    throw new RangeError(`variables.${variable} must be a tile of the file, got ${showValue(value)}`);
  return found;
}

function isLike(name: string, folder: string, value: string): boolean {
  const slash = name.lastIndexOf('/');
  return slash >= 0 && name.toLowerCase().startsWith(folder) && name.indexOf(value, slash) >= 0;
}
