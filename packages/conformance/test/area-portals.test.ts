import { boxBrush, compileMap, roomBrushes, type SourceBrush } from '@bspkit/compile';
import { createQuake2World, readQuake2 } from '@bspkit/quake2';
import { describe, expect, it } from 'vitest';

const SIZE = 64;

interface Place {
  readonly what: string;
  readonly x: number;
  readonly y: number;
}

const block = ({ x, y }: Place, options = {}): SourceBrush =>
  boxBrush([SIZE * x, SIZE * y, 0], [SIZE * (x + 1), SIZE * (y + 1), SIZE], options);

/** A map of these places, each a cube, with a start in each open one and an area portal for each letter. */
function mapOf(rows: readonly string[]) {
  const places = rows.flatMap((row, y) => [...row].map((what, x): Place => ({ what, x, y })));
  const names = [...new Set(rows.join('').replaceAll(/[^a-z]/g, ''))];
  const of = (name: string): Place[] => places.filter(({ what }) => what === name);
  const entities = [
    {
      properties: { classname: 'worldspawn' },
      brushes: [
        ...roomBrushes([0, 0, 0], [SIZE * rows[0]!.length, SIZE * rows.length, SIZE], 16),
        ...of('#').map((place) => block(place)),
      ],
    },
    ...names.map((name) => ({
      properties: { classname: 'func_areaportal', targetname: name },
      brushes: of(name).map((place) => block(place, { material: 'common/areaportal' })),
    })),
    ...of('.').map(({ x, y }) => {
      const origin = `${SIZE * (x + 0.5)} ${SIZE * (y + 0.5)} 24`;
      return { properties: { classname: 'info_player_start', origin } };
    }),
  ];
  const { bytes, warnings } = compileMap({ entities }, { format: 'quake2' });
  const leftOpen = new Set(warnings.map(({ entity }) => names[entity! - 1]!));
  return { places, names, leftOpen, world: createQuake2World(readQuake2(bytes)) };
}

/** The open places that can be reached from one, through places next to each other that are open. */
function reach(places: readonly Place[], first: Place, isOpen: (what: string) => boolean): Place[] {
  const reached = new Set([first]);
  for (const { x, y } of reached) {
    for (const next of places) {
      if (Math.abs(next.x - x) + Math.abs(next.y - y) === 1 && isOpen(next.what)) reached.add(next);
    }
  }
  return [...reached].filter(({ what }) => what === '.');
}

// Seen from above: solid blocks, open places, and portals named by letters.
describe('areas of compiled maps for Quake 2 are connected where open portals lead', () => {
  it.each([
    ['a portal ends at another, between two areas', ['..aa##', '.bbc.#', '.#d.##', '####.#', '..#.##']],
    ['two portals touch, each between two other areas', ['.#.#.#', '#..##.', '.a..bb', '#a###b', '.c.##.']],
    ['one that is left open touches others', ['.a.b..', 'cde#..', 'f..g#h', '.#igg.', '....jj']],
  ])('where %s', (_, rows) => {
    const { places, names, leftOpen, world } = mapOf(rows);
    const numbers = world.entities().flatMap(({ targetname, style }) => {
      return targetname && style ? [[targetname, Number(style)] as const] : [];
    });
    const area = ({ x, y }: Place): number =>
      world.area(world.leaf([SIZE * (x + 0.5), SIZE * (y + 0.5), SIZE / 2]));
    const others = names.map((name) => names.filter((other) => other !== name));
    let divided = 0;
    for (const open of [names, [], ...names.map((name) => [name]), ...others]) {
      for (const [name, number] of numbers) world.setAreaPortal(number, open.includes(name));
      const isOpen = (what: string): boolean => what === '.' || leftOpen.has(what) || open.includes(what);
      for (const first of places) {
        if (first.what !== '.') continue;
        for (const place of reach(places, first, isOpen)) {
          const way = `${open} open, from ${first.x} ${first.y} to ${place.x} ${place.y}`;
          expect(world.areasConnected(area(first), area(place)), way).toBe(true);
        }
        divided += places
          .filter(({ what }) => what === '.')
          .filter((place) => !world.areasConnected(area(first), area(place))).length;
      }
    }
    // Closed ones divide all the same.
    expect(divided).toBeGreaterThan(0);
  });
});
