/** A text as a sentence, with a full stop unless it ends otherwise. Names of maps stay as they are also where they come first. */
export const sentence = (text: string): string => (/[.!?…]$|^$/.test(text) ? text : `${text}.`);
