// Makes a chain full of transactions with valid signatures, block after block, without a node.
import { encodeBootstrapPackage, parseBlock, parseTransaction } from '@monero-node/codec';
import { feeOf, transactionWeight } from '@monero-node/consensus';
import { commit, SYSTEM_SCALARS } from '@monero-node/crypto/insecure-signer';
import { COINBASE_MASK, COINBASE_UNLOCK, makeBlock, NETWORK } from '../made-chain/block.mjs';
import { proveOutputs, signedTransaction } from '../made-chain/transaction.mjs';
import { present } from '../values.mjs';
import { Decoys, SPENDABLE_AGE } from './decoys.mjs';

/**
 * @import { ParsedTransaction } from '@monero-node/codec'
 * @import { ProvedOutputs } from '../made-chain/transaction.mjs'
 * @import { Output } from './decoys.mjs'
 */
/**
 * What it takes to spend an output. depth: transactions between it and its coinbase; coins of a depth have the same amount.
 *
 * @typedef {{ secret: bigint, mask: bigint, depth: number }} Secrets
 */
/** @typedef {Secrets & { own: Output }} Coin */
/** @typedef {{ tx: ParsedTransaction, outputs: readonly { key: Uint8Array, commitment: Uint8Array, secrets: Secrets }[] }} Payment */

/** Blocks whose coinbases pay the coins that circulate from then on. */
const FUNDING_BLOCKS = 20;
const COINS_PER_FUNDING = 100;
const PAIRS_OF_COINS = (FUNDING_BLOCKS * COINS_PER_FUNDING) / 2;
/** The last block before those with transactions. */
const LAST_EMPTY_BLOCK = FUNDING_BLOCKS + COINBASE_UNLOCK - 1;
/** Atomic units: less than a hundredth of the reward. */
const COIN = 300_000_000_000n;
/** Atomic units of a transaction: a little more than nodes ask for. */
const FEE = 3_000_000_000n;
const MOST_DEPTH = Number((2n * COIN) / FEE) - 1;
/** Proved pairs of outputs that the transactions of a depth share. */
const PROOFS_PER_DEPTH = 20;
/** The median of a chain whose blocks are small. */
const MEDIAN_WEIGHT = 300_000;

/** Transactions of a block at most: each spends two coins, whose successors are locked for some blocks. */
export const MOST_TRANSACTIONS = Math.floor(PAIRS_OF_COINS / (SPENDABLE_AGE + 1));

/**
 * Returns the most blocks of so many transactions that there are coins for.
 *
 * @param {number} transactions of a block
 */
export const mostBlocks = (transactions) =>
  LAST_EMPTY_BLOCK + Math.floor((MOST_DEPTH * PAIRS_OF_COINS) / transactions);

/** @param {number} depth */
const amountOf = (depth) => COIN - (BigInt(depth) * FEE) / 2n;

/** Makes a chain, of which it knows the secrets. */
export class ChainMaker {
  /** Of the next block. */
  height = 0;
  transactions = 0;
  #below = parseBlock(NETWORK.genesisBlob);
  #generatedCoins = present(this.#below.block.minerTx.outputs[0]).amount;
  #decoys = new Decoys();
  /** The oldest one is the next to be spent. @type {Coin[]} */
  #coins = [];
  /** Of the newest depth. */
  #proved = { depth: 0, list: /** @type {ProvedOutputs[]} */ ([]) };

