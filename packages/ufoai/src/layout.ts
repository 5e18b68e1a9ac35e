// The world's one buffer. All numbers are 32-bit little-endian words; a record's place is its word offset from the
// start of the buffer, so the buffer can be moved, shared between threads or handed to WebAssembly as it is.
//
//   header     word 0 magic, 1 layout version, 2 length in words, 3 stack that a line needs, 4 stack that a box needs;
//              then from word 8 a pair (place, number of records) for each section, in the order of
//              `sections.ts`
//   sections   records as the comments below say; numbers of nodes, leafs, brushes, sides and planes run through all
//              tiles, and a tile's record says where its own begin

export const HEADER_WORDS = 8;
export const LINE_STACK_WORD = 3;
export const BOX_STACK_WORD = 4;

/** Tile. Places and counts; numbers where it says so. */
export const TILE_WORDS = 34;
export const TILE_CELL = 0; // x, y, z in cells
export const TILE_SHIFT = 3; // x, y, z in Quake units
export const TILE_MINS = 6; // where boxes look for the tile
export const TILE_MAXS = 9;
export const TILE_LINE_MINS = 12; // what blocks lines in the tile; then maxs
export const TILE_LINE_HEADS = 18; // first and how many
export const TILE_BOX_HEADS = 20; // first and how many
export const TILE_BOX_GROUPS = 22; // first and how many
export const TILE_MODELS = 24; // number of the first inline model, how many
export const TILE_NODES = 26; // number of the first node
export const TILE_LEAFS = 27;
export const TILE_BRUSHES = 28;
export const TILE_SIDES = 29;
export const TILE_TEXTURES = 30; // place of the first texture
export const TILE_PLANES = 31; // number of the first plane
export const TILE_TEXTS = 32; // place of its texts, and bytes of them

/** Line head. */
export const LINE_HEAD_WORDS = 13;
export const LINE_HEAD_MODEL = 0; // model in the tile
export const LINE_HEAD_TILE = 1;
export const LINE_HEAD_TREE = 2; // place in `lines`, 0: nothing blocks
export const LINE_HEAD_NODES = 3; // nodes in the engine's tree
export const LINE_HEAD_STUMPS = 4;
export const LINE_HEAD_MINS = 5; // of the model
export const LINE_HEAD_MAXS = 8;
export const LINE_HEAD_ROOT = 11; // number of a node, -1: an inline model's phantom
export const LINE_HEAD_KEY = 12; // bits of which a selection must have one: `lineKey`

/** Box head: root (number of a node), level; then what its brushes reach, mins xyz and maxs xyz. */
export const BOX_HEAD_WORDS = 9;
export const BOX_HEAD_BOUNDS = 2;
export const BOX_HEAD_KEY = 8; // bits of which a selection must have one: `boxKey`

/** Run of neighbouring box heads of one tile: what their brushes reach, mins xyz and maxs xyz. */
export const BOX_GROUP_WORDS = 9;
export const BOX_GROUP_HEADS = 6; // first and how many
export const BOX_GROUP_KEY = 8; // those of its heads combined

/** Inline model. */
export const MODEL_WORDS = 16;
export const MODEL_TILE = 0;
export const MODEL_ROOT = 1; // number of a node, -1 for an empty model
export const MODEL_OWN_FRAME = 2; // 1 if the model was built around its own origin, 0 if it is already in place
export const MODEL_ORIGIN = 3;
export const MODEL_MINS = 6; // for culling, as the engine keeps them
export const MODEL_MAXS = 9;
export const MODEL_ENTITY = 12; // number of its entity in the tile, -1 for none
export const MODEL_KEEPS_SHIFT = 13; // 1 if these bounds still have the tile's shift, although the model has its own frame

/** Kinds of a line node, in its first word; 0 to 2 are axial. */
export const LINE_OBLIQUE = 3; // kind, dist, front, back, normal xyz
export const LINE_UNION = 6; // kind, 0, first, second
export const LINE_BOX = 7; // kind, mins xyz, maxs xyz of what blocks below; the node itself follows
/** Words of a line node of each shape. */
export const LINE_NODE_WORDS = 4;
export const LINE_OBLIQUE_WORDS = 7;
export const LINE_BOX_WORDS = 7;
/** Children of a line node that are not nodes. */
export const LINE_OPEN = 0;
export const LINE_BLOCKED = -1;
/** Bounds in the trees of lines hold for lines whose coordinates stay within this; for others whole trees are walked. */
export const LINE_CULL_LIMIT = 8192;
