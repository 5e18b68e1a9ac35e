import { afterEach, expect, it, vi } from 'vitest';
import { saveFile } from '../src/app/save.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('a file is saved by its name, and is in memory until the browser has had the time to read it', () => {
  vi.useFakeTimers();
  const element = { setAttribute: vi.fn(), append: vi.fn(), click: vi.fn() };
  vi.stubGlobal('document', { createElement: () => element });
  const make = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
  const revoke = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  saveFile('a.map', 'text');
  expect(make).toHaveBeenCalledWith(expect.objectContaining({ size: 4 }));
  expect(element.setAttribute.mock.calls).toEqual([
    ['href', 'blob:1'],
    ['download', 'a.map'],
  ]);
  expect(element.click).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(1000);
  expect(revoke).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(revoke.mock.calls).toEqual([['blob:1']]);
});
