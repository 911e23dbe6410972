import type { EventsStatus } from '@monero-node/events/publisher';
import type { P2pNode } from '@monero-node/p2p';
import { eventsSentence } from './events-sentence.ts';

/** Remembers facts for `status` that the RPC does not have. */
export class NodeState {
  #blocksPerSecond = 0;
  #problem: string | undefined;
  #publisher: { readonly status: EventsStatus } | undefined;

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

  /** Asks what publishes events, if anything does. */
  watchEvents(publisher: { readonly status: EventsStatus } | undefined): void {
    this.#publisher = publisher;
  }

  /** A sentence, without its end, about events on NATS; undefined while none are published. */
  get events(): string | undefined {
    return this.#publisher && eventsSentence(this.#publisher.status);
  }

  /** Blocks added per second while synchronizing; 0 when unknown. */
  get blocksPerSecond(): number {
    return this.#blocksPerSecond;
  }

  /** A sentence about what is wrong with this machine; undefined while all is well. */
  get problem(): string | undefined {
    return this.#problem ?? this.#publisher?.status.problem;
  }
}
