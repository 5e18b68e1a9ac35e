import {
  CONTENTS,
  contentsFromFile,
  contentsNames,
  contentsToFile,
  saysKind,
  surfaceFromFile,
  surfaceNames,
  surfaceToFile,
  toBits,
} from './flags.ts';
import { commonMaterial } from './materials.ts';
import type { SourceBrush, SourceSide } from './source.ts';
import type { CompileTarget, SideNumbers } from './target.ts';
import { COMPILE_TARGETS } from './targets.ts';

/** Contents, surface flags and value, as they follow a side in `.map` text. */
export type NumberTriple = readonly [contents: number, surface: number, value: number];

/** What of a target the numbers depend on. */
export type Dialect = Pick<CompileTarget, 'contents' | 'surface' | 'sideNumbers'>;

/** Where materials say what brushes are made of, one bit is left for the numbers to say. */
const DETAIL_ONLY: Dialect = {
  contents: {},
  surface: {},
  sideNumbers: { detail: 0x8000000, complete: false },
};

const levelMask = ({ levels }: SideNumbers): number => (levels === undefined ? 0 : 0xff << levels);

/** The dialect of numbers whose target is not told: that of a target whose level bits occur among them. */
export function recognizeDialect(all: readonly NumberTriple[]): Dialect {
  const target = COMPILE_TARGETS.find(({ sideNumbers }: CompileTarget) => {
    const mask = sideNumbers ? levelMask(sideNumbers) : 0;
    return mask !== 0 && all.some(([contents]) => contents & mask);
  });
  return target ?? DETAIL_ONLY;
}

/** What the numbers of a brush's sides say about the brush as a whole. */
export function brushFromNumbers(
  { sideNumbers }: Dialect,
  all: readonly NumberTriple[],
): Pick<SourceBrush, 'detail' | 'levels'> {
  const [first] = all;
  if (!sideNumbers || !first) return {};
  const { detail, levels } = sideNumbers;
  return {
    ...(all.some(([contents]) => contents & detail) ? { detail: true } : {}),
    ...(levels === undefined ? {} : { levels: (first[0] >> levels) & 0xff }),
  };
}

/** What the numbers behind a side say about the side. */
export function sideFromNumbers(
  { contents: table, surface: surfaceTable, sideNumbers }: Dialect,
  [contents, surface, value]: NumberTriple,
  material: string,
): Pick<SourceSide, 'contents' | 'surface' | 'value'> {
  if (!sideNumbers?.complete) return {};
  let bits = contentsFromFile(table, contents & ~(sideNumbers.detail | levelMask(sideNumbers)));
  if (bits !== 0 && !saysKind(bits)) {
    bits |= toBits(contentsNames, commonMaterial(material)?.contents ?? CONTENTS.solid);
  }
  return {
    ...(bits !== 0 ? { contents: bits } : {}),
    surface: surfaceFromFile(surfaceTable, surface),
    value,
  };
}

/** The numbers to write behind a side; `undefined` where the dialect has none. `contents` are those of the brush. */
export function numbersOf(
  { contents: table, surface: surfaceTable, sideNumbers }: Dialect,
  brush: SourceBrush,
  side: SourceSide,
  contents: number,
): NumberTriple | undefined {
  if (!sideNumbers) return undefined;
  const { detail, complete, levels } = sideNumbers;
  if (!complete) return [brush.detail ? detail : 0, 0, 0];
  const own = side.contents === undefined ? contents : toBits(contentsNames, side.contents);
  const bits = contentsToFile(table, own & ~CONTENTS.origin) >>> 0;
  const levelBits = levels === undefined ? 0 : (brush.levels ?? 255) << levels;
  const surface = surfaceToFile(surfaceTable, toBits(surfaceNames, side.surface ?? 0));
  return [bits + levelBits, surface, side.value ?? 0];
}
