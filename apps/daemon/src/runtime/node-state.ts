import type { P2pEvents, P2pNode } from '@monero-node/p2p';

/** Remembers facts for `status` that the RPC does not have. */
export class NodeState {
  #blocksPerSecond = 0;
  #problem: string | undefined;

  /** Listens to the peer-to-peer network of the node. */
  watch(p2p: Pick<P2pNode, 'on'>): void {
    p2p.on('progress', ({ blocksPerSecond }) => {
      this.#blocksPerSecond = blocksPerSecond;
    });
    p2p.on('addingFailed', (...[{ error, attempts }]: P2pEvents['addingFailed']) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.#problem = `this node cannot add blocks: ${reason} (attempt ${attempts})`;
    });
    p2p.on('addingRecovered', () => {
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
