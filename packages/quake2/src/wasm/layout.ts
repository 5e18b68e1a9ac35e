// What both halves of the WebAssembly kernel know, beside what is laid out as in the package of brushes. Nothing but
// numbers here, for AssemblyScript reads this file too.

/** Where a table of the models' trees lies: a child for each. */
export const ROOTS = 632;
