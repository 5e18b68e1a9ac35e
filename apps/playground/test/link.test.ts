import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLink, type Link, parseLink } from '../src/app/link.ts';

const round = (x: number) => Math.round(x * 100) / 100;
const some = (link: Link) => Object.fromEntries(Object.entries(link).filter(([, v]) => v !== undefined));

describe('a link', () => {
  const link: Link = {
    map: 'arena',
    format: 'quake3',
    lines: [[7, '"wait" "8"']],
    mode: 'walk',
    view: { position: [-256, 0.5, 32.25], yaw: 90, pitch: -12.5 },
    tool: 'shoot',
    state: { queries: [{ from: [1, 2, 3], to: [4, 5, 6] }], kind: 'box & "sphere" #' },
    color: 'contents',
    show: ['sky', 'clip'],
    cut: 128,
  };

  it('says everything, readably', () => {
    expect(formatLink(link)).toMatch(
      /^map=arena&format=quake3&lines=%5B%5B7,[^&]*&mode=walk&view=-256,0.5,32.25,90,-12.5&color=contents&show=sky,clip&cut=128&tool=shoot&state=/,
    );
    expect(some(parseLink(`#${formatLink(link)}`))).toEqual(link);
  });

  it('has hundredths of numbers, and nothing of what is empty', () => {
    const view = { position: [0.126, -0.126, 1 / 3], yaw: 89.999, pitch: 0 } as const;
    expect(formatLink({ map: '', view, show: [], cut: 0.126 })).toBe('view=0.13,-0.13,0.33,90,0&cut=0.13');
  });

  it('brings back whatever was put in', () => {
    const number = fc.double({ min: -9e8, max: 9e8, noNaN: true }).map((x) => round(x) + 0);
    const links = fc.record(
      {
        map: fc.stringMatching(/^[\w-]{1,40}$/),
        file: fc.string({ minLength: 1, maxLength: 100 }),
        view: fc.record({
          position: fc.tuple(number, number, number),
          yaw: number,
          pitch: fc.integer({ min: -90, max: 90 }),
        }),
        state: fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value))),
        cut: fc.oneof(number, fc.constant('all')),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(links, (made) => {
        expect(some(parseLink(formatLink(made as Link)))).toEqual(made);
      }),
      { numRuns: 200 },
    );
  });

  it('is taken as far as it is understood', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseLink(text)));
    const odd = parseLink('#mode=swim&view=1,2,x,4,5&lines=[3]&state={&cut=&file=%E0%A4%A&color=blue');
    const unread = ['lines', 'mode', 'view', 'state', 'color', 'cut'];
    expect(some(odd)).toEqual({ file: '%E0%A4%A', unread });
    // The page writes what it reads into the next link.
    const deep = parseLink(`tool=compare&state={"count":${'['.repeat(2e4)}${']'.repeat(2e4)}}`);
    expect(deep).toMatchObject({ tool: 'compare', state: undefined, unread: ['state'] });
    const nested = (depth: number) => parseLink(`state=${'['.repeat(depth)}${']'.repeat(depth)}`).unread;
    expect([nested(32), nested(33)]).toEqual([undefined, ['state']]);
    // Half of an edit is another edit.
    expect(parseLink('lines=[[3,"a"],[4]]')).toMatchObject({ lines: undefined, unread: ['lines'] });
    expect(parseLink('lines=[[3,"a"]]').lines).toEqual([[3, 'a']]);
    expect(parseLink('view=1,2,3,4,500').view?.pitch).toBe(90);
    expect(parseLink('view=1,2,3,4,-500').view?.pitch).toBe(-90);
    expect(['1,2,1e9,4,5', '1,2,3,4', '1,2,3,4,5,6'].map((view) => parseLink(`view=${view}`).view)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(parseLink('cut=%20').unread).toEqual(['cut']);
    // No file has no name: nobody could be asked for it.
    expect(parseLink('file=')).toEqual({ unread: ['file'] });
    expect(parseLink('show=,sky,').show).toEqual(['sky']);
  });

  it('cannot have the page show sentences as unknown names', () => {
    const words = encodeURIComponent('Your session has ended: sign in at evil.example');
    expect(parseLink(`map=${words}&format=${words}&tool=${words}&file=${'x'.repeat(256)}`)).toEqual({
      unread: ['map', 'file', 'format', 'tool'],
    });
    expect(parseLink(`file=${'x'.repeat(255)}`).file).toHaveLength(255);
    expect(parseLink('tool=no-such_tool2').tool).toBe('no-such_tool2');
  });
});
