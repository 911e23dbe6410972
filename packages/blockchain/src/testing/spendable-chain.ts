import type { ParsedTransaction } from '@monero-node/codec';
import type { Network } from '@monero-node/consensus';
import type { RingPoint } from '@monero-node/crypto';
import { commit, createTestRandom, G, type TestRandom } from '@monero-node/crypto/testing';
import { genesisOf, makeBlock, type BlockChanges, type MadeBlock } from './block-factory.ts';
import { makeTransaction, type OwnedOutput, type TransactionPlan } from './make-transaction.ts';

const RING_SIZE = 16;

/** A chain whose coinbase outputs can be spent: a source of valid transactions for tests. */
export class SpendableChain {
  readonly network: Network;
  /** Without genesis. */
  readonly blocks: MadeBlock[] = [];
  readonly random;
  readonly #outputs: (OwnedOutput & RingPoint)[] = [];
  readonly #genesis: MadeBlock;
  readonly #seed: string;
  /** Transactions made so far, by what they spend. */
  readonly #made = new Map<string, number>();
  /** Index of the next RingCT output; genesis has none, as it is of version 1. */
  #nextIndex = 0;

  constructor(network: Network, seed = 'spendable chain') {
    this.network = network;
    this.#seed = seed;
    this.random = createTestRandom(seed);
    this.#genesis = genesisOf(network);
  }

  get top(): MadeBlock {
    return this.blocks.at(-1) ?? this.#genesis;
  }

  /** Adds a block with the given transactions on top. */
  mine(txs: readonly ParsedTransaction[] = [], changes: BlockChanges = {}): MadeBlock {
    const secretKey = this.random.scalar();
    const key = G.multiplyUnsafe(secretKey).toBytes();
    const block = makeBlock(this.network, this.top, { ...changes, coinbaseKey: key, txs });
    const amount = block.parsed.block.minerTx.outputs[0]?.amount ?? 0n;
    // Only coinbase outputs are kept; outputs of transactions still use up indices.
    const index = this.#nextIndex;
    this.#outputs.push({ index, secretKey, mask: 1n, amount, key, commitment: commit(1n, amount) });
    this.#nextIndex += 1 + txs.reduce((sum, { tx }) => sum + tx.outputs.length, 0);
    this.blocks.push(block);
    return block;
  }

  /** Returns another chain that shares the first `height` blocks above genesis. Throws Error when blocks have transactions. */
  fork(height: number, seed: string): SpendableChain {
    const other = new SpendableChain(this.network, seed);
    if (this.blocks.some(({ txs }) => txs.length > 0))
      throw new Error('can only fork a chain of empty blocks');
    other.blocks.push(...this.blocks.slice(0, height));
    other.#outputs.push(...this.#outputs.slice(0, height));
    other.#nextIndex = height;
    return other;
  }

  mineMany(count: number): MadeBlock[] {
    return Array.from({ length: count }, () => this.mine());
  }

  /** Returns the output of the coinbase of block `height`. Throws Error when there is no such block. */
  coinbase(height: number): OwnedOutput {
    const output = this.#outputs[height - 1];
    if (output === undefined) throw new Error(`no block ${height}`);
    return output;
  }

  /** Makes a transaction that spends the coinbase outputs of the blocks at `heights`; its rings use the oldest outputs. */
  spend(
    heights: readonly number[],
    plan: Partial<TransactionPlan> & { ringSize?: number } = {},
  ): ParsedTransaction {
    const { ringSize = RING_SIZE, ...rest } = plan;
    const members = new Map(this.#outputs.map((output) => [output.index, output]));
    return makeTransaction({
      inputs: heights.map((height) => this.coinbase(height)),
      ring: (own) => this.#ring(own, ringSize),
      member: (index) => {
        const member = members.get(index);
        if (member === undefined) throw new Error(`output ${index} has no known keys`);
        return member;
      },
      fee: 100_000_000n,
      random: this.#randomFor(heights),
      ...rest,
    });
  }

  /** Returns a source that does not depend on other transactions, so that tests which make the same ones share their proofs. */
  #randomFor(heights: readonly number[]): TestRandom {
    const name = `${this.#seed}, outputs of ${heights.join()}`;
    const count = this.#made.get(name) ?? 0;
    this.#made.set(name, count + 1);
    return createTestRandom(`${name}, ${count}`);
  }

  #ring(own: OwnedOutput, size: number): number[] {
    const others = this.#outputs.map(({ index }) => index).filter((index) => index !== own.index);
    return [...others.slice(0, size - 1), own.index].sort((a, b) => a - b);
  }
}
