import { checkOptions, NEEDED, type OptionTable } from '@monero-node/base/options';
import { ADDRESS_NETWORKS, type AddressNetwork } from '@monero-node/codec';

/** Blocks on top of a transaction before its outputs can be spent. Source: CRYPTONOTE_DEFAULT_TX_SPENDABLE_AGE. */
const SPENDABLE_AGE = 10;
/** Unlock times below are heights. Source: CRYPTONOTE_MAX_BLOCK_NUMBER. */
const FIRST_TIME = 500_000_000n;
/** The next block may spend what unlocks at its height. Source: CRYPTONOTE_LOCKED_TX_ALLOWED_DELTA_BLOCKS. */
const ALLOWED_BLOCKS = 1n;
/** Seconds by which clocks may differ, before and from hard fork 2 on: CRYPTONOTE_LOCKED_TX_ALLOWED_DELTA_SECONDS. */
const ALLOWED_SECONDS = { before: 60n, from: 120n };
/** Heights of hard fork 2, as monerod's wallets know them. */
const FORK_2: Record<AddressNetwork, number> = {
  mainnet: 1_009_827,
  testnet: 624_634,
  stagenet: 32_000,
};

/** An output and the chain at which {@link isOutputUnlocked} looks. */
export interface UnlockOptions {
  /** As the transaction has it: a height, or from 500,000,000 on seconds since 1970. */
  readonly unlockTime: bigint;
  /** Height of the block with the transaction. */
  readonly height: number;
  /** Number of blocks in the chain. */
  readonly chainHeight: number;
  /** The chain's adjusted time in seconds since 1970. */
  readonly time: number;
  readonly network: AddressNetwork;
}

const UNLOCK_OPTIONS: OptionTable<UnlockOptions> = {
  unlockTime: NEEDED,
  height: NEEDED,
  chainHeight: NEEDED,
  time: NEEDED,
  network: { choices: ADDRESS_NETWORKS },
};

/**
 * Returns whether an output can be spent in the next block. Throws OptionError for a missing or an unknown option.
 * Source: is_transfer_unlocked in src/wallet/wallet2.cpp.
 */
export function isOutputUnlocked(options: UnlockOptions): boolean {
  checkOptions('isOutputUnlocked', options, UNLOCK_OPTIONS);
  const { unlockTime, height, chainHeight, time, network } = options;
  if (height + SPENDABLE_AGE > chainHeight) return false;
  if (unlockTime < FIRST_TIME) return BigInt(chainHeight) - 1n + ALLOWED_BLOCKS >= unlockTime;
  const allowed = height < FORK_2[network] ? ALLOWED_SECONDS.before : ALLOWED_SECONDS.from;
  return BigInt(time) + allowed >= unlockTime;
}
