// What both halves of the WebAssembly kernel know, apart from what is laid out as in the package of brushes. This file contains
// nothing but numbers, since AssemblyScript reads it too.

/** Where the table of the models' trees is: a child for each. */
export const ROOTS = 632;
