import { failArgument } from './kinds.ts';

/** The class of some typed arrays. */
export interface ArrayClass<A> {
  new (length: number): A;
  readonly name: string;
}

/**
 * Whether `value` is a typed array of a class, or of the class of this name of another realm: a frame's, that of a
 * `node:vm` context, or Node's own in tests with jsdom. Such an array is not an instance, but has the name as its tag.
 */
export function isArrayOf<A>(value: unknown, Numbers: ArrayClass<A>): value is A {
  return (
    value instanceof Numbers ||
    (ArrayBuffer.isView(value) && (value as Float32Array)[Symbol.toStringTag] === Numbers.name)
  );
}

/** Throws `TypeError` unless `value` is a typed array of a class, of whatever realm. */
export function checkArrayOf<A>(value: unknown, Numbers: ArrayClass<A>, name: string): asserts value is A {
  if (isArrayOf(value, Numbers)) return;
  failArgument(name, `${Numbers.name[0] === 'I' ? 'an' : 'a'} ${Numbers.name}`, value, false);
}
