// The places in the block of brushes that are this format's own. This file contains nothing but numbers, since both kernels read
// it.

/**
 * Among the settings. 1: the box is inside out, which happens only in rows of the engine; only one of the kernels can do that.
 */
export const S_INSIDE_OUT = 36;
/** Also among the settings: address of the table of clearings, or 0 if this tracer does not ask them. */
export const S_CLEARINGS = 37;
/** Address of the table of blockers, or 0 if this tracer does not ask them. */
export const S_BLOCKERS = 38;

/** Both ends as given: moves through the world are traced like that, those through models are brought into their frames. */
export const B_GIVEN_START = 48;
export const B_GIVEN_END = 52;
/** Where the move stopped. */
export const B_STOP = 80;
export const BLOCK_WORDS = 84;

/**
 * Bits that say what happened to a move: whether the answer is anything but "nothing hit", and whether what was hit is in the
 * way.
 */
export const MET = 1;
export const BLOCKED = 2;
/** And whether there are brushes to be examined that may be blockers. */
export const NOTED = 4;
/** Returned instead: the kernel in WebAssembly cannot tell, and the other has to be asked. */
export const UNSURE = -1;
/** Likewise: a clearing has to be looked for first where the move starts. */
export const NOT_KNOWN = -2;
