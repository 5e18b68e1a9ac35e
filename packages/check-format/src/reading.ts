import { BspError, type Tracer } from '@bspkit/core';
import { type BspFormat, describeBytes } from '@bspkit/core/format';
import { between, createRandom } from '@bspkit/geometry';
import { SIZES } from './catalog.ts';
import { caught, demand, demandSame, demandThrows, isOf, Mistake, NONE, said, show } from './demand.ts';
import { startOf } from './identity.ts';
import { type FormatSample, fieldsOf, type It, type Move, movesIn, showMove, type World } from './sample.ts';

/** What is made of a file's bytes, whole or broken. */
export function checkReading(
  it: It,
  format: BspFormat,
  { name, bytes }: FormatSample,
  foreign: readonly Uint8Array[],
  mutants: number,
): void {
  it('reads bytes in any kind of buffer', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const unaligned = new Uint8Array(bytes.length + 1);
    unaligned.set(bytes, 1);
    const expected = Buffer.from(format.createWorld([format.read(bytes)]).data);
    const held = {
      'an ArrayBuffer': Uint8Array.from(bytes).buffer,
      'a SharedArrayBuffer': shared.buffer,
      'a Uint8Array of shared memory': shared,
      'a Uint8Array that begins at byte 1 of its buffer': unaligned.subarray(1),
      'a Buffer': Buffer.from(bytes),
    };
    for (const [kind, given] of Object.entries(held)) {
      const file = format.read(given);
      demandSame(file.format, format.id, 'format of the file that read(bytes) returns');
      const isSame = expected.equals(Buffer.from(format.createWorld([file]).data));
      demand(isSame, `the world of ${name} has other data where its bytes are in ${kind}`);
    }
    const used = Uint8Array.from(bytes);
    const [world, whole] = [used, bytes].map((given) => format.createWorld([format.read(given)]) as World);
    used.fill(0);
    const what = `of the world of ${name} differs once the bytes that it was read from are used for something else`;
    demand(expected.equals(Buffer.from(world!.data)), `data ${what}`);
    for (const list of ['entities', 'textureNames'] as const)
      demandSame(world![list](), whole![list](), `${list}() ${what}`);
    for (const wrong of [undefined, null, 'a file', 5, [73, 66]]) {
      demandThrows(() => format.read(wrong as never), TypeError, `read(${show(wrong)})`);
    }
  });

  it('says what other files are', () => {
    for (const other of foreign) {
      const call = (): string => `read(bytes) of a foreign file, ${startOf(other)},`;
      const error = demandThrows(() => format.read(other), BspError, call, describeBytes(other).name);
      demandSame((error as BspError).format, format.id, 'format of the error that read(bytes) throws');
    }
  });

  it('refuses a file that was cut off, and never fails in another way', () => {
    const random = createRandom(1);
    for (let k = 0; k < mutants; k++) {
      // Some near the header, some anywhere in the first half: what follows cannot be padding alone.
      const length = Math.floor(
        between(random, 0, k % 2 ? Math.min(200, bytes.length / 2) : bytes.length / 2),
      );
      const error = demandThrows(
        () => format.createWorld([format.read(bytes.subarray(0, length))]),
        BspError,
        `read(bytes) of the first ${length} of ${bytes.length} bytes of ${name}`,
      );
      demand(
        error.message.length > format.id.length + 2,
        `the error for the first ${length} bytes of ${name} has no message`,
      );
    }
  });

  it('survives or refuses a file with wrong bytes', () => {
    const random = createRandom(2);
    const moves = movesIn(format.createWorld([format.read(bytes)]) as World).slice(0, 12);
    for (let k = 0; k < mutants; k++) {
      // Not `slice`: of a Buffer it copies nothing, and the sample itself would be broken.
      const broken = Uint8Array.from(bytes);
      const changes: string[] = [];
      for (let i = 0; i < 3; i++) {
        // Half of them where directories lie.
        const end = k % 2 ? Math.min(256, broken.length) : broken.length;
        const at = Math.floor(random() * end);
        broken[at] = Math.floor(random() * 256);
        changes.push(`${broken[at]} at ${at}`);
      }
      const what = `${name} with the bytes ${changes.join(', ')}`;
      const world = survivor(() => format.createWorld([format.read(broken)]) as World, what);
      if (world) checkSurvivor(format, world, moves, what);
    }
  });

  it('refuses to build a world from nothing, from too much, or from files of another format', () => {
    demandThrows(() => format.createWorld([]), RangeError, 'createWorld([])');
    const file = format.read(bytes);
    if (!format.assemblies) {
      demandThrows(() => format.createWorld([file, file]), RangeError, 'createWorld([file, file])');
    }
    const other = { ...file, format: 'another' };
    demandThrows(
      () => format.createWorld([other]),
      TypeError,
      "createWorld of a file whose format is 'another'",
    );
  });

  it("opens a world's data, and refuses anything else, also as a kernel", () => {
    const { data } = format.createWorld([format.read(bytes)], { shared: true });
    demand(
      data instanceof SharedArrayBuffer,
      'createWorld(files, { shared: true }).data is not shared memory',
    );
    demand(format.open(data).data === data, 'open(data).data is not the data that was given');
    const { kernels = ['js'] } = format;
    const file = format.read(bytes);
    for (const [call, make] of [
      ['open(data', (options: object) => format.open(data, options)],
      ['createWorld(files', (options: object) => format.createWorld([file], options)],
    ] as const) {
      const asking = (options: object): string => `${call}, ${show(options)})`;
      for (const kernel of kernels) {
        demandSame(make({ kernel }).kernel, kernel, `kernel of the world of ${asking({ kernel })}`);
      }
      for (const [wrong, type, words] of [
        ...(kernels.includes('wasm') ? [] : [[{ kernel: 'wasm' }, Error, "'wasm' does not exist"] as const]),
        [{ kernel: 'gpu' }, RangeError, ''],
        [{ kernels: 'js' }, TypeError, ''],
      ] as const) {
        demandThrows(() => make(wrong), type, asking(wrong), words);
      }
    }
    for (const [what, wrong] of [
      ['0 bytes', new ArrayBuffer(0)],
      ['400 zeros', new ArrayBuffer(400)],
      ["half of a world's data", data.slice(0, data.byteLength / 2 - 2)],
    ] as const) {
      demandThrows(() => format.open(wrong), BspError, `open(data) with ${what}`);
    }
  });
}

