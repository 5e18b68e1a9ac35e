import type { Bounds } from '@bspkit/core';
import { checkFlag, checkKind, checkObject, checkPoint, failArgument } from '@bspkit/core/format';
import { boundsOf } from '../../brushes.ts';
import { type Occupant, occupantsOf, warnOfOutside } from '../../flood.ts';
import { entitiesText, type Model, withSolidTriggers } from '../../models.ts';
import { checkPieces } from '../../subdivide.ts';
import {
  type CompileTarget,
  defineTarget,
  type WriterInput,
  type WriterOutput,
  writeWithin,
} from '../../target.ts';
import type { WorkCounts } from '../../work.ts';
import { listedBrushes, withBrushList } from './brush-list.ts';
import { clipClass, drawnClass, EMPTY, FILE_CONTENTS, withFlow } from './flags.ts';
import { HALFLIFE_TOOLS } from './halflife-tools.ts';
import { buildHull, CLIP_RULE, DRAWN_RULE, expandBrush, type HullModel, packHull } from './hull.ts';
import { countClipNodes, litFaces, NARROW_LIMITS, Quake1Writer } from './write.ts';

/** The boxes of each game's clip hulls, hull 1 first. */
const HULLS: Readonly<Record<29 | 30, readonly Bounds[]>> = {
  // Players and small monsters, and large ones.
  29: [
    { mins: [-16, -16, -24], maxs: [16, 16, 32] },
    { mins: [-32, -32, -24], maxs: [32, 32, 64] },
  ],
  // Players who stand, large monsters, and players who crouch.
  30: [
    { mins: [-16, -16, -36], maxs: [16, 16, 36] },
    { mins: [-32, -32, -32], maxs: [32, 32, 32] },
    { mins: [-16, -16, -18], maxs: [16, 16, 18] },
  ],
};

/** Matches text that is made for Half-Life rather than Quake, unless it says that it is for that. */
const HALFLIFE_SIGNS =
  /^\ufeff?\/\/ Game: Half-Life$|"(ambient_generic|info_node)"|\) (!\w|(aaatrigger|null|noclip|content(water|empty))\s)/im;
const QUAKE_COMMENT = /^\ufeff?\/\/ Game: Quake$/m;

const isForHalflife = (text: string): boolean => HALFLIFE_SIGNS.test(text) && !QUAKE_COMMENT.test(text);

/** Options of Quake 1 maps only. */
export interface Quake1Options {
  /**
   * Boxes to make clip hulls for, hull 1 first, in Quake units relative to the mover's origin; three at most. By
   * default those of the game: -16 -16 -24 to 16 16 32 and -32 -32 -24 to 32 32 64 for Quake; -16 -16 -36 to 16 16 36,
   * -32 -32 -32 to 32 32 32 and -16 -16 -18 to 16 16 18 for Half-Life.
   */
  readonly hulls?: readonly Bounds[] | undefined;
  /** Version of the file: 29 for Quake, which is the default, or 30 for Half-Life. */
  readonly version?: 29 | 30 | undefined;
  /**
   * Whether to write BSP2, with its 32-bit records, which Half-Life does not have. By default `auto`: if version 29 cannot hold
   * the map. With `false`, such a map is an error.
   */
  readonly bsp2?: boolean | 'auto' | undefined;
  /**
   * Whether to add the brushes themselves, as the lump `BRUSHLIST` of a BSPX directory, which engines without support for it
   * ignore. False by default.
   */
  readonly brushlist?: boolean | undefined;
}

/** Quake: BSP version 29, or BSP2; Half-Life: BSP version 30. */
export const quake1: CompileTarget<'quake1', Quake1Options> = /* @__PURE__ */ defineTarget({
  id: 'quake1',
  name: 'Quake 1',
  options: [
    { name: 'hulls', type: 'boxes', placeholder: 'boxes', help: 'boxes to make clip hulls for' },
    {
      name: 'version',
      type: 'choice',
      choices: [29, 30],
      help: 'version of the file: 29 for Quake (default), 30 for Half-Life (default for its text)',
    },
    { name: 'bsp2', type: 'on', help: 'write BSP2 even if version 29 is enough' },
    { name: 'brushlist', type: 'on', help: 'add the brushes themselves (BSPX lump BRUSHLIST)' },
  ],
  contents: FILE_CONTENTS,
  surface: {},
  text: {
    valve: true,
    patches: false,
    // Names of liquids and of textures that move are like no others.
    signs:
      /^\ufeff?\/\/ Game: (Quake|Half-Life)$|"(wad|item_spikes)"|\) ([*+!]\w|(aaatrigger|null|noclip|content(water|empty))\s)/im,
    options: (text) => (isForHalflife(text) ? { version: 30 } : {}),
  },
  reach: 32000,
  isKnown: ({ contents }) => drawnClass(contents) !== EMPTY || clipClass(contents) !== EMPTY,
  gameOf: ({ version }) =>
    version === 30 ? { name: 'Half-Life', tools: HALFLIFE_TOOLS } : { name: 'Quake 1' },
  write: writeQuake1,
});

