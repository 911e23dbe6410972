import type { Blockchain } from '@monero-node/blockchain';
import type { EventsStatus } from '@monero-node/events/publisher';
import type { P2pNode } from '@monero-node/p2p';
import type { FleetFigures } from '@monero-node/node';
import { copySentence, type CopyStatus } from '../seed/copy-progress.ts';
import { eventsSentence } from './events-sentence.ts';

/** How far the curve tree of a chain is. */
type TreeProgress = Pick<Blockchain, 'treeBlocks' | 'height'>;

/** Remembers facts for `status` that the RPC does not have. */
export class NodeState {
  #blocksPerSecond = 0;
  #problem: string | undefined;
  #publisher: { readonly status: EventsStatus } | undefined;

  #seeds: { readonly status: CopyStatus } | undefined;
  #saturation: () => number = () => 0;
  #fleet: () => FleetFigures | undefined = () => undefined;
  #chain: TreeProgress | undefined;

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

  /** Asks what gives the chain to new nodes, if anything does. */
  watchSeeds(seeds: { readonly status: CopyStatus } | undefined): void {
    this.#seeds = seeds;
  }

  /** Asks how the other nodes of the fleet are. */
  watchFleet(figures: () => FleetFigures | undefined): void {
    this.#fleet = figures;
  }

  /** Asks how far the curve tree of the chain is. */
  watchTree(chain: TreeProgress): void {
    this.#chain = chain;
  }

  /** Asks how much of what the node has for answers is in use, 0 to 1. */
  watchSaturation(saturation: () => number): void {
    this.#saturation = saturation;
  }

  /** How much of what the node has for answers is in use, in whole percent. */
  get saturation(): number {
    return Math.round(this.#saturation() * 100);
  }

  /** A sentence, without its end, about the other nodes of the fleet; undefined when this node knows of none. */
  get fleet(): string | undefined {
    const figures = this.#fleet();
    return figures && fleetSentence(figures);
  }

  /** A sentence, without its end, about the copy of the chain to a new node; undefined while there is none. */
  get seed(): string | undefined {
    const status = this.#seeds?.status;
    return status === undefined || status.size === 0 ? undefined : copySentence(status);
  }

  /** A sentence, without its end, about the curve tree; undefined unless it lacks blocks. */
  get tree(): string | undefined {
    const { treeBlocks, height = 0 } = this.#chain ?? {};
    if (treeBlocks === undefined || treeBlocks >= height) return undefined;
    const percent = Math.floor((1000 * treeBlocks) / height) / 10;
    return `being built, ${treeBlocks} of ${height} blocks (${percent.toFixed(1)}%)`;
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

/** Returns a sentence, without its end, about the other nodes of a fleet. */
function fleetSentence({ ready, notReady, apart, silent, height }: FleetFigures): string {
  const all = ready + notReady + apart + silent;
  const rest = [
    apart > 0 ? `, ${apart} far from what most have` : '',
    notReady > 0 ? `, ${notReady} not ready` : '',
    silent > 0 ? `, ${silent} without an answer` : '',
  ].join('');
  const tip = height === undefined ? '' : `; most have ${height} blocks or more`;
  return `of ${all} other ${all === 1 ? 'node' : 'nodes'} ${ready} ready${rest}${tip}`;
}
