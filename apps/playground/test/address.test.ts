import { afterEach, expect, it, vi } from 'vitest';
import { Address } from '../src/app/address.ts';
import type { Link } from '../src/app/link.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('has a new entry of the history only where one is asked for, and keeps its link while there is no other', () => {
  const written: unknown[][] = [];
  const change = (how: string) => (entry: string, _: string, link?: string) =>
    written.push([how, entry, link]);
  vi.stubGlobal('history', { replaceState: change('replace'), pushState: change('push') });
  let link: Link | undefined = { map: 'arena' };
  const address = new Address(
    () => link,
    () => 'entry',
  );
  address.push();
  address.write();
  link = undefined;
  address.push();
  address.write();
  expect(written).toEqual([
    ['push', 'entry', '#map=arena'],
    ['replace', 'entry', '#map=arena'],
  ]);
});

it('follows many changes with one, and those that it has already with none', () => {
  vi.useFakeTimers();
  const replaceState = vi.fn();
  vi.stubGlobal('history', { replaceState });
  let yaw = 0;
  const address = new Address(
    () => ({ view: { position: [0, 0, 0], yaw, pitch: 0 } }),
    () => 'entry',
  );
  for (yaw = 1; yaw < 9; yaw++) address.change();
  expect(replaceState).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(replaceState.mock.calls).toEqual([['entry', '', '#view=0,0,0,9,0']]);
  address.change();
  address.write();
  vi.runAllTimers();
  expect(replaceState).toHaveBeenCalledTimes(2);
  address.change();
  vi.runAllTimers();
  expect(replaceState).toHaveBeenCalledTimes(3);
});

it('throws nothing while the browser allows no more changes, and writes again once it does', () => {
  const written: unknown[][] = [];
  let isAllowed = false;
  const change = (...what: unknown[]): void => {
    if (!isAllowed) throw new DOMException('too many calls', 'SecurityError');
    written.push(what);
  };
  vi.stubGlobal('history', { replaceState: change, pushState: change });
  const address = new Address(
    () => ({ map: 'arena' }),
    () => 'entry',
  );
  address.name();
  address.write();
  address.push();
  expect(written).toEqual([]);
  isAllowed = true;
  address.name();
  address.write();
  expect(written).toEqual([
    ['entry', '', undefined],
    ['entry', '', '#map=arena'],
  ]);
});
