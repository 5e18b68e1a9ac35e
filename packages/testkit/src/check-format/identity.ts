import { BspError } from '@bspkit/core';
import { type BspFormat, type BspFormatEntry, describeBytes } from '@bspkit/core/format';
import { between, createRandom } from '@bspkit/geometry';
import { expect, it } from 'vitest';
import { caught, type FormatSample } from './sample.ts';

export function checkIdentity(
  entry: BspFormatEntry,
  format: BspFormat,
  samples: readonly FormatSample[],
  foreign: readonly Uint8Array[],
): void {
  it('has the same name in both halves', async () => {
    for (const half of [entry, format]) {
      expect(half.id).toMatch(/^[a-z][a-z0-9]*$/);
      expect(half.name).not.toBe('');
      expect(half.versions.length).toBeGreaterThan(0);
    }
    expect([format.id, format.name, format.versions]).toEqual([entry.id, entry.name, entry.versions]);
    expect(await entry.load()).toBe(format);
    const { read, createWorld, open } = await entry.loadReader();
    expect([read, createWorld, open]).toEqual([format.read, format.createWorld, format.open]);
  });

  it('detects its files by 64 bytes, and rejects others', () => {
    for (const { detect, versions } of [entry, format]) {
      for (const { bytes } of samples) {
        expect(versions).toContain(detect(bytes));
        const moved = new Uint8Array(bytes.length + 3);
        moved.set(bytes, 3);
        for (const view of [bytes.subarray(0, 64), Buffer.from(bytes), moved.subarray(3)]) {
          expect(detect(view)).toBe(detect(bytes));
        }
      }
      for (const bytes of foreign) expect(detect(bytes)).toBeUndefined();
    }
  });
}

export function checkReading(
  format: BspFormat,
  { bytes }: FormatSample,
  foreign: readonly Uint8Array[],
): void {
  it('reads bytes in any kind of buffer', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const unaligned = new Uint8Array(bytes.length + 1);
    unaligned.set(bytes, 1);
    const expected = Buffer.from(format.createWorld([format.read(bytes)]).data);
    const alone = Uint8Array.from(bytes).buffer;
    const held = [alone, shared.buffer, shared, unaligned.subarray(1), Buffer.from(bytes)];
    for (const way of held) {
      const file = format.read(way);
      expect(file.format).toBe(format.id);
      expect(expected.equals(Buffer.from(format.createWorld([file]).data))).toBe(true);
    }
    for (const wrong of [undefined, null, 'a file', 5, [73, 66]]) {
      expect(() => format.read(wrong as never)).toThrow(TypeError);
    }
  });

  it('says what other files are', () => {
    for (const other of foreign) {
      const error = caught(() => format.read(other));
      expect(error).toBeInstanceOf(BspError);
      expect((error as BspError).format).toBe(format.id);
      expect(error.message).toContain(describeBytes(other).name);
    }
  });

  it('refuses a file that was cut off, and never fails in another way', () => {
    const random = createRandom(1);
    for (let k = 0; k < 60; k++) {
      // Some near the header, some anywhere in the first half: what follows cannot be padding alone.
      const length = Math.floor(
        between(random, 0, k % 2 ? Math.min(200, bytes.length / 2) : bytes.length / 2),
      );
      const error = caught(() => format.createWorld([format.read(bytes.subarray(0, length))]));
      expect(error, `${length} bytes`).toBeInstanceOf(BspError);
      expect(error.message.length).toBeGreaterThan(format.id.length + 2);
    }
  });

  it('survives or refuses a file with wrong bytes', () => {
    const random = createRandom(2);
    for (let k = 0; k < 60; k++) {
      // Not `slice`: of a Buffer it copies nothing, and the sample itself would be broken.
      const broken = Uint8Array.from(bytes);
      for (let i = 0; i < 3; i++) {
        // Half of them where directories lie.
        const end = k % 2 ? Math.min(256, broken.length) : broken.length;
        broken[Math.floor(random() * end)] = Math.floor(random() * 256);
      }
      try {
        format.createWorld([format.read(broken)]);
      } catch (error) {
        expect(error).toBeInstanceOf(BspError);
      }
    }
  });

  it('refuses to build a world from nothing', () => {
    expect(() => format.createWorld([])).toThrow(RangeError);
  });

  it("opens a world's data, and refuses anything else, also as a kernel", () => {
    const { data } = format.createWorld([format.read(bytes)], { shared: true });
    expect(data).toBeInstanceOf(SharedArrayBuffer);
    expect(format.open(data).data).toBe(data);
    const { kernels = ['js'] } = format;
    const file = format.read(bytes);
    for (const make of [
      (options: object) => format.open(data, options),
      (options: object) => format.createWorld([file], options),
    ]) {
      for (const kernel of kernels) expect(make({ kernel }).kernel).toBe(kernel);
      if (!kernels.includes('wasm')) expect(() => make({ kernel: 'wasm' })).toThrow("'wasm' does not exist");
      expect(() => make({ kernel: 'gpu' })).toThrow(RangeError);
      expect(() => make({ kernels: 'js' })).toThrow(TypeError);
    }
    for (const wrong of [new ArrayBuffer(0), new ArrayBuffer(400), data.slice(0, data.byteLength / 2 - 2)]) {
      expect(() => format.open(wrong)).toThrow(BspError);
    }
  });
}

