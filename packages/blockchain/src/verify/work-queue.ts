import type { Host, WorkClient } from '../types.ts';

/** Why work of a client was not done; it says nothing about the work. */
export type DeclinedReason =
  /** The client has left. */
  | 'gone'
  /** Too much waits, of this client's host or of all. */
  | 'busy';

/** Work was not done. */
export class WorkDeclinedError extends Error {
  override readonly name = 'WorkDeclinedError';
  readonly code: DeclinedReason;

  constructor(code: DeclinedReason) {
    super(code === 'gone' ? 'the client has left' : 'too much work waits already');
    this.code = code;
  }
}

export interface WorkQueueLimits {
  /** Pieces of work done at the same time. */
  readonly places: number;
  /** Most pieces of one host that run or wait. */
  readonly perHost: number;
  /** Most pieces that wait. */
  readonly waiting: number;
  /** Returns how often the work of a host was bad of late: the host with least goes first. */
  readonly badness: (host: Host) => number;
}

interface Waiting {
  readonly client: WorkClient | undefined;
  readonly begin: () => void;
  readonly decline: (error: WorkDeclinedError) => void;
}

/**
 * Does dear work of strangers: a few pieces at a time, hosts with no bad work first, and among those who has fewest
 * running. The owner's work goes before that of strangers, and so does this node's own, which has no client and is not
 * bounded.
 */
export class WorkQueue {
  readonly #limits: WorkQueueLimits;
  readonly #held = new Map<Host, number>();
  #running: (WorkClient | undefined)[] = [];
  #waiting: Waiting[] = [];

  constructor(limits: WorkQueueLimits) {
    this.#limits = limits;
  }

  /** Pieces that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Settles as `task` does, once it is its turn. Throws WorkDeclinedError instead of beginning when the client has left, and
   * when too much waits.
   */
  async run<T>(client: WorkClient | undefined, task: () => Promise<T>): Promise<T> {
    await this.#turn(client);
    try {
      return await task();
    } finally {
      this.#running.splice(this.#running.indexOf(client), 1);
      this.#release(client);
      this.#beginNext();
    }
  }

  #turn(client: WorkClient | undefined): Promise<void> | undefined {
    this.#sweep();
    if (client?.isGone?.() === true) throw new WorkDeclinedError('gone');
    if (this.#heldBy(client) >= this.#limits.perHost) throw new WorkDeclinedError('busy');
    if (this.#running.length < this.#limits.places) {
      this.#take(client);
      this.#running.push(client);
      return undefined;
    }
    if (client !== undefined && this.#waiting.length >= this.#limits.waiting)
      this.#makeRoom(client);
    this.#take(client);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ client, begin: resolve, decline: reject });
    });
  }

  /** Turns away the piece that would come last, unless that is the new one. Throws WorkDeclinedError then. */
  #makeRoom(client: WorkClient): void {
    let last: Waiting | undefined;
    for (const one of this.#waiting) {
      if (last === undefined || this.#rank(one.client) >= this.#rank(last.client)) last = one;
    }
    const isFairer = last !== undefined && this.#rank(client) < this.#rank(last.client);
    if (last === undefined || !isFairer) throw new WorkDeclinedError('busy');
    this.#drop(last, new WorkDeclinedError('busy'));
  }

  /** Returns a number by which work is ordered, smallest first: bad work of late, then what the host has here. */
  #rank(client: WorkClient | undefined): number {
    if (client === undefined || client.isOwner === true) return -1;
    const { badness, perHost } = this.#limits;
    return badness(client.host) * (perHost + 1) + Math.min(this.#heldBy(client), perHost);
  }

  #beginNext(): void {
    this.#sweep();
    while (this.#running.length < this.#limits.places) {
      let next: Waiting | undefined;
      for (const one of this.#waiting) {
        if (next === undefined || this.#rank(one.client) < this.#rank(next.client)) next = one;
      }
      if (next === undefined) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#running.push(next.client);
      next.begin();
    }
  }

  /** Turns away those whose client has left. */
  #sweep(): void {
    for (const one of [...this.#waiting]) {
      if (one.client?.isGone?.() === true) this.#drop(one, new WorkDeclinedError('gone'));
    }
  }

  #drop(one: Waiting, error: WorkDeclinedError): void {
    this.#waiting.splice(this.#waiting.indexOf(one), 1);
    this.#release(one.client);
    one.decline(error);
  }

  #heldBy(client: WorkClient | undefined): number {
    return client === undefined ? 0 : (this.#held.get(client.host) ?? 0);
  }

  #take(client: WorkClient | undefined): void {
    if (client !== undefined) this.#held.set(client.host, this.#heldBy(client) + 1);
  }

  #release(client: WorkClient | undefined): void {
    if (client === undefined) return;
    const left = this.#heldBy(client) - 1;
    if (left > 0) this.#held.set(client.host, left);
    else this.#held.delete(client.host);
  }
}
