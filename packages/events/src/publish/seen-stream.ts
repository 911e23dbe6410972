import type { StreamInfo } from '../broker/stream-info.ts';

/** What follows from what a server tells of the stream of the pool. */
export interface StreamChange {
  /** Whether the stream may differ from what was published to it: compare it with the pool. */
  readonly mustCompare: boolean;
  /** Whether it is another stream than before, or was emptied. */
  readonly startsAnew: boolean;
}

/**
 * The stream of the pool as it was seen last. A cluster can lose messages that it has acknowledged, when most of its servers end at once: then the
 * stream has another leader, or ends before where it did.
 */
export class SeenStream {
  #created = '';
  #maxMessageBytes: number | undefined;
  #leader: string | undefined;
  #lastSequence = 0;
  #isEmpty = true;

  /** This node has published to it. */
  published(): void {
    this.#isEmpty = false;
  }

  /** Takes what the server tells now, and returns what follows from it. */
  look({ created, lastSequence, messages, leader, settings }: StreamInfo): StreamChange {
    const { maxMessageBytes } = settings;
    const isOther = created !== this.#created;
    const isEmptied = messages === 0 && !this.#isEmpty;
    // What was too long may be short enough now.
    const mayFit = maxMessageBytes !== this.#maxMessageBytes;
    // While there is an election no server is named.
    const mayLack =
      lastSequence < this.#lastSequence || (leader !== undefined && leader !== this.#leader);
    this.#created = created;
    this.#maxMessageBytes = maxMessageBytes;
    this.#leader = leader ?? this.#leader;
    this.#lastSequence = lastSequence;
    this.#isEmpty = messages === 0;
    const startsAnew = isOther || isEmptied;
    return { mustCompare: startsAnew || mayFit || mayLack, startsAnew };
  }
}
