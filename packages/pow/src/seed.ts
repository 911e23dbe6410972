/** Most blocks that may share one RandomX seed, and the number that do. Source: src/crypto/rx-slow-hash.c. */
export const SEED_EPOCH_BLOCKS = 2048;
/**
 * Most blocks that may lie between a seed block and the first block hashed with it, and the number that do: time to
 * prepare caches. Source: src/crypto/rx-slow-hash.c.
 */
export const SEED_EPOCH_LAG = 64;

/** How often the RandomX seed changes. */
export interface SeedEpoch {
  /** Number of blocks that share a seed: a power of two, 2 … 2048. */
  readonly blocks: number;
  /** Number of blocks between a seed block and the first block hashed with it: a power of two, 1 … 64. */
  readonly lag: number;
}

/** Environment variables that shorten epochs, for tests on private chains; upstream's functional tests set them. */
const BLOCKS_VARIABLE = 'SEEDHASH_EPOCH_BLOCKS';
const LAG_VARIABLE = 'SEEDHASH_EPOCH_LAG';

/**
 * Returns the epochs that an environment asks for, as monerod reads SEEDHASH_EPOCH_BLOCKS and SEEDHASH_EPOCH_LAG: a
 * value that is no power of two in range, or no number, counts as absent.
 *
 * Source: get_seedhash_epoch_blocks and get_seedhash_epoch_lag in src/crypto/rx-slow-hash.c.
 */
export function seedEpochOf(environment: Readonly<Record<string, string | undefined>>): SeedEpoch {
  return {
    blocks: powerOfTwo(environment[BLOCKS_VARIABLE], 2, SEED_EPOCH_BLOCKS),
    lag: powerOfTwo(environment[LAG_VARIABLE], 1, SEED_EPOCH_LAG),
  };
}

/** Returns the power of two from `min` to `max` that a text has; `max` for other texts. */
function powerOfTwo(text: string | undefined, min: number, max: number): number {
  const value = unsignedOf(text ?? '');
  return value >= min && value <= max && Number.isInteger(Math.log2(value)) ? value : max;
}

/** Returns what C makes of text that is assigned to 32 unsigned bits: digits after blanks and a sign, 0 without any. */
function unsignedOf(text: string): number {
  const digits = /^[ \t\n\v\f\r]*([+-]?\d+)/.exec(text.slice(0, 64))?.[1];
  const value = BigInt(digits?.replace('+', '') ?? 0);
  const limit = 2n ** 63n;
  const saturated = value >= limit ? limit - 1n : value < -limit ? -limit : value;
  return Number(BigInt.asUintN(32, saturated));
}

let ownEpoch: SeedEpoch | undefined;

/** Returns the epochs of this process, which like monerod reads the environment once: when they are first needed. */
function epochOfProcess(): SeedEpoch {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  ownEpoch ??= seedEpochOf(process?.env ?? {});
  return ownEpoch;
}

/**
 * Returns the height of the block whose id is the RandomX key for a block at `height`. With usual epochs: 0 up to
 * height 2112, then `height - 65` rounded down to a multiple of 2048. Source: rx_seedheight in src/crypto/rx-slow-hash.c.
 */
export function seedHeight(height: number, { blocks, lag }: SeedEpoch = epochOfProcess()): number {
  if (height <= blocks + lag) return 0;
  const base = height - lag - 1;
  return base - (base % blocks);
}

/** Returns the height of the first block above `height` that has another seed. */
export function seedEnd(height: number, epoch: SeedEpoch = epochOfProcess()): number {
  return seedHeight(height, epoch) + epoch.blocks + epoch.lag + 1;
}

/** Returns the seed height that applies one lag (64 blocks) after `height`; block templates announce it. */
export function nextSeedHeight(height: number, epoch: SeedEpoch = epochOfProcess()): number {
  return seedHeight(height + epoch.lag, epoch);
}