  /**
   * Returns the next block as a bootstrap file holds it. The first one is the genesis block. Throws Error where there are no coins left,
   * after {@link mostBlocks}.
   *
   * @param {number} count of transactions: at most {@link MOST_TRANSACTIONS}; the first blocks have none
   */
  next(count) {
    if (this.height === 0) return this.#package([]);
    const isEmpty = this.height <= LAST_EMPTY_BLOCK;
    const payments = Array.from({ length: isEmpty ? 0 : count }, () => this.#pay());
    const keys = this.height <= FUNDING_BLOCKS ? 1 + COINS_PER_FUNDING : 1;
    const secrets = Array.from({ length: keys }, () => SYSTEM_SCALARS.scalar());
    const txs = payments.map(({ tx }) => tx);
    this.#append(secrets, txs);
    this.#remember(secrets, payments);
    return this.#package(txs);
  }

  /**
   * @param {readonly bigint[]} secrets of the keys that the coinbase pays to
   * @param {readonly ParsedTransaction[]} txs
   */
  #append(secrets, txs) {
    const place = {
      height: this.height,
      below: this.#below,
      generatedCoins: this.#generatedCoins,
      medianWeight: MEDIAN_WEIGHT,
    };
    const { blob, generatedCoins } = makeBlock(place, {
      keys: secrets.map((secret) => commit(secret, 0n)),
      amount: COIN,
      txHashes: txs.map(({ id }) => id),
      fees: txs.reduce((sum, tx) => sum + feeOf(tx), 0n),
    });
    this.#below = parseBlock(blob);
    this.#generatedCoins = generatedCoins;
    this.transactions += txs.length;
  }

  /**
   * Adds the outputs of the new block. The first one of a coinbase has what is left of the reward: rings have it, but it is never spent.
   *
   * @param {readonly bigint[]} secrets
   * @param {readonly Payment[]} payments
   */
  #remember(secrets, payments) {
    const { outputs } = this.#below.block.minerTx;
    const ofCoinbase = secrets.map((secret, i) => ({
      key: commit(secret, 0n),
      commitment: commit(COINBASE_MASK, present(outputs[i]).amount),
      unlockHeight: this.height + COINBASE_UNLOCK,
      secrets: { secret, mask: COINBASE_MASK, depth: 0 },
    }));
    const unlockHeight = this.height + SPENDABLE_AGE;
    const paid = payments.flatMap((payment) =>
      payment.outputs.map((output) => ({ ...output, unlockHeight })),
    );
    const all = [...ofCoinbase, ...paid];
    const added = this.#decoys.addBlock(all);
    const coins = all.map(({ secrets: known }, i) => ({ ...known, own: present(added[i]) }));
    this.#coins.push(...coins.slice(1));
  }

  /** @param {readonly ParsedTransaction[]} txs of the newest block */
  #package(txs) {
    const { blob, minerTx } = this.#below;
    this.height++;
    return encodeBootstrapPackage({
      block: blob,
      txs: txs.map((tx) => tx.blob),
      weight: [minerTx, ...txs].reduce((sum, tx) => sum + transactionWeight(tx), 0),
      cumulativeDifficulty: BigInt(this.height),
      generatedCoins: this.#generatedCoins,
    });
  }

  /**
   * Spends the two oldest coins.
   *
   * @returns {Payment}
   */
  #pay() {
    const pair = this.#coins.splice(0, 2);
    const depth = present(pair[0]).depth + 1;
    if (pair.some(({ own }) => own.unlockHeight > this.height) || depth > MOST_DEPTH)
      throw new Error(`block ${this.height}: there are no coins left`);
    const proved = this.#provedOutputs(depth);
    const outputs = proved.masks.map((mask, i) => {
      const secret = SYSTEM_SCALARS.scalar();
      const commitment = present(proved.commitments[i]);
      return { key: commit(secret, 0n), commitment, secrets: { secret, mask, depth } };
    });
    const spent = pair.map((coin) => {
      return { ...coin, ring: this.#decoys.ringOf(coin.own), amount: amountOf(coin.depth) };
    });
    const keys = outputs.map(({ key }) => key);
    const blob = signedTransaction(spent, { keys, outputs: proved, fee: FEE });
    return { tx: parseTransaction(blob), outputs };
  }

  /** @param {number} depth */
  #provedOutputs(depth) {
    if (this.#proved.depth !== depth) {
      const list = Array.from({ length: PROOFS_PER_DEPTH }, () => proveOutputs(amountOf(depth)));
      this.#proved = { depth, list };
    }
    return present(this.#proved.list[Math.floor(Math.random() * PROOFS_PER_DEPTH)]);
  }
}
