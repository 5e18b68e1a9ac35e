import { decode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { type Color, NO_VALUE, PAPER } from '../../src/picture/colors.ts';
import { ring, type Squares } from '../../src/picture/drawing.ts';
import { textStrokes } from '../../src/picture/font.ts';
import type { ValueLayer } from '../../src/picture/layer.ts';
import { drawSheet } from '../../src/picture/sheet.ts';
import { toPng, toSvg } from '../../src/picture.ts';
import { isSolid, room } from './room.ts';

describe('files', () => {
  // Without marks, which lie on top of colours.
  const drawing = drawSheet({ ...room(), marks: [] }, { name: 'Room', solidAt: isSolid, width: 480 });

  it('are PNG with the values in their colours, the same bytes each time', async () => {
    const bytes = await toPng(drawing);
    const { width, height, data, channels } = decode(bytes);
    expect([width, height, channels]).toEqual([drawing.width, drawing.height, 3]);
    const plan = drawing.shapes.find((shape): shape is Squares => shape.kind === 'squares')!;
    const seen = new Map<number, number[]>();
    for (const [k, color] of plan.cells.entries())
      if (color !== 255 && !seen.has(color)) seen.set(color, [k]);
    for (const [color, [k]] of seen) {
      const wanted = plan.colors[color]!;
      if (wanted === NO_VALUE) continue;
      const [x, y] = [
        plan.x + (k! % plan.columns) * plan.size,
        plan.y + Math.floor(k! / plan.columns) * plan.size,
      ];
      const at = 3 * ((y + 1) * width + x + 1);
      expect(Array.from(data.slice(at, at + 3)), `colour ${color}`).toEqual([...wanted]);
    }
    expect(Array.from(data.slice(0, 3))).toEqual([...PAPER]);
    expect(await toPng(drawing)).toEqual(bytes);
    const half = decode(await toPng(drawing, 0.5));
    expect([half.width, half.height]).toEqual([width / 2, Math.ceil(height / 2)]);
    await expect(toPng(drawing, 100)).rejects.toThrow('scale must be from 0.25 to 8');
  });

  it('are SVG that keeps its names to itself', () => {
    const svg = toSvg(drawSheet(room(), { name: '<b>&\u0001', solidAt: isSolid }));
    expect(svg).toContain('<title>&lt;b&gt;&amp;: where it is</title>');
    expect(svg).not.toContain('<b>');
    expect(svg).not.toContain('\u0001');
    expect(svg).toContain('url(#hatch)');
    expect(svg.length).toBeLessThan(30_000);
  });

  it('are SVG that is dark on a dark page, without a change to the values', () => {
    const white: Color = [255, 255, 255];
    const layer = { ...room(), scale: { ...room().scale, ramp: [white, [0, 0, 90]] } } as ValueLayer;
    const sheet = drawSheet(layer, { solidAt: isSolid });
    const svg = toSvg(sheet);
    const [, rules] = /<style>@media \(prefers-color-scheme: dark\) \{ (.*) \}<\/style>/.exec(svg)!;
    const names = (text: string, pattern: RegExp): Set<string> =>
      new Set(Array.from(text.matchAll(pattern), ([, name]) => name!));
    const styled = names(rules!, /\.([\w-]+) \{/g);
    for (const list of names(svg, / class="([^"]*)"/g))
      for (const name of list.split(' ')) expect(styled).toContain(name);
    // Whatever is black or white is of the page, except for the white that is a value.
    const plain = svg
      .split('\n')
      .flatMap((line) => line.match(/<(?!path)[^>]*(?:#ffffff|#26262b)[^>]*>/g) ?? []);
    const bar = `width="5" height="14" fill="#ffffff" shape-rendering="crispEdges"/>`;
    expect(plain.filter((tag) => !tag.includes(' class="')).every((tag) => tag.endsWith(bar))).toBe(true);
    expect(plain.some((tag) => tag.endsWith(bar))).toBe(true);
    expect(svg).toMatch(/<path fill="#2b2b30" d="[^"]*" class="bake-wall"/);
    expect(svg).toMatch(/<path fill="#ffffff" d="[^"]*"\/>/);
    // Somebody's own page stays as it is.
    expect(toSvg({ ...sheet, background: white })).not.toContain('prefers-color-scheme');
  });

  it('are SVG whose squares are those of the drawing, each drawn once', () => {
    const drawing = drawSheet(room(), { solidAt: isSolid });
    const grids = drawing.shapes.filter((shape) => shape.kind === 'squares');
    const groups = [...toSvg(drawing).matchAll(/<g transform="translate\(([^)]*)\)".*?<\/g>/gs)];
    expect(groups).toHaveLength(grids.length);
    for (const [n, { x, y, size, columns, rows, cells, colors }] of grids.entries()) {
      const [group, place] = groups[n]!;
      for (const [k, pixels] of place!.split(' ').entries())
        expect(Number(pixels)).toBeCloseTo([x, y][k]!, 1);
      const drawn = new Array<string>(columns * rows).fill('');
      for (const [, fill, d] of group.matchAll(/<path fill="(#[^"]*)" d="([^"]*)"/g)) {
        for (const [, ...path] of d!.matchAll(/M(\d+) (\d+)h(\d+)v(\d+)h-(\d+)z/g)) {
          const [left, top, width, height, back] = path.map((pixels) => Number(pixels) / size);
          expect(back).toBe(width);
          for (let row = top!; row < top! + height!; row++) {
            for (let column = left!; column < left! + width!; column++)
              drawn[row * columns + column] += fill!;
          }
        }
      }
      const hex = (color: number): string =>
        color === 255 ? '' : `#${Buffer.from(colors[color]!).toString('hex')}`;
      expect(drawn).toEqual(Array.from(cells, hex));
    }
  });

  it('have rings that are closed and round', () => {
    const { points } = ring(30, 40, 10, 2, PAPER);
    const corners = Array.from({ length: points.length / 2 }, (_, k) => points.slice(2 * k, 2 * k + 2));
    expect(corners).toHaveLength(33);
    expect(corners.at(-1)).toEqual(corners[0]);
    const distance = ([ax, ay]: number[], [bx, by]: number[]): number => Math.hypot(ax! - bx!, ay! - by!);
    for (const [k, corner] of corners.slice(1).entries()) {
      expect(distance(corner, [30, 40])).toBeCloseTo(10, 9);
      expect(distance(corner, corners[k]!)).toBeCloseTo(20 * Math.sin(Math.PI / 32), 9);
    }
  });

  it('have letters for all of ASCII', () => {
    const unknown = JSON.stringify(textStrokes('\u4e00', 10));
    for (let code = 33; code < 127; code++) {
      const char = String.fromCharCode(code);
      expect(JSON.stringify(textStrokes(char, 10)), char).not.toBe(unknown);
    }
  });
});
