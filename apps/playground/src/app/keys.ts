import { movesCamera } from '../camera/intents.ts';

/**
 * The code that a key has on English keyboards. Keys that move the camera go by their place; the others by the letter that is on
 * them, as the help names them, if it is a Latin one.
 */
export function keyName({ key, code }: KeyboardEvent): string {
  if (movesCamera(code)) return code;
  if (/^[a-z]$/i.test(key)) return `Key${key.toUpperCase()}`;
  if (key === '-') return key;
  // The same key for most, with Shift or without; where others have the brackets, it is one of theirs.
  if (key === '=' || (key === '+' && !code.startsWith('Bracket'))) return '=';
  return code.startsWith('Key') && /^[!-~]$/.test(key) ? key : code;
}
