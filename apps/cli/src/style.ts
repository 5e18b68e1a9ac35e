import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';

/** A colour or weight, as `styleText` names them. */
export type Style = Parameters<typeof styleText>[0];

/** Colours a text, or leaves it as it is where colours are not wanted. */
export type Paint = (style: Style, text: string) => string;

/**
 * Whether a stream wants colours: it is a terminal that has them, and neither NO_COLOR nor NODE_DISABLE_COLORS is set.
 */
export function wantsColor(stream: Partial<Pick<WriteStream, 'isTTY' | 'hasColors'>>): boolean {
  if (!stream.isTTY || process.env.NO_COLOR) return false;
  return stream.hasColors?.() ?? false;
}

/** The way to colour text for a stream. */
export function painter(stream: Partial<Pick<WriteStream, 'isTTY' | 'hasColors'>>): Paint {
  return wantsColor(stream) ? styleText : (_, text) => text;
}
