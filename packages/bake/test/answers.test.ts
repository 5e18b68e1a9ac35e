import { describe, expect, it } from 'vitest';
import {
  type BakeFile,
  type BakeJob,
  bake,
  createJob,
  type JobParts,
  memoryStore,
  mergeBake,
  openJob,
  pointBytes,
  readBake,
} from '../src/index.ts';
import { NO_BYTES } from '../src/sha256.ts';
import { MAPS } from './maps.ts';

const map = MAPS.quake3!();
const points = pointBytes([0, 0, 64, 32, 0, 64, 0, 32, 64]);

async function fileOf(parts: Omit<JobParts, 'map'>): Promise<BakeFile> {
  const job = await createJob({ map, chunkSize: 2, ...parts });
  const bytes = new Map<string, Uint8Array>([[job.map, map]]);
  for (const [name, hash] of Object.entries(job.inputs)) bytes.set(hash, parts.inputs![name]!);
  const { run } = await openJob(job, { load: (hash) => bytes.get(hash)! });
  const store = memoryStore();
  const executor = { capacity: 1, run: async (chunk: Parameters<typeof run>[0]) => run(chunk) };
  await bake(job, { inputs: parts.inputs, store, executor });
  return readBake(store.bytes());
}

/** A file whose last chunk holds other bytes from an offset on. Its checksum is right: somebody meant it. */
function forged(file: BakeFile, offset: number, bytes: Uint8Array): BakeFile {
  const last = file.chunks.size - 1;
  const chunk = file.chunks.get(last)!.slice();
  chunk.set(bytes, offset);
  return { ...file, chunks: new Map(file.chunks).set(last, chunk) };
}

const float = (value: number): Uint8Array => new Uint8Array(Float32Array.of(value).buffer);

describe('answers that no kind gives are refused by their number', () => {
  it.each([
    ['occlusion', { rays: 4 }],
    ['exposure', { step: 32 }],
  ])('%s: a share is from 0 to 1', async (kind, parameters) => {
    const file = await fileOf({ kind, inputs: { points }, parameters });
    expect(() => mergeBake(file)).not.toThrow();
    for (const wrong of [1.5, -0.25, Number.NaN, Infinity]) {
      expect(() => mergeBake(forged(file, 0, float(wrong)))).toThrow(
        expect.objectContaining({
          name: 'BakeError',
          code: 'file',
          chunk: 1,
          message: `item 2 is ${wrong}, but a share is from 0 to 1`,
        }),
      );
    }
  });

  it('occlusion: as many normals as points', async () => {
    const file = await fileOf({
      kind: 'occlusion',
      inputs: { points, normals: points },
      parameters: { rays: 4 },
    });
    const inputs = { ...file.inputs, normals: points.subarray(0, 12) };
    expect(() => mergeBake({ ...file, inputs })).toThrow(
      expect.objectContaining({ code: 'job', message: "input 'normals' has 1 normals for 3 points" }),
    );
  });

  it('clearance: distances, floors and bits', async () => {
    const parameters = { origin: [0, 0, 64], step: 32, size: [3, 1, 1], reach: 64 };
    const file = await fileOf({ kind: 'clearance', parameters });
    expect(() => mergeBake(file)).not.toThrow();
    // A floor of -Infinity says that there is none.
    expect(() => mergeBake(forged(file, 8, float(-Infinity)))).not.toThrow();
    const wrong: [number, Uint8Array, string][] = [
      [4, float(Number.NaN), 'item 2 has a distance of NaN'],
      [4, float(-1), 'item 2 has a distance of -1'],
      [4, float(Infinity), 'item 2 has a distance of Infinity'],
      [8, float(Number.NaN), 'item 2 has a floor at NaN'],
      [12, Uint8Array.of(8), 'item 2 has bits that are not known: 8'],
    ];
    for (const [offset, bytes, message] of wrong) {
      expect(() => mergeBake(forged(file, offset, bytes))).toThrow(
        expect.objectContaining({ code: 'file', chunk: 1, message }),
      );
    }
  });

  it('batch: text in UTF-8', () => {
    const job: BakeJob = {
      map: NO_BYTES,
      kind: 'batch',
      parameters: { header: '{}' },
      inputs: {},
      count: 2,
      chunkSize: 1,
    };
    const chunks = new Map([
      [0, Buffer.from('{"é":1}\n')],
      [1, Uint8Array.of(0xff, 0xfe)],
    ]);
    const file: BakeFile = { job, inputs: {}, chunks, missing: 0 };
    expect(() => mergeBake(file)).toThrow(
      expect.objectContaining({ code: 'file', chunk: 1, message: 'chunk 1 is not UTF-8' }),
    );
    chunks.set(1, Buffer.from('{"ß":2}\n'));
    expect(mergeBake(file)).toBe('{"é":1}\n{"ß":2}\n');
  });
});
