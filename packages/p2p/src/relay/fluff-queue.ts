import type { MillisecondClock } from '@monero-node/base';
import { poisson, type RandomSource } from '@monero-node/base';

/** Delays are multiples of this, so that they are scattered enough. */
const STEP_MS = 250;
/** Mean delay in steps: 5 s to incoming peers, 2.5 s to outgoing ones. */
const MEAN_INCOMING = 20;
const MEAN_OUTGOING = 10;

export interface FluffPeer {
  /** Id of the connection. */
  readonly id: string;
  readonly incoming: boolean;
}

/** Transactions that wait for one peer. */
interface Waiting {
  readonly blobs: Uint8Array[];
  /** Milliseconds. */
  readonly due: number;
}

export interface FluffQueueDependencies {
  /** Sends transactions to a peer, whose connection may be closed. */
  readonly send: (peerId: string, blobs: Uint8Array[]) => void;
  readonly now: MillisecondClock;
  readonly random: RandomSource;
}

/**
 * Sends public transactions to all peers, to each after a random delay, so that arrival times do not reveal the origin.
 * Source: fluff_notify and fluff_flush in src/cryptonote_protocol/levin_notify.cpp
 */
export class FluffQueue {
  readonly #deps: FluffQueueDependencies;
  readonly #waiting = new Map<string, Waiting>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: FluffQueueDependencies) {
    this.#deps = deps;
  }

  add(peers: Iterable<FluffPeer>, blobs: readonly Uint8Array[]): void {
    const { now, random } = this.#deps;
    for (const { id, incoming } of peers) {
      const waiting = this.#waiting.get(id);
      if (waiting !== undefined) {
        waiting.blobs.push(...blobs);
        continue;
      }
      const delay = STEP_MS * poisson(incoming ? MEAN_INCOMING : MEAN_OUTGOING, random);
      this.#waiting.set(id, { blobs: [...blobs], due: now() + delay });
    }
    this.#schedule();
  }

  /** Drops what waits for a closed connection. */
  forget(peerId: string): void {
    this.#waiting.delete(peerId);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const next = Math.min(...[...this.#waiting.values()].map(({ due }) => due));
    if (next === Infinity) return;
    this.#timer = setTimeout(() => this.#flush(), Math.max(0, next - this.#deps.now())).unref();
  }

  #flush(): void {
    const now = this.#deps.now();
    for (const [id, { blobs, due }] of this.#waiting) {
      if (due > now) continue;
      this.#waiting.delete(id);
      this.#deps.send(id, inOrder(blobs));
    }
    this.#schedule();
  }
}

/** Returns the transactions sorted, which hides the order of their arrival, and without duplicates. */
function inOrder(blobs: readonly Uint8Array[]): Uint8Array[] {
  const sorted = [...blobs].sort((a, b) => Buffer.compare(a, b));
  return sorted.filter((blob, i) => {
    const before = sorted[i - 1];
    return before === undefined || Buffer.compare(before, blob) !== 0;
  });
}
