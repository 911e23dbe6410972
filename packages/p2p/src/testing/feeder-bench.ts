import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { silentLogger } from '@monero-node/base';
import { settle } from '@monero-node/base/testing';
import {
  EASY,
  genesisOf,
  startTestChain,
  type MadeBlock,
  type TestChain,
} from '@monero-node/blockchain/testing';
import { toHex } from '@monero-node/codec';
import { BLOCK_GROUP_SIZE, hashGroupIds, type BlockGroup } from '@monero-node/consensus';
import type { AddingFailure, P2pEmitter } from '../contract/p2p-events.ts';
import { BanList } from '../peers/bans/bans.ts';
import { PeerList } from '../peers/list/peer-list.ts';
import { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';
import { BlockFeeder } from '../sync/block-feeder.ts';
import { SpanQueue, type ReceivedBlock } from '../sync/span-queue.ts';
import { memoryPeer } from './memory-peer.ts';

/** Who sends the first span, and who sends those above. */
const HOSTS = ['9.9.9.1', '9.9.9.2'] as const;

/** The blocks of a bench, and how it is made. */
export interface FeederBenchOptions {
  /** Blocks that the chain has. */
  readonly below: readonly MadeBlock[];
  /** The blocks of all spans. */
  readonly blocks: readonly MadeBlock[];
  /** Blocks of each span. */
  readonly sizes: readonly number[];
  /** Whether the store writes while others go on, as LMDB does. */
  readonly isSlow: boolean;
  /** Changes the transactions of the block at a position, on the way from its sender. */
  readonly damage?:
    ((txs: readonly Uint8Array[], position: number) => readonly Uint8Array[]) | undefined;
  readonly network?: typeof EASY;
  /** Whether a list of block hashes says that all blocks are right, those that are bad too. */
  readonly isTrusted?: boolean;
}

/** Returns the group of trusted hashes that the chain with all blocks is: genesis and 511 more. */
function groupOf({ below, blocks }: FeederBenchOptions): BlockGroup {
  const made = [genesisOf(EASY), ...below, ...blocks];
  expect(made).toHaveLength(BLOCK_GROUP_SIZE);
  return { ids: hashGroupIds(made.map(({ parsed }) => parsed.id)), weights: new Uint8Array(32) };
}

/** Spans of two hosts that wait for their turn, and the chain below them. */
export class FeederBench {
  readonly feeder: BlockFeeder;
  readonly queue = new SpanQueue();
  readonly peers: readonly Peer[];
  readonly failures: AddingFailure[] = [];
  /** How often transactions of a block were decoded, by the position of the block. */
  readonly decoded: number[];
  /** Called while a commit is written, with its number. */
  whileWritten: (commit: number) => Promise<void> = () => settle(100);
  readonly #test: TestChain;
  readonly #bans = new BanList(() => 0);
  readonly #blocks: readonly MadeBlock[];

  private constructor(test: TestChain, { blocks, damage, sizes }: FeederBenchOptions) {
    const list = new PeerList({ allowLocalIp: false });
    const peers = new PeerSet({ bans: this.#bans, list, logger: silentLogger });
    const onClose = (peer: Peer): void => peers.delete(peer);
    this.peers = HOSTS.map((host) => memoryPeer(host, { onClose }).peer);
    for (const peer of this.peers) peers.add(peer);
    const events: P2pEmitter = new EventEmitter();
    events.on('addingFailed', (failure) => this.failures.push(failure));
    this.feeder = new BlockFeeder({
      chain: test.chain,
      queue: this.queue,
      peers,
      events,
      logger: silentLogger,
      now: () => 0,
      onAdded: () => undefined,
      onChange: () => undefined,
    });
    this.#test = test;
    this.#blocks = blocks;
    this.decoded = blocks.map(() => 0);
    this.#fill(sizes, damage);
  }

  static async start(options: FeederBenchOptions): Promise<FeederBench> {
    const blockGroups = options.isTrusted === true ? [groupOf(options)] : [];
    const test = await startTestChain(options.network ?? EASY, undefined, { blockGroups });
    const below = options.below.map(({ parsed, txs }) => ({ block: parsed, txs }));
    await test.chain.addSpan(below, { trust: true });
    if (options.isTrusted === true) {
      const ids = options.blocks.map(({ parsed }) => parsed.id);
      expect(test.chain.approveIds({ start: test.chain.height, ids, weights: [] })).toBe(
        ids.length,
      );
    }
    const bench = new FeederBench(test, options);
    bench.#slowDown(options.isSlow);
    return bench;
  }

  get chain(): TestChain['chain'] {
    return this.#test.chain;
  }

  get store(): TestChain['store'] {
    return this.#test.store;
  }

  get pow(): TestChain['pow'] {
    return this.#test.pow;
  }

  #fill(sizes: readonly number[], damage: FeederBenchOptions['damage']): void {
    const received = this.#blocks.map(({ parsed, txs }, i): ReceivedBlock => {
      const blobs = txs.map(({ blob }) => blob);
      const outlined = (): undefined => {
        this.decoded[i] = (this.decoded[i] ?? 0) + 1;
      };
      return { block: parsed, txs: damage?.(blobs, i) ?? blobs, outlined };
    });
    let first = 0;
    for (const [i, size] of sizes.entries()) {
      const { id: owner, address } = this.peers[Math.min(i, 1)] as Peer;
      const blocks = received.slice(first, first + size);
      const ids = blocks.map(({ block }) => toHex(block.id));
      const prevId = toHex((blocks[0] as ReceivedBlock).block.block.prevId);
      const start = this.chain.height + first;
      this.queue.fill(
        { start, ids, owner, address, requestedAt: 0 },
        { blocks, prevId, size: 1000, rate: 1 },
      );
      first += size;
    }
  }

  /** Has the commits of the store take as long as `whileWritten` does. */
  #slowDown(isSlow: boolean): void {
    this.pow.requests = 0;
    let commits = 0;
    const commit = this.store.commit.bind(this.store);
    this.store.commit = async (change, onQueued) => {
      const number = commits++;
      if (isSlow) onQueued?.();
      await this.whileWritten(number);
      await commit(change);
    };
  }

  /** Has the spans verified until none is left that can be, and returns what became of it. */
  async run(): Promise<object> {
    this.feeder.kick();
    while (this.feeder.busy) await nextTurn();
    return this.outcome();
  }

  /** Waits until as many proofs of work were asked for. */
  async untilAsked(count: number): Promise<void> {
    for (let turns = 0; this.pow.requests < count && turns < 5000; turns++) await nextTurn();
    expect(this.pow.requests).toBe(count);
  }

  /** Returns what became of the blocks and of who sent them. */
  outcome(): object {
    const { chain } = this;
    return {
      height: chain.height,
      top: toHex(chain.top.id),
      where: this.#blocks.map(({ parsed }) => chain.has(parsed.id)),
      waiting: this.queue.spans.map((span) => span.start),
      scores: HOSTS.map((host) => this.#bans.score(host)),
      closed: this.peers.map(({ connection }) => connection.closed),
      failures: this.failures,
    };
  }
}
