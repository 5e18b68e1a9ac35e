import { dot, HUGE, normalize, ON_EPSILON, type Vec } from '@bspkit/geometry';
import { addBox, type Box, emptyBox, orPoint, REACH } from './box.ts';
import {
  CompileError,
  type CompileWarning,
  createWarning,
  placeText,
  quoted,
  type SourcePlace,
} from './error.ts';
import { CONTENTS, contentsNames, type Flags, SURFACE, surfaceNames, toBits } from './flags.ts';
import { isMute, type ResolvedMaterial, type ToolMaterial } from './materials.ts';
import type { PlaneSet } from './planes.ts';
import { createSolid, type Solid, solidBox } from './solid.ts';
import type { SourceBrush, SourceSide, TextureAxes } from './source.ts';
import { inTexels } from './texture.ts';

/** A plane this far away has no point within {@link REACH}. */
const FARTHEST = 2 * REACH;
/** The most sides of a brush: far more than editors make. One of 1,000 takes 2.5 s, one of 2,000 took 7. */
const MOST_SIDES = 1024;

/** A side of a brush as the compiler works on it. */
export interface Side {
  readonly material: ResolvedMaterial;
  readonly surface: number;
  readonly value: number;
  readonly texture: TextureAxes;
}

/** A brush as the compiler works on it: checked, closed, with a winding on every side. */
export interface Brush {
  readonly solid: Solid;
  /** One for each plane of `solid`. */
  readonly sides: readonly Side[];
  /** {@link CONTENTS} bits. */
  readonly contents: number;
  /** Level bits, 0 to 255. */
  readonly levels: number;
  readonly currents: number;
  /** What the game's own tools make of the material that says what the brush is made of. */
  readonly tool: ToolMaterial | undefined;
  readonly box: Box;
  readonly place: SourcePlace;
}

/** What is needed to create brushes, and what is collected on the way. */
export interface BrushContext {
  readonly planes: PlaneSet;
  /** Finds a material; `undefined` is an error. */
  readonly material: (name: string) => ResolvedMaterial | undefined;
  readonly warnings: CompileWarning[];
  /** What to do with a brush that contains nothing: by default it is an error. */
  readonly emptyBrush?: 'leave-out' | 'error' | undefined;
}

/**
 * Checks a source brush and makes its windings. `origin` is subtracted from it.
 *
 * @throws CompileError with the brush's place: fewer than four planes, a degenerate plane, not closed, no volume, an unknown
 *   material.
 */
export function createBrush(
  context: BrushContext,
  source: SourceBrush,
  place: SourcePlace,
  origin: Vec = [0, 0, 0],
): Brush {
  const { planes, warnings } = context;
  const { entity, brush } = place;
  const count = source.sides.length;
  if (count > MOST_SIDES) {
    throw new CompileError(
      'limit',
      place,
      `a brush may have at most ${MOST_SIDES} sides, but this one has ${count}`,
    );
  }
  const found = new Map<number, { side: Side; index: number }>();
  const materials: ResolvedMaterial[] = [];
  source.sides.forEach((side, index) => {
    const at: SourcePlace = { entity, brush, line: side.line ?? place.line, side: index };
    const normal = normalize(side.normal);
    if (!normal || !Number.isFinite(side.dist)) {
      throw new CompileError('degenerate-plane', at, 'the plane has no direction or no position');
    }
    const dist = side.dist - dot(normal, origin);
    if (!(Math.abs(dist) <= FARTHEST)) {
      const problem = `the plane is ${Math.abs(dist)} units from the origin, farther than any map reaches`;
      throw new CompileError('limit', at, problem);
    }
    const made = createSide(context, source, side, normal, origin, at);
    materials.push(made.material);
    const plane = planes.find(normal[0], normal[1], normal[2], dist);
    if (found.has(plane)) warnings.push(createWarning('redundant-plane', at, 'occurs twice in the brush'));
    else found.set(plane, { side: made, index });
  });
  const numbers = [...found.keys()];
  if (numbers.length < 4) {
    const distinct = `${numbers.length} different plane${numbers.length === 1 ? '' : 's'}`;
    const problem = `has ${distinct}; a closed brush needs four or more`;
    throw new CompileError('few-planes', place, problem);
  }
  const { contents, tool } = brushKind(source, materials, place, warnings);
  const { levels = 255, currents = 0 } = source;
  checkWhole(levels, 0, 255, 'levels', place);
  checkWhole(currents, 0, 63, 'currents', place);
  const solid = createSolid(planes, numbers);
  checkClosed(planes, solid, numbers, place);
  for (const [plane, { index: side }] of found) {
    if (solid.planes.includes(plane)) continue;
    warnings.push(createWarning('redundant-plane', { ...place, side }, 'does not touch the brush'));
  }
  return {
    solid,
    sides: solid.planes.map((plane) => found.get(plane)!.side),
    contents: contents | (source.detail ? CONTENTS.detail : 0),
    levels,
    currents,
    tool,
    box: solidBox(solid),
    place,
  };
}

