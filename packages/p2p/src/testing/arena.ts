import { silentLogger } from '@monero-node/base';
import { until } from '@monero-node/base/testing';
import { decodeMessage } from '@monero-node/codec';
import type { P2pDependencies } from '../build-node.ts';
import { EMPTY_REQUEST, TIMED_SYNC_REQUEST, TIMED_SYNC_RESPONSE } from '../messages/admin.ts';
import type { NodeData, SyncData } from '../messages/admin.ts';
import { REQUEST_OBJECTS, RESPONSE_OBJECTS } from '../messages/blocks.ts';
import { COMMANDS } from '../messages/commands.ts';
import type { P2pOptions } from '../options/options.ts';
import { ownSyncData } from '../serve/chain.ts';
import { FakeChain } from './fake-chain.ts';
import { RawListener, RawPeer } from './raw-peer.ts';
import { TestNodes } from './test-node.ts';
import type { TestNode } from './test-node.ts';

const BLOCKS = 20;
/** Most bytes of memory by which the node may grow while it is attacked. */
const MEMORY_LIMIT = 200 * 1024 * 1024;

/**
 * A node with one good peer, and attackers with addresses of their own, so that their bans do not affect the good peer.
 */
export class Arena {
  readonly test: TestNode;
  readonly good: RawPeer;
  readonly #nodes: TestNodes;
  readonly #log: string[];
  readonly #peers: RawPeer[] = [];
  readonly #listeners: RawListener[];
  readonly #memory = usedMemory();
  #hosts = 0;

  private constructor(parts: {
    test: TestNode;
    good: RawPeer;
    nodes: TestNodes;
    log: string[];
    listeners: RawListener[];
  }) {
    this.test = parts.test;
    this.good = parts.good;
    this.#nodes = parts.nodes;
    this.#log = parts.log;
    this.#listeners = parts.listeners;
  }

  static async open(
    options: Partial<P2pOptions> = {},
    deps: Partial<P2pDependencies> & { listeners?: RawListener[] } = {},
  ): Promise<Arena> {
    const { listeners = [], ...rest } = deps;
    const nodes = new TestNodes();
    const chain = new FakeChain();
    chain.grow(BLOCKS);
    const log: string[] = [];
    const logger = { ...silentLogger, info: (line: string) => void log.push(line) };
    const test = await nodes.start(options, { ...rest, chain, logger });
    const good = await RawPeer.connectTo(test.node.listenPort);
    await good.introduce(ownSyncData(chain), { peer_id: 99n });
    await until(() => test.node.synchronized);
    return new Arena({ test, good, nodes, log, listeners });
  }

  /** Connects from an address not used before, or from the given one. */
  async attacker(host = `127.0.66.${++this.#hosts}`): Promise<RawPeer> {
    const peer = await RawPeer.connectTo(this.test.node.listenPort, host);
    this.#peers.push(peer);
    return peer;
  }

  /** Connects and makes the handshake, by default with the node's own chain. */
  async introduced(sync: Partial<SyncData> = {}, node: Partial<NodeData> = {}): Promise<RawPeer> {
    const peer = await this.attacker();
    await peer.introduce({ ...ownSyncData(this.test.chain), ...sync }, node);
    return peer;
  }

  /** Returns the node's connection to the first listener. */
  async accepted(): Promise<RawPeer> {
    const peer = await this.#listeners[0]?.next();
    if (!peer) throw new Error('the arena was opened without a listener');
    this.#peers.push(peer);
    return peer;
  }

  /** The points that hosts got when their links were dropped. */
  get points(): number {
    return this.#log.reduce(
      (sum, line) => sum + Number(/\((\d+) points\)/.exec(line)?.[1] ?? 0),
      0,
    );
  }

  get banned(): string[] {
    return this.test.node.bans().map(({ host }) => host);
  }

  /** Fails unless the good peer is still served and memory stays bounded. */
  async stillServes(): Promise<void> {
    const { chain, node } = this.test;
    const { good } = this;
    good.invoke(COMMANDS.ping, EMPTY_REQUEST, {});
    expect((await good.next(COMMANDS.ping)).returnCode).toBe(1);
    good.invoke(COMMANDS.timedSync, TIMED_SYNC_REQUEST, { payload_data: ownSyncData(chain) });
    const { body } = await good.next(COMMANDS.timedSync);
    expect(decodeMessage(TIMED_SYNC_RESPONSE, body).payload_data.current_height).toBe(chain.height);
    const blocks = [chain.idAt(1), chain.idAt(BLOCKS)];
    good.notify(COMMANDS.requestObjects, REQUEST_OBJECTS, { blocks, prune: false });
    const answer = await good.next(COMMANDS.responseObjects);
    expect(decodeMessage(RESPONSE_OBJECTS, answer.body).blocks).toHaveLength(2);
    expect(this.banned).not.toContain('127.0.0.1');
    expect(node.connections().some(({ host }) => host === '127.0.0.1')).toBe(true);
    expect(usedMemory() - this.#memory).toBeLessThan(MEMORY_LIMIT);
  }

  async close(): Promise<void> {
    for (const peer of [this.good, ...this.#peers]) peer.socket.destroy();
    for (const listener of this.#listeners) listener.close();
    await this.#nodes.stop();
  }
}

function usedMemory(): number {
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

export { BLOCKS as ARENA_BLOCKS };