/** So far from the origin, expanded brushes still have exact windings. */
const HULL_LIMIT = 4096;

function writeQuake1(input: WriterInput, options: Quake1Options): WriterOutput {
  const { models, entities } = input.models;
  const { version = 29, bsp2 = 'auto', brushlist = false } = options;
  if (version !== 29 && version !== 30) failArgument('version', '29 or 30', version);
  const { hulls = HULLS[version] } = options;
  checkOptions(version, hulls, bsp2);
  checkFlag(brushlist, 'brushlist');
  const occupants = occupantsOf(input.models);
  // For the drawn hull, then for the others.
  const works = [undefined, ...hulls].map(() => input.countWork());
  const built = models.map((model, index) => {
    const brushes = model.brushes.map(withFlow);
    return buildModel(input, hulls, works, { ...model, brushes }, index, occupants);
  });
  const text = entitiesText(entities);
  const finish = (output: WriterOutput): WriterOutput => {
    if (!brushlist) return output;
    const listed = built.map(({ brushes }) => listedBrushes(brushes));
    const bytes = withBrushList(output.bytes, input.planes, listed, input.game);
    return { ...output, bytes, brushes: listed.flat() };
  };
  checkPieces(litFaces(built));
  const mustBeNarrow = bsp2 === false || version === 30;
  // There are usually more clip nodes than anything else; if there are too many, writing version 29 is not even tried.
  if (mustBeNarrow || (bsp2 === 'auto' && countClipNodes(built) <= NARROW_LIMITS.clipNodes)) {
    const write = (): WriterOutput => new Quake1Writer(input, built, text, version).write();
    const narrow = mustBeNarrow ? write() : writeWithin(write);
    if (narrow) return finish(narrow);
  }
  return finish(new Quake1Writer(input, built, text, 'BSP2').write());
}

function checkOptions(version: 29 | 30, hulls: readonly Bounds[], bsp2: boolean | 'auto'): void {
  checkKind(bsp2 === 'auto' || typeof bsp2 === 'boolean', bsp2, 'bsp2', "true, false or 'auto'");
  if (version === 30 && bsp2 === true)
    throw new TypeError('bsp2 must not be true for version 30: Half-Life has no such files');
  checkKind(Array.isArray(hulls), hulls, 'hulls', 'an array of boxes { mins, maxs }');
  if (hulls.length > 3) throw new RangeError(`hulls must be three or fewer, got ${hulls.length}`);
  for (const [number, hull] of hulls.entries()) {
    checkObject(hull, `hulls[${number}]`, 'a box { mins, maxs }');
    const { mins, maxs } = hull;
    checkPoint(mins, `hulls[${number}].mins`);
    checkPoint(maxs, `hulls[${number}].maxs`);
    for (let k = 0; k < 3; k++) {
      if (mins[k]! <= maxs[k]!) continue;
      const [low, high] = [`hulls[${number}].mins[${k}]`, `hulls[${number}].maxs[${k}]`];
      throw new RangeError(`${low} must not be above ${high}, got ${mins[k]} and ${maxs[k]}`);
    }
    const reach = Math.max(...[0, 1, 2].map((k) => Math.max(maxs[k]!, -mins[k]!)));
    if (reach > HULL_LIMIT)
      throw new RangeError(`hulls[${number}] must reach no farther than ${HULL_LIMIT}, got ${reach}`);
  }
}

function buildModel(
  { planes, warnings, onProgress }: WriterInput,
  hulls: readonly Bounds[],
  works: readonly WorkCounts[],
  model: Model,
  index: number,
  occupants: readonly Occupant[],
): HullModel {
  // Only the world has an outside.
  let inside: readonly Occupant[] = index === 0 ? occupants : [];
  const name = index === 0 ? 'hull' : `model ${index} hull`;
  const brushes = index === 0 ? model.brushes : withSolidTriggers(model.brushes);
  const drawn = buildHull({
    planes,
    brushes,
    rule: DRAWN_RULE,
    occupants: inside,
    isSealed: false,
    work: works[0]!,
    onProgress: (part) => onProgress(`${name} 0`, part),
  });
  if (index === 0) warnOfOutside(warnings, drawn);
  inside = drawn.leak ? [] : drawn.standing;
  const stopping = brushes.filter((brush) => CLIP_RULE.classOf(brush.contents) !== EMPTY);
  const clips = hulls.map((size, k) =>
    packHull(
      buildHull({
        planes,
        brushes: stopping
          .filter((brush) => brush.tool?.hulls?.includes(k + 1) ?? true)
          .map((brush) => expandBrush(planes, brush, size)),
        rule: CLIP_RULE,
        occupants: inside,
        isSealed: true,
        work: works[k + 1]!,
        onProgress: (part) => onProgress(`${name} ${k + 1}`, part),
      }),
    ),
  );
  return { drawn, clips, brushes, box: boundsOf(brushes) };
}
