import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { goldenFiles, readRealMap, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { describe, expect, it } from 'vitest';
import { columnPlaces, float, parseTable, type Row } from '../src/index.ts';

const files = goldenFiles('quake3', '.trace.ndjson.gz');
const columns = [
  'model',
  'sx',
  'sy',
  'sz',
  'ex',
  'ey',
  'ez',
  'minx',
  'miny',
  'minz',
  'maxx',
  'maxy',
  'maxz',
] as const;

describe.skipIf(skippedWithoutMaps !== '')(
  `blocked, on rows recorded from Quake 3${skippedWithoutMaps}`,
  () => {
    it.each(files.map((file) => [basename(file), file]))('%s: agrees with what was recorded', (_, file) => {
      const { header, rows } = parseTable(gunzipSync(readFileSync(file)).toString());
      const at = columnPlaces(header, [...columns, 'capsule', 'mask', 'fraction', 'startsolid']);
      const world = createQuake3World(readQuake3(readRealMap(`quake3/${header.map}.bsp`)));
      const [ray, box, capsule] = [
        world.ray(),
        world.box([0, 0, 0], [0, 0, 0]),
        world.capsule([0, 0, 0], [0, 0, 0]),
      ];
      let [asked, rays] = [0, 0];
      for (const row of rows as Row[]) {
        if (row[at.model] !== 0) continue;
        const cells = columns.map((name) => float(row, at[name]));
        const [start, end, mins, maxs] = [1, 4, 7, 10].map((k) => cells.slice(k, k + 3)) as [
          number[],
          number[],
          number[],
          number[],
        ];
        const mask = row[at.mask] as number;
        const isRay = [...mins, ...maxs].every((x) => x === 0);
        const tracer = isRay
          ? ray.set({ mask })
          : (row[at.capsule] ? capsule : box).set({ mask, mins, maxs });
        const expected = row[at.startsolid] === 1 || (row[at.fraction] as number) < 1;
        if (tracer.blocked(start, end) !== expected)
          expect.fail(`row ${rows.indexOf(row)}: expected ${expected}`);
        asked++;
        if (isRay) rays++;
      }
      expect(asked).toBeGreaterThan(0);
      expect(rays).toBeGreaterThan(0);
    });
  },
);
