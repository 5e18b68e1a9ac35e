import { checkBytes } from './bytes.ts';
import { ibspVersion } from './ibsp.ts';

// What files are by their first bytes, so that an error can say what was found in place of a map. Games are named here because
// people mix their files up; nothing else depends on the names. Every format's bundle contains this, so the table is text:
// `magic, whether it is a map (m), a model (o) or an archive (a), name`.

/** A file by its first bytes. */
export interface FileKind {
  /** What it is, to follow "the file is": `a zip archive (pk3)`, `empty`. */
  readonly name: string;
  /** What to do about it; empty if nothing helps. */
  readonly advice: string;
}

const BY_MAGIC = `BSP2mQuake
2PSBmQuake
VBSPmthe Source engine
rBSPmTitanfall
RBSPmSiN, Jedi Knight or Soldier of Fortune 2
FBSPmWarsow
FAKKmHeavy Metal: F.A.K.K.2
2015mMedal of Honor: Allied Assault
PK\x03\x04aa zip archive (pk3)
PK\x05\x06aan empty zip archive
PACKaa Quake pak archive
7z\xbc\xafaa 7z archive
Rar!aa rar archive
WAD2oa texture archive (WAD2)
WAD3oa texture archive (WAD3)
IDPOoa Quake model (MDL)
IDSToa Half-Life model (MDL)
IDP2oa Quake 2 model (MD2)
IDP3oa Quake 3 model (MD3)`;

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

/** This many bytes tell what a file is. */
export const LOOKED_AT = 64;

const kind = (name: string, advice = ''): FileKind => ({ name, advice });
const map = (game: string, code: string): FileKind => kind(`a map of ${game} (${code})`);

/** Says what a file is by its first 64 bytes. */
export function describeBytes(bytes: Uint8Array): FileKind {
  checkBytes(bytes);
  const { length } = bytes;
  if (length === 0) return kind('empty', 'read or fetch the file again');
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  const known = length < 4 ? undefined : BY_MAGIC.split('\n').find((line) => line.startsWith(magic));
  if (known) {
    const name = known.slice(5);
    if (known[4] === 'm') return map(name, magic);
    return kind(name, known[4] === 'a' ? 'unpack it and open the .bsp inside' : 'it is not a map');
  }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    return kind('gzip data', 'unpack it first, with zlib or a DecompressionStream');
  }
  // QBSP is IBSP with 32-bit numbers.
  const version = /[IQ]BSP/.test(magic) ? ibspVersion(bytes, magic) : undefined;
  if (version !== undefined) {
    const game = magic === 'IBSP' || version === 38 ? BY_IBSP_VERSION[version] : undefined;
    return map(game ?? 'an unknown game', `${magic} ${version}`);
  }
  const head = bytes.subarray(0, LOOKED_AT);
  const isText = head.every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13);
  if (isText && length >= 4 && !/[IQ]BSP/.test(magic)) return describeText(head);
  if (length < 8) return kind(`cut short: it has ${length} bytes`, 'fetch it again');
  const number = new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true);
  if (number === 29) return map('Quake', 'BSP 29');
  if (number === 30) return map('Half-Life', 'BSP 30');
  if (number > 0 && number < 64) return kind(`a BSP map of version ${number}`);
  const begins = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return kind(`of no known kind: it begins with bytes ${begins}`);
}

/** Text that people take for a map: its source, or what a server or git returned in place of it. */
function describeText(bytes: Uint8Array): FileKind {
  const text = String.fromCharCode(...bytes).trimStart();
  // In a map's source, keys are followed by their values without a colon.
  const answer = text.startsWith('<') ? 'a web page or XML' : /^{\s*"[^"]*"\s*:/.test(text) ? 'JSON' : '';
  if (answer) return kind(answer, 'if it was fetched, the address has no map');
  if (text.startsWith('version https://git-lfs')) {
    return kind('a Git LFS pointer', 'run git lfs pull to get the map itself');
  }
  if (/^({|\/\/)/.test(text)) return kind('text, perhaps the source of a map', 'compile it first');
  return kind('a text file');
}
