import { writePak } from '@bspkit/testkit/pak';
import { strToU8, Zip, ZipPassThrough, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { bytesOf, FileError, unpack } from '../src/loading/unpack.ts';

describe('files', () => {
  it('are taken for what they are', async () => {
    const text = strToU8('{ }');
    expect(await unpack('a.map', text)).toMatchObject({ kind: 'map', name: 'a.map', text: '{ }' });
    const old = Uint8Array.of(0x22, 0x63, 0x61, 0x66, 0xe9, 0x22);
    expect(await unpack('old.map', old)).toMatchObject({ text: '"café"' });
    expect(await unpack('a.bsp', text)).toMatchObject({ kind: 'bsp', name: 'a.bsp' });
    const packed = await new Response(
      new Blob(['hello']).stream().pipeThrough(new CompressionStream('gzip')),
    ).arrayBuffer();
    const { kind, name, bytes } = (await unpack('b.bsp.gz', new Uint8Array(packed))) as never as {
      [key: string]: unknown;
    };
    expect([kind, name, String(bytes)]).toEqual(['bsp', 'b.bsp', String(strToU8('hello'))]);
    await expect(unpack('c.bsp', new Uint8Array(0))).rejects.toBeInstanceOf(FileError);
  });

  it('say so where the browser cannot read them, as folders that are dropped', async () => {
    expect(await bytesOf(new File(['{ }'], 'a.map'))).toEqual(strToU8('{ }'));
    const folder = Object.assign(new File([], 'maps'), {
      arrayBuffer: () =>
        Promise.reject(new DOMException('A requested file could not be found', 'NotFoundError')),
    });
    await expect(bytesOf(folder)).rejects.toThrow(
      'the browser cannot read maps: it may be a folder, too large',
    );
  });

  it('have the line ends of text fields', async () => {
    expect(await unpack('a.map', strToU8('{\r\n}\r// old\n'))).toMatchObject({ text: '{\n}\n// old\n' });
  });

  it('are listed if they are maps in an archive, as people count, sources after their levels', async () => {
    const names = ['maps/dm10.bsp', 'maps/dm2.bsp', 'maps/dm2.map', 'a.txt', 'maps/dm1.map', 'maps/DM3.BSP'];
    const archive = zipSync(Object.fromEntries(names.map((name) => [name, strToU8('{ }')])));
    const found = await unpack('pack.pk3', archive);
    expect(found.kind === 'choice' && found.maps.map(({ path }) => path)).toEqual([
      'maps/dm1.map',
      'maps/dm2.bsp',
      'maps/dm2.map',
      'maps/DM3.BSP',
      'maps/dm10.bsp',
    ]);
  });

  it('come out of a zip, the last of a name, however many there are', async () => {
    const parts: Uint8Array[] = [];
    const zip = new Zip((_, part) => parts.push(part));
    for (const text of ['{ 1 }', '{ two }']) {
      const file = new ZipPassThrough('maps/a.map');
      zip.add(file);
      file.push(strToU8(text), true);
    }
    zip.end();
    const archive = new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
    expect(await unpack('pack.pk3', archive)).toMatchObject({ name: 'a.map', text: '{ two }' });
    const many = writePak(
      ...Array.from({ length: 60_000 }, (_, k) => [`${k}.bsp`, new Uint8Array()] as const),
    );
    const found = await unpack('pak0.pak', many);
    expect(found.kind === 'choice' && found.maps).toHaveLength(60_000);
  });

  it('come with the light that an archive has beside a map, and with no other', async () => {
    const [map, own, other] = ['map', 'own', 'other'].map((text) => strToU8(text)) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ];
    const files = { 'maps/B.LIT': other, 'maps/a.bsp': map, 'maps/A.lit': own, 'a.lit': other };
    const pak = writePak(...Object.entries(files));
    for (const archive of [zipSync(files), pak, zipSync({ 'a.pk3': zipSync(files), 'read.me': other })]) {
      const found = await unpack('pack.pk3', archive);
      expect(found).toEqual({ kind: 'bsp', name: 'a.bsp', bytes: map, light: { name: 'A.lit', bytes: own } });
      expect(found.kind === 'bsp' && found.light!.bytes.buffer.byteLength).toBe(own.length);
    }
    const [text, lit] = [strToU8('{ }'), strToU8('light')];
    expect(await unpack('pack.pk3', zipSync({ 'maps/a.map': text, 'maps/a.lit': lit }))).toMatchObject({
      kind: 'map',
      text: '{ }',
    });
  });

  it('come out of a zip whose files share their bytes with no more work than its size allows', async () => {
    const texts = {
      'a.map': '{ }',
      'b.map': '{ 2 }',
      'scripts/a.shader': 'a {}',
      'scripts/b.shader': 'b {}',
    };
    const zip = zipSync(
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)])),
    );
    const view = new DataView(zip.buffer, zip.byteOffset);
    const heads: number[] = [];
    for (let at = 0; at + 4 <= zip.length; at++) if (view.getUint32(at, true) === 0x02014b50) heads.push(at);
    // What is packed may be much and unpack to nothing.
    for (const at of heads.slice(2)) {
      view.setUint32(at + 20, 4e7, true);
      view.setUint32(at + 24, 0, true);
    }
    await expect(unpack('pack.pk3', zip, 'a.map')).rejects.toThrow(
      new FileError('its shader scripts take more than 64 MB'),
    );
    // The first of a name, here of no known packing, is not unpacked.
    zip.set(strToU8('b.map'), heads[0]! + 46);
    view.setUint16(heads[0]! + 10, 99, true);
    for (const at of heads.slice(2)) zip.set(strToU8('texts'), at + 46);
    expect(await unpack('pack.pk3', zip)).toMatchObject({ name: 'b.map', text: '{ 2 }' });
  });

  it('do not come out of a zip that says they are larger than any map', async () => {
    const zip = zipSync({ 'a.map': strToU8('{ }') });
    const view = new DataView(zip.buffer, zip.byteOffset);
    for (let at = 0; at + 4 <= zip.length; at++)
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 512e6 + 1, true);
    await expect(unpack('pack.pk3', zip)).rejects.toThrow(new FileError('a.map unpacks to more than 512 MB'));
  });

  it('are not looked for in a zip that lists more files than a game can read', async () => {
    // Only the records at the end, those of zip64 too: the directory is said to have 70,000 files.
    const bytes = new Uint8Array(102);
    const view = new DataView(bytes.buffer);
    for (const [at, number] of [
      [0, 0x04034b50],
      [4, 0x06064b50],
      [4 + 32, 70_000],
      [60, 0x07064b50],
      [60 + 8, 4],
      [80, 0x06054b50],
      [80 + 8, 0xffff],
    ] as const)
      view.setUint32(at, number, true);
    await expect(unpack('pack.pk3', bytes)).rejects.toThrow(
      new FileError('it lists more files than an archive of a game can'),
    );
  });

  it('come out of a pak as out of a zip, the first of a name', async () => {
    const [one, two] = ['{ 1 }', '{ 2 }'].map((text) => strToU8(text)) as [Uint8Array, Uint8Array];
    const pak = writePak(['maps/b.map', one], ['gfx.wad', two], ['maps/b.map', two], ['maps/a.bsp', two]);
    expect(await unpack('pak0.pak', pak)).toEqual({
      kind: 'choice',
      maps: ['maps/a.bsp', 'maps/b.map'].map((path) => ({ path, size: 5 })),
    });
    expect(await unpack('pak0.pak', pak, 'maps/b.map')).toMatchObject({ name: 'b.map', text: '{ 1 }' });
    const found = await unpack('pak0.pak', pak, 'maps/a.bsp');
    // All of the pak would go along to the page with a view of it.
    expect(found).toEqual({ kind: 'bsp', name: 'a.bsp', bytes: two, light: undefined });
    expect(found.kind === 'bsp' && found.bytes.buffer.byteLength).toBe(two.length);
    await expect(unpack('pak0.pak', writePak(['a.txt', one]))).rejects.toThrow('contains no .bsp or .map');
    await expect(unpack('pak0.pak', pak, 'maps/c.bsp')).rejects.toThrow('the archive has no maps/c.bsp');
    await expect(unpack('pak0.pak', pak.subarray(0, 50))).rejects.toThrow(
      new FileError('it begins as a pak archive, but is damaged or cut off'),
    );
  });
});
