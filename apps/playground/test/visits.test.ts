import { afterEach, describe, expect, it, vi } from 'vitest';
import { type KeptMap, Visits } from '../src/app/visits.ts';

const map = (name: string, more: Partial<KeptMap> = {}): KeptMap => ({
  name,
  isOwn: false,
  bytes: new Uint8Array(100),
  text: undefined,
  ...more,
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('what was open at the entries of the history', () => {
  it('is found again, there and back', () => {
    const visits = new Visits();
    const [first, second] = [map('a'), map('b')];
    const start = visits.current;
    visits.keep(first);
    visits.push();
    const next = visits.current;
    expect(visits.kept).toBeUndefined();
    visits.keep(second);
    visits.go(start);
    expect(visits.kept).toBe(first);
    visits.go(next);
    expect(visits.kept).toBe(second);
    // From before the page was reloaded.
    visits.go('long ago');
    expect(visits.kept).toBeUndefined();
    visits.go(next);
    expect(visits.kept).toBe(second);
  });

  it('is kept where the history was gone through after a reload, whatever is opened then', () => {
    const visits = new Visits();
    const [early, late] = [2, 3].map((place) => `${place} ${performance.timeOrigin - 1000} ${place}`);
    visits.go(early);
    visits.keep(map('a'));
    visits.go(late);
    // A file that is opened there comes after all of them.
    visits.push();
    visits.keep(map('b'));
    visits.go(early);
    expect(visits.kept?.name).toBe('a');
    // Gone through in the other direction, too.
    visits.go(`1 ${performance.timeOrigin - 2000} 7`);
    visits.push();
    visits.keep(map('c'));
    visits.go(early);
    expect(visits.kept).toBeUndefined();
  });

  it('is one map at entries with the same, however it is changed at one of them', () => {
    const visits = new Visits();
    const changed = map('a');
    visits.keep(map('a'));
    const start = visits.current;
    visits.pushSame();
    const next = visits.current;
    expect(next).not.toBe(start);
    expect(visits.kept?.name).toBe('a');
    visits.keep(changed);
    visits.push();
    visits.keep(map('b'));
    visits.keep(map('c'));
    for (const entry of [start, next]) {
      visits.go(entry);
      expect(visits.kept).toBe(changed);
    }
  });

  it('is kept for its own entry while the browser is at another one', () => {
    const visits = new Visits(250);
    const [open, changed] = [map('a'), map('a')];
    visits.keep(open);
    const start = visits.current;
    visits.pushSame();
    const same = visits.current;
    visits.push();
    const awaited = visits.current;
    visits.keep(changed, start);
    expect(visits.kept).toBeUndefined();
    visits.keep(map('b'));
    for (const entry of [start, same]) {
      visits.go(entry);
      expect(visits.kept).toBe(changed);
    }
    // Not where it cannot be found any more: there it would only take room.
    visits.push();
    visits.keep(map('c', { bytes: new Uint8Array(200) }), awaited);
    visits.go(same);
    expect(visits.kept).toBe(changed);
  });

  it('is given up where nobody can go any more', () => {
    const visits = new Visits();
    visits.keep(map('a'));
    const start = visits.current;
    visits.push();
    const gone = visits.current;
    visits.keep(map('b'));
    visits.go(start);
    // An address that is typed.
    visits.go(null);
    expect(visits.current).toEqual(expect.any(String));
    expect(visits.current).not.toBe(gone);
    visits.go(gone);
    expect(visits.kept).toBeUndefined();
  });

  it('is kept where somebody went back to it, and on to something else', () => {
    const visits = new Visits();
    visits.keep(map('a'));
    const start = visits.current;
    visits.push();
    visits.go(start);
    visits.push();
    visits.go(start);
    expect(visits.kept?.name).toBe('a');
  });

  it('is nothing at entries where nothing was open, whatever is opened later', () => {
    const visits = new Visits();
    const start = visits.current;
    visits.push();
    visits.keep(map('a'));
    visits.go(start);
    expect(visits.kept).toBeUndefined();
  });

  it('is in the order of the history after reloads, in whatever order it is gone through', () => {
    // The first load names one entry. Then the page is loaded again, by a clock that was set back meanwhile, and names two.
    const time = vi.spyOn(performance, 'timeOrigin', 'get');
    const load = (origin: number, from: unknown, count: number): string[] => {
      time.mockReturnValue(origin);
      const visits = new Visits();
      visits.go(from);
      return Array.from({ length: count }, () => {
        visits.push();
        return visits.current;
      });
    };
    const [first] = load(2000, undefined, 1) as [string];
    const [second, third] = load(1000, first, 2) as [string, string];
    time.mockReturnValue(1500);
    const visits = new Visits();
    for (const entry of [first, third, second]) {
      visits.go(entry);
      visits.keep(map(entry));
    }
    // What came after the second cannot be reached any more.
    visits.push();
    visits.go(third);
    expect(visits.kept).toBeUndefined();
    visits.go(first);
    expect(visits.kept?.name).toBe(first);
  });

  it('is kept within bounds, that of the current entry in any case', () => {
    const visits = new Visits(200);
    const entries = [0, 1, 2].map((k) => {
      if (k > 0) visits.push();
      visits.keep(map(String(k)));
      return visits.current;
    });
    const found = () =>
      entries.map((entry) => {
        visits.go(entry);
        return visits.kept?.name;
      });
    expect(found()).toEqual([undefined, '1', '2']);
    visits.keep(map('large', { bytes: new Uint8Array(1000) }));
    expect(found()).toEqual([undefined, undefined, 'large']);
  });

  it.each<[string, Partial<KeptMap>]>([
    ['light', { lit: new Uint8Array(100) }],
    ['text', { text: 'a'.repeat(50) }],
    ['original', { original: 'a'.repeat(50) }],
  ])('is kept within bounds with the bytes of its %s', (_, more) => {
    const visits = new Visits(299);
    const start = visits.current;
    visits.keep(map('a', more));
    visits.push();
    visits.keep(map('b'));
    visits.go(start);
    expect(visits.kept).toBeUndefined();
  });

  it('counts a map once that is open at several entries', () => {
    const visits = new Visits(250);
    const { bytes } = map('a');
    const start = visits.current;
    for (let k = 0; k < 5; k++) {
      visits.keep(map('a', { bytes }));
      visits.push();
    }
    visits.go(start);
    expect(visits.kept?.name).toBe('a');
  });
});

describe('what would be lost with the page', () => {
  const typed = (more: Partial<KeptMap>): Visits => {
    const visits = new Visits();
    visits.keep(map('a.map', { text: 'a', original: 'a', ...more }));
    return visits;
  };

  it('is what no address holds', () => {
    expect(typed({}).hasUnsaved).toBe(false);
    expect(typed({ text: undefined, original: undefined }).hasUnsaved).toBe(false);
    expect(typed({ text: 'b' }).hasUnsaved).toBe(true);
    // Of our own maps an address holds lines that were changed, but none that were added.
    expect(typed({ isOwn: true, text: 'b' }).hasUnsaved).toBe(false);
    expect(typed({ isOwn: true, text: 'a\nb' }).hasUnsaved).toBe(true);
  });

  it('is what was typed and does not compile, until it is saved or taken back', () => {
    const visits = typed({ isOwn: true });
    const kept = visits.kept!;
    visits.setDraft(kept, '( b');
    expect([visits.draft(kept), visits.hasUnsaved]).toEqual(['( b', true]);
    visits.setSaved(kept, '( b');
    expect(visits.hasUnsaved).toBe(false);
    visits.setDraft(kept, '( c');
    expect(visits.hasUnsaved).toBe(true);
    visits.setDraft(kept, undefined);
    expect([visits.draft(kept), visits.hasUnsaved]).toEqual([undefined, false]);
  });

  it('is what was changed while the browser was at the entry of a link that could not be followed', () => {
    const visits = typed({ isOwn: true, text: 'b' });
    const start = visits.current;
    visits.push();
    expect(visits.hasUnsaved).toBe(false);
    const changed = map('a.map', { isOwn: true, text: 'c', original: 'a' });
    visits.keep(changed, start);
    expect(visits.hasUnsaved).toBe(true);
    // Back there, the address has it.
    visits.go(start);
    visits.keep(changed);
    expect(visits.hasUnsaved).toBe(false);
  });

  it('may be elsewhere in the history', () => {
    const visits = typed({ text: 'b' });
    visits.push();
    visits.keep(map('c.bsp'));
    expect(visits.hasUnsaved).toBe(true);
  });
});
