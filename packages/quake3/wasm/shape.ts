// The kernel is written once and compiled for each shape: functions with a type parameter `S` ask for its size, which the
// compiler knows, so that nothing of this is left at run time. These are the sizes.

export const POINT: usize = 1;
export const BOX: usize = 2;
export const CAPSULE: usize = 4;