/** What is made of a broken file; nothing where it is refused with a `BspError`. */
export function survivor<T>(make: () => T, what: string): T | undefined {
  try {
    return make();
  } catch (error) {
    if (isOf(error, BspError)) return undefined;
    throw new Mistake(`${what}: ${said(error)}; what cannot be read must throw a BspError`, { cause: error });
  }
}

/** A world of a broken file answers, whatever it answers: each kind of tracer ends, with numbers. */
function checkSurvivor(format: BspFormat, world: World, moves: readonly Move[], what: string): void {
  for (const { name, size, create } of format.tracers.kinds) {
    const of = `a ${name} in the world of ${what}`;
    let tracer: Tracer;
    try {
      tracer = create(world, SIZES[size ?? 'none'][0]!, {});
    } catch (error) {
      // It may lack what this kind needs.
      if (isOf(error, RangeError) || isOf(error, BspError)) continue;
      throw new Mistake(`${of}: ${said(error)}; what cannot be made must throw a RangeError`, {
        cause: error,
      });
    }
    for (const move of moves) {
      const out = tracer.createTrace();
      const error = caught(() => tracer.trace(...move, out));
      if (error !== NONE) throw new Mistake(`${of}, ${showMove(move)}: ${said(error)}`, { cause: error });
      const { fraction, endPos, normal, dist } = out;
      const isValid = fraction >= 0 && fraction <= 1 && [...endPos, ...normal, dist].every(Number.isFinite);
      demand(isValid, () => `${of}, ${showMove(move)}, answers with invalid numbers: ${show(fieldsOf(out))}`);
    }
  }
}
