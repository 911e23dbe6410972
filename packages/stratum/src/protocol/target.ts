const LARGEST_32 = 2n ** 32n - 1n;
const LARGEST_64 = 2n ** 64n - 1n;

/** Largest difficulty whose target has 4 bytes, which old programs know alone; the rounding is below 0.1 % there. As in P2Pool. */
const MOST_FOR_4_BYTES = 4_000_000n;

/** What a rig is told about the difficulty of a job, and what follows from it. */
export interface Target {
  /** 4 or 8 bytes, little-endian, in hex. */
  readonly hex: string;
  /** The last 8 bytes of a hash, little-endian, have to be below this. */
  readonly bound: bigint;
}

/**
 * Returns the target for a difficulty. It is rounded so that a rig sends every hash that meets the difficulty: one of the network
 * must not be missed. How xmrig reads it: `Job::setTarget` in src/base/net/stratum/Job.cpp.
 *
 * @param difficulty mean number of hashes of a share, at least 1
 */
export function targetOf(difficulty: bigint): Target {
  if (difficulty <= MOST_FOR_4_BYTES) {
    const short = min(2n ** 32n / difficulty + 1n, LARGEST_32);
    return { hex: littleEndian(short, 4), bound: LARGEST_64 / (LARGEST_32 / short) };
  }
  const long = min(2n ** 64n / difficulty + 1n, LARGEST_64);
  return { hex: littleEndian(long, 8), bound: long };
}

/** Returns whether a hash (32 bytes) is good enough for a target. */
export function meetsTarget(hash: Uint8Array, { bound }: Target): boolean {
  return new DataView(hash.buffer, hash.byteOffset, 32).getBigUint64(24, true) < bound;
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

function littleEndian(value: bigint, size: 4 | 8): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes.toString('hex', 0, size);
}
