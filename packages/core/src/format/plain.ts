/**
 * What can be read from an object, as a plain one: its own fields, and the fields and accessors that it inherits, but not the
 * methods of its class, nor what all objects have. Spreading and `Object.entries` would leave out what is inherited.
 */
export function plainOf<T extends object>(object: T): T {
  const fields = new Map<string, unknown>();
  for (let level: object | null = object; level; level = Object.getPrototypeOf(level)) {
    // The prototype of all objects, of whatever realm.
    if (level !== object && Object.hasOwn(level, 'hasOwnProperty')) break;
    for (const [name, { enumerable, get }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      // Accessors of a class are not enumerable, and neither are marks that frameworks put on objects.
      if (fields.has(name) || !(enumerable || get)) continue;
      const value = object[name as keyof T];
      if (level === object || typeof value !== 'function') fields.set(name, value);
    }
  }
  return Object.fromEntries(fields) as T;
}
