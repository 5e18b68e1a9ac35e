import { expect, it } from 'vitest';
import { BspError } from '../src/index.ts';

it('an error has what it was made with as properties, and nothing else', () => {
  const magic = new BspError('magic', { format: 'bsp' }, 'is a picture');
  expect({ ...magic }).toStrictEqual({ name: 'BspError', code: 'magic', format: 'bsp' });
  const place = { format: 'quake3', lump: 'planes', index: 3, offset: 200 };
  const value = new BspError('value', place, 'is not a number', { cause: magic });
  expect({ ...value }).toStrictEqual({ name: 'BspError', code: 'value', ...place });
  expect(value).toMatchObject({ message: 'quake3: planes 3: is not a number', cause: magic });
});
