import { HeaderFields, type RowHeader } from '@bspkit/core/format';

/**
 * Checks that a value is a header: what every file has or may have. What a kind needs besides, it checks itself. Throws
 * `SyntaxError` naming the field that is missing or wrong.
 */
export function checkHeader(value: unknown): RowHeader {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new SyntaxError('line 1 is not a header: an object with game, map, kind and columns');
  }
  const fields = new HeaderFields(value);
  for (const name of ['game', 'map', 'kind']) fields.text(name);
  if (fields.has('sha256')) fields.text('sha256');
  if (fields.has('columns')) checkColumns(fields.list('columns', 'a list of names'));
  if (fields.has('tiles')) checkTiles(fields);
  return value as unknown as RowHeader;
}

function checkColumns(columns: HeaderFields): void {
  const names = new Set<string>();
  for (let k = 0; k < columns.length; k++) {
    const name = columns.text(k);
    if (names.has(name))
      throw new SyntaxError(`line 1: columns has ${JSON.stringify(name).slice(0, 60)} twice`);
    names.add(name);
  }
}

/** Each tile is a map to be read; games with tiles allow far fewer. */
const MAX_TILES = 256;

function checkTiles(fields: HeaderFields): void {
  const { length } = fields.list('tiles', 'a list of maps');
  if (length === 0) fields.fail('tiles', 'a list of maps');
  if (length > MAX_TILES) {
    throw new SyntaxError(`line 1: tiles has ${length} maps, but at most ${MAX_TILES} are read`);
  }
  for (const tile of fields.objects('tiles')) {
    tile.text('map');
    if (tile.has('sha256')) tile.text('sha256');
    for (const axis of ['x', 'y', 'z']) tile.number(axis);
  }
}
