// Every exported function, and every method of what they return, is called with wrong arguments in each position: nothing, null,
// other types, NaN, wrong lengths, unknown options. Each call must throw a TypeError or RangeError that names the argument in our
// own words. What JavaScript's conversions make acceptable is listed with each kind of argument below.

/** Names of wrong arguments. */
export type JunkName =
  | 'undefined'
  | 'null'
  | 'five'
  | 'minus one'
  | 'half'
  | 'NaN'
  | 'Infinity'
  | 'huge'
  | 'empty text'
  | 'text'
  | 'text of digits'
  | 'true'
  | 'object'
  | 'object without prototype'
  | 'empty array'
  | 'array of nulls'
  | 'array of NaN'
  | 'short array'
  | 'array of texts'
  | 'array of one object'
  | 'short Float32Array'
  | 'function'
  | 'symbol'
  | 'bigint'
  | 'map of nothing';

/** Wrong arguments by name. Those that a kind of argument accepts after all are listed there. */
const JUNK: Readonly<Record<JunkName, unknown>> = {
  undefined,
  null: null,
  five: 5,
  'minus one': -1,
  half: 0.5,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  huge: 1e300,
  'empty text': '',
  text: 'x',
  'text of digits': '123',
  true: true,
  object: {},
  'object without prototype': Object.create(null) as object,
  'empty array': [],
  'array of nulls': [null, null, null],
  'array of NaN': [Number.NaN, 0, 0],
  'short array': [1, 2],
  'array of texts': ['1', '2', '3'],
  'array of one object': [{}],
  'short Float32Array': new Float32Array(2),
  function: (): void => {},
  symbol: Symbol('x'),
  bigint: 5n,
  'map of nothing': new Map(),
};

const JUNK_NAMES = Object.keys(JUNK) as JunkName[];

/** An argument: a valid value, and the junk that is accepted as well. */
export interface Argument {
  /** Created anew for every call, as calls may change it. */
  value(): unknown;
  readonly accepts: readonly JunkName[];
  /** Types that it may have, if its value and what it accepts do not show them all. */
  readonly types?: readonly string[];
  /** Arguments inside it, by key. */
  readonly keys?: Readonly<Record<string, Argument>>;
  /** Whether other keys are refused. */
  readonly closed?: boolean;
  /** Other names for it, and for parts of it. */
  readonly aliases?: readonly string[];
}

export const argument = (value: () => unknown, accepts: readonly JunkName[] = []): Argument => ({
  value,
  accepts,
});

/** The argument may be left out. */
export const optional = (given: Argument): Argument => ({
  ...given,
  accepts: [...given.accepts, 'undefined'],
});

// Kinds of arguments.

/** Extra numbers are ignored, so that points may be views of longer rows. */
export const point = (value: readonly number[] = [1, 2, 3]): Argument => argument(() => [...value]);
export const mask: Argument = argument(() => 1, ['five', 'minus one']);
export const finite: Argument = argument(() => 3, ['five', 'minus one', 'half']);
export const size: Argument = argument(() => 8, ['five', 'half']);
/** The number, from 0, of something of which there are more than five. */
export const index: Argument = argument(() => 1, ['five']);
export const few = (value: number): Argument => argument(() => value);
export const flag: Argument = optional(argument(() => true, ['true']));
export const text: Argument = argument(() => 'a', ['empty text', 'text', 'text of digits']);
export const callback: Argument = argument(() => () => {}, ['function']);
export const choice = (value: string): Argument => optional(argument(() => value));
/** Options that are known, but not for this kind of thing: each is refused by its name, whatever it is. */
export const foreign = (...names: readonly string[]): Readonly<Record<string, Argument>> =>
  Object.fromEntries(names.map((name) => [name, argument(() => undefined)]));
/** Whatever it is, it is taken. */
export const anything: Argument = argument(() => undefined, JUNK_NAMES);
/** Any object without unknown keys counts as options that are all left out, however it was created. */
export const EMPTY: readonly JunkName[] = ['object', 'object without prototype', 'map of nothing'];

/** Options, which may be left out. */
export const options = (keys: Readonly<Record<string, Argument>>): Argument => ({
  value: () => ({}),
  accepts: ['undefined', ...EMPTY],
  keys: Object.fromEntries(Object.entries(keys).map(([key, given]) => [key, optional(given)])),
  closed: true,
});

/** An object whose keys are required. */
export const record = (keys: Readonly<Record<string, Argument>>, closed = false): Argument => ({
  value: () => Object.fromEntries(Object.entries(keys).map(([key, given]) => [key, given.value()])),
  accepts: [],
  keys,
  closed,
});

/** A function or method to call. */
export interface Call {
  readonly name: string;
  readonly self: unknown;
  readonly call: (...given: unknown[]) => unknown;
  readonly args: Readonly<Record<string, Argument>>;
}

/** Methods and what they take, by name; `null` for those that take nothing, so that nothing can be wrong. */
export type Signatures = Readonly<Record<string, Readonly<Record<string, Argument>> | null>>;

/** Names of the methods of an object, own and inherited, except for internal ones, which begin with `_`. */
function methodsOf(self: object): string[] {
  const names = new Set<string>();
  for (
    let level = self;
    level !== null && level !== Object.prototype && level !== Function.prototype && level !== Error.prototype;
    level = Object.getPrototypeOf(level) as object
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      const isOurs = name !== 'constructor' && !name.startsWith('_');
      if (isOurs && typeof value === 'function') names.add(name);
    }
  }
  return [...names];
}

type ErrorType = abstract new (...args: never[]) => Error;

/** Errors of the JavaScript engine's own, which name no argument. */
const BARE =
  /^Cannot |is not (a function|iterable|defined|a constructor|an object|extensible)|First argument|Invalid (array|typed array|time|DataView|count|mix)|object null|Maximum call|out of bounds|Method .* called on|Reduce of empty|a BigInt|a Symbol/;

