/** The polynomial of CRC-32 (ISO 3309), bits reversed. */
const POLYNOMIAL = 0xedb88320;

/** Returns the CRC-32 of bytes, an unsigned 32-bit number. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
