// What files are by their first bytes, so that an error can say what was found in place of a map. Names of games stand
// here as those of files that people mix up; nothing else depends on them.

/** A file by its first bytes. */
export interface FileKind {
  /** What it is, to follow "the file is": `a zip archive (pk3)`, `empty`. */
  readonly name: string;
  /** What to do about it; empty where nothing helps. */
  readonly advice: string;
}

const UNPACK = 'unpack it and open the .bsp inside';

const map = (game: string, code: string): FileKind => ({ name: `a map of ${game} (${code})`, advice: '' });
const other = (name: string): FileKind => ({ name, advice: 'it is not a map' });

/** Files that are known by their first four bytes. */
const BY_MAGIC: Readonly<Record<string, FileKind>> = {
  BSP2: map('Quake', 'BSP2'),
  '2PSB': map('Quake', '2PSB'),
  VBSP: map('the Source engine', 'VBSP'),
  rBSP: map('Titanfall', 'rBSP'),
  RBSP: map('Jedi Knight or Soldier of Fortune 2', 'RBSP'),
  FBSP: map('Warsow', 'FBSP'),
  FAKK: map('Heavy Metal: F.A.K.K.2', 'FAKK'),
  '2015': map('Medal of Honor: Allied Assault', '2015'),
  'PK\x03\x04': { name: 'a zip archive (pk3)', advice: `${UNPACK}, in maps/` },
  'PK\x05\x06': { name: 'an empty zip archive', advice: 'there is no map in it' },
  PACK: { name: 'a Quake pak archive', advice: `${UNPACK}, in maps/` },
  '7z\xbc\xaf': { name: 'a 7z archive', advice: UNPACK },
  'Rar!': { name: 'a rar archive', advice: UNPACK },
  WAD2: other('a texture archive (WAD2)'),
  WAD3: other('a texture archive (WAD3)'),
  IDPO: other('a Quake model (MDL)'),
  IDST: other('a Half-Life model (MDL)'),
  IDP2: other('a Quake 2 model (MD2)'),
  IDP3: other('a Quake 3 model (MD3)'),
};

/** Games by the version of their IBSP files. */
const BY_IBSP_VERSION: Readonly<Record<number, string>> = {
  4: 'Call of Duty 2',
  38: 'Quake 2',
  41: 'Daikatana',
  46: 'Quake 3',
  47: 'Quake Live',
  59: 'Call of Duty',
  78: 'UFO:AI',
  79: 'UFO:AI',
};

/** So many bytes tell whether a file is text. */
const LOOKED_AT = 64;

/** Says what a file is by its first 64 bytes. */
export function describeBytes(bytes: Uint8Array): FileKind {
  const { length } = bytes;
  if (length === 0) return { name: 'empty', advice: 'read or fetch the file again' };
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  if (Object.hasOwn(BY_MAGIC, magic)) return BY_MAGIC[magic]!;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    return { name: 'gzip data', advice: 'unpack it first, with zlib or a DecompressionStream' };
  }
  if (length < 8) return { name: `cut short: it has ${length} bytes`, advice: 'fetch it again' };
  const number = (at: number): number => new DataView(bytes.buffer, bytes.byteOffset).getInt32(at, true);
  if (magic === 'IBSP') {
    const version = number(4);
    const game = BY_IBSP_VERSION[version];
    return game ? map(game, `IBSP ${version}`) : { name: `an IBSP map of version ${version}`, advice: '' };
  }
  const head = bytes.subarray(0, LOOKED_AT);
  if (head.every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13))
    return describeText(head);
  const version = number(0);
  if (version === 29) return map('Quake', 'BSP 29');
  if (version === 30) return map('Half-Life', 'BSP 30');
  if (version > 0 && version < 64) return { name: `a BSP map of version ${version}`, advice: '' };
  const begins = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return { name: `of no known kind: it begins with bytes ${begins}`, advice: '' };
}

/** Text that people take for a map: its source, or what a server or git gave in place of it. */
function describeText(bytes: Uint8Array): FileKind {
  const text = String.fromCharCode(...bytes).trimStart();
  if (text.startsWith('<')) {
    return { name: 'a web page or XML', advice: 'the address that it was fetched from has no map' };
  }
  if (text.startsWith('version https://git-lfs')) {
    return { name: 'a Git LFS pointer', advice: 'run git lfs pull to get the map itself' };
  }
  if (text.startsWith('{') || text.startsWith('//')) {
    return { name: 'text, perhaps the source of a map', advice: 'compile it first' };
  }
  return { name: 'a text file', advice: '' };
}
