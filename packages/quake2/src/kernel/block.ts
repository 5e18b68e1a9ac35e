// What of the block of brushes is this format's own. Nothing but numbers here: both kernels read this file.

/** Among the settings. 1: the box is inside out, as only rows of the engine have them; one kernel alone can do that. */
export const S_INSIDE_OUT = 36;
/** Among the settings too. Address of the table of clearings, or 0 where this tracer is not asked in them. */
export const S_CLEARINGS = 37;
/** Address of the table of blockers, or 0 where this tracer is not asked in it. */
export const S_BLOCKERS = 38;

/** Both ends as given: those of the world are traced as they are, those of models brought into their frames. */
export const B_GIVEN_START = 48;
export const B_GIVEN_END = 52;
/** Where the move stopped. */
export const B_STOP = 80;
export const BLOCK_WORDS = 84;

/** Bits of what a move has come to: whether the answer is any but "nothing hit", and whether that is in the way. */
export const MET = 1;
export const BLOCKED = 2;
/** And whether brushes wait to be looked at that may be blockers. */
export const NOTED = 4;
/** In their place: the kernel in WebAssembly cannot tell, and the other has to be asked. */
export const UNSURE = -1;
/** The same: a clearing has to be looked for first where the move starts. */
export const NOT_KNOWN = -2;
