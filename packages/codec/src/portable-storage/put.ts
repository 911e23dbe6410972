import type { ByteSink } from './byte-sink.ts';

/** Writes a count or length in the smallest form; the low two bits of the first byte name the form (1, 2, 4 or 8 bytes). */
export function putSize(sink: ByteSink, size: number): void {
  if (size < 1 << 6) sink.u8(size << 2);
  else if (size < 1 << 14) sink.littleEndian(size * 4 + 1, 2);
  else if (size < 1 << 30) sink.littleEndian(size * 4 + 2, 4);
  else sink.littleEndian((BigInt(size) << 2n) | 3n, 8);
}

/** Writes a string: its length and its bytes. */
export function putString(sink: ByteSink, bytes: Uint8Array): void {
  putSize(sink, bytes.length);
  sink.bytes(bytes);
}
