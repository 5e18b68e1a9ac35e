import { afterEach, expect, it, vi } from 'vitest';
import { Address } from '../src/app/address.ts';

afterEach(() => {
  vi.unstubAllGlobals();
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
