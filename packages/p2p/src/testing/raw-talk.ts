import { until } from '@monero-node/base/testing';
import type { SyncData } from '../messages/admin.ts';
import type { NewBlock } from '../messages/blocks.ts';
import { ownSyncData } from '../serve/chain.ts';
import { RawListener, RawPeer } from './raw-peer.ts';
import { TestNodes } from './test-node.ts';
import type { TestNode } from './test-node.ts';

/** Nodes and the raw peers that talk to them; `stop` clears both away. */
export class RawTalk {
  readonly nodes = new TestNodes();
  readonly #peers: RawPeer[] = [];
  readonly #listeners: RawListener[] = [];

  async stop(): Promise<void> {
    for (const peer of this.#peers.splice(0)) peer.socket.destroy();
    for (const listener of this.#listeners.splice(0)) listener.close();
    await this.nodes.stop();
  }

  /** A peer that is connected to a node. */
  async connect({ node }: TestNode): Promise<RawPeer> {
    const peer = await RawPeer.connectTo(node.listenPort);
    this.#peers.push(peer);
    return peer;
  }

  /** One that has introduced itself, normally with the same chain as the node's. */
  async friend(test: TestNode, changes: Partial<SyncData> = {}): Promise<RawPeer> {
    const peer = await this.connect(test);
    await peer.introduce({ ...ownSyncData(test.chain), ...changes });
    await until(() => test.node.synchronized || changes.top_id !== undefined);
    return peer;
  }

  async listen(): Promise<RawListener> {
    const listener = await RawListener.open();
    this.#listeners.push(listener);
    return listener;
  }

  /** The next peer that dials a listener. */
  async accept(listener: RawListener): Promise<RawPeer> {
    const peer = await listener.next();
    this.#peers.push(peer);
    return peer;
  }
}

export function isBanned({ node }: TestNode): boolean {
  return node.bans().length > 0;
}

/** A new block without transactions. */
export function newBlock(blob: Uint8Array, height: number): NewBlock {
  return {
    b: { block: blob, block_weight: 0, pruned: false, txs: [] },
    current_blockchain_height: height,
  };
}
