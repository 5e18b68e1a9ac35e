import { brushContents } from './brushes.ts';
import { CompileError, type SourcePlace } from './error.ts';
import {
  CONTENTS,
  type ContentsTable,
  contentsFromFile,
  contentsNames,
  contentsToFile,
  kindsOf,
  SURFACE,
  surfaceFromFile,
  surfaceNames,
  surfaceToFile,
  toBits,
} from './flags.ts';
import { commonMaterial, type ResolvedMaterial } from './materials.ts';
import type { SourceBrush, SourceSide } from './source.ts';
import type { CompileTarget, SideNumbers } from './target.ts';
import { COMPILE_TARGETS } from './targets.ts';

/** Contents, surface flags and value, as they follow a side in `.map` text. */
export type NumberTriple = readonly [contents: number, surface: number, value: number];

/** The parts of a target that the numbers depend on. */
export type Dialect = Pick<CompileTarget, 'name' | 'contents' | 'surface' | 'text'>;

/** Text for no game in particular: only materials say what brushes are made of. */
export const PLAIN: Dialect = { name: '', contents: {}, surface: {}, text: { valve: true, patches: true } };

/** The same, but the numbers may mark a brush as detail. */
const DETAIL_ONLY: Dialect = {
  ...PLAIN,
  text: { ...PLAIN.text, sideNumbers: { detail: 0x8000000, complete: false } },
};

const levelMask = ({ levels }: SideNumbers): number => (levels === undefined ? 0 : 0xff << levels);
const currentMask = ({ currents }: SideNumbers): number => (currents === undefined ? 0 : 0x3f << currents);

/**
 * The dialect of numbers if none is named: that of the game whose level bits most of them have, or of the one that the map is
 * compiled for, if its maps have no such bits. In other games' maps, a few sides may have any number.
 */
export function recognizeDialect(all: readonly NumberTriple[], wanted: CompileTarget | undefined): Dialect {
  const leveled = COMPILE_TARGETS.find(({ text: { sideNumbers } }: CompileTarget) => {
    const mask = sideNumbers ? levelMask(sideNumbers) : 0;
    return mask !== 0 && 2 * all.filter(([contents]) => contents & mask).length > all.length;
  });
  const isPlain = wanted?.text.sideNumbers?.complete && wanted.text.sideNumbers.levels === undefined;
  return leveled ?? (isPlain ? wanted : DETAIL_ONLY);
}

/** What the numbers of all sides, if they have any, say about a brush as a whole. */
export function brushFromNumbers(
  { text: { sideNumbers } }: Dialect,
  sides: readonly (NumberTriple | undefined)[],
): Pick<SourceBrush, 'detail' | 'levels' | 'currents'> {
  const all = sides.filter((numbers) => numbers !== undefined);
  const [first] = all;
  if (!sideNumbers || !first) return {};
  const { detail, levels, currents } = sideNumbers;
  const carried = currents === undefined ? 0 : (first[0] >> currents) & 0x3f;
  const says: { detail?: boolean; levels?: number; currents?: number } = {};
  if (all.some(([contents]) => contents & detail)) says.detail = true;
  if (levels !== undefined) says.levels = (first[0] >> levels) & 0xff;
  if (carried !== 0) says.currents = carried;
  return says;
}

/** What the numbers after a side, if any, say about the side. Without contents, the material's apply. */
export function sideFromNumbers(
  { contents: table, surface: surfaceTable, text: { sideNumbers } }: Dialect,
  numbers: NumberTriple | undefined,
  material: string,
): Pick<SourceSide, 'contents' | 'surface' | 'value'> {
  if (!sideNumbers?.complete || !numbers) return {};
  const [contents, surface, value] = numbers;
  let bits = contentsFromFile(
    table,
    contents & ~(sideNumbers.detail | levelMask(sideNumbers) | currentMask(sideNumbers)),
  );
  if (bits !== 0 && kindsOf(bits) === 0) {
    bits |= toBits(contentsNames, commonMaterial(material)?.contents ?? CONTENTS.solid);
  }
  const flags = surfaceFromFile(surfaceTable, surface);
  // The games' own tools treat hints and skips as open, whatever their contents.
  const isMarker = (flags & (SURFACE.hint | SURFACE.skip)) !== 0;
  const says: { contents?: number; surface?: number; value?: number } = {};
  if (bits !== 0 || isMarker) says.contents = isMarker ? 0 : bits;
  says.surface = flags;
  if (value !== 0) says.value = value;
  return says;
}

