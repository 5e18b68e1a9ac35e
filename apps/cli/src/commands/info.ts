import type { Bounds } from '@bspkit/core';
import type { MapInfo, ModelInfo } from '@bspkit/core/format';
import { count, showVec } from '@bspkit/words';
import { Command } from 'commander';
import { withMapName } from '../errors.ts';
import { MAP_FORMS } from '../maps.ts';
import { cells, showBytes, showTime } from '../numbers.ts';
import { type OpenMap, openMap } from '../open-map.ts';
import type { Page } from '../page.ts';
import { printable } from '../printable.ts';
import type { Session } from '../session.ts';

interface Options {
  readonly all?: boolean;
  readonly json?: boolean;
}

/** The most rows of tables that can be long, without `--all`. */
const SHORT = 12;

export function infoCommand(session: Session): Command {
  return new Command('info')
    .description('show what is in a map: lumps, bounds, models, entities, contents, textures')
    .argument('<map>', MAP_FORMS)
    .option('--all', 'print long tables in full')
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  bspkit info demo:arena
  bspkit info baseoa/pak0.pk3:maps/oa_dm1.bsp --json`,
    )
    .action((name: string, { all = false, json }: Options) => {
      const map = openMap(name, session);
      const { file } = map;
      if (!file) {
        if (json) session.out.printJson(assemblyObject(map));
        else session.out.print(assemblyText(map, all, session.out));
        return;
      }
      const info = withMapName(name, () => map.format.info(file, map.world));
      if (json) session.out.printJson(infoObject(map, info));
      else session.out.print(infoText(map, info, all, session.out));
    });
}

function assemblyObject(map: OpenMap): object {
  const entities = map.world.entities();
  return {
    map: map.name,
    format: map.format.id,
    bytes: map.bytes,
    bounds: plainBounds(map.world.bounds),
    parts: map.parts.map((part) => ({
      ...{ name: part.name, offset: Array.from(part.offset) },
      bytes: part.map.length,
    })),
    entities: Object.fromEntries(classCounts({ entities })),
    memory: { world: map.world.data.byteLength },
    readMs: milliseconds(map.readTime),
    buildMs: milliseconds(map.buildTime),
  };
}

function assemblyText(map: OpenMap, all: boolean, page: Page): string {
  const { parts, world } = map;
  const what = `assembly of ${count(parts.length, 'map')}`;
  const title = `${page.title(map.name, `${map.format.name} (${what}), ${showBytes(map.bytes)}`)}\n`;
  const fields: [string, string][] = [
    ['bounds', showBounds(world.bounds)],
    ['in memory', showBytes(world.data.byteLength)],
    ['opened', showOpened(map)],
  ];
  const rows = parts.map((part) => [
    printable(part.name),
    showVec(part.offset),
    part.map.length.toLocaleString('en'),
  ]);
  const columns = [
    { title: 'map' },
    { title: 'offset in cells' },
    { title: 'bytes', align: 'right' as const },
  ];
  const entities = classCounts({ entities: map.world.entities() });
  return [
    title + page.fields(fields),
    page.table(columns, rows),
    countTable(['entities', 'number'], shorten(entities, all), page),
  ].join('\n');
}

/** Entities by class, the most frequent first. */
function classCounts({ entities }: Pick<MapInfo, 'entities'>): [string, number][] {
  const counts = new Map<string, number>();
  for (const { classname } of entities) {
    const name = classname || '(no class)';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

/** The map's textures by name, each once. */
const textures = ({ world }: OpenMap): string[] =>
  [...new Set(world.textureNames())].filter((name) => name !== '').sort();

/** Contents by their names, the most frequent first. */
function contentsCounts({ format }: OpenMap, { contents }: MapInfo): [string[], number, number][] {
  return [...contents.counts]
    .sort(([a, n], [b, m]) => m - n || a - b)
    .map(([bits, number]) => [format.contents.names(bits), bits, number]);
}

const milliseconds = (time: number): number => Number(time.toFixed(3));

const plainBounds = ({ mins, maxs }: Bounds): object => ({ mins: cells(mins), maxs: cells(maxs) });

function infoObject(map: OpenMap, info: MapInfo): object {
  return {
    map: map.name,
    format: map.format.id,
    version: info.version,
    bytes: map.bytes,
    bounds: plainBounds(info.bounds),
    facts: info.facts,
    lumps: info.lumps.map(({ name, bytes, records = null }) => ({ name, bytes, records })),
    models: info.models.map(({ name, bounds, figures }) => ({ name, ...plainBounds(bounds), ...figures })),
    entities: Object.fromEntries(classCounts(info)),
    contents: {
      of: info.contents.what,
      counts: contentsCounts(map, info).map(([names, bits, number]) => ({ names, bits, number })),
    },
    textures: textures(map),
    memory: info.memory,
    readMs: milliseconds(map.readTime),
    buildMs: milliseconds(map.buildTime),
  };
}

function showBounds({ mins, maxs }: Bounds): string {
  const size = [0, 1, 2].map((k) => maxs[k]! - mins[k]!);
  return `${showVec(mins)} to ${showVec(maxs)}, size ${showVec(size)}`;
}

const showOpened = ({ readTime, buildTime }: OpenMap): string =>
  `read in ${showTime(readTime)}, built in ${showTime(buildTime)}`;

function infoText(map: OpenMap, info: MapInfo, all: boolean, page: Page): string {
  const { world, lumps } = info.memory;
  const fields: [string, string][] = [
    ['bounds', showBounds(info.bounds)],
    ...Object.entries(info.facts).map(([name, fact]): [string, string] => [name, fact.toLocaleString('en')]),
    ['in memory', `${showBytes(world)} from ${showBytes(lumps)} of lumps`],
    ['opened', showOpened(map)],
  ];
  const title = `${page.title(map.name, `${map.format.name} (${info.version}), ${showBytes(map.bytes)}`)}\n`;
  const contents = contentsCounts(map, info).map(([names, , number]): [string, number] => [
    names.join(' ') || '(none)',
    number,
  ]);
  return [
    title + page.fields(fields),
    lumpTable(info, page),
    modelTable(info, all, page),
    countTable(['entities', 'number'], shorten(classCounts(info), all), page),
    countTable(['contents', info.contents.what], shorten(contents, all), page),
    textureTable(textures(map), all, page),
  ].join('\n');
}

/** The first rows, and a last one that says how many were left out. */
function shorten(rows: readonly [string, number][], all: boolean): [string, number][] {
  if (all || rows.length <= SHORT + 1) return [...rows];
  const rest = rows.slice(SHORT);
  const sum = rest.reduce((total, [, number]) => total + number, 0);
  return [...rows.slice(0, SHORT), [`and ${rest.length} more (--all lists them)`, sum]];
}

function countTable([name, number]: [string, string], rows: readonly [string, number][], page: Page): string {
  const cells = rows.map(([text, value]) => [printable(text), value.toLocaleString('en')]);
  return page.table([{ title: name }, { title: number, align: 'right' }], cells);
}

function lumpTable({ lumps }: MapInfo, page: Page): string {
  const rows = lumps.map(({ name, bytes, records }) => [
    name,
    records === undefined ? '' : records.toLocaleString('en'),
    bytes.toLocaleString('en'),
  ]);
  const columns = [{ title: 'records' }, { title: 'bytes' }].map((column) => ({
    ...column,
    align: 'right' as const,
  }));
  return page.table([{ title: 'lump' }, ...columns], rows);
}

function modelTable({ models }: MapInfo, all: boolean, page: Page): string {
  const figures = Object.keys(models[0]?.figures ?? {});
  const row = ({ name, bounds, figures: numbers }: ModelInfo): string[] => [
    name,
    ...figures.map((name) => numbers[name]!.toLocaleString('en')),
    showVec(bounds.mins, 1),
    showVec(bounds.maxs, 1),
  ];
  const columns = [
    { title: 'model' },
    ...figures.map((title) => ({ title, align: 'right' as const })),
    { title: 'mins' },
    { title: 'maxs' },
  ];
  const { shown, rest } = shortList(models, all, 'model');
  return page.table(columns, shown.map(row)) + rest;
}

function textureTable(names: readonly string[], all: boolean, page: Page): string {
  const { shown, rest } = shortList(names, all, 'texture');
  return (
    page.table(
      [{ title: 'texture' }],
      shown.map((name) => [printable(name)]),
    ) + rest
  );
}

/** The first of some things, and a line that says how many were left out. */
function shortList<T>(list: readonly T[], all: boolean, what: string): { shown: readonly T[]; rest: string } {
  if (all || list.length <= SHORT + 1) return { shown: list, rest: '' };
  return {
    shown: list.slice(0, SHORT),
    rest: `and ${count(list.length - SHORT, `more ${what}`)} (--all lists them)\n`,
  };
}
