import { checkKind, checkOptions } from '@bspkit/core/format';
import { lengthOf, type Vec } from '@bspkit/geometry';
import { CompileError, quoted } from './error.ts';
import { findTarget } from './find-target.ts';
import { MapTokens } from './map-tokens.ts';
import { patchProblem } from './patches.ts';
import { fromQuakeAxes } from './quake-axes.ts';
import { sideThrough } from './shapes.ts';
import {
  brushFromNumbers,
  type Dialect,
  type NumberTriple,
  recognizeDialect,
  sideFromNumbers,
} from './side-numbers.ts';
import {
  type MapSource,
  MOST_ENTITIES,
  type SourceBrush,
  type SourceEntity,
  type SourcePatch,
  type SourceSide,
  type TextureAxes,
} from './source.ts';
import { COMPILE_TARGETS, type CompileFormat } from './targets.ts';

/** How {@link parseMap} reads the three numbers that may follow a side. */
export interface ParseOptions {
  /**
   * The game whose contents, surface flags and value they are. By default `auto`: the game whose level flags most sides have, or
   * else `target`; without either, only the detail bit counts, as materials say the rest.
   */
  readonly format?: CompileFormat | 'auto' | undefined;
  /**
   * The game that the map is to be compiled for. If most numbers have no level flags, they are taken as this game's, provided
   * that its numbers have none and say everything about a side: contents, surface flags and value.
   */
  readonly target?: CompileFormat | undefined;
}

interface TextSide {
  readonly side: SourceSide;
  /** Contents, surface flags and value, if the line has them. */
  readonly numbers: NumberTriple | undefined;
}

interface TextBrush {
  readonly sides: readonly TextSide[];
  readonly line: number;
}

/** The most that a text may have. Memory: each takes some hundred times that of the two braces that make one. */
const MOST = { entities: MOST_ENTITIES, brushes: 1_048_576 } as const;

interface TextEntity extends Omit<SourceEntity, 'brushes'> {
  readonly brushes: TextBrush[];
}

/**
 * Reads `.map` text: brushes with Quake's or Valve 220's texture axes or as `brushDef`, with or without the three numbers that
 * some games put after them, and `patchDef2` curves.
 *
 * @throws CompileError (`syntax`, `degenerate-plane`, `patch`, `limit`) with the line, the entity and the brush.
 */
export function parseMap(text: string, options: ParseOptions = {}): MapSource {
  checkKind(typeof text === 'string', text, 'text', 'a string, such as TextDecoder makes of bytes');
  checkOptions(options, ['format', 'target']);
  const tokens = new MapTokens(text);
  const entities: TextEntity[] = [];
  let brushes = 0;
  while (tokens.peek() !== undefined) {
    tokens.place.entity = entities.length;
    checkCount(tokens, 'entities', entities.length);
    const entity = parseEntity(tokens, brushes);
    brushes += entity.brushes.length;
    entities.push(entity);
  }
  const { format = 'auto' } = options;
  const target = options.target === undefined ? undefined : findTarget(options.target, 'target');
  const dialect = format === 'auto' ? recognizeDialect(allNumbers(entities), target) : findTarget(format);
  return {
    entities: entities.map((entity) => ({
      ...entity,
      brushes: entity.brushes.map((brush) => finishBrush(brush, dialect)),
    })),
  };
}

/** Refuses one more than so many. */
function checkCount(tokens: MapTokens, what: keyof typeof MOST, count: number): void {
  if (count >= MOST[what]) throw tokens.error(`a text has ${MOST[what]} ${what} at most`, 'limit');
}

/** The numbers of all sides that have any. */
function allNumbers(entities: readonly TextEntity[]): NumberTriple[] {
  const all: NumberTriple[] = [];
  for (const { brushes } of entities) {
    for (const { sides } of brushes) for (const { numbers } of sides) if (numbers) all.push(numbers);
  }
  return all;
}

