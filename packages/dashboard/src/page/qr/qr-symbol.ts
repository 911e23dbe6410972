/** What a module is: part of a pattern, reserved for facts about the code, a bit of the data, or free. */
export type Module = 'dark' | 'light' | 'reserved' | 'data-dark' | 'data-light' | undefined;

/** By row and column. */
export type Modules = Module[][];

/** Positions of the centers of alignment patterns, by version from 1. Source: ISO/IEC 18004, annex E. */
const ALIGNMENT: readonly (readonly number[])[] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
];

const TIMING = 6;
const FIRST_WITH_VERSION = 7;

/** Codes of error correction of the format and of the version. Source: ISO/IEC 18004, annexes C and D. */
const FORMAT_DIVISOR = 0x537;
const FORMAT_MASK = 0x5412;
const VERSION_DIVISOR = 0x1f25;

/** Whether a module is still to be filled with data. */
export const isFree = (module: Module): boolean => module === undefined;

/** Returns the patterns of a version, from 1, with the places of the format reserved. */
export function emptySymbol(version: number): Modules {
  const size = 17 + 4 * version;
  const symbol: Modules = Array.from({ length: size }, () => Array<Module>(size).fill(undefined));
  const far = size - 7;
  for (const [y, x] of [
    [0, 0],
    [0, far],
    [far, 0],
  ] as const)
    finder(symbol, y, x);
  const centers = ALIGNMENT[version - 1] ?? [];
  for (const y of centers) {
    for (const x of centers) if (isFree(symbol[y]?.[x])) rings(symbol, y, x, 2);
  }
  for (let i = 8; i < size - 8; i++) {
    set(symbol, TIMING, i, i % 2 === 0);
    set(symbol, i, TIMING, i % 2 === 0);
  }
  for (const [y, x] of [...formatPlaces(size).flat(), ...versionPlaces(size, version).flat()]) {
    reserve(symbol, y, x);
  }
  set(symbol, size - 8, 8, true);
  return symbol;
}

/** Returns the dark modules of a filled symbol under one of the eight masks, with its format and version. */
export function formatSymbol(symbol: Modules, version: number, mask: number): boolean[][] {
  const masked = symbol.map((row, y) =>
    row.map((module, x) => {
      if (module === 'dark' || module === 'light') return module === 'dark';
      return (module === 'data-dark') !== isMasked(mask, y, x) && module !== 'reserved';
    }),
  );
  // Level M is 0, so the format is the number of the mask.
  const format = ((mask << 10) | remainder(mask << 10, FORMAT_DIVISOR)) ^ FORMAT_MASK;
  write(masked, formatPlaces(symbol.length), format);
  const facts = (version << 12) | remainder(version << 12, VERSION_DIVISOR);
  write(masked, versionPlaces(symbol.length, version), facts);
  return masked;
}

function isMasked(mask: number, y: number, x: number): boolean {
  switch (mask) {
    case 0:
      return (y + x) % 2 === 0;
    case 1:
      return y % 2 === 0;
    case 2:
      return x % 3 === 0;
    case 3:
      return (y + x) % 3 === 0;
    case 4:
      return (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0;
    case 5:
      return ((y * x) % 2) + ((y * x) % 3) === 0;
    case 6:
      return (((y * x) % 2) + ((y * x) % 3)) % 2 === 0;
    default:
      return (((y + x) % 2) + ((y * x) % 3)) % 2 === 0;
  }
}

type Place = readonly [y: number, x: number];

/** Returns the places of each bit of the format, the lowest first; each is written twice. */
function formatPlaces(size: number): Place[][] {
  return Array.from({ length: 15 }, (_, i) => {
    // Beside the timing patterns there is no room.
    const near = i < 6 ? i : i + 1;
    const first: Place = i < 8 ? [near, 8] : [8, i === 8 ? 7 : 14 - i];
    const second: Place = i < 8 ? [8, size - 1 - i] : [size - 15 + i, 8];
    return [first, second];
  });
}

/** Returns the places of each bit of the version, the lowest first; none for small codes. */
function versionPlaces(size: number, version: number): Place[][] {
  if (version < FIRST_WITH_VERSION) return [];
  return Array.from({ length: 18 }, (_, i) => {
    const [along, across] = [Math.floor(i / 3), size - 11 + (i % 3)];
    return [
      [along, across],
      [across, along],
    ];
  });
}

function write(modules: boolean[][], places: readonly Place[][], bits: number): void {
  places.forEach((copies, i) => {
    for (const [y, x] of copies) {
      const row = modules[y];
      if (row !== undefined) row[x] = ((bits >> i) & 1) === 1;
    }
  });
}

/** Returns the rest of a division of polynomials over two elements. */
function remainder(value: number, divisor: number): number {
  const length = (bits: number): number => 32 - Math.clz32(bits);
  let rest = value;
  while (length(rest) >= length(divisor)) rest ^= divisor << (length(rest) - length(divisor));
  return rest;
}

/** Draws a pattern of three squares, and the light border around it. */
function finder(symbol: Modules, top: number, left: number): void {
  rings(symbol, top + 3, left + 3, 4);
}

/** Draws squares around a center, dark and light in turns, but for two dark ones inside of a large pattern. */
function rings(symbol: Modules, centerY: number, centerX: number, radius: number): void {
  for (let dy = -radius; dy <= radius; dy++) {
    for (let dx = -radius; dx <= radius; dx++) {
      const ring = Math.max(Math.abs(dy), Math.abs(dx));
      const isDark = radius === 2 ? ring !== 1 : ring !== 2 && ring !== 4;
      set(symbol, centerY + dy, centerX + dx, isDark);
    }
  }
}

function set(symbol: Modules, y: number, x: number, isDark: boolean): void {
  const row = symbol[y];
  if (row !== undefined && x >= 0 && x < row.length) row[x] = isDark ? 'dark' : 'light';
}

function reserve(symbol: Modules, y: number, x: number): void {
  const row = symbol[y];
  if (row !== undefined) row[x] = 'reserved';
}
