export function fetchPackage(folder: string, game: string, name: string): void;
