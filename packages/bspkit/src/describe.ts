import { describeBytes, type FileKind, type FormatIdentity } from '@bspkit/core/detect';

/** Describes a file that is of none of these formats, and what to do about it: there is always something. */
export function describeForeign(file: Uint8Array, formats: readonly FormatIdentity[]): FileKind {
  const { name, advice } = describeBytes(file);
  return { name, advice: advice || `bspkit reads ${listed(formats)}` };
}

/** Names and versions of formats, listed for a sentence. */
function listed(formats: readonly FormatIdentity[]): string {
  const names = formats.map(({ name, versions }) => `${name} (${versions.join(', ')})`);
  const last = names.pop() ?? 'nothing';
  return names.length > 0 ? `${names.join(', ')} and ${last}` : last;
}
