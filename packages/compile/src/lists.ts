/** The list of a key, which is made if there is none. */
export function listOf<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const known = lists.get(key);
  if (known) return known;
  const list: V[] = [];
  lists.set(key, list);
  return list;
}

/** Adds a number to the list of a key, once; numbers must come in ascending order. */
export function addOnce<K>(lists: Map<K, number[]>, key: K, number: number): void {
  const list = listOf(lists, key);
  if (list.at(-1) !== number) list.push(number);
}

/** A key for a cell of a grid by its two whole numbers; several cells may have the same. */
export const cellKey = (x: number, y: number): number =>
  (Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b)) >> 2;
