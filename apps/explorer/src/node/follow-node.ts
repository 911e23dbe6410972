import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@monero-node/base';
import { bytesEqual, fromHex, parseTransaction, toHex } from '@monero-node/codec';
import type { RpcClient } from '@monero-node/rpc-client';
import type { ChainTables } from '../store/chain-tables.ts';
import type { Tip } from '../store/position.ts';
import type { PoolHandler } from '@monero-node/events';
import { eventTransaction } from './event-transaction.ts';
import { idAt, readBlocks } from './read-blocks.ts';

const POLL_MS = 500;
/** Milliseconds that a start waits for the node. */
const START_MS = 5_000;

export interface FollowerParts {
  readonly client: RpcClient;
  readonly chain: Pick<ChainTables, 'tip' | 'checkNetwork' | 'applyMany' | 'revert'>;
  readonly pool: PoolHandler;
  readonly logger: Logger;
}

/**
 * Follows a node, ours or monerod, by asking it again and again, for when there is no broker. The tables hear of blocks and
 * of the pool as they would from the stream of events.
 */
export class NodeFollower {
  readonly #parts: FollowerParts;
  readonly #ending = new AbortController();
  /** Ids in hex that the handler of the pool knows. */
  #pool = new Set<string>();
  /** Atomic units emitted up to a block. */
  #coins: { readonly id: Uint8Array; readonly emitted: bigint } | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /**
   * Resolves when the node has been asked for its network, or does not answer; runs until `stop`. Rejects with WrongNetworkError when
   * the tables hold another network. From a node that turns out later to be of another one, nothing is read.
   */
  async start(): Promise<void> {
    const genesisId = await idAt(this.#parts.client, 0, { timeout: START_MS }).catch(
      () => undefined,
    );
    if (genesisId !== undefined) await this.#checkNetwork(genesisId);
    this.#running ??= this.#run();
  }

  /** Resolves when the call of a handler under way has ended. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { pool, logger } = this.#parts;
    const { signal } = this.#ending;
    let isReset = false;
    while (!signal.aborted) {
      try {
        if (!isReset) await pool.reset();
        isReset = true;
        await this.#followChain();
        await this.#followPool();
      } catch (error) {
        logger.warn(`cannot follow the node: ${String(error)}`);
      }
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #followChain(): Promise<void> {
    const { client, chain } = this.#parts;
    const count = Number((await client.rpc('get_block_count')).count);
    const genesisId = await idAt(client, 0);
    await this.#checkNetwork(genesisId);
    let tip = await this.#withoutRemoved(await chain.tip(), count);
    while ((tip?.height ?? -1) + 1 < count && !this.#ending.signal.aborted) {
      const blocks = await readBlocks(client, {
        from: (tip?.height ?? -1) + 1,
        genesisId,
        coinsBelow: await this.#coinsUpTo(tip),
      });
      const last = blocks.at(-1);
      if (last === undefined) return;
      await chain.applyMany(
        blocks.map((block) => ({ block, position: { height: block.height, id: block.id } })),
      );
      this.#coins = { id: last.id, emitted: last.generated_coins };
      tip = last;
    }
  }

  /** Without this, all blocks of the tables would be reverted, since a node of another network has none of them. */
  #checkNetwork(genesisId: Uint8Array): Promise<void> {
    return this.#parts.chain.checkNetwork({ name: 'that of the node', genesisId });
  }

  /** Has blocks reverted until the newest one is in the chain of the node, and returns it. */
  async #withoutRemoved(from: Tip | undefined, count: number): Promise<Tip | undefined> {
    const { client, chain } = this.#parts;
    let tip = from;
    while (tip !== undefined) {
      const isThere = tip.height < count && bytesEqual(await idAt(client, tip.height), tip.id);
      if (isThere) return tip;
      await chain.revert(tip, {});
      tip = await chain.tip();
    }
    return tip;
  }

  async #coinsUpTo(tip: Tip | undefined): Promise<bigint> {
    if (tip === undefined) return 0n;
    if (this.#coins !== undefined && bytesEqual(this.#coins.id, tip.id)) return this.#coins.emitted;
    const { emission_amount } = await this.#parts.client.rpc('get_coinbase_tx_sum', {
      height: 0n,
      count: BigInt(tip.height + 1),
    });
    return emission_amount;
  }

  async #followPool(): Promise<void> {
    const { client, pool } = this.#parts;
    const { transactions } = await client.path('/get_transaction_pool');
    const now = new Map(transactions.map((entry) => [toHex(entry.id_hash), entry]));
    for (const id of this.#pool) {
      if (!now.has(id)) await pool.removed(fromHex(id), 'mined');
    }
    for (const [id, { tx_blob, receive_time }] of now) {
      if (this.#pool.has(id)) continue;
      await pool.added(eventTransaction(parseTransaction(tx_blob)), Number(receive_time));
    }
    this.#pool = new Set(now.keys());
  }
}
