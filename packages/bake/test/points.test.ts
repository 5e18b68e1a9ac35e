import { describe, expect, it } from 'vitest';
import { parsePoints } from '../src/index.ts';

describe('points of a text', () => {
  it.each([
    ['blanks', '1 2 3\n4 5 6\n'],
    ['commas, a head and notes', 'x,y,z\n# a note\n1,2,3\r\n\n4, 5, 6'],
    ['lines of JSON', '[1,2,3]\n[4,5,6]\n'],
    ['a list of JSON', ' [[1,2,3],[4,\n5,6]] '],
    ['a list of JSON after a byte order mark', '\ufeff[[1,2,3],[4,5,6]]'],
    ['a list of JSON with commas after the last of each list', '[[1,2,3,],[4,5,6],\n] '],
    ['a list of JSON with a comma after it', '[[1,2,3],[4,5,6]],\n'],
    ['lines after a byte order mark', '\ufeff1 2 3\n4 5 6'],
    ['lines of old Macintoshes', 'x y z\r1 2 3\r4 5 6\r'],
    ['brackets of their own', '(1 2 3)\n{4;5;6}'],
  ])('between %s', (_, text) => {
    expect(parsePoints(text)).toEqual({ points: new Float32Array([1, 2, 3, 4, 5, 6]), normals: undefined });
  });

  it('have normals, which are made as long as one', () => {
    const { points, normals } = parsePoints('1 2 3 0 0 5\n4 5 6 -3 4 0');
    expect(points).toEqual(new Float32Array([1, 2, 3, 4, 5, 6]));
    expect(normals).toEqual(new Float32Array([0, 0, 1, -0.6, 0.8, 0]));
    expect(parsePoints('[[1,2,3],[0,0,5]]\n[[4,5,6],[-3,4,0]],')).toEqual({ points, normals });
  });

  it.each([
    ['1 2 3\n1', 'line 2 has 1 number, but needs 3 or 6'],
    ['1 2 3\n1 2', 'line 2 has 2 numbers, but needs 3 or 6'],
    ['1 2 3\n1 2 x', "line 2 'x' is not a number"],
    ['1 2 1e99', "line 1 '1e99' is not a number"],
    ['1 2 3\n1 2 3 4 5 6', 'line 2 has 6 numbers, but others have 3'],
    ['1 2 3 0 0 0', 'line 1 has a normal of no length'],
    ['x y z\nx y z', "line 2 'x' is not a number"],
    ['NaN nan NaN\n1 2 3', "line 1 'NaN' is not a number"],
    ['[[null, null, null], [1, 2, 3]]', "list 1 'null' is not a number"],
    [
      '[{"x":1,"y":2,"z":3},{"x":4,"y":5,"z":6}]',
      `line 1 '"x":1' is not a number: a point in JSON is a list of numbers, as [1, 2, 3]`,
    ],
    [
      '{"x":1,"y":2,"z":3}\n',
      `line 1 '"x":1' is not a number: a point in JSON is a list of numbers, as [1, 2, 3]`,
    ],
    ['{}', 'line 1 has no numbers'],
    ['# a list\n\n[[]]\n{}', 'line 3 has no numbers'],
    ['x,y,z\n,,', 'line 2 has no numbers'],
    [' [[], []]', 'list 1 has no numbers'],
    ['[\n  [1, 2, 3],\n  [4, 5]\n]', 'list 2 has 2 numbers, but needs 3 or 6'],
    ['[[1,2,3],[4,5,6]', 'line 1 has several lists, but is not JSON'],
    ['[\n[1,2,3],\n[4,5,6], [7,8,9]', 'line 3 has several lists, but is not JSON'],
    ['[[1, 2, 3, 0, 0, 1],\n\n[1, 2, 3, 0, 0, 0]]', 'list 2 has a normal of no length'],
  ])('are refused by line, or list: %s', (text, problem) => {
    expect(() => parsePoints(text)).toThrow(new SyntaxError(problem));
  });

  it('may have names with colons, as programs write them for the parts of vectors', () => {
    for (const names of ['"Points:0","Points:1","Points:2"', 'Points:0,Points:1,Points:2'])
      expect(parsePoints(`${names}\n1,2,3`).points).toEqual(Float32Array.of(1, 2, 3));
  });

  it('may have many blanks after a bracket: reading takes no longer for that than for other text', () => {
    const text = `[[1,2,3],\n[4,5,6]${' '.repeat(300_000)}7`;
    expect(() => parsePoints(text)).toThrow(new SyntaxError('line 2 has 4 numbers, but needs 3 or 6'));
  });

  it('may be none', () => {
    for (const text of ['', '\n# nothing\n', 'x,y,z\n', '[]', ' [\n] '])
      expect(parsePoints(text)).toEqual({ points: new Float32Array(), normals: undefined });
    expect(() => parsePoints(3 as never)).toThrow('text must be a string, got 3');
  });
});
