import { parseMap } from '@bspkit/compile';
import { fixtureText } from '@bspkit/fixtures';
import { describe, expect, it } from 'vitest';
import { changedLines, readChanges, withLines } from '../../src/app/edits.ts';
import { facesOf } from '../../src/tools/draw/polygons.ts';
import {
  brushAtLine,
  brushAtPoint,
  difference,
  type Edit,
  lineAt,
  lineRange,
  moveSide,
  nudge,
  numberAt,
  textBrushes,
} from '../../src/tools/edit/text.ts';

const BOX = `{
"classname" "worldspawn"
// brush 0
{
( 0 0 0 ) ( 0 0 -16 ) ( 0 64 -16 ) a/wall 0 0 0 1 1
( 64 64 0 ) ( 64 64 -16 ) ( 64 0 -16 ) a/wall 0 0 0 1 1
( 64 0 0 ) ( 64 0 -16 ) ( 0 0 -16 ) a/wall 0 0 0 1 1
( 0 64 0 ) ( 0 64 -16 ) ( 64 64 -16 ) a/wall 0 0 0 1 1
( 0 64 -16 ) ( 0 0 -16 ) ( 64 0 -16 ) a/wall 0 0 0 1 1
( 0 0 0 ) ( 0 64 0 ) ( 64 64 0 ) a/wall 0 0 0 1 1
}
}
`;
const applied = (text: string, { from, to, insert }: Edit): string =>
  text.slice(0, from) + insert + text.slice(to);
/** Somewhere in the line of the side that faces up. */
const TOP = BOX.indexOf('( 0 0 0 ) ( 0 64 0 )');

