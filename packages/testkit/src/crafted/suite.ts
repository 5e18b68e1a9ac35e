import type { BoxWorld, KernelChoice, RayWorld } from '@bspkit/core';
import { expect, it } from 'vitest';
import { refusal } from '../refusals.ts';
import {
  ballBrush,
  type CraftedFormat,
  type CraftedRange,
  chain,
  doubling,
  grow,
  int,
  listBrushes,
  packLumps,
  plant,
  putField,
  repeated,
  shareRange,
  unpackLumps,
} from './files.ts';
import { expectFirstOfTwins, TWINS } from './twins.ts';

/** A format whose crafted files are tested. */
export interface CraftedSubject {
  readonly id: string;
  readonly format: CraftedFormat;
  readonly base: Uint8Array;
  /** Bytes of most files. */
  readonly size: number;
  open(bytes: Uint8Array, kernel?: KernelChoice): unknown;
}

/**
 * Tests of what records list: more than there is, all of them, is refused.
 *
 * @param needed - what records must list some of.
 * @param words - what is said of ranges for which the usual words do not hold.
 */
export function testRanges(
  { id, format, base, size, open }: CraftedSubject,
  needed: readonly string[] = [],
  words: (range: CraftedRange) => RegExp | undefined = () => undefined,
): void {
  it.each(format.ranges)('in which all $lump list the same $of are refused', (range) => {
    expect(refusal(() => open(shareRange(format, base, range, size)))).toMatch(
      words(range) ?? new RegExp(`^limit: ${id}: ${range.lump}: list \\d+ [a-z ]+, but there are only \\d+`),
    );
  });

  it.each(format.ranges.filter(({ of }) => !needed.includes(of)))(
    'in which $lump list few $of load',
    (range) => {
      expect(refusal(() => open(shareRange(format, base, range, size, 1e-9)))).toBe('');
    },
  );
}

/** Tests of formats whose leafs list brushes, as one of them, `leaf`, does. */
export function testBrushes(
  {
    id,
    format,
    base,
    size,
    open,
  }: CraftedSubject & {
    open(bytes: Uint8Array, kernel?: KernelChoice): RayWorld & BoxWorld;
  },
  leaf: number,
): void {
  const [tree] = format.trees;

  it.each(TWINS)(
    'in which brushes have their sides twice, %s, stop moves at the first of the two',
    (_, twins) => {
      expectFirstOfTwins(format, base, twins, open);
    },
  );

  it('with trees too deep to walk are refused', () => {
    expect(refusal(() => open(chain(format, base, tree!, size, 4000)))).toMatch(
      /^limit: .* nodes deep; at most 1024/,
    );
    expect(refusal(() => open(doubling(format, base, tree!, 200)))).toMatch(/^cycle: /);
  });

  it('in which one leaf with all brushes is below every node are refused', () => {
    const content = unpackLumps(format, base);
    grow(format, content, 'leafBrushes', base.length + 20_000 * format.lumps.leafBrushes!);
    listBrushes(format, content, leaf, 20_000);
    const { child } = tree!;
    const record = format.lumps.nodes!;
    content.nodes = repeated(content.nodes!.slice(0, record), 100);
    for (let k = 0; k < 100; k++) {
      putField(content.nodes, record * k, int(0), 0);
      putField(content.nodes, record * k, child, k < 99 ? k + 1 : -1 - leaf);
      putField(content.nodes, record * k, { ...child, at: child.at + child.size }, -1 - leaf);
    }
    plant(format, content, tree!, -1);
    expect(refusal(() => open(packLumps(format, base, content)))).toMatch(
      new RegExp(`^limit: ${id}: nodes: list 2020000 leaf brushes`),
    );
  });

  it('with brushes of too many sides are refused', () => {
    const content = unpackLumps(format, base);
    ballBrush(format, content, 3000);
    expect(refusal(() => open(packLumps(format, base, content)))).toMatch(
      new RegExp(`^limit: ${id}: brushes: have too many sides each`),
    );
  });
}