/** `before` is how many brushes the entities before it have. */
function parseEntity(tokens: MapTokens, before: number): TextEntity {
  const { place } = tokens;
  const first = tokens.next();
  if (first !== '{') {
    // Other games have other forms of text.
    const games = COMPILE_TARGETS.map(({ name }) => name).join(', ');
    const hint = place.entity === 0 ? `; only map text as for ${games} is supported` : '';
    const found = /[^ -\uffff]/.test(first) ? 'bytes that are not text' : quoted(first);
    throw tokens.error(`expected an entity's '{', found ${found}${hint}`);
  }
  const line = tokens.line;
  // Without a prototype, so that any key can be used.
  const properties: Record<string, string> = Object.create(null);
  const brushes: TextEntity['brushes'] = [];
  const patches: SourcePatch[] = [];
  for (let word = tokens.peek(); word !== '}'; word = tokens.peek()) {
    if (word === undefined) {
      tokens.line = line;
      throw tokens.error("'{' is never closed");
    }
    if (word !== '{') {
      const key = parseKey(tokens);
      properties[key] = tokens.string();
      continue;
    }
    tokens.next();
    const start = tokens.line;
    if (tokens.peek() === 'patchDef2') {
      place.patch = patches.length;
      tokens.next();
      patches.push(parsePatch(tokens, start));
      delete place.patch;
      continue;
    }
    place.brush = brushes.length;
    checkCount(tokens, 'brushes', before + brushes.length);
    brushes.push({ sides: parseBrush(tokens), line: start });
    delete place.brush;
  }
  tokens.next();
  return { properties, brushes, patches, line };
}

function parseKey(tokens: MapTokens): string {
  const { line } = tokens;
  if (tokens.peek()!.startsWith('"')) return tokens.string();
  const word = tokens.next();
  const hint = tokens.line === line ? '; keys and values cannot hold quotes' : '';
  throw tokens.error(`expected a key in quotes, found ${quoted(word)}${hint}`);
}

/** How some editors begin brushes and curves in other notations. */
const OTHER_SHAPES = /^(brush|patch|terrain)Def\d?$/;

/** Sides, then the brush's `}`; in a brush primitive, sides in braces of their own. */
function parseBrush(tokens: MapTokens): TextSide[] {
  if (tokens.peek() !== 'brushDef') return parseSides(tokens, false);
  tokens.next();
  tokens.expect('{');
  const sides = parseSides(tokens, true);
  tokens.expect('}');
  return sides;
}

function parseSides(tokens: MapTokens, isPrimitive: boolean): TextSide[] {
  const { place } = tokens;
  const sides: TextSide[] = [];
  for (let word = tokens.peek(); word !== '}'; word = tokens.peek()) {
    if (word !== '(') {
      const found = word === undefined ? 'the end' : quoted(word);
      if (word !== undefined) tokens.next();
      if (word !== undefined && OTHER_SHAPES.test(word)) {
        const known = 'sides of three points (Quake, Valve 220 or brushDef), and patchDef2';
        throw tokens.error(`${word} is not supported; save the map with ${known}`);
      }
      throw tokens.error(`expected a plane or '}', found ${found}`);
    }
    place.side = sides.length;
    sides.push(parseSide(tokens, isPrimitive));
  }
  delete place.side;
  tokens.next();
  return sides;
}

function parseSide(tokens: MapTokens, isPrimitive: boolean): TextSide {
  const points = [tokens.numbers(3), tokens.numbers(3), tokens.numbers(3)];
  const line = tokens.line;
  const rows = isPrimitive ? parseRows(tokens) : undefined;
  const material = tokens.name();
  const plane = findPlane(tokens, points, material);
  const texture = rows ? fromRows(rows, plane.normal as Vec) : parseAxes(tokens, plane.normal as Vec);
  let numbers: NumberTriple | undefined;
  if (isNumber(tokens.peek())) {
    // Editors may write any value if their game has none; if the text's game has one, compiling refuses fractions.
    numbers = [tokens.whole('contents'), tokens.whole('surface flags'), tokens.number()];
  }
  const { normal, dist } = plane;
  return { side: { normal, dist, material, texture, line }, numbers };
}