describe('brushes of a text', () => {
  it('have the planes that the compiler finds', () => {
    const text = fixtureText('arena');
    const found = textBrushes(text);
    const wanted = parseMap(text).entities.flatMap(({ brushes = [] }) => brushes);
    expect(found).toHaveLength(wanted.length);
    for (const [k, { sides, firstLine }] of found.entries()) {
      expect(firstLine).toBe(wanted[k]!.line);
      expect(sides).toHaveLength(wanted[k]!.sides.length);
      for (const [s, { normal, dist, line }] of sides.entries()) {
        const side = wanted[k]!.sides[s]!;
        expect(line).toBe(side.line);
        // The compiler's normal is as long as it comes.
        const length = Math.hypot(...Array.from(side.normal));
        expect(dist).toBeCloseTo(side.dist / length, 6);
        for (const axis of [0, 1, 2]) expect(normal[axis]).toBeCloseTo(side.normal[axis]! / length, 9);
      }
      expect(facesOf(sides).length).toBeGreaterThanOrEqual(4);
    }
  });

  it('are passed over where they are half typed', () => {
    const [typed] = textBrushes(BOX.replace('( 64 64 0 )', '( 64 64'));
    expect(typed!.sides).toHaveLength(5);
    expect([typed!.isWhole, textBrushes(BOX)[0]!.isWhole]).toEqual([false, true]);
    expect(textBrushes(BOX.slice(0, TOP))).toEqual([]);
    expect(textBrushes('}}}{')).toEqual([]);
  });

  it('are the same where lines end as on Windows', () => {
    const text = BOX.replace('{\n(', '{ // here\n// a comment\n(');
    expect(textBrushes(text)[0]!.sides).toHaveLength(6);
    expect(textBrushes(text.replaceAll('\n', '\r\n'))).toEqual(textBrushes(text));
  });

  it('are those of brush primitives too, one after the other and beside others', () => {
    const primitive = BOX.replace(/^\{\n(?=\()/m, '{\nbrushDef\n{\n')
      .replace('}\n}', '}\n}\n}')
      .replace(/ a\/wall 0 0 0 1 1$/gm, ' ( ( 0.0625 0 0 ) ( 0 0.0625 0 ) ) a/wall 0 0 0');
    const [one] = parseMap(primitive).entities[0]!.brushes!;
    const [found] = textBrushes(primitive);
    expect(found).toMatchObject({ firstLine: 4, lastLine: 14, isWhole: true });
    expect(found!.sides.map(({ line }) => line)).toEqual(one!.sides.map(({ line }) => line));
    const plain = textBrushes(BOX)[0]!.sides.map(({ normal, dist }) => ({ normal, dist }));
    expect(found!.sides).toMatchObject(plain);
    const brush = (text: string): string => text.slice(text.indexOf('// brush'), text.lastIndexOf('}\n'));
    const many = `{\n${[primitive, BOX, primitive].map(brush).join('')}}\n`;
    expect(textBrushes(many).map(({ sides }) => sides.length)).toEqual([6, 6, 6]);
    expect(facesOf(textBrushes(many)[2]!.sides)).toHaveLength(6);
  });

  it('are found by line and by point', () => {
    const brushes = textBrushes(BOX);
    expect(brushAtLine(brushes, 7)).toBe(brushes[0]);
    expect(brushAtLine(brushes, 2)).toBeUndefined();
    const found = brushAtPoint(brushes, [32, 20, 0.125])!;
    expect(found.side.line).toBe(10);
    expect(brushAtPoint(brushes, [32, 20, 8])).toBeUndefined();
  });
});

describe('numbers in a text', () => {
  it('are found around the caret, and nowhere else', () => {
    const text = '( -16 0.5 7e2 ) a/wall2 "angle" "90"';
    const word = (offset: number): string | undefined => {
      const range = numberAt(text, offset);
      return range && text.slice(...range);
    };
    expect([2, 3, 5].map(word)).toEqual(['-16', '-16', '-16']);
    expect(word(7)).toBe('0.5');
    expect(word(11)).toBe('7e2');
    expect(word(text.indexOf('2 "'))).toBeUndefined();
    expect(word(text.indexOf('90'))).toBe('90');
    expect(word(0)).toBeUndefined();
  });

  it('are nudged', () => {
    const at = BOX.indexOf('-16');
    const edit = nudge(BOX, at, 1)!;
    expect(edit).toEqual({ from: at, to: at + 3, insert: '-15' });
    const now = applied(BOX, edit);
    expect(applied(now, nudge(now, edit.from, -1)!)).toBe(BOX);
    expect(nudge(BOX, 3, 1)).toBeUndefined();
    expect(nudge('0.1', 0, 0.2)!.insert).toBe('0.3');
    expect(nudge('-1', 0, 1)!.insert).toBe('0');
  });
});

describe('a side that is moved', () => {
  it('goes outwards with all of its points, and the texture stays', () => {
    const now = applied(BOX, moveSide(BOX, TOP + 3, 8)!);
    expect(now).toContain('( 0 0 8 ) ( 0 64 8 ) ( 64 64 8 ) a/wall 0 0 0 1 1');
    expect(textBrushes(now)[0]!.sides.at(-1)!.dist).toBe(8);
    expect(applied(now, moveSide(now, TOP, -8)!)).toBe(BOX);
    expect(moveSide(BOX, 0, 8)).toBeUndefined();
  });
});

describe('lines', () => {
  it('are counted from 1', () => {
    expect(lineAt(BOX, 0)).toBe(1);
    expect(lineAt(BOX, TOP)).toBe(10);
    expect(BOX.slice(...lineRange(BOX, 2))).toBe('"classname" "worldspawn"');
    expect(lineRange('a', 5)).toEqual([1, 1]);
  });

  it('that were changed make the text again', () => {
    const now = applied(BOX, moveSide(BOX, TOP, 8)!);
    const changes = changedLines(BOX, now)!;
    expect(changes.map(([line]) => line)).toEqual([10]);
    expect(withLines(BOX, changes)).toBe(now);
    expect(withLines(BOX, [...changes, [BOX.split('\n').length + 1, '']])).toBeUndefined();
    expect(withLines(BOX, [[0, '']])).toBeUndefined();
    expect(changedLines(BOX, `${BOX}\n`)).toBeUndefined();
    const [old, other] = ['a', 'b'].map((text) => Array.from({ length: 61 }, () => text));
    expect(changedLines(old!.join('\n'), [...other!.slice(1), 'a'].join('\n'))).toHaveLength(60);
    expect(changedLines(old!.join('\n'), other!.join('\n'))).toBeUndefined();
    expect(readChanges(changes as never)).toEqual(changes);
  });

  it.each([
    [undefined],
    [[]],
    ['[[1,""]]'],
    [[1, '']],
    [[[1]]],
    [[[0.5, '']]],
    [[['1', '']]],
    [[[1, ''], null]],
  ])('are not read from a link that has none: %j', (value) => {
    expect(readChanges(value as never)).toBeUndefined();
  });
});

describe('difference', () => {
  it.each([
    ['', ''],
    ['abc', 'abc'],
    ['aa', 'aaa'],
    ['aaa', 'aa'],
    ['one two', 'one 2 two'],
    ['', 'x'],
    ['x', ''],
    ['abcd', 'bd'],
  ])('makes of %j %j, and touches no more than it must', (text, other) => {
    const { from, to, insert } = difference(text, other);
    expect(text.slice(0, from) + insert + text.slice(to)).toBe(other);
    if (text === other) expect([from === to, insert]).toEqual([true, '']);
  });
});
