import { checkFinite, checkObject, checkWhole, failArgument, isArrayOf } from '@bspkit/core/format';
import { checkHolds } from './checks.ts';

// Commands as bytes: no names, little-endian, and each number in as few bytes as its range takes.

/** The greatest speed, where it is a float: the sum of three squares is within float32. */
const MOST_SPEED = 1e18;

/** Ranges of whole numbers, by how they are sent. */
const RANGES = {
  uint8: [0, 0xff],
  int8: [-0x80, 0x7f],
  uint16: [0, 0xffff],
  int16: [-0x8000, 0x7fff],
  int32: [-0x80000000, 0x7fffffff],
} as const;

/** How a number is sent. The last two are floats. */
type Kind = keyof typeof RANGES | 'float32' | 'speed';

const SIZES: Readonly<Record<Kind, number>> = {
  uint8: 1,
  int8: 1,
  uint16: 2,
  int16: 2,
  int32: 4,
  float32: 4,
  speed: 4,
};

/** Parts of a command in the order in which they are sent: one number each, or three where the third element says so. */
export type Parts<C> = readonly (readonly [name: keyof C & string, kind: Kind, count?: 3])[];

export function isSpeed(value: number): boolean {
  return typeof value === 'number' && Math.abs(value) <= MOST_SPEED;
}

/** Throws `RangeError` for a speed so high that a player would leave all maps. */
export function checkSpeed(value: number, name: string): void {
  if (!isSpeed(value)) failArgument(name, 'a speed from -1e18 to 1e18', value);
}

type Values = Record<string, number | number[] | null | undefined>;

function bytesOf<C>(parts: Parts<C>): number {
  let size = 0;
  for (const [, kind, count = 1] of parts) size += count * SIZES[kind];
  return size;
}

function checkNumber(kind: Kind, value: number, name: string): void {
  if (kind === 'float32') checkFinite(value, name);
  else if (kind === 'speed') checkSpeed(value, name);
  else checkWhole(value, name, RANGES[kind][0], RANGES[kind][1]);
}

function write(view: DataView, at: number, kind: Kind, value: number): void {
  if (kind === 'uint8') view.setUint8(at, value);
  else if (kind === 'int8') view.setInt8(at, value);
  else if (kind === 'uint16') view.setUint16(at, value, true);
  else if (kind === 'int16') view.setInt16(at, value, true);
  else if (kind === 'int32') view.setInt32(at, value, true);
  else view.setFloat32(at, value, true);
}

function read(view: DataView, at: number, kind: Kind): number {
  if (kind === 'uint8') return view.getUint8(at);
  if (kind === 'int8') return view.getInt8(at);
  if (kind === 'uint16') return view.getUint16(at, true);
  if (kind === 'int16') return view.getInt16(at, true);
  return kind === 'int32' ? view.getInt32(at, true) : view.getFloat32(at, true);
}

/** Throws as a mover would. */
export function checkParts<C extends object>(parts: Parts<C>, command: C): void {
  checkObject(command, 'command');
  const values = command as Values;
  for (const [name, kind, count] of parts) {
    const value = values[name];
    if (count === undefined) checkNumber(kind, value as number, `command.${name}`);
    else if (typeof value !== 'object' || value === null) {
      failArgument(`command.${name}`, 'three numbers', value, false);
    } else for (let k = 0; k < count; k++) checkNumber(kind, value[k]!, `command.${name}[${k}]`);
  }
}

/** Writes a command as bytes. Throws as a mover would, and for too few bytes, before anything is written. */
export function packParts<C extends object>(parts: Parts<C>, command: C, bytes?: Uint8Array): Uint8Array {
  checkParts(parts, command);
  const values = command as Values;
  const size = bytesOf(parts);
  const out = bytes === undefined ? new Uint8Array(size) : bytes;
  const view = viewOf(out, size);
  let at = 0;
  for (const [name, kind, count = 1] of parts) {
    const value = values[name];
    for (let k = 0; k < count; k++, at += SIZES[kind]) {
      write(view, at, kind, typeof value === 'number' ? value : value![k]!);
    }
  }
  return out;
}

/** The bytes of a command, which `bytes` begins with. */
function viewOf(bytes: Uint8Array, size: number): DataView {
  checkHolds(bytes, size, 'a command');
  return new DataView(bytes.buffer, bytes.byteOffset, size);
}

/** Whether three numbers of a kind can be written to `out`. Numbers that are sent whole fit into floats too. */
function takesNumbers(out: unknown, kind: Kind): boolean {
  const isRight =
    isArrayOf(out, Float32Array) ||
    (kind !== 'float32' && isArrayOf(out, Int32Array)) ||
    (Array.isArray(out) && !Object.isFrozen(out));
  // Arrays that were transferred may seem to have their length still, but have no numbers.
  return isRight && out[2] !== undefined;
}

/** Reads what {@link packParts} wrote. Unless it is a command that a mover takes, throws and changes nothing. */
export function unpackParts<D extends object>(parts: Parts<D>, bytes: Uint8Array, command: D): D {
  checkObject(command, 'command');
  const view = viewOf(bytes, bytesOf(parts));
  const values = command as Values;
  // Checked first, then written.
  for (const isChecked of [false, true]) {
    let at = 0;
    for (const [name, kind, count = 1] of parts) {
      const old = values[name];
      if (count === 1 ? typeof old !== 'number' : !takesNumbers(old, kind)) {
        failArgument(`command.${name}`, 'as in a newly made command', old, false);
      }
      // Written as it is: one that is read-only throws, before anything has changed.
      if (!isChecked && count === 1) values[name] = old;
      for (let k = 0; k < count; k++, at += SIZES[kind]) {
        const value = read(view, at, kind);
        if (!isChecked) checkNumber(kind, value, `${name}, as bytes say,`);
        else if (count === 1) values[name] = value;
        else (old as number[])[k] = value;
      }
    }
  }
  return command;
}
