/** What a call of `console.log` printed, as the comments in READMEs write it: values joined by spaces. */
export const showLine = (values: readonly unknown[]): string => values.map(showValue).join(' ');

/** Numbers rounded to five places, arrays in brackets. */
function showValue(value: unknown): string {
  if (typeof value === 'number') return String(Math.round(value * 1e5) / 1e5 + 0);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    return `[${Array.from(value as ArrayLike<unknown> & Iterable<unknown>, showValue).join(', ')}]`;
  }
  return String(value);
}
