import type { BspWorld } from '@bspkit/core';
import type { TracerKind } from '@bspkit/core/format';
import { readNumbers } from './query.ts';

type Kind = TracerKind<BspWorld>;

/** A field of a size, in a form. */
export interface SizeField {
  readonly label: string;
  /** How many numbers it holds. */
  readonly count: number;
  /** What these must be, to follow the label; what only the map knows, its tracers say. */
  readonly must: string;
  /** Whether they are, beside those of the fields before it. */
  fits(numbers: readonly number[], before: readonly number[]): boolean;
}

const RADIUS: SizeField = {
  label: 'Radius',
  count: 1,
  must: 'one number, 0 or more',
  fits: ([radius]) => radius! >= 0,
};

const HULL: SizeField = {
  label: 'Hull',
  count: 1,
  must: 'one whole number, 0 or more',
  fits: ([hull]) => hull! >= 0 && Number.isInteger(hull),
};

const CORNERS: readonly SizeField[] = [
  { label: 'Lowest corner', count: 3, must: 'three numbers', fits: () => true },
  {
    label: 'Highest corner',
    count: 3,
    must: 'three numbers, none below that of the lowest corner',
    fits: (highest, lowest) => highest.every((x, k) => !(x < lowest[k]!)),
  },
];

const FIELDS: Readonly<Record<NonNullable<Kind['size']>, readonly SizeField[]>> = {
  number: [RADIUS],
  box: CORNERS,
  capsule: [
    RADIUS,
    {
      label: 'Height',
      count: 1,
      must: 'one number, twice the radius or more',
      fits: ([height], [radius]) => height! >= 0 && !(height! < 2 * radius!),
    },
  ],
  radii: [
    { label: 'Radii', count: 3, must: 'three numbers above 0', fits: (radii) => radii.every((x) => x > 0) },
  ],
};

/** The fields for the size of a kind, of which a capsule's may also be given by the box around it. */
export function sizeFields({ name, size: type }: Kind, size: readonly number[]): readonly SizeField[] {
  if (!type) return [];
  if (name === 'hull') return [HULL];
  return type === 'capsule' && size.length === 6 ? CORNERS : FIELDS[type];
}

/** A size as it was typed: its numbers, and what is wrong with each field, as a sentence. */
export function readSize(
  fields: readonly SizeField[],
  texts: readonly string[],
): { readonly size: readonly number[]; readonly problems: readonly (string | undefined)[] } {
  const size: number[] = [];
  const problems = fields.map(({ label, count, must, fits }, k) => {
    const numbers = readNumbers(texts[k]);
    const isRight = numbers?.length === count && fits(numbers, size);
    size.push(...(numbers ?? []));
    return isRight ? undefined : `${label} must be ${must}.`;
  });
  return { size, problems };
}
