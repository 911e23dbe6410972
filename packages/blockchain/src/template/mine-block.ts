import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { parseBlock, type ParsedBlock, type ParsedTransaction } from '@monero-node/codec';
import { blockReward, feeOf, transactionWeight } from '@monero-node/consensus';
import type { AddressKeys } from '@monero-node/crypto';
import { HashingNonceSearcher, type NonceSearcher, type PowHasher } from '@monero-node/pow';
import type { Blockchain } from '../blockchain.ts';
import { BlockTemplates } from './block-templates.ts';
import { findNonce, minedBlock } from './template-search.ts';
import { TemplateError, type TransactionSource } from './template-types.ts';

/** Options of {@link mineBlock}. */
export interface MineBlockOptions {
  /** The recipient of the reward: the keys of an address, as `parseAddress` of codec returns them, 32 bytes each. */
  readonly address: AddressKeys;
  /** Computes the hashes, one at a time, which suits the low difficulties of private chains. */
  readonly pow: Pick<PowHasher, 'hash'>;
  /** Searches instead, such as `createNonceSearcher(hasher)`, which computes a dataset of 2 GiB meanwhile. */
  readonly searcher?: Pick<NonceSearcher, 'search'>;
  /** The transactions of the block, each valid on the tip; none by default. */
  readonly transactions?: readonly ParsedTransaction[];
  /** Bytes for the extra field of the miner transaction, at most 255; none by default. */
  readonly extraNonce?: Uint8Array;
  /** Ends the search. */
  readonly signal?: AbortSignal;
  /** Unix seconds for the timestamp; the system clock by default. */
  readonly now?: () => number;
}

const OPTIONS: OptionTable<MineBlockOptions> = {
  address: NEEDED,
  pow: NEEDED,
  searcher: OPTIONAL,
  transactions: OPTIONAL,
  extraNonce: OPTIONAL,
  signal: OPTIONAL,
  now: OPTIONAL,
};

/** A block that {@link mineBlock} made and the chain took. */
export interface MinedBlock {
  readonly height: number;
  readonly block: ParsedBlock;
  /** `alternative` if another block was added on the same parent during the search. */
  readonly status: 'added' | 'reorganized' | 'alternative';
}

/**
 * Makes a block on the tip of a chain, searches its proof of work and adds it to the chain.
 *
 * Throws TemplateError when no template can be made or no nonce meets the difficulty, ConsensusError when the chain
 * refuses the block, for instance for a transaction, the reason of `signal` when it is aborted, and OptionError for a missing or an
 * unknown option.
 *
 * @example
 * ```js
 * import { silentLogger } from '@monero-node/base';
 * import { mineBlock, openBlockchain } from '@monero-node/blockchain';
 * import { parseAddress } from '@monero-node/codec';
 * import { NETWORKS, withOverrides } from '@monero-node/consensus';
 * import { createBackend, createInlineVerificationPool } from '@monero-node/crypto';
 * import { createMemoryStore } from '@monero-node/storage/memory';
 *
 * const backend = createBackend();
 * const verifier = createInlineVerificationPool(backend);
 * // Every hash meets difficulty 1. With another difficulty take createPowHasher of @monero-node/pow.
 * const network = withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n });
 * const pow = { name: 'zero', hash: async () => new Uint8Array(32), close: async () => {} };
 * const store = createMemoryStore();
 * const blockchain = await openBlockchain({ network }, { store, verifier, backend, pow, logger: silentLogger });
 *
 * const address = parseAddress(
 *   '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
 * );
 * const { height } = await mineBlock(blockchain, { address, pow });
 * console.log(height, blockchain.height); // 1 2
 * await blockchain.stop();
 * ```
 */
export async function mineBlock(
  blockchain: Blockchain,
  options: MineBlockOptions,
): Promise<MinedBlock> {
  checkOptions('mineBlock', options, OPTIONS);
  const { address, transactions = [], extraNonce = new Uint8Array(), signal, now } = options;
  const templates = new BlockTemplates({
    blockchain,
    transactions: sourceOf(transactions),
    ...(now && { now }),
  });
  const template = await templates.create({ address, extraNonce });
  const searcher = options.searcher ?? new HashingNonceSearcher(options.pow);
  const nonce = await findNonce(template, searcher, signal);
  if (nonce === undefined) throw new TemplateError('no-nonce', 'no nonce meets the difficulty');
  const block = parseBlock(minedBlock(template, nonce));
  const result = await blockchain.addBlock({ block, txs: transactions });
  switch (result.status) {
    case 'added':
    case 'reorganized':
    case 'alternative':
      return { height: result.height, block, status: result.status };
    case 'invalid':
      throw result.error;
    default:
      throw new TemplateError('not-taken', `the chain did not take the block: ${result.status}`);
  }
}

/** Returns a source that puts all of these transactions into every block. */
function sourceOf(transactions: readonly ParsedTransaction[]): TransactionSource {
  const weight = transactions.reduce((sum, tx) => sum + transactionWeight(tx), 0);
  const fees = transactions.reduce((sum, tx) => sum + feeOf(tx), 0n);
  return {
    revision: 0,
    choose: async ({ rules, medianWeight, generatedCoins }) => ({
      ids: transactions.map(({ id }) => id),
      weight,
      fees,
      expectedReward:
        fees + blockReward({ rules, medianWeight, blockWeight: weight, generatedCoins }),
    }),
  };
}
