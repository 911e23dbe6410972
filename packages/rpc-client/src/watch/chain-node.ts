import { Yielder } from '@monero-node/base';
import { bytesEqual, fromHex, toHex } from '@monero-node/codec/bytes';
import {
  type BlockCompleteEntry,
  type ParsedBlock,
  parseBlock,
  parseTransactionLazily,
} from '@monero-node/codec';
import type { BlockEntry } from '@monero-node/rpc-schema';
import type { CallOptions } from '../call-options.ts';
import type { RpcClient } from '../client.ts';
import { RpcAnswerError } from '../errors.ts';
import { WatchError } from './watch-error.ts';

/** A block by its place in the chain. */
export interface BlockPlace {
  readonly height: number;
  /** Hex. */
  readonly id: string;
}

/** What a node says of its newest block. */
export interface Tip extends BlockPlace {
  /** Difficulties of all blocks together. */
  readonly work: bigint;
}

/** A block of a node, which links to the one before it. */
export interface LinkedBlock {
  readonly height: number;
  readonly parsed: ParsedBlock;
  /** The block and its transactions, pruned, as `/get_blocks.bin` has them. */
  readonly entry: BlockEntry;
}

/** What following needs of a client. */
export type WatchedClient = Pick<RpcClient, 'rpc' | 'path' | 'binary'>;

/** Blocks of one answer. monerod gives 1000 at most. */
const BATCH = 500n;
/** Longest wait for the newest block, milliseconds: other nodes are kept waiting meanwhile. */
const TIP_MS = 10_000;
const HEX = /^(0x)?[0-9a-f]{1,32}$/i;

/** The chain of one node, as its RPC tells it. Its answers are checked: blocks link to each other and have their transactions. */
export class ChainNode {
  readonly client: WatchedClient;
  readonly #timeout: number;
  /** Whether its first block was compared since it last failed. */
  #isCompared = false;
  /** How often it failed in a row, and until when it is left alone while others answer. */
  failures = 0;
  restsUntil = 0;

  /** @param timeout milliseconds of each call */
  constructor(client: WatchedClient, timeout: number) {
    this.client = client;
    this.#timeout = timeout;
  }