export function checkWords(format: BspFormat): void {
  it('names contents and surface flags both ways', () => {
    for (const words of [format.contents, format.surfaceFlags]) {
      const named = Object.entries(words.table);
      expect(named.length).toBeGreaterThan(0);
      for (const [name, bits] of named) {
        expect(words.bits(name), name).toBe(bits | 0);
        expect(words.bits(name.toUpperCase()), name).toBe(bits | 0);
        const together = words.names(bits).reduce((sum, word) => sum | words.bits(word), 0);
        expect(together, name).toBe(bits | 0);
      }
      expect(() => words.bits('nothing-of-the-kind')).toThrow(RangeError);
    }
  });
}

export function checkCatalog({ contents, tracers, rows }: BspFormat): void {
  it('has a catalog without loose ends', () => {
    const { kinds, options, presets, player, playerMask } = tracers;
    for (const list of [kinds, options, presets]) {
      const names = list.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z0-9-]*$/);
    }
    expect(kinds.length).toBeGreaterThan(0);
    const known = options.map(({ name }) => name);
    for (const { help } of [...kinds, ...options]) expect(help).not.toBe('');
    for (const kind of kinds) {
      for (const name of kind.options) expect(known).toContain(name);
      expect(kind.sizeName !== undefined, kind.name).toBe(kind.size !== undefined);
    }
    for (const name of known) expect(kinds.flatMap((kind) => kind.options)).toContain(name);
    for (const { name, type, value } of options) {
      if (type !== 'on' && type !== 'off') expect(value, name).toMatch(/^<.+>$/);
    }
    for (const preset of presets) {
      const kind = kinds.find(({ name }) => name === preset.kind);
      expect(kind, preset.kind).toBeDefined();
      for (const name of Object.keys(preset.options ?? {})) expect(kind!.options).toContain(name);
    }
    expect(presets.find(({ name }) => name === player)?.role).toBe('body');
    if (playerMask !== undefined) expect(contents.bits(playerMask)).not.toBe(0);
    expect(presets.some(({ measured }) => measured)).toBe(true);
  });

  it('answers rows of some kinds, each column of which is part of the question or of the answer', () => {
    expect(Object.keys(rows).length).toBeGreaterThan(0);
    for (const [kind, { question, optional = [], results }] of Object.entries(rows)) {
      const columns = [...question, ...optional.flat(), ...results];
      expect(new Set(columns).size, kind).toBe(columns.length);
    }
  });
}
