import { packState, type Quake3Command, type Quake3State, stateBytes, unpackState } from '@bspkit/movement';

// What goes over the line. From the client: all commands that the server has not confirmed, so that a lost message costs
// nothing but time. From the server: a player's state, and the number of the last command in it.

/** A command and its number, from 1. */
export interface NumberedCommand {
  readonly number: number;
  readonly command: Quake3Command;
}

const COMMAND_BYTES = 17;
/** Most commands that one message may hold. */
export const MOST_COMMANDS = 256;

/** Packs commands whose numbers follow one another. */
export function packCommands(commands: readonly NumberedCommand[]): Uint8Array {
  const bytes = new Uint8Array(4 + COMMAND_BYTES * commands.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, commands[0]?.number ?? 0, true);
  for (const [k, { command }] of commands.entries()) {
    const at = 4 + COMMAND_BYTES * k;
    view.setInt32(at, command.serverTime, true);
    for (let axis = 0; axis < 3; axis++) view.setUint16(at + 4 + 2 * axis, command.angles[axis]!, true);
    view.setInt8(at + 10, command.forward);
    view.setInt8(at + 11, command.right);
    view.setInt8(at + 12, command.up);
    view.setInt32(at + 13, command.buttons, true);
  }
  return bytes;
}

/** Reads what {@link packCommands} wrote. Throws `RangeError` for anything else. */
export function unpackCommands(bytes: Uint8Array): NumberedCommand[] {
  const count = (bytes.length - 4) / COMMAND_BYTES;
  if (!Number.isInteger(count) || count < 1 || count > MOST_COMMANDS) {
    throw new RangeError(`${bytes.length} bytes are no commands`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const first = view.getUint32(0, true);
  return Array.from({ length: count }, (_, k) => {
    const at = 4 + COMMAND_BYTES * k;
    const command = {
      serverTime: view.getInt32(at, true),
      angles: [0, 1, 2].map((axis) => view.getUint16(at + 4 + 2 * axis, true)),
      forward: view.getInt8(at + 10),
      right: view.getInt8(at + 11),
      up: view.getInt8(at + 12),
      buttons: view.getInt32(at + 13, true),
    };
    return { number: first + k, command };
  });
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
