/** Identifies the sources of a package's kernel, the options and the compiler. */
export function fingerprint(root: string): string;
/** The fingerprint of a package's compiled kernel; empty if there is none. */
export function currentFingerprint(root: string): string;