function checkWhole(value: number, least: number, most: number, name: string, place: SourcePlace): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new CompileError('limit', place, `${name} must be a whole number in ${least}..${most}, got ${value}`);
}

/** Bounds of many brushes; an empty box for none. */
export function brushesBox(brushes: readonly Brush[]): Box {
  return brushes.reduce((box, brush) => addBox(box, brush.box), emptyBox());
}

/** {@link brushesBox}, but a point for no brushes, as files store it. */
export const boundsOf = (brushes: readonly Brush[]): Box => orPoint(brushesBox(brushes));

function createSide(
  context: BrushContext,
  brush: SourceBrush,
  side: SourceSide,
  normal: Vec,
  origin: Vec,
  place: SourcePlace,
): Side {
  const name = side.material ?? brush.material ?? 'default';
  const material = context.material(name);
  if (!material) throw new CompileError('unknown-material', place, `material ${quoted(name)} is not known`);
  const { s, t } = inTexels(side.texture ?? defaultAxes(normal), material);
  const texture: TextureAxes = {
    s: [texel(s[0]), texel(s[1]), texel(s[2]), texel(s[3] + dot(s, origin))],
    t: [texel(t[0]), texel(t[1]), texel(t[2]), texel(t[3] + dot(t, origin))],
  };
  if (!texture.s.every(isWritable) || !texture.t.every(isWritable)) {
    const numbers = [...texture.s, ...texture.t].join(' ');
    throw new CompileError('limit', place, `texture axes must be finite, got ${numbers}`);
  }
  const value = side.value ?? material.value;
  checkWhole(value, -0x80000000, 0xffffffff, 'value', place);
  const { surface } = material;
  return {
    material,
    surface: side.surface === undefined ? surface : surface | sourceBits('surface', side.surface, place),
    value,
    texture,
  };
}

/** The bits of flags in the map. Throws `RangeError` with the place for an unknown name. */
function sourceBits(what: 'contents' | 'surface', flags: Flags, place: SourcePlace): number {
  try {
    return toBits(what === 'contents' ? contentsNames : surfaceNames, flags);
  } catch (error) {
    throw new RangeError(`${placeText(place)}${what}: ${(error as Error).message}`, { cause: error });
  }
}

const isWritable = (x: number): boolean => Number.isFinite(Math.fround(x));

/** Replaces what would be -0 in the file with 0, so that bytes do not depend on how axes were given. */
const texel = (x: number): number => (Math.fround(x) === 0 ? 0 : x);

/** Texture axes for a side that has none: those of the nearest wall or floor, one texel per unit. */
export function defaultAxes(normal: Vec): TextureAxes {
  const [x, y, z] = normal.map(Math.abs) as Vec;
  if (z >= x && z >= y) return { s: [1, 0, 0, 0], t: [0, -1, 0, 0] };
  if (x >= y) return { s: [0, 1, 0, 0], t: [0, 0, -1, 0] };
  return { s: [1, 0, 0, 0], t: [0, 0, -1, 0] };
}