const isNumber = (word: string | undefined): boolean => word !== undefined && Number.isFinite(Number(word));

function findPlane(tokens: MapTokens, [a, b, c]: number[][], material: string): SourceSide {
  try {
    return sideThrough(a!, b!, c!, material);
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    throw tokens.error(error.message, error.code);
  }
}

/** Texture axes after a material, in either of two forms. */
function parseAxes(tokens: MapTokens, normal: Vec): TextureAxes {
  if (tokens.peek() === '[') return parseValveAxes(tokens);
  const numbers = [
    tokens.number(),
    tokens.number(),
    tokens.number(),
    tokens.number(),
    tokens.number(),
  ] as const;
  return fromQuakeAxes(numbers, normal);
}

/** A brush primitive's two rows of three numbers each, for s and for t. */
function parseRows(tokens: MapTokens): number[][] {
  tokens.expect('(');
  const rows = [tokens.numbers(3), tokens.numbers(3)];
  tokens.expect(')');
  return rows;
}

/**
 * The meaning of such rows: they are multiplied by a point's position along two axes in the side's plane, one of them level, and
 * by 1.
 */
function fromRows([s, t]: number[][], [x, y, z]: Vec): TextureAxes {
  const level = lengthOf(x, y, 0);
  const [along, across] = level < 1e-6 ? [1, 0] : [x / level, y / level];
  const axis = ([u, v, offset]: number[]): [number, number, number, number] => [
    u! * -across + v! * z * along,
    u! * along + v! * z * across,
    v! * -level,
    offset!,
  ];
  return { s: axis(s!), t: axis(t!), repeats: true };
}

/** Two axes with offsets, a rotation that only editors use, and scales. */
function parseValveAxes(tokens: MapTokens): TextureAxes {
  const s = tokens.numbers(4, '[', ']');
  const t = tokens.numbers(4, '[', ']');
  tokens.number();
  const [scaleS, scaleT] = [tokens.number() || 1, tokens.number() || 1];
  return {
    s: [s[0]! / scaleS, s[1]! / scaleS, s[2]! / scaleS, s[3]!],
    t: [t[0]! / scaleT, t[1]! / scaleT, t[2]! / scaleT, t[3]!],
  };
}

/** `{ material ( width height 0 0 0 ) ( width columns of height points each ) }`, then the brush's own `}`. */
function parsePatch(tokens: MapTokens, line: number): SourcePatch {
  tokens.expect('{');
  const material = tokens.name();
  const [width, height] = tokens.numbers(5) as [number, number];
  const problem = patchProblem(width, height);
  if (problem) throw tokens.error(problem, 'patch');
  const points: [number, number, number, number, number][] = [];
  tokens.expect('(');
  for (let column = 0; column < width; column++) {
    tokens.expect('(');
    for (let row = 0; row < height; row++) {
      points[row * width + column] = tokens.numbers(5) as [number, number, number, number, number];
    }
    tokens.expect(')');
  }
  tokens.expect(')');
  tokens.expect('}');
  tokens.expect('}');
  return { material, width, height, points, line };
}

/** Added to what was parsed: there may be hundreds of thousands of brushes and sides, and copies by spreads take V8 long. */
function finishBrush(brush: TextBrush, dialect: Dialect): SourceBrush {
  const all = brush.sides.map(({ numbers }) => numbers);
  const sides = brush.sides.map(({ side, numbers }): SourceSide => {
    return Object.assign(side, sideFromNumbers(dialect, numbers, side.material!));
  });
  return Object.assign(brush, { sides }, brushFromNumbers(dialect, all));
}
