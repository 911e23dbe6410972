import { fromHex, toHex } from '@monero-node/codec/bytes';
import {
  type ParsedTransaction,
  parsePrunedTransaction,
  parseTransaction,
} from '@monero-node/codec';
import type { TransactionAnswer } from '@monero-node/rpc-schema';
import { RpcAnswerError } from '../errors.ts';
import type { ChainNode } from './chain-node.ts';
import type { NodeAnswer, NodeSet } from './node-set.ts';
import type { Followed } from './watch-options.ts';

/** A transaction came into the pool, or was there at the beginning. */
export interface PoolTransactionAdded {
  readonly kind: 'added';
  /** 32 bytes. */
  readonly id: Uint8Array;
  /** The transaction in its pruned form: without proofs and signatures. */
  readonly transaction: ParsedTransaction;
  /** Unix seconds at which the node got it; 0 when it does not say, as restricted ones. */
  readonly receivedAt: number;
}

/** A transaction left the pool. */
export interface PoolTransactionRemoved {
  readonly kind: 'removed';
  /** 32 bytes. */
  readonly id: Uint8Array;
  /** The height of the block that has it; undefined when the chain does not: it expired, or its coins were spent by another one. */
  readonly height: number | undefined;
}

/** What `watchPool` tells. */
export type PoolEvent = PoolTransactionAdded | PoolTransactionRemoved;

/** Most transactions in one request. Source: core_rpc_server.cpp, RESTRICTED_TRANSACTIONS_COUNT. */
const MOST_ASKED = 100;

/** Finds what has changed in the pools of some nodes, taken together. */
export class PoolFollower {
  readonly #followed: Followed;
  readonly #nodes: NodeSet;
  /** The transactions that were told, by their ids in hex, and the nodes that have them, as far as is known. */
  readonly #known = new Map<string, Set<ChainNode>>();

  constructor(followed: Followed, nodes: NodeSet) {
    this.#followed = followed;
    this.#nodes = nodes;
  }

  /** Looks at the nodes and returns what is new, some transactions at a time. */
  async *look(): AsyncGenerator<PoolEvent[], void, void> {
    const { signal } = this.#followed;
    const pools = await this.#nodes.ask(async (node) => {
      const { tx_hashes: ids } = await node.client.path(
        '/get_transaction_pool_hashes.bin',
        {},
        node.call(signal),
      );
      return new Map(ids.map((id) => [toHex(id), id]));
    });
    const removed = this.#missing(pools);
    if (removed.length > 0) yield await this.#removed(removed, pools);
    for (const { node, answer } of pools) {
      const added = [...answer].filter(([hex]) => this.#isNew(hex, node)).map(([, id]) => id);
      let hasAnswered = true;
      for (let from = 0; from < added.length && hasAnswered; from += MOST_ASKED) {
        const events = await this.#added(node, added.slice(from, from + MOST_ASKED));
        hasAnswered = events !== undefined;
        if (events !== undefined) yield events;
      }
      if (hasAnswered) this.#nodes.answered(node);
    }
  }

  /** Returns whether a transaction of a node was not told yet. */
  #isNew(hex: string, node: ChainNode): boolean {
    const owners = this.#known.get(hex);
    owners?.add(node);
    return owners === undefined;
  }

  /** Returns the ids that no node has any more: each that had one has answered without it. */
  #missing(pools: readonly NodeAnswer<ReadonlyMap<string, Uint8Array>>[]): string[] {
    const missing: string[] = [];
    for (const [hex, owners] of this.#known) {
      for (const { node, answer } of pools) {
        if (answer.has(hex)) owners.add(node);
        else owners.delete(node);
      }
      if (owners.size > 0) continue;
      this.#known.delete(hex);
      missing.push(hex);
    }
    return missing;
  }

  /** Returns the transactions that a node still has; undefined when it failed. */
  async #added(node: ChainNode, ids: readonly Uint8Array[]): Promise<PoolEvent[] | undefined> {
    const answers = await this.#transactions(node, ids);
    try {
      const events = answers?.filter(({ in_pool: isInPool }) => isInPool).map(addedEvent);
      for (const { id } of events ?? []) this.#known.set(toHex(id), new Set([node]));
      return events;
    } catch (error) {
      this.#nodes.failed(node, error);
      return undefined;
    }
  }

  async #removed(
    ids: readonly string[],
    pools: readonly NodeAnswer<unknown>[],
  ): Promise<PoolEvent[]> {
    const heights = new Map<string, number>();
    for (const { node } of pools) {
      const unknown = ids.filter((id) => !heights.has(id));
      for (let from = 0; from < unknown.length; from += MOST_ASKED) {
        const answers = await this.#transactions(node, unknown.slice(from, from + MOST_ASKED));
        for (const { tx_hash: id, in_pool: isInPool, block_height: height } of answers ?? []) {
          if (!isInPool && height !== undefined) heights.set(id, Number(height));
        }
      }
    }
    return ids.map((hex) => ({ kind: 'removed', id: fromHex(hex), height: heights.get(hex) }));
  }

  async #transactions(
    node: ChainNode,
    ids: readonly (string | Uint8Array)[],
  ): Promise<readonly TransactionAnswer[] | undefined> {
    const { signal } = this.#followed;
    const request = {
      txs_hashes: ids.map((id) => (typeof id === 'string' ? id : toHex(id))),
      prune: true,
    };
    try {
      const { txs } = await node.client.path('/get_transactions', request, node.call(signal));
      return txs;
    } catch (error) {
      this.#nodes.failed(node, error);
      return undefined;
    }
  }
}

/** Returns the event of a transaction. Throws RpcAnswerError for one that cannot be read. */
function addedEvent(answer: TransactionAnswer): PoolTransactionAdded {
  const transaction = parsed(answer);
  const receivedAt = Number(answer.received_timestamp ?? 0n);
  return { kind: 'added', id: transaction.id, transaction, receivedAt };
}

function parsed(answer: TransactionAnswer): ParsedTransaction {
  const { as_hex: whole, pruned_as_hex: pruned, prunable_hash: proofs } = answer;
  try {
    return whole.length > 0 ? parseTransaction(whole) : parsePrunedTransaction(pruned, proofs);
  } catch (error) {
    throw new RpcAnswerError('a transaction that cannot be read', { cause: error });
  }
}
