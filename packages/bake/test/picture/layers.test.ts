import { describe, expect, it } from 'vitest';
import { spacing } from '../../src/picture/spacing.ts';
import {
  type BakeOutcome,
  bakeLayer,
  bakeTable,
  countClasses,
  csvText,
  drawBake,
  jsonText,
  layerMarks,
  toSvg,
} from '../../src/picture.ts';

const POINTS = Float32Array.from([0, 0, 24, 32, 0, 24, 64, 0, 24.5]);
const bits = Uint8Array.from([0b010, 0b101, 0b110]);

const EXPOSURE: BakeOutcome = {
  kind: 'exposure',
  parameters: { step: 32, floor: 24 },
  result: { points: POINTS, exposure: Float32Array.from([0.5, 1, 0.1]) },
};
const OCCLUSION: BakeOutcome = {
  kind: 'occlusion',
  parameters: { distance: 128 },
  result: {
    points: POINTS,
    normals: Float32Array.from([0, 0, 1, 1, 0, 0, 0, 0, 1]),
    visibility: Float32Array.from([0.25, 0.5, 1]),
  },
};
const SIGHT: BakeOutcome = {
  kind: 'sight',
  parameters: {},
  result: {
    ...{ points: POINTS, targets: POINTS, bits, rowBytes: 1 },
    sees: (from: number, to: number) => ((bits[from]! >> to) & 1) === 1,
  },
};
const CLEARANCE: BakeOutcome = {
  kind: 'clearance',
  parameters: {},
  result: {
    ...{ origin: [0, 0, 16], step: 32, size: [2, 1, 3] },
    contents: Int32Array.from([0, 1, 0, 1, 0, 1]),
    distance: Float32Array.from([16, 0, 48, 0, 20, 0]),
    floor: Float32Array.from([2, -Infinity, 2, -Infinity, 2, -Infinity]),
    fits: Uint8Array.from([3, 0, 1, 0, 1, 0]),
  },
};