const LIQUID = CONTENTS.water | CONTENTS.slime | CONTENTS.lava;

/** Whether contents are the same to a game, which may have only one liquid. */
const areAlike = (table: ContentsTable, a: number, b: number): boolean =>
  ((a ^ b) & ~LIQUID) === 0 && contentsToFile(table, a) === contentsToFile(table, b);

/** The numbers to write after a side; `undefined` if the dialect has none. */
export function numbersOf(
  { contents: table, surface: surfaceTable, text: { sideNumbers } }: Dialect,
  brush: SourceBrush,
  side: SourceSide,
  material: ResolvedMaterial,
): NumberTriple | undefined {
  if (!sideNumbers) return undefined;
  const { detail, complete, levels, currents } = sideNumbers;
  const told = brush.contents ?? side.contents;
  const own = told === undefined ? material.contents : toBits(contentsNames, told);
  const detailBit = brush.detail || own & CONTENTS.detail ? detail : 0;
  if (!complete) return [detailBit, 0, 0];
  let bits = contentsToFile(table, own);
  // The material's contents are written for the game's own tools, if they survive being written and read.
  const survives = areAlike(table, own, contentsFromFile(table, bits));
  if (told === undefined && (own === CONTENTS.solid || !survives)) bits = 0;
  const levelBits = levels === undefined ? 0 : (brush.levels ?? 255) << levels;
  const currentBits = currents === undefined ? 0 : (brush.currents ?? 0) << currents;
  const surface = surfaceToFile(surfaceTable, toBits(surfaceNames, side.surface ?? 0));
  return [(bits | detailBit | levelBits | currentBits) >>> 0, surface, side.value ?? 0];
}

/**
 * Throws CompileError (`unwritable`) if a brush that is written as text would not be read back the same, as far as it matters to
 * the dialect's game; to {@link PLAIN} everything matters.
 */
export function checkKept(
  dialect: Dialect,
  brush: SourceBrush,
  materials: readonly ResolvedMaterial[],
  place: SourcePlace,
): void {
  const { sideNumbers } = dialect.text;
  const written = brush.sides.map((side, k) => numbersOf(dialect, brush, side, materials[k]!));
  const back: SourceBrush = {
    ...brushFromNumbers(dialect, written),
    sides: brush.sides.map(({ normal, dist }, k): SourceSide => {
      return { normal, dist, ...sideFromNumbers(dialect, written[k], materials[k]!.name) };
    }),
  };
  const lose = (what: string, at: SourcePlace = place): never => {
    const where = dialect.name ? `the text of ${dialect.name}` : 'text without numbers behind its sides';
    throw new CompileError('unwritable', at, `${what} cannot be written to ${where}`);
  };
  const ignored = dialect === PLAIN || sideNumbers ? 0 : CONTENTS.detail;
  const contents = fullContents(brush, materials);
  const read = fullContents(back, materials);
  const isKept = sideNumbers?.complete
    ? areAlike(dialect.contents, contents, read)
    : ((contents ^ read) & ~ignored) === 0;
  if (!isKept) {
    lose(`contents ${contentsNames.names(contents).join(', ') || '0'}`);
  }
  const { levels = 255 } = brush;
  if ((dialect === PLAIN || sideNumbers?.levels !== undefined) && levels !== (back.levels ?? 255)) {
    lose(`levels ${levels}`);
  }
  const { currents = 0 } = brush;
  if ((dialect === PLAIN || sideNumbers?.currents !== undefined) && currents !== (back.currents ?? 0)) {
    lose(`currents ${currents}`);
  }
  for (const [k, side] of brush.sides.entries()) {
    const at = { ...place, side: k };
    const kept = back.sides[k]!;
    const lost =
      toBits(surfaceNames, side.surface ?? 0) &
      ~(toBits(surfaceNames, kept.surface ?? 0) | materials[k]!.surface);
    if (lost) lose(`surface ${surfaceNames.names(lost).join(', ')}`, at);
    const { value } = materials[k]!;
    if ((dialect === PLAIN || sideNumbers?.complete) && (side.value ?? value) !== (kept.value ?? value)) {
      lose(`value ${side.value}`, at);
    }
  }
}

const fullContents = (brush: SourceBrush, materials: readonly ResolvedMaterial[]): number =>
  brushContents(brush, materials) | (brush.detail ? CONTENTS.detail : 0);
