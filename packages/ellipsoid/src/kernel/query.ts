// A query is a run of doubles: what the kernels are asked and what they answer, so that no number is boxed.
export const Q_START = 0;
export const Q_MOVE = 3;
export const Q_RADII = 6;
/** One over the radii. */
export const Q_SCALE = 9;
/** One over the move, and how far boxes are widened. */
export const Q_INVERSE = 12;
export const Q_WIDE = 15;
/** The answer: when the move ends, from 0 to 1, then the contact's normal, in scaled space. */
export const Q_TIME = 18;
export const Q_NORMAL = 19;
/** How far the ellipsoid reaches, in Quake units, into what it overlaps deepest at the start; below 0 for none. */
export const Q_OVERLAP = 22;
/** The point that `nearestOnPiece` found: in scaled space, from the centre. */
export const Q_NEAREST = 23;
/** How far away that point is. */
export const Q_DISTANCE = 26;
/** When the move enters a box. */
export const Q_ENTRY = 27;
/** 1 less the scaled distance of the piece that stops the move at its start. */
export const Q_DEPTH = 28;
/** Where the ball touches a piece's plane; and that plane's normal, scaled, towards the ball. */
export const Q_POINT = 29;
export const Q_FACE = 32;
/** How far to stay away from what is met, along its normal, in Quake units; then when the move stops, and the normal, in space. */
export const Q_GAP = 35;
export const Q_STOP = 36;
export const Q_OUT = 37;
export const QUERY_NUMBERS = 40;
