const HIGH = 2 ** 32;

/** Reads eight little-endian bytes; a value of 2^53 and more is rounded, so it stays larger than any that is expected. */
export function readUint64(bytes: Buffer, offset: number): number {
  return bytes.readUInt32LE(offset + 4) * HIGH + bytes.readUInt32LE(offset);
}
