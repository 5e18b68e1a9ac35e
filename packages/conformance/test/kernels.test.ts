import type { BspFormat } from '@bspkit/core/format';
import { ENGINE_DATA } from '@bspkit/fixtures/engine';
import { findRealData, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { mapLoader, type RecordedData, rowFiles } from '@bspkit/fixtures/recorded';
import { boxEntity as quake3Entity } from '@bspkit/quake3';
import { openTable, parseHeader, parseTable } from '@bspkit/rows';
import { sceneRows } from '@bspkit/scene/rows';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { allowancesFor } from './allowances.ts';
import { expectRows } from './expect-rows.ts';
import { keepMap, keepWorld } from './kept.ts';

// Other tests answer rows with each format's preferred kernel; here its other kernels do. Players use the same tracers, so those
// of formats and scenes are enough.

/** Kinds of rows that take long: they ask for paths through tables, which are made with the tracers of other rows. */
const LONG: readonly string[] = ['paths', 'farpaths'];

const formats: readonly BspFormat[] = await Promise.all(FORMATS.map((entry) => entry.load()));

/** Boxes of formats that trace them with either kernel too. */
const BOXES: Readonly<Record<string, typeof quake3Entity>> = { quake3: quake3Entity };

/** A format whose worlds and boxes trace with one kernel. */
const withKernel = (format: BspFormat, kernel: 'wasm' | 'js'): BspFormat => ({
  ...format,
  createWorld: (files, options) => format.createWorld(files, { ...options, kernel }),
  open: (data) => format.open(data, { kernel }),
  boxEntity: (mins, maxs) => (BOXES[format.id] ?? format.boxEntity!)(mins, maxs, { kernel }),
});

function testRows(data: RecordedData): void {
  const load = keepMap(mapLoader(data));
  for (const format of formats) {
    const [, ...others] = format.kernels ?? [];
    const kinds = { ...format.rows, ...sceneRows[format.id] };
    const files = rowFiles(data, format.id).filter((file) => {
      const { kind } = parseHeader(file.readHeader());
      return Object.hasOwn(kinds, kind) && !LONG.includes(kind);
    });
    if (others.length > 0)
      it(`there are rows for ${format.name}`, () => expect(files.length).toBeGreaterThan(1));
    for (const kernel of others) {
      const formats = [keepWorld(withKernel(format, kernel))];
      for (const file of files) {
        const { words, check } = allowancesFor(file);
        it(`${file.name}: every result equal, bit for bit, by the kernel '${kernel}'${words}`, () => {
          const { header, lines } = parseTable(file.read());
          const table = openTable(header, { formats, kinds: sceneRows, load });
          expectRows(table, lines, check);
        });
      }
    }
  }
}

describe('rows recorded on our own maps', () => testRows(ENGINE_DATA));

const real = findRealData();
describe.skipIf(!real?.golden)(`rows recorded on real maps${skippedWithoutMaps}`, () => {
  if (real?.golden) testRows(real);
});
