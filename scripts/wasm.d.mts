/** Tells the sources of a package's kernel, the options and the compiler apart from any others. */
export function fingerprint(root: string): string;
/** The fingerprint that a package's compiled kernel has; empty where there is none. */
export function currentFingerprint(root: string): string;