function checkClosed(planes: PlaneSet, solid: Solid, numbers: readonly number[], place: SourcePlace): void {
  const box = solidBox(solid);
  const reach = Math.max(...box.maxs, ...box.mins.map((x) => -x));
  // A winding that nothing has cut has a corner at least this far out.
  if (solid.planes.length > 0 && reach > 0.55 * HUGE) {
    const extent = Math.max(...box.maxs.map((x, k) => x - box.mins[k]!));
    if (extent > 0.5 * HUGE)
      throw new CompileError(
        'not-closed',
        place,
        'the planes leave the brush open, at least as far as any map reaches',
      );
    throw new CompileError(
      'limit',
      place,
      `the brush lies ${reach} units from the origin, farther than any map reaches`,
    );
  }
  if (solid.planes.length >= 4) return;
  const turned = createSolid(
    planes,
    numbers.map((plane) => plane ^ 1),
  );
  const problem =
    turned.planes.length < 4
      ? `no point lies more than ${ON_EPSILON} units behind all planes`
      : 'the brush is inside out: its sides face inwards';
  throw new CompileError('zero-volume', place, problem);
}

/** What a brush is made of: contents without `detail`, and what the game's tools make of the material that says so. */
interface Kind {
  readonly contents: number;
  readonly tool: ToolMaterial | undefined;
}

/** Contents of a brush: its own, or those of its sides or their materials; without `detail`. */
export function brushContents(source: SourceBrush, materials: readonly ResolvedMaterial[]): number {
  return brushKind(source, materials, {}, []).contents;
}

function brushKind(
  source: SourceBrush,
  materials: readonly ResolvedMaterial[],
  place: SourcePlace,
  warnings: CompileWarning[],
): Kind {
  if (source.contents !== undefined) {
    return { contents: sourceBits('contents', source.contents, place), tool: undefined };
  }
  if (isHint(source, materials)) return { contents: 0, tool: undefined };
  const own = source.sides.map((side, i) =>
    side.contents === undefined
      ? materials[i]!.contents
      : sourceBits('contents', side.contents, { ...place, side: i }),
  );
  const deciding = decidingSide(materials);
  const { tool } = materials[deciding]!;
  const contents = own[deciding]!;
  const differs = (other: number, i: number): boolean =>
    other !== contents && !isMute(materials[i]!) && materials[i]!.tool?.says !== 'nothing';
  if (tool?.says !== 'all' && own.some(differs)) {
    const names = contentsNames.names(contents).join(', ') || 'nothing';
    warnings.push(createWarning('mixed-contents', place, `sides differ in contents; taken as ${names}`));
  }
  return { contents, tool };
}

/** Whether a brush only divides the map: some of its sides are hints, all others are skipped. */
function isHint({ sides }: SourceBrush, materials: readonly ResolvedMaterial[]): boolean {
  const surfaces = sides.map(({ surface = 0 }, i) => materials[i]!.surface | toBits(surfaceNames, surface));
  return (
    surfaces.some((surface) => surface & SURFACE.hint) &&
    surfaces.every((surface) => surface & (SURFACE.hint | SURFACE.skip)) &&
    sides.every(({ contents }) => contents === undefined)
  );
}

/**
 * The side that says what a brush is made of: the first, as in the games' compilers. A brush whose first side is caulk is solid,
 * whatever its other sides are.
 */
function decidingSide(materials: readonly ResolvedMaterial[]): number {
  const all = materials.findIndex(({ tool }) => tool?.says === 'all');
  if (all >= 0) return all;
  return Math.max(
    materials.findIndex(({ tool }) => tool?.says !== 'nothing'),
    0,
  );
}
