// Blocks of private chains at difficulty 1, where any hash is work enough, made without a node.
import { encodeBlock } from '@monero-node/codec';
import {
  addGeneratedCoins,
  blockReward,
  NETWORKS,
  rulesFor,
  versionAtHeight,
  withOverrides,
} from '@monero-node/consensus';
import { commit } from '@monero-node/crypto/insecure-signer';

/** @import { ParsedBlock, Transaction } from '@monero-node/codec' */

export const NETWORK = withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n });
/** Blocks until an output of a coinbase can be spent. */
export const COINBASE_UNLOCK = 60;
/** The mask of the commitment of a coinbase output. */
export const COINBASE_MASK = 1n;
/** Seconds since 1970 of the first block. */
const BEGIN = 1_700_000_000;
const BLOCK_SECONDS = 120;
/** Any weight below this one costs no reward, and it is below every median. */
const LIGHT = 100;

/**
 * Returns a block that pays its reward to keys: an amount to each, and what is left to the first. The block must weigh less than the
 * median.
 *
 * @param {{ height: number, below: ParsedBlock, generatedCoins: bigint, medianWeight: number }} place
 * @param {{ keys: readonly Uint8Array[], amount: bigint, txHashes: readonly Uint8Array[], fees: bigint }} content amounts in atomic units
 */
export function makeBlock({ height, below, generatedCoins, medianWeight }, content) {
  const { keys, amount, txHashes, fees } = content;
  const version = versionAtHeight(NETWORK, height);
  const rules = rulesFor(version);
  const reward = blockReward({ medianWeight, blockWeight: LIGHT, generatedCoins, rules });
  const shared = amount * BigInt(keys.length - 1);
  /** @type {Transaction} */
  const minerTx = {
    version: 2,
    unlockTime: BigInt(height + COINBASE_UNLOCK),
    inputs: [{ kind: 'gen', height }],
    outputs: keys.map((key, i) => ({
      amount: i === 0 ? reward + fees - shared : amount,
      target: { kind: 'tagged-key', key, viewTag: 7 },
    })),
    extra: Uint8Array.of(1, ...commit(7n, 0n)),
    rct: { type: 0, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] },
  };
  const blob = encodeBlock({
    majorVersion: version,
    minorVersion: version,
    timestamp: (below.block.timestamp || BEGIN) + BLOCK_SECONDS,
    prevId: below.id,
    nonce: 0,
    minerTx,
    txHashes: [...txHashes],
  });
  return { blob, generatedCoins: addGeneratedCoins(generatedCoins, reward) };
}
