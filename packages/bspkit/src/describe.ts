import { describeBytes, type FileKind, type FormatIdentity } from '@bspkit/core/detect';

/** Says what a file is that is of none of these formats, and what to do about it: always something. */
export function describeForeign(file: Uint8Array, formats: readonly FormatIdentity[]): FileKind {
  const { name, advice } = describeBytes(file);
  return { name, advice: advice || `bspkit reads ${listed(formats)}` };
}

/** Names and versions of formats as a sentence has them. */
function listed(formats: readonly FormatIdentity[]): string {
  const names = formats.map(({ name, versions }) => `${name} (${versions.join(', ')})`);
  const last = names.pop() ?? 'nothing';
  return names.length > 0 ? `${names.join(', ')} and ${last}` : last;
}
