import { numberOf, stringOf, isObject } from '../harness/json.ts';
import { RpcError } from '../harness/rpc-client.ts';
import { mine, type RunningNode } from '../harness/monerod.ts';
import { sleep } from '../harness/wait.ts';
import type { Random } from '../recorder/random.ts';
import type { Tally } from './tally.ts';

/** Most blocks that a reorganization replaces, besides the newest one. */
const DEEPEST = 3;

/** Mines on a node outside of the fleet, one block after the other, and replaces the newest blocks when told to. */
export class OutsideMiner {
  /** Reorganizations so far. */
  reorganizations = 0;
  /** Blocks that they have replaced. */
  replaced = 0;
  readonly #node: RunningNode;
  readonly #tally: Tally;
  readonly #random: Random;
  readonly #addresses: readonly string[];
  #wanted = 0;
  /** Blocks below this height are not replaced. */
  #settled = 0;
  #isStopped = false;

  /** @param addresses that get the blocks in turn */
  constructor(node: RunningNode, tally: Tally, random: Random, addresses: readonly string[]) {
    this.#node = node;
    this.#tally = tally;
    this.#random = random;
    this.#addresses = addresses;
  }

  /** Mines blocks now, the same number for each address. */
  async mine(blocks: number): Promise<void> {
    for (const address of this.#addresses)
      this.#tally.height = await mine(this.#node, blocks, address);
  }

  /** Mines until the stop. @param pause milliseconds between two blocks */
  async run(pause: number): Promise<void> {
    while (!this.#isStopped) {
      if (this.#wanted > 0) await this.#reorganize();
      else this.#tally.height = await mine(this.#node, 1, this.#random.choice(this.#addresses));
      await sleep(pause);
    }
  }

  /** Replaces the newest blocks by one more, instead of the next block. */
  reorganize(): void {
    this.#wanted++;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #reorganize(): Promise<void> {
    const { height } = await this.#node.tip();
    const most = Math.min(DEEPEST, height - 1 - this.#settled);
    if (most < 1) {
      this.#tally.height = await mine(this.#node, 1, this.#random.choice(this.#addresses));
      return;
    }
    const depth = this.#random.integer(1, most);
    const { block_header: parent } = await this.#node.rpc.call('get_block_header_by_height', {
      height: height - 1 - depth,
    });
    if (!isObject(parent)) throw new Error('a block without a header');
    const address = this.#random.choice(this.#addresses);
    // A block takes the pool first: monerod puts its transactions into each block of another branch again, and refuses that branch then.
    this.#tally.height = await mine(this.#node, 1, address);
    const before = await this.#node.tip();
    const branch = mine(this.#node, depth + 2, address, stringOf(parent, 'hash'));
    await branch.catch((error: unknown) => {
      if (!(error instanceof RpcError)) throw error;
    });
    const info = await this.#node.info();
    // A transaction has come in between: another time.
    if (stringOf(info, 'top_block_hash') === before.id) return;
    this.#wanted--;
    this.#tally.height = numberOf(info, 'height');
    // The next block has what came back to the pool. monero-wallet-rpc overlooks a payment that comes back a second time, as it has seen it in
    // the pool before, and pays with the same outputs again.
    this.#settled = this.#tally.height + 1;
    this.reorganizations++;
    this.replaced += depth + 1;
  }
}
