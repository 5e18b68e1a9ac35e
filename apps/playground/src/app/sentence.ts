/** A text as a sentence: with a full stop, unless a mark ends it already. Its first word stays as it is, as it may be the name of a map. */
export const sentence = (text: string): string => (/[.!?…]$|^$/.test(text) ? text : `${text}.`);
