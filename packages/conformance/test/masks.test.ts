import * as quake2 from '@bspkit/quake2';
import * as quake3 from '@bspkit/quake3';
import * as ufoai from '@bspkit/ufoai';
import { expect, it } from 'vitest';

// The record of public types has the numbers of contents, but not those of masks, which are sums of them. Recorded rows have
// masks as numbers, so no row would miss a bit here.

it.each([
  [
    'quake2',
    quake2,
    {
      MASK_ALL: -1,
      MASK_CURRENT: 0xfc0000,
      MASK_DEADSOLID: 0x10003,
      MASK_MONSTERSOLID: 0x2020003,
      MASK_OPAQUE: 0x19,
      MASK_PLAYERSOLID: 0x2010003,
      MASK_SHOT: 0x6000003,
      MASK_SOLID: 0x3,
      MASK_WATER: 0x38,
    },
  ],
  [
    'quake3',
    quake3,
    {
      MASK_ALL: -1,
      MASK_DEADSOLID: 0x10001,
      MASK_OPAQUE: 0x19,
      MASK_PLAYERSOLID: 0x2010001,
      MASK_SHOT: 0x6000001,
      MASK_SOLID: 0x1,
      MASK_WATER: 0x38,
    },
  ],
  [
    'ufoai',
    ufoai,
    {
      MASK_ALL: -1,
      MASK_CLIP: 0x2090000,
      MASK_IMPASSABLE: 0x10003,
      MASK_NO_LIGHTCLIP: ~0x80000,
      MASK_PASSABLE: 0x20020,
      MASK_SHOT: 0x6800003,
      MASK_SMOKE_AND_FIRE: 0x2000023,
      MASK_SOLID: 0x3,
      MASK_VISIBILITY: 0x21,
    },
  ],
])('masks of %s are the numbers of its engine', (_, exported, numbers) => {
  const masks = Object.entries(exported).filter(([name]) => name.startsWith('MASK_'));
  expect(Object.fromEntries(masks)).toEqual(numbers);
});