describe('layers', () => {
  it('of exposure lie on the floor, the place that is seen most marked', () => {
    const layer = bakeLayer(EXPOSURE);
    const { positions, values, step } = layer;
    expect(Array.from(positions)).toEqual([0, 0, 0, 32, 0, 0, 64, 0, 0.5]);
    expect([Array.from(values)[1], step]).toEqual([1, 32]);
    expect(layerMarks(layer)).toEqual([{ at: [32, 0, 0], label: 'seen most: 100 %' }]);
    // A picture marks a place that it shows.
    const marked = (isSolid?: (x: number) => boolean): string | undefined =>
      /seen most: [\d.]+/.exec(toSvg(drawBake(EXPOSURE, { solidAt: isSolid })))?.[0];
    expect(marked()).toBe('seen most: 100');
    expect(marked((x) => x === 32)).toBe('seen most: 50');
    expect(marked(() => true)).toBe(undefined);
  });

  it('of points that nobody has laid out have small squares, however far apart they are', () => {
    expect(bakeLayer(SIGHT)).toMatchObject({ step: 32, scattered: true });
    const points = Float32Array.of(0, 0, 0, 300, 0, 0, 600, 0, 0);
    const far = bakeLayer({ ...SIGHT, result: { ...(SIGHT.result as object), points, targets: points } });
    expect(far).toMatchObject({ step: 64, scattered: true });
    expect(bakeLayer({ ...SIGHT, parameters: { step: 128 } }).step).toBe(128);
    expect(bakeLayer(EXPOSURE)).not.toHaveProperty('scattered');
  });

  it('of occlusion leave out everything but floors', () => {
    const { positions, values } = bakeLayer(OCCLUSION);
    expect([Array.from(positions), values]).toEqual([
      [0, 0, 24, 64, 0, 24.5],
      [0.25, 1],
    ]);
  });

  it('of clearance tell the best place above where one stands', () => {
    const { positions, values, nouns } = bakeLayer(CLEARANCE);
    expect([Array.from(positions), values, nouns[0]]).toEqual([[0, 0, 2], [48], 'cell to stand in']);
  });

  it('of clearance do not leak through ceilings, and find floors above the middle of a cell', () => {
    const column = {
      ...{ origin: [0, 0, 16], step: 32, size: [1, 1, 4] },
      contents: new Int32Array(4),
      // Its middle is below the floor; then room, then a ceiling thinner than a cell, and the open above.
      distance: Float32Array.from([0, 12, 10, 900]),
      floor: Float32Array.from([-Infinity, 20, 84, 84]),
      fits: Uint8Array.from([2, 1, 1, 1]),
    };
    const { positions, values } = bakeLayer({ kind: 'clearance', parameters: {}, result: column });
    expect([Array.from(positions), values]).toEqual([[0, 0, 20], [12]]);
  });

  it('of clearance are those below a low ceiling, whatever is above it', () => {
    const heightWith = (above: number): number[] => {
      const column = {
        ...{ origin: [0, 0, 64], step: 128, size: [1, 1, 2] },
        contents: new Int32Array(2),
        distance: Float32Array.from([0, 900]),
        floor: Float32Array.from([-Infinity, above]),
        fits: Uint8Array.from([2, 1]),
      };
      const { positions, values } = bakeLayer({ kind: 'clearance', parameters: {}, result: column });
      return [positions[2]!, values[0]!];
    };
    // The floor of the same room; that of the one above, through whose floor one does not see.
    expect([88, 140].map(heightWith)).toEqual([
      [88, 900],
      [64, 0],
    ]);
  });

  it('of clearance find the floor that one stands on where the middle of a cell is under it', () => {
    const heightWith = (above: number): number => {
      const column = {
        ...{ origin: [0, 0, 64], step: 128, size: [1, 1, 2] },
        contents: new Int32Array(2),
        distance: Float32Array.from([20, 104]),
        floor: Float32Array.from([0, above]),
        fits: Uint8Array.from([2, 1]),
      };
      return bakeLayer({ kind: 'clearance', parameters: {}, result: column }).positions[2]!;
    };
    // A plate in the upper half of the cell; one above the cell; none, so both middles have the same floor.
    expect([88, 140, 0].map(heightWith)).toEqual([88, 0, 0]);
  });

  it('of clearance have a scale that ends below the few cells with the most room', () => {
    const cells = {
      ...{ origin: [0, 0, 16], step: 32, size: [40, 1, 1] },
      contents: new Int32Array(40),
      distance: Float32Array.from({ length: 40 }, (_, k) => 40 - k),
      floor: new Float32Array(40),
      fits: new Uint8Array(40).fill(3),
    };
    const { scale } = bakeLayer({ kind: 'clearance', parameters: {}, result: cells });
    expect(scale).toMatchObject({ high: 39, most: 40 });
  });

  it('of sight tell how much is seen, or what from one point', () => {
    expect(Array.from(bakeLayer(SIGHT).values)).toEqual([1 / 3, 2 / 3, 2 / 3]);
    const seen = bakeLayer(SIGHT, { from: [30, 1, 20] });
    expect([Array.from(seen.values), seen.title, countClasses(seen)]).toEqual([
      [1, 0, 1],
      'what is seen from 32 0 24',
      [{ name: 'seen', count: 2 }],
    ]);
  });

  it('of sight are from the point nearest to the place', () => {
    const points = Float32Array.from([0, 0, 0, 0, 40, 0, 0, 0, 30]);
    const tall = { ...SIGHT, result: { ...(SIGHT.result as object), points, targets: points } };
    const titles = [[0, 30, 10] as const, [0, 10, 25] as const].map(
      (from) => bakeLayer(tall, { from }).title,
    );
    expect(titles).toEqual(['what is seen from 0 40 0', 'what is seen from 0 0 30']);
  });

  it('of sight count targets alone, not what fills up a byte', () => {
    const full = { ...(SIGHT.result as object), bits: Uint8Array.of(0xff, 0xf8, 0xfb) };
    expect(Array.from(bakeLayer({ ...SIGHT, result: full }).values)).toEqual([1, 0, 2 / 3]);
    const wide = { targets: new Float32Array(36), rowBytes: 2, bits: Uint8Array.of(255, 255, 1, 8, 0, 3) };
    const result = { ...(SIGHT.result as object), ...wide };
    expect(Array.from(bakeLayer({ ...SIGHT, result }).values)).toEqual([1, 1 / 6, 1 / 6]);
  });

  it('are refused for kinds and options that have none', () => {
    expect(() => bakeLayer({ ...EXPOSURE, kind: 'batch' })).toThrow("a bake of kind 'batch' has no picture");
    expect(() => bakeTable({ ...EXPOSURE, kind: 'batch' })).toThrow(
      "a bake of kind 'batch' cannot be written as a table",
    );
    expect(() => bakeLayer(EXPOSURE, { from: [0, 0, 0] })).toThrow("from is for bakes of kind 'sight'");
    expect(() => bakeLayer(SIGHT, { from: [0, 0, NaN] })).toThrow('from[2]');
  });

  it('of sight are counted without those in walls', () => {
    const facts = (isSolid?: (x: number) => boolean): string | undefined => {
      const svg = toSvg(drawBake(SIGHT, { from: [30, 1, 20], solidAt: isSolid }));
      return /\d points?[^<]*\. Seen/.exec(svg)?.[0];
    };
    expect(facts()).toBe('3 points; 2 seen. Seen');
    expect(facts((x) => x > 60)).toBe('2 points; 1 seen. Seen');
    expect(facts((x) => x > 30)).toBe('1 point; 1 seen. Seen');
    expect(facts((x) => x < 60)).toBe('1 point; 1 seen. Seen');
  });

  it('are drawn by one call', () => {
    expect(drawBake(EXPOSURE, { name: 'Map', level: 1 }).title).toBe('Map: where players are seen most');
  });

  it('have the spacing of their points where nobody tells', () => {
    expect(spacing(POINTS)).toBe(32);
    expect(spacing(POINTS.subarray(0, 3))).toBe(32);
    expect(spacing(Float32Array.from([0, 0, 0, 0, 0, 99, 10, 4, 0]))).toBe(10);
  });
});