/** A call that must be refused. */
interface WrongCall {
  readonly label: string;
  readonly given: unknown[];
  /** The error must contain one of these. */
  readonly names: string[];
  /** Whether the argument is of another type than the function takes. */
  readonly isKind: boolean;
  /** The keys that are tried: if the error lists what may be given, it may list no others. */
  readonly tried?: readonly string[];
}

/** What is wrong with the error of a call that must be refused; nothing if it is right. */
function flawOf(
  error: unknown,
  { names, isKind, tried }: WrongCall,
  own: readonly ErrorType[],
): string | undefined {
  if (own.some((type) => error instanceof type)) return undefined;
  if (!(error instanceof TypeError || error instanceof RangeError)) return `threw ${String(error)}`;
  if (BARE.test(error.message)) return `bare error: ${error.message}`;
  if (isKind && error instanceof RangeError && / must be (?!left out)/.test(error.message)) {
    return `is of the wrong type, not out of range: ${error.message}`;
  }
  const isNamed = names.some((name) => new RegExp(`(^|[^\\w])${name}(?!\\w)`).test(error.message));
  if (!isNamed) return `none of ${names.join(', ')} is named: ${error.message}`;
  const listed = error.message.match(/; the options are (.*)$/)?.[1]?.split(', ') ?? [];
  const untried = tried ? listed.filter((name) => !tried.includes(name)) : [];
  return untried.length === 0
    ? undefined
    : `takes ${untried.join(', ')} too: add what may be given to the keys that are tried`;
}

const typeOf = (value: unknown): string => (value === null ? 'null' : typeof value);

/** The types that an argument may have. */
const typesOf = ({ value, accepts, types = [] }: Argument): ReadonlySet<string> =>
  new Set([...types, ...[value(), ...accepts.map((junk) => JUNK[junk])].map(typeOf)]);

/** Values for one argument that must be refused, as parts of a {@link WrongCall}. */
function* wrongValues(
  name: string,
  given: Argument,
): Generator<[string, unknown, string[], boolean, string[]?]> {
  const inner = Object.keys(given.keys ?? {});
  const types = typesOf(given);
  for (const junk of JUNK_NAMES) {
    if (given.accepts.includes(junk)) continue;
    const names = [name, ...inner, 'option', ...(given.aliases ?? [])];
    yield [`${name}: ${junk}`, JUNK[junk], names, !types.has(typeOf(JUNK[junk]))];
  }
  if (given.closed) {
    const value = { ...(given.value() as object), nonsense: 1 };
    yield [`${name}: unknown key`, value, ['nonsense'], false, inner];
  }
  for (const [key, part] of Object.entries(given.keys ?? {})) {
    for (const [label, value, ...rest] of wrongValues(key, part)) {
      yield [`${name}.${label}`, { ...(given.value() as object), [key]: value }, ...rest];
    }
  }
}

/** Calls of a function or method that must be refused, and what their errors must name. */
function* wrongCalls(made: Call): Generator<WrongCall> {
  const args = Object.entries(made.args);
  if (args.some(([, given]) => !given.accepts.includes('undefined'))) {
    const names = args.flatMap(([name, { keys = {}, aliases = [] }]) => [
      name,
      ...Object.keys(keys),
      ...aliases,
    ]);
    yield { label: 'nothing', given: [], names: [...names, 'levels'], isKind: false };
  }
  for (const [place, [name, argument]] of args.entries()) {
    for (const [label, value, names, isKind, tried] of wrongValues(name, argument)) {
      const given = args.map(([, arg]) => arg.value());
      given[place] = value;
      yield { label, given, names, isKind, ...(tried && { tried }) };
    }
  }
}

/** What to call, and what was wrong with how it refused. */
export interface Subjects {
  readonly calls: readonly Call[];
  /** Functions and methods without a signature. */
  readonly missing: readonly string[];
  /** The number of calls so far. */
  readonly tried: number;
  /** Adds the methods of an object to the test. */
  subject(name: string, self: object, signatures: Signatures): void;
  flawsOf(made: Call): string[];
  flawsOfAsync(made: Call): Promise<string[]>;
}

/** @param own - types of error that describe what is wrong with the content of an argument, in their own words. */
export function createSubjects(own: readonly ErrorType[] = []): Subjects {
  const calls: Call[] = [];
  const missing: string[] = [];
  let tried = 0;
  return {
    calls,
    missing,
    get tried() {
      return tried;
    },
    subject(name, self, signatures) {
      for (const method of methodsOf(self)) {
        const args = signatures[method];
        if (args === undefined) missing.push(`${name}.${method}`);
        const call = (self as Record<string, unknown>)[method] as Call['call'];
        if (args) calls.push({ name: `${name}.${method}`, self, call, args });
      }
    },
    flawsOf(made) {
      const flaws: string[] = [];
      for (const wrong of wrongCalls(made)) {
        tried++;
        let found: string | undefined = 'was taken';
        try {
          made.call.apply(made.self, wrong.given);
        } catch (error) {
          found = flawOf(error, wrong, own);
        }
        if (found) flaws.push(`${made.name}(${wrong.label}): ${found}`);
      }
      return flaws;
    },
    async flawsOfAsync(made) {
      const flaws: string[] = [];
      for (const wrong of wrongCalls(made)) {
        tried++;
        let found: string | undefined = 'was taken';
        try {
          await made.call(...wrong.given);
        } catch (error) {
          found = flawOf(error, wrong, own);
        }
        if (found) flaws.push(`${made.name}(${wrong.label}): ${found}`);
      }
      return flaws;
    },
  };
}
