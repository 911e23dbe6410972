import { ByteReader } from '../byte-reader.ts';
import { ByteWriter } from '../byte-writer.ts';
import { DecodeError } from '../errors.ts';

const GEN_INPUT = 0xff;
const MAX_NUMBER = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Returns the bytes of a block with 0 in place of a timestamp and a miner height above 2^53 - 1, which `parseBlock`
 * refuses although the format has room for them. Undefined when neither is so large or the bytes do not decode up to there.
 * Source of the format: src/cryptonote_basic/cryptonote_basic.h.
 *
 * @param blob bytes of a block, not changed
 */
export function withoutHugeNumbers(blob: Uint8Array): Uint8Array | undefined {
  const reader = new ByteReader(blob);
  const writer = new ByteWriter(blob.length);
  let hasHuge = false;
  const copyNumber = (): void => {
    const value = reader.varint();
    if (value > MAX_NUMBER) hasHuge = true;
    writer.varint(value > MAX_NUMBER ? 0n : value);
  };
  const copyAsIs = (read: () => void): void => {
    const start = reader.offset;
    read();
    writer.bytes(reader.slice(start, reader.offset));
  };
  try {
    copyAsIs(() => [reader.varint(), reader.varint()]); // major and minor version
    copyNumber(); // timestamp
    copyAsIs(() => [reader.bytes(32), reader.u32le()]); // previous id, nonce
    copyAsIs(() => [reader.varint(), reader.varint()]); // version and unlock time of the miner transaction
    let inputs = 0n;
    copyAsIs(() => (inputs = reader.varint()));
    let tag = 0;
    copyAsIs(() => (tag = reader.u8()));
    if (inputs === 1n && tag === GEN_INPUT) copyNumber(); // height
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
  if (!hasHuge) return undefined;
  copyAsIs(() => reader.bytes(reader.remaining));
  return writer.toBytes();
}
