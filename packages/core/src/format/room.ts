import { type ArrayClass, checkArrayOf } from '../arrays.ts';

/**
 * Throws unless numbers can be written into an array: as {@link checkArrayOf} does, and `RangeError` for one with room for fewer
 * than `length` of them.
 * @param article - of the class's name.
 */
export function checkRoomOf<A extends { readonly length: number }>(
  array: unknown,
  Numbers: ArrayClass<A>,
  length: number,
  name: string,
  article = 'a',
): asserts array is A {
  checkArrayOf(array, Numbers, name, article);
  if (array.length < length) throw new RangeError(`${name} must hold ${length} numbers, got ${array.length}`);
}
