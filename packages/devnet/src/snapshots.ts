import { parseBundle } from '@monero-node/blockchain';
import { toHex } from '@monero-node/codec';
import type { MoneroNode } from '@monero-node/node';
import type { DevClock } from './dev-clock.ts';
import { RemovedBlocks } from './removed-blocks.ts';

/** A state to which a node can return, on a private chain. */
export interface DevSnapshot {
  readonly height: number;
  /** Id of the newest block, 32 bytes. */
  readonly topId: Uint8Array;
  /** Unix seconds. */
  readonly time: number;
  /** The transactions of the pool, as full blobs. */
  readonly pool: readonly Uint8Array[];
}

/** Takes snapshots of chain, pool and clock, and returns to them. */
export class Snapshots {
  readonly #node: MoneroNode;
  readonly #clock: DevClock;
  readonly #removed: RemovedBlocks;

  constructor(node: MoneroNode, clock: DevClock) {
    this.#node = node;
    this.#clock = clock;
    this.#removed = new RemovedBlocks(node.blockchain);
  }

  /** Returns the present state. It stays valid, however often the node returns to it. */
  async take(): Promise<DevSnapshot> {
    const { blockchain, pool } = this.#node;
    await pool.idle();
    return {
      height: blockchain.height,
      topId: blockchain.topId,
      time: this.#clock.now(),
      pool: pool.transactions().map(({ blob }) => blob),
    };
  }

  /**
   * Makes chain, pool and clock what they were; side chains are forgotten. Throws LostBlockError for a snapshot of another
   * node, and Error when the pool refuses a transaction that it had.
   */
  async revert({ topId, time, pool }: DevSnapshot): Promise<void> {
    const { blockchain, p2p, store } = this.#node;
    const { cutAt, blocks } = this.#removed.pathTo(topId);
    await blockchain.popBlocks(blockchain.height - cutAt);
    this.#clock.set(time);
    // A block of a side chain cannot be added once more.
    await store.commit({ removeAlt: store.altBlocks().map(({ id }) => id) });
    const { results } = await blockchain.addSpan(blocks.map(parseBundle), { trust: true });
    const last = results.at(-1);
    if (last?.status === 'invalid') throw last.error;
    await this.#restorePool(pool);
    p2p.relayBlock(blockchain.height - 1);
  }

  async #restorePool(wanted: readonly Uint8Array[]): Promise<void> {
    const { pool } = this.#node;
    await pool.idle();
    const blobs = new Set(wanted.map(toHex));
    const surplus = pool.transactions().filter(({ blob }) => !blobs.has(toHex(blob)));
    await pool.flush(surplus.map(({ id }) => id));
    for (const blob of wanted) {
      const { status } = await pool.add(blob, { source: 'block' });
      if (status !== 'added' && status !== 'known')
        throw new Error(`a transaction does not return to the pool: ${status}`);
    }
  }
}
