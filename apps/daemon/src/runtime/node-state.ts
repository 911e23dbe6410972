import type { P2pNode } from '@monero-node/p2p';

/** Remembers facts for `status` that the RPC does not have. */
export class NodeState {
  #blocksPerSecond = 0;
  #problem: string | undefined;

  /** Listens to the peer-to-peer network of the node. */
  watch({ events }: Pick<P2pNode, 'events'>): void {
    events.on('progress', ({ blocksPerSecond }) => {
      this.#blocksPerSecond = blocksPerSecond;
    });
    events.on('addingFailed', ({ error, attempts }) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.#problem = `this node cannot add blocks: ${reason} (attempt ${attempts})`;
    });
    events.on('addingRecovered', () => {
      this.#problem = undefined;
    });
  }

  /** Blocks added per second while synchronizing; 0 when unknown. */
  get blocksPerSecond(): number {
    return this.#blocksPerSecond;
  }

  /** A sentence about what is wrong with this machine; undefined while all is well. */
  get problem(): string | undefined {
    return this.#problem;
  }
}
