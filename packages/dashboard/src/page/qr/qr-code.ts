import { errorCorrection } from './reed-solomon.ts';
import { leastConspicuous } from './qr-masks.ts';
import { emptySymbol, formatSymbol, isFree, type Modules } from './qr-symbol.ts';

/** How the bytes of a version are divided, at the level of error correction M. */
interface Division {
  /** Bytes of error correction for each block. */
  readonly correction: number;
  /** Bytes of data in each block. */
  readonly blocks: readonly number[];
}

const of = (correction: number, ...blocks: number[]): Division => ({ correction, blocks });

/** By version, from 1. Source: ISO/IEC 18004, table 9. */
const DIVISIONS: readonly Division[] = [
  of(10, 16),
  of(16, 28),
  of(26, 44),
  of(18, 32, 32),
  of(24, 43, 43),
  of(16, 27, 27, 27, 27),
  of(18, 31, 31, 31, 31),
  of(22, 38, 38, 39, 39),
  of(22, 36, 36, 36, 37, 37),
];

/** The mode for bytes, and the length of the count of bytes up to version 9; bits. */
const BYTE_MODE = 4;
const HEAD_BITS = 12;
/** Bytes that fill the rest, in turns. */
const PADDING = [0xec, 0x11];

/**
 * Returns the modules of a QR code, by row and column, dark ones as true; without the quiet zone of four modules around it. Up to a
 * seventh of it may be covered. Returns undefined for a text that is too long: more than 180 bytes of UTF-8.
 *
 * Source: ISO/IEC 18004, versions 1 to 9, byte mode, level M.
 */
export function qrCode(text: string): readonly (readonly boolean[])[] | undefined {
  const bytes = new TextEncoder().encode(text);
  const fits = (division: Division): boolean =>
    HEAD_BITS + 8 * bytes.length <= 8 * dataLength(division);
  const index = DIVISIONS.findIndex(fits);
  const division = DIVISIONS[index];
  if (division === undefined) return undefined;
  const version = index + 1;
  const symbol = emptySymbol(version);
  place(symbol, interleaved(padded(bytes, dataLength(division)), division));
  const candidates = Array.from({ length: 8 }, (_, mask) => formatSymbol(symbol, version, mask));
  return leastConspicuous(candidates);
}

const dataLength = ({ blocks }: Division): number =>
  blocks.reduce((sum, length) => sum + length, 0);

/** Returns the data: mode, count, the bytes, an end of four zero bits, and padding. */
function padded(bytes: Uint8Array, length: number): Uint8Array {
  const data = new Uint8Array(length);
  // The mode takes half a byte, so that each byte lies across two.
  data[0] = (BYTE_MODE << 4) | (bytes.length >> 4);
  let last = bytes.length & 15;
  bytes.forEach((byte, i) => {
    data[i + 1] = (last << 4) | (byte >> 4);
    last = byte & 15;
  });
  data[bytes.length + 1] = last << 4;
  for (let i = bytes.length + 2; i < length; i++) data[i] = PADDING[(i - bytes.length) % 2] ?? 0;
  return data;
}

/** Returns the bytes of all blocks in turns, then those of their error correction. */
function interleaved(data: Uint8Array, { blocks, correction }: Division): number[] {
  let start = 0;
  const parts = blocks.map((length) => data.subarray(start, (start += length)));
  const checks = parts.map((part) => errorCorrection(part, correction));
  const inTurns = (lists: readonly Uint8Array[], length: number): number[] =>
    Array.from({ length }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat();
  return [...inTurns(parts, Math.max(...blocks)), ...inTurns(checks, correction)];
}

/** Writes the bits to the free modules: upwards and downwards in columns of two, from the right. */
function place(symbol: Modules, bytes: readonly number[]): void {
  const size = symbol.length;
  let bit = 0;
  let isUpwards = true;
  for (let right = size - 1; right > 0; right -= 2) {
    // The column of the timing pattern is skipped.
    if (right === 6) right = 5;
    for (let i = 0; i < size; i++) {
      const row = symbol[isUpwards ? size - 1 - i : i];
      for (const column of [right, right - 1]) {
        if (row === undefined || !isFree(row[column])) continue;
        row[column] = ((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1 ? 'data-dark' : 'data-light';
        bit++;
      }
    }
    isUpwards = !isUpwards;
  }
}