  /** Returns the options of a call. */
  call(signal: AbortSignal): CallOptions {
    return { signal, timeout: this.#timeout };
  }

  /** Notes that it answered all that it was asked. */
  answered(): void {
    this.failures = 0;
    this.restsUntil = 0;
  }

  /** Notes a failure, after which the node is left alone for a while: it may be another one when it comes back. */
  failed(now: number, rest: number): void {
    this.failures++;
    this.restsUntil = now + rest;
    this.#isCompared = false;
  }

  /** Returns the newest block. */
  async tip(signal: AbortSignal): Promise<Tip> {
    const timeout = Math.min(this.#timeout, TIP_MS);
    const info = await this.client.rpc('get_info', {}, { signal, timeout });
    const work = workOf(info.wide_cumulative_difficulty);
    const height = Number(info.height) - 1;
    if (height < 0) throw new RpcAnswerError('a chain without blocks');
    return { height, id: toHex(info.top_block_hash), work };
  }

  /** Returns whether the chain has a block. */
  async has({ height, id }: BlockPlace, signal: AbortSignal): Promise<boolean> {
    const tip = await this.tip(signal);
    if (tip.height <= height) return tip.id === id;
    return (await this.idAt(height, signal)) === id;
  }

  /** Returns the id of the first block, hex. */
  genesis(signal: AbortSignal): Promise<string> {
    return this.idAt(0, signal);
  }

  /** Rejects with WatchError unless the chain begins with a block, hex. */
  async compare(genesis: string, signal: AbortSignal): Promise<void> {
    if (this.#isCompared) return;
    const own = await this.genesis(signal);
    if (own !== genesis) {
      throw new WatchError('other-chain', `the first block is ${own}, not ${genesis}`);
    }
    this.#isCompared = true;
  }

  /** Returns the ids of consecutive blocks, hex, up to and including a height. */
  async idsUpTo(height: number, count: number, signal: AbortSignal): Promise<string[]> {
    const first = Math.max(0, height - count + 1);
    const range = { start_height: first, end_height: height };
    const { headers } = await this.client.rpc('get_block_headers_range', range, this.call(signal));
    const areLinked = headers.every((header, i) => {
      const before = headers[i - 1];
      return before === undefined || bytesEqual(before.hash, header.prev_hash);
    });
    if (headers.length !== height - first + 1 || !areLinked) {
      throw new RpcAnswerError('headers that are not consecutive');
    }
    return headers.map(({ hash }) => toHex(hash));
  }

  /** Returns the id of the block at a height of the chain, hex. */
  async idAt(height: number, signal: AbortSignal): Promise<string> {
    return toHex(await this.client.rpc('on_get_block_hash', [BigInt(height)], this.call(signal)));
  }

  /**
   * Returns the work of the chain up to a block; undefined for one that is not in it: of those monerod tells the work of the block of
   * the chain at the same height. Source: fill_block_header_response in core_rpc_server.cpp.
   */
  async workAt(id: Uint8Array, signal: AbortSignal): Promise<bigint | undefined> {
    const { block_header: header } = await this.client.rpc(
      'get_block_header_by_hash',
      { hash: id },
      this.call(signal),
    );
    return header.orphan_status ? undefined : workOf(header.wide_cumulative_difficulty);
  }

  /** Returns the first block of the chain. */
  async firstBlock(signal: AbortSignal): Promise<LinkedBlock> {
    const request = { heights: [0n] };
    const { blocks } = await this.client.binary(
      '/get_blocks_by_height.bin',
      request,
      this.call(signal),
    );
    const [entry] = blocks;
    if (entry === undefined) throw new RpcAnswerError('a chain without blocks');
    return { height: 0, parsed: parsedBlock(entry.block), entry };
  }

  /**
   * Returns blocks from the newest one on that the node's chain has in common with a history, that one included; none when the newest of
   * the history is the newest of the chain.
   * Source: the "quick check for noop" of on_get_blocks in core_rpc_server.cpp.
   *
   * @param history ids, hex, the newest first, the first block last
   */
  async blocksAfter(history: readonly string[], signal: AbortSignal): Promise<LinkedBlock[]> {
    const request = {
      block_ids: history.map((id) => fromHex(id)),
      start_height: 0n,
      prune: true,
      max_block_count: BATCH,
    };
    const answer = await this.client.binary('/get_blocks.bin', request, this.call(signal));
    const first = Number(answer.start_height);
    const blocks = answer.blocks.map((entry, i) => {
      return { height: first + i, parsed: parsedBlock(entry.block), entry };
    });
    const yielder = new Yielder();
    for (const [i, { parsed, entry }] of blocks.entries()) {
      const before = blocks[i - 1];
      checkTransactions(parsed, entry);
      await yielder.yieldIfDue();
      if (before !== undefined && !bytesEqual(before.parsed.id, parsed.block.prevId)) {
        throw new RpcAnswerError('blocks that are not consecutive');
      }
    }
    const [common] = blocks;
    if (common !== undefined && !history.includes(toHex(common.parsed.id))) {
      throw new RpcAnswerError('blocks after one that was not asked for');
    }
    return blocks;
  }
}

/**
 * Throws RpcAnswerError unless a block comes with the transactions that it names. Their ids are compared as far as they can be known:
 * without signatures those of version 1 cannot, nor those of version 2 where monerod 0.18 sends zeros for the hash of what was pruned.
 */
function checkTransactions(
  { block }: ParsedBlock,
  { txs, pruned }: Pick<BlockCompleteEntry, 'txs' | 'pruned'>,
): void {
  if (txs.length !== block.txHashes.length) {
    throw new RpcAnswerError('a block without all of its transactions');
  }
  for (const [i, tx] of txs.entries()) {
    const id = idOf(tx, pruned === true);
    if (id.some((byte) => byte !== 0) && !bytesEqual(id, block.txHashes[i] as Uint8Array)) {
      throw new RpcAnswerError('a block with other transactions than it names');
    }
  }
}

/** Returns the id of a transaction of a block, 32 bytes; zeros when it cannot be known. Throws RpcAnswerError for a malformed one. */
function idOf(tx: BlockCompleteEntry['txs'][number], isPruned: boolean): Uint8Array {
  try {
    if (tx instanceof Uint8Array) return parseTransactionLazily(tx).id;
    return parseTransactionLazily(tx.blob, isPruned ? tx.prunable_hash : undefined).id;
  } catch (error) {
    throw new RpcAnswerError('a transaction that cannot be read', { cause: error });
  }
}

function parsedBlock(blob: Uint8Array): ParsedBlock {
  try {
    return parseBlock(blob);
  } catch (error) {
    throw new RpcAnswerError('a block that cannot be read', { cause: error });
  }
}

/** Returns the work of a chain from hex of 128 bits. Throws RpcAnswerError for other text. */
function workOf(text: string): bigint {
  if (!HEX.test(text)) throw new RpcAnswerError('a chain without its work');
  return BigInt(text.startsWith('0x') ? text : `0x${text}`);
}