describe('tables', () => {
  const csv = (bake: BakeOutcome): string => [...csvText(bakeTable(bake))].join('');

  it('have the columns that are documented', () => {
    expect(csv(EXPOSURE)).toBe('x,y,z,exposure\r\n0,0,24,0.5\r\n32,0,24,1\r\n64,0,24.5,0.100000001\r\n');
    expect(csv(OCCLUSION)).toMatch(/^x,y,z,nx,ny,nz,visibility\r\n0,0,24,0,0,1,0\.25\r\n/);
    expect(csv(SIGHT)).toBe(
      'x,y,z,seen,share\r\n0,0,24,1,0.333333343\r\n32,0,24,2,0.666666687\r\n64,0,24.5,2,0.666666687\r\n',
    );
    expect(csv(CLEARANCE)).toMatch(
      /^x,y,z,contents,distance,floor,fits,stands\r\n0,0,16,0,16,2,1,1\r\n32,0,16,1,0,,0,0\r\n0,0,48,0,48,2,1,0\r\n/,
    );
  });

  it('have the middles of cells without the rounding of doubles', () => {
    const result = { ...(CLEARANCE.result as object), origin: [12.8, 0, 16], step: 25.6 };
    const [, ...rows] = csv({ ...CLEARANCE, result }).split('\r\n');
    expect(rows.slice(0, 3).map((row) => row.split(',').slice(0, 3).join(' '))).toEqual([
      '12.8 0 16',
      '38.4 0 16',
      '12.8 0 41.6',
    ]);
  });

  it('can be gone through again', () => {
    const table = bakeTable(EXPOSURE);
    const text = csvText(table);
    expect([...text]).toHaveLength(4);
    expect([...text]).toHaveLength(4);
    expect(JSON.parse([...jsonText(table)].join('')).rows).toHaveLength(3);
  });

  it('are JSON with null for what is not there', () => {
    const { columns, rows } = JSON.parse([...jsonText(bakeTable(CLEARANCE))].join('')) as {
      columns: string[];
      rows: unknown[][];
    };
    expect(columns).toHaveLength(8);
    expect(rows[1]).toEqual([32, 0, 16, 1, 0, null, 0, 0]);
    expect(rows).toHaveLength(6);
  });
});
