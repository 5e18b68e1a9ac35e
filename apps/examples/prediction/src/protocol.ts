import {
  packQuake3Command,
  packState,
  type Quake3Command,
  type Quake3State,
  stateBytes,
  unpackQuake3Command,
  unpackState,
} from '@bspkit/movement';

// What is sent. From the client: all commands that the server has not confirmed, so that a lost message costs nothing but time.
// From the server: a player's state, and the number of the last command in it.

/** A command and its number, from 1. */
export interface NumberedCommand {
  readonly number: number;
  readonly command: Quake3Command;
}

const COMMAND_BYTES = 17;
/** The most commands that one message may contain. */
export const MOST_COMMANDS = 256;

/** Packs commands whose numbers follow one another. */
export function packCommands(commands: readonly NumberedCommand[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 + COMMAND_BYTES * commands.length);
  new DataView(bytes.buffer).setUint32(0, commands[0]?.number ?? 0, true);
  for (const [k, { command }] of commands.entries()) {
    packQuake3Command(command, bytes.subarray(4 + COMMAND_BYTES * k));
  }
  return bytes;
}

/** Reads what {@link packCommands} wrote. Throws `RangeError` for anything else. */
export function unpackCommands(bytes: Uint8Array): NumberedCommand[] {
  const count = (bytes.length - 4) / COMMAND_BYTES;
  if (!Number.isInteger(count) || count < 1 || count > MOST_COMMANDS) {
    throw new RangeError(`${bytes.length} bytes are no commands`);
  }
  const first = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return Array.from({ length: count }, (_, k) => ({
    number: first + k,
    command: unpackQuake3Command(bytes.subarray(4 + COMMAND_BYTES * k)),
  }));
}

/** Packs a state with the number of the last command in it. */
export function packSnapshot(number: number, state: Quake3State): Uint8Array {
  const bytes = new Uint8Array(4 + stateBytes(state));
  new DataView(bytes.buffer).setUint32(0, number, true);
  packState(state, bytes.subarray(4));
  return bytes;
}

/** Reads what {@link packSnapshot} wrote into a state, and returns the number. */
export function unpackSnapshot(bytes: Uint8Array, state: Quake3State): number {
  unpackState(bytes.subarray(4), state);
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
}
