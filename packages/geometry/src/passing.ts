/**
 * What part of epsilon a sphere's sweep must leave free to pass a convex shape. A sphere that rolls on a floor of several shapes
 * comes as near to each as to the one that it rolls on, but for rounding: if every shape stopped it that it comes nearer to than
 * epsilon, the edges inside the floor would.
 */
export const PASSING: number = 1 / 8;
