/** A file that is none of our maps. */
export interface Foreign {
  /** What it is, to follow "the file is": `a zip archive (pk3)`, `empty`. */
  readonly name: string;
  /** What to do about it. */
  readonly advice: string;
}

const NOT_READ = 'bspkit reads Quake 1, Half-Life, Quake 3 and UFO:AI maps';
const OTHER_GAME = `this format is not read: ${NOT_READ}`;
const UNPACK = 'unpack it and open the .bsp inside';

const MODEL = 'it is a model and no map';

/** Files that are known by their first four bytes. */
const BY_MAGIC: Readonly<Record<string, Foreign>> = {
  VBSP: { name: 'a Source engine map (VBSP)', advice: OTHER_GAME },
  rBSP: { name: 'a Respawn map (rBSP: Titanfall)', advice: OTHER_GAME },
  RBSP: { name: 'a Raven map (RBSP: Jedi Knight, Soldier of Fortune 2)', advice: OTHER_GAME },
  FBSP: { name: 'a QFusion map (FBSP: Warsow)', advice: OTHER_GAME },
  FAKK: { name: 'a map of Heavy Metal: F.A.K.K.2', advice: OTHER_GAME },
  '2015': { name: 'a map of Medal of Honor: Allied Assault', advice: OTHER_GAME },
  'PK\x03\x04': { name: 'a zip archive (pk3)', advice: `${UNPACK}, in maps/` },
  'PK\x05\x06': { name: 'an empty zip archive', advice: 'there is no map in it' },
  PACK: { name: 'a Quake pak archive', advice: `${UNPACK}, in maps/` },
  '7z\xbc\xaf': { name: 'a 7z archive', advice: UNPACK },
  'Rar!': { name: 'a rar archive', advice: UNPACK },
  WAD2: { name: 'a texture archive (WAD2)', advice: 'it holds no map' },
  WAD3: { name: 'a texture archive (WAD3)', advice: 'it holds no map' },
  IDPO: { name: 'a Quake model (MDL)', advice: MODEL },
  IDST: { name: 'a Half-Life model (MDL)', advice: MODEL },
  IDP2: { name: 'a Quake 2 model (MD2)', advice: MODEL },
  IDP3: { name: 'a Quake 3 model (MD3)', advice: MODEL },
};

/** Games by the version of their IBSP files that are not read. */
const BY_IBSP_VERSION: Readonly<Record<number, string>> = {
  4: 'Call of Duty 2',
  38: 'Quake 2',
  41: 'Daikatana',
  59: 'Call of Duty',
};

/** An IBSP file of a version that is not read. */
export function foreignIbsp(version: number): Foreign {
  const game = BY_IBSP_VERSION[version];
  const advice = 'of IBSP, versions 46 and 47 (Quake 3) and 78 and 79 (UFO:AI) are read';
  if (game === undefined) return { name: `an IBSP map of version ${version}`, advice };
  return { name: `an IBSP map of version ${version} (${game})`, advice };
}

/** Any other file that is none of our maps, by its first bytes. */
export function foreignFile(bytes: Uint8Array, magic: string): Foreign {
  if (bytes.length === 0) return { name: 'empty', advice: 'read or fetch the file anew' };
  if (Object.hasOwn(BY_MAGIC, magic)) return BY_MAGIC[magic]!;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    return { name: 'gzip data', advice: 'unpack it first, with zlib or a DecompressionStream' };
  }
  if (bytes.length < 8) return { name: `cut short: it has ${bytes.length} bytes`, advice: 'fetch it anew' };
  if (isText(bytes)) return foreignText(bytes);
  const number = bytes[0]! | (bytes[1]! << 8) | (bytes[2]! << 16) | (bytes[3]! << 24);
  if (number > 0 && number < 64) {
    return {
      name: `a BSP map of version ${number}`,
      advice: 'of such maps, 29 (Quake) and 30 (Half-Life) are read',
    };
  }
  const begins = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return { name: `of no known kind: it begins with bytes ${begins}`, advice: NOT_READ };
}

/** So many bytes tell whether a file is text. */
const LOOKED_AT = 64;

const isText = (bytes: Uint8Array): boolean =>
  bytes
    .subarray(0, LOOKED_AT)
    .every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);

/** Text that people take for a map: its source, or what a server or git gave in place of it. */
function foreignText(bytes: Uint8Array): Foreign {
  const text = String.fromCharCode(...bytes.subarray(0, LOOKED_AT)).trimStart();
  if (text.startsWith('<')) {
    return { name: 'a web page or XML', advice: 'the address that it was fetched from has no map' };
  }
  if (text.startsWith('version https://git-lfs')) {
    return { name: 'a Git LFS pointer', advice: 'run git lfs pull to get the map itself' };
  }
  if (text.startsWith('{') || text.startsWith('//')) {
    return { name: 'text, perhaps the source of a map', advice: 'compile it, with @bspkit/compile say' };
  }
  return { name: 'a text file', advice: NOT_READ };
}
