import type { RowHeader } from '@bspkit/core/format';

/**
 * Checks that a value is a header: what every file has or may have. What a kind needs besides, it checks itself. Throws
 * `SyntaxError` naming the field that is missing or wrong.
 */
export function checkHeader(value: unknown): RowHeader {
  if (!isObject(value)) {
    throw new SyntaxError('line 1 is not a header: an object with game, map, kind and columns');
  }
  const { game, map, kind, sha256, columns, tiles } = value;
  checkText(game, 'game');
  checkText(map, 'map');
  checkText(kind, 'kind');
  if (sha256 !== undefined) checkText(sha256, 'sha256');
  if (columns !== undefined) checkColumns(columns);
  if (tiles !== undefined) checkTiles(tiles);
  return value as unknown as RowHeader;
}

function checkColumns(columns: unknown): void {
  if (!Array.isArray(columns)) fail('columns', 'a list of names', columns);
  const names = new Set<unknown>();
  for (const [k, name] of columns.entries()) {
    checkText(name, `columns[${k}]`);
    if (names.has(name)) throw new SyntaxError(`line 1: columns has ${show(name)} twice`);
    names.add(name);
  }
}

/** Each tile is a map to be read; games with tiles allow far fewer. */
const MAX_TILES = 256;

function checkTiles(tiles: unknown): void {
  if (!Array.isArray(tiles) || tiles.length === 0) fail('tiles', 'a list of maps', tiles);
  if (tiles.length > MAX_TILES) {
    throw new SyntaxError(`line 1: tiles has ${tiles.length} maps, but at most ${MAX_TILES} are read`);
  }
  for (const [k, tile] of tiles.entries()) {
    const path = `tiles[${k}]`;
    if (!isObject(tile)) fail(path, 'an object with map, x, y and z', tile);
    checkText(tile.map, `${path}.map`);
    if (tile.sha256 !== undefined) checkText(tile.sha256, `${path}.sha256`);
    for (const axis of ['x', 'y', 'z']) {
      if (typeof tile[axis] !== 'number') fail(`${path}.${axis}`, 'a number', tile[axis]);
    }
  }
}

function checkText(value: unknown, path: string): void {
  if (typeof value !== 'string' || value === '') fail(path, 'text', value);
}

function fail(path: string, what: string, value: unknown): never {
  throw new SyntaxError(
    value === undefined
      ? `line 1: ${path} is missing; it must be ${what}`
      : `line 1: ${path} must be ${what}, got ${show(value)}`,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

const show = (value: unknown): string => JSON.stringify(value).slice(0, 60);
